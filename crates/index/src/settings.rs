//! What the embedded engine may use.

use std::path::PathBuf;

#[derive(Clone, Debug)]
pub struct EmbeddedSettings {
    /// The folder of all partitions.
    pub root: PathBuf,
    /// How much of partitions may be in memory, estimated. One that is in use stays nevertheless.
    pub memory_bytes: usize,
    /// How many partitions may be open.
    pub max_open: usize,
    /// Up to so many vectors are scanned; a graph is built for more.
    pub exact_rows: usize,
    /// How many entries are taken in before they are written.
    pub batch_entries: usize,
}

impl EmbeddedSettings {
    #[must_use]
    pub fn new(root: PathBuf) -> Self {
        Self {
            root,
            memory_bytes: 1 << 30,
            max_open: 1_000,
            exact_rows: 50_000,
            batch_entries: 8_192,
        }
    }
}
