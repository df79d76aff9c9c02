//! What an agent knows: documents are cut into chunks, and the chunks that answer a question are
//! found again by its meaning and its words, inside one scope.

mod chunking;
mod context;
mod fixtures;
mod ingest;
mod retrieve;
mod score;
pub mod tokens;

pub use context::{CONTEXT_TOKENS, CONTEXT_TOKENS_WITH_HISTORY, Context, ContextSource, context};
pub use ingest::{ChunkDraft, chunk, chunk_document, embedding_text};
pub use retrieve::{
    DEFAULT_THRESHOLD, DEFAULT_TOP_K, Deadlines, MAX_TOP_K, Missing, Mode, Query, Retrieval,
    Search, SecondLook, Timings,
};
