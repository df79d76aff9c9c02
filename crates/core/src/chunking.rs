//! How the text of a document is cut into chunks, as a knowledge base says it.

mod config;
mod pages;

pub use config::{
    BUSINESS_CHUNK_TOKENS, ChunkStrategy, ChunkingConfig, SizeUnit, TOKEN_CHUNK_OVERLAP,
    TOKEN_CHUNK_SIZE,
};
pub use pages::ChunkPages;
