//! Who turns texts into vectors: the model inside the binary, which needs neither a key nor a
//! server, and the providers that a knowledge base may choose instead.

mod bundled;
mod cached;
mod recent;
mod registry;
mod remote;
mod settings;
mod static_table;
mod vectors;
mod word_piece;

pub use cached::Cached;
pub use registry::ProviderEmbedders;
pub use settings::{EmbeddingSettings, LocalSettings, RetrySettings};
pub use static_table::StaticEmbedder;
