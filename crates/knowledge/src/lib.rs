//! What an agent knows: documents are cut into chunks, and the chunks that answer a question are
//! found again by its words, inside one scope.

mod bm25;
mod fixtures;
mod ingest;
mod retrieve;
pub mod score;
pub mod tokens;

pub use ingest::{ChunkDraft, chunk, chunk_document, embedding_text};
pub use retrieve::{DEFAULT_THRESHOLD, DEFAULT_TOP_K, MAX_TOP_K, Query, Retrieval, retrieve};
