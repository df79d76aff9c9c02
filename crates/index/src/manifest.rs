//! What a partition consists of. Replacing this file is what makes a change happen.

use crate::fault::{Fault, Outcome};
use crate::sealed;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

pub(crate) const FILE: &str = "manifest.json";
/// Partitions of another format are read again from the change log.
pub(crate) const FORMAT: u32 = 1;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) format: u32,
    /// Tells this partition from one that was here before. Everything derived names it.
    pub(crate) birth: String,
    /// The version of the change log that was reached.
    pub(crate) version: i64,
    /// Whether the log's end was seen since the partition began. Until then documents are missing
    /// that later portions bring.
    pub(crate) whole: bool,
    /// The number of the next row.
    pub(crate) next_row: u32,
    /// How many chunks can be found.
    pub(crate) chunks: u64,
    /// Oldest first.
    pub(crate) blocks: Vec<BlockFile>,
    pub(crate) graphs: Vec<GraphFile>,
    /// Models whose vectors no graph does justice to.
    #[serde(default)]
    pub(crate) refused: Vec<Refusal>,
}

/// A graph was built and found too little.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Refusal {
    pub(crate) model: String,
    pub(crate) dimensions: usize,
    /// How many rows it had.
    pub(crate) rows: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BlockFile {
    pub(crate) file: String,
    pub(crate) bytes: u64,
    pub(crate) head_bytes: u64,
    pub(crate) head_sum: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GraphFile {
    pub(crate) file: String,
    pub(crate) bytes: u64,
    pub(crate) sum: u32,
    pub(crate) model: String,
    pub(crate) dimensions: usize,
    /// Rows before this one are in the graph.
    pub(crate) upto: u32,
    /// How many rows are in the graph.
    pub(crate) rows: usize,
}

impl Manifest {
    pub(crate) fn new() -> Outcome<Self> {
        Ok(Self {
            format: FORMAT,
            birth: sealed::fresh_name()?,
            version: 0,
            whole: false,
            next_row: 0,
            chunks: 0,
            blocks: Vec::new(),
            graphs: Vec::new(),
            refused: Vec::new(),
        })
    }

    /// `None` when there is none.
    pub(crate) fn read(folder: &Path) -> Outcome<Option<Self>> {
        let bytes = match sealed::read(&folder.join(FILE)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let manifest: Self = serde_json::from_slice(&bytes)
            .map_err(|error| Fault::damaged(format!("the manifest cannot be read: {error}")))?;
        if manifest.format != FORMAT {
            return Err(Fault::damaged(format!(
                "the partition has format {}, not {FORMAT}",
                manifest.format
            )));
        }
        Ok(Some(manifest))
    }

    pub(crate) fn write(&self, folder: &Path) -> Outcome<()> {
        let bytes = serde_json::to_vec(self)
            .map_err(|error| Fault::damaged(format!("the manifest cannot be written: {error}")))?;
        Ok(sealed::write(&folder.join(FILE), &bytes, true)?)
    }
}
