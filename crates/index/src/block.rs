//! A block: the chunks of some documents with their vectors, in one file that never changes.
//!
//! Its head, with the ids and the checksums of all rows, is in memory. Vectors follow it, per
//! model first those of 8 bits that are scanned and then the whole ones that decide. Where there
//! are few, the whole ones stay in memory once they were read.

mod head;
mod write;

pub(crate) use head::{Head, ModelRows, Span};
pub(crate) use write::{Draft, DraftModel, write};

use crate::fault::{Fault, Outcome};
use crate::manifest::BlockFile;
use std::fs::{self, File};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) struct Block {
    pub(crate) head: Head,
    pub(crate) entry: BlockFile,
    path: PathBuf,
    doomed: AtomicBool,
    /// Per model, its whole vectors one after the other, once they were asked for.
    whole: Vec<OnceLock<Vec<f32>>>,
}

impl Block {
    pub(crate) fn open(folder: &Path, entry: &BlockFile) -> Outcome<Self> {
        let path = folder.join(&entry.file);
        let file = File::open(&path)?;
        if file.metadata()?.len() != entry.bytes || entry.head_bytes > entry.bytes {
            return Err(Fault::damaged(format!("{} has another length", entry.file)));
        }
        let length = usize::try_from(entry.head_bytes).unwrap_or(usize::MAX);
        let mut bytes = vec![0; length];
        file.read_exact_at(&mut bytes, 0)?;
        if crc32fast::hash(&bytes) != entry.head_sum {
            return Err(Fault::damaged(format!("{} has another head", entry.file)));
        }
        let head = Head::parse(&bytes)
            .ok_or_else(|| Fault::damaged(format!("{} has no head", entry.file)))?;
        Ok(Self::new(head, entry.clone(), path))
    }

    fn new(head: Head, entry: BlockFile, path: PathBuf) -> Self {
        Self {
            whole: head.models.iter().map(|_| OnceLock::new()).collect(),
            head,
            entry,
            path,
            doomed: AtomicBool::new(false),
        }
    }

    /// Deletes the file when nobody reads it any more.
    pub(crate) fn doom(&self) {
        self.doomed.store(true, Ordering::Relaxed);
    }

    pub(crate) fn file(&self) -> Outcome<File> {
        Ok(File::open(&self.path)?)
    }

    /// The codes of some rows of a model, one after the other.
    pub(crate) fn codes(
        &self,
        file: &File,
        model: &ModelRows,
        rows: Range<usize>,
    ) -> Outcome<Vec<i8>> {
        let sums = &model.code_sums[rows.clone()];
        let bytes = self.rows(file, model.codes_at, model.dimensions, rows, sums)?;
        Ok(bytes.into_iter().map(u8::cast_signed).collect())
    }

    /// Reads a vector as it was given.
    pub(crate) fn exact(
        &self,
        file: &File,
        model: &ModelRows,
        row: usize,
        vector: &mut Vec<f32>,
    ) -> Outcome<()> {
        let sums = &model.exact_sums[row..=row];
        let bytes = self.rows(
            file,
            model.exact_at,
            model.dimensions * 4,
            row..row + 1,
            sums,
        )?;
        vector.clear();
        vector.extend(
            bytes
                .as_chunks::<4>()
                .0
                .iter()
                .map(|bytes| f32::from_le_bytes(*bytes)),
        );
        Ok(())
    }

    /// The whole vectors of a model, one after the other. They stay in memory from now on.
    pub(crate) fn whole(&self, model: usize) -> Outcome<Option<&[f32]>> {
        let (Some(rows), Some(whole)) = (self.head.models.get(model), self.whole.get(model)) else {
            return Ok(None);
        };
        if whole.get().is_none() {
            let all = 0..rows.positions.len();
            let width = rows.dimensions * 4;
            let bytes = self.rows(&self.file()?, rows.exact_at, width, all, &rows.exact_sums)?;
            let bytes = bytes.as_chunks::<4>().0.iter();
            let vectors = bytes.map(|bytes| f32::from_le_bytes(*bytes)).collect();
            // Whoever read them at the same time read the same.
            drop(whole.set(vectors));
        }
        Ok(whole.get().map(Vec::as_slice))
    }

    /// What the whole vectors take that are in memory.
    pub(crate) fn whole_in_memory(&self) -> usize {
        let whole = self.whole.iter().filter_map(OnceLock::get);
        whole.map(|vectors| vectors.len() * size_of::<f32>()).sum()
    }

    fn rows(
        &self,
        file: &File,
        at: u64,
        width: usize,
        rows: Range<usize>,
        sums: &[u32],
    ) -> Outcome<Vec<u8>> {
        let mut bytes = vec![0; width * rows.len()];
        file.read_exact_at(
            &mut bytes,
            self.entry.head_bytes + at + (rows.start * width) as u64,
        )?;
        let changed = bytes
            .chunks_exact(width.max(1))
            .zip(sums)
            .any(|(row, sum)| crc32fast::hash(row) != *sum);
        if changed {
            return Err(Fault::damaged(format!("{} has changed", self.entry.file)));
        }
        Ok(bytes)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if self.doomed.load(Ordering::Relaxed) {
            // Whatever is left behind is swept away when the partition is opened next.
            drop(fs::remove_file(&self.path));
        }
    }
}
