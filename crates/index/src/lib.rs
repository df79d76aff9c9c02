//! The search engines.
//!
//! The embedded one keeps each knowledge base as a partition with a folder of its own, written by
//! one task at a time and searched by any number. The other keeps partitions on a Qdrant server.
//! Everything in either is derived from the change log and can be dropped.

mod block;
mod dense;
mod directory;
mod engine;
mod fault;
mod graph;
mod keeper;
mod kernel;
mod manifest;
mod qdrant;
mod sealed;
mod settings;
mod slot;
mod slots;
mod snapshot;
mod store;
mod stored;
mod table;
mod words;

pub use engine::{EmbeddedEngine, Usage, clear};
pub use qdrant::{QdrantEngine, QdrantSettings};
pub use settings::EmbeddedSettings;
