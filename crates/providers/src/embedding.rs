//! Vectors without a key and without a server: the model that comes inside the binary.

mod bundled;
mod static_table;
mod vectors;
mod word_piece;

pub use static_table::StaticEmbedder;
