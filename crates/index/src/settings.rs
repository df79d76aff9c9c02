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
    /// Up to how many bytes of whole vectors of a model stay in memory, of a partition: to read one
    /// from its file and to check it takes twenty times as long as to measure it. Of more, only codes
    /// are in memory. The default is 2,000 vectors of 256 dimensions.
    pub whole_bytes: usize,
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
            whole_bytes: 2 << 20,
            batch_entries: 8_192,
        }
    }
}
