//! Who looks at the passages of a search a second time: the judge or the encoder inside the binary, a
//! service that speaks Cohere's protocol, or a cross-encoder that this process runs itself.

#[cfg(feature = "local-models")]
mod cross_encoder;
mod encoder;
mod judge;
mod memory;
mod registry;
mod service;
mod settings;

pub use encoder::EncoderReranker;
pub use judge::JudgeReranker;
pub use registry::ProviderRerankers;
pub use settings::RerankSettings;

/// The beginning of a text, in whole characters. What comes later no model reads anyway, and
/// somebody waits.
fn beginning(text: &str, most_bytes: usize) -> &str {
    text[..text.floor_char_boundary(most_bytes)].trim()
}
