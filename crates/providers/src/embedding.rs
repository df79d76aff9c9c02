//! Who turns texts into vectors: the models inside the binary, which need neither a key nor a
//! server, and the providers that a knowledge base may choose instead.

mod cached;
mod encoder;
#[cfg(feature = "local-models")]
mod local;
mod registry;
mod remote;
mod settings;
mod static_table;
mod vectors;

pub use cached::Cached;
pub use encoder::EncoderEmbedder;
pub use registry::ProviderEmbedders;
pub use settings::{EmbeddingSettings, LocalSettings};
pub use static_table::StaticEmbedder;
