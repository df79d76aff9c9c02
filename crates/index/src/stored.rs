//! Files that are written once and read in pieces.
//!
//! They are read, not mapped: a mapped file that somebody truncates ends the process, and one that
//! somebody overwrites answers with nonsense. What a file held when it was opened is remembered as
//! a checksum per page, and every piece that is read later is held against it. No descriptor stays
//! open, because a thousand partitions would need more of them than a process is given.

use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use tantivy::HasLen;
use tantivy::directory::{FileHandle, OwnedBytes};

const PAGE: usize = 16 * 1024;
/// Files up to this size are kept in memory, where they are read fastest.
const SMALL: usize = 64 * 1024;

pub(crate) struct StoredFile {
    path: PathBuf,
    length: usize,
    content: Content,
    doomed: AtomicBool,
}

enum Content {
    Memory(OwnedBytes),
    /// The checksums of the pages on the disk.
    Pages(Vec<u32>),
}

impl StoredFile {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        let content = if length <= SMALL {
            let mut bytes = vec![0; length];
            file.read_exact_at(&mut bytes, 0)?;
            Content::Memory(OwnedBytes::new(bytes))
        } else {
            Content::Pages(checksums(&file, length)?)
        };
        Ok(Self {
            path: path.to_owned(),
            length,
            content,
            doomed: AtomicBool::new(false),
        })
    }

    /// Deletes the file when nobody reads it any more.
    pub(crate) fn doom(&self) {
        self.doomed.store(true, Ordering::Relaxed);
    }

    pub(crate) fn in_memory(&self) -> usize {
        match &self.content {
            Content::Memory(bytes) => bytes.len(),
            Content::Pages(pages) => pages.len() * 4,
        }
    }

    fn read(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        if range.start > range.end || range.end > self.length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let pages = match &self.content {
            Content::Memory(bytes) => return Ok(bytes.slice(range)),
            Content::Pages(pages) => pages,
        };
        let first = range.start / PAGE;
        let start = first * PAGE;
        let end = range.end.next_multiple_of(PAGE).min(self.length);
        let mut bytes = vec![0; end - start];
        File::open(&self.path)?.read_exact_at(&mut bytes, start as u64)?;
        for (page, expected) in bytes.chunks(PAGE).zip(&pages[first..]) {
            if crc32fast::hash(page) != *expected {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!("{} has changed", self.path.display()),
                ));
            }
        }
        Ok(OwnedBytes::new(bytes).slice(range.start - start..range.end - start))
    }
}

fn checksums(file: &File, length: usize) -> io::Result<Vec<u32>> {
    let mut sums = Vec::with_capacity(length.div_ceil(PAGE));
    let mut buffer = vec![0; PAGE * 16];
    let mut at = 0;
    while at < length {
        let piece = &mut buffer[..(PAGE * 16).min(length - at)];
        file.read_exact_at(piece, at as u64)?;
        sums.extend(piece.chunks(PAGE).map(crc32fast::hash));
        at += piece.len();
    }
    Ok(sums)
}

impl Drop for StoredFile {
    fn drop(&mut self) {
        if self.doomed.load(Ordering::Relaxed) {
            // Whatever is left behind is swept away when the partition is opened next.
            drop(fs::remove_file(&self.path));
        }
    }
}

impl std::fmt::Debug for StoredFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "StoredFile({})", self.path.display())
    }
}

impl HasLen for StoredFile {
    fn len(&self) -> usize {
        self.length
    }
}

impl FileHandle for StoredFile {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        self.read(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_what_was_written_or_an_error() {
        let folder = tempfile::tempdir().unwrap();
        for length in [0, 10, SMALL, SMALL + 1, 5 * PAGE + 7] {
            let path = folder.path().join("file");
            let content: Vec<u8> = (0..length)
                .map(|i| u8::try_from(i % 251).unwrap())
                .collect();
            fs::write(&path, &content).unwrap();
            let file = StoredFile::open(&path).unwrap();
            for range in [
                0..length,
                length / 2..length,
                length / 3..length / 2,
                length..length,
            ] {
                assert_eq!(
                    file.read(range.clone()).unwrap().as_slice(),
                    &content[range]
                );
            }
            assert!(file.read(0..length + 1).is_err());
            if length > SMALL {
                let mut changed = content.clone();
                changed[PAGE + 1] ^= 1;
                fs::write(&path, &changed).unwrap();
                assert!(file.read(PAGE..PAGE + 10).is_err());
                assert!(file.read(0..10).is_ok());
                fs::write(&path, &content[..PAGE]).unwrap();
                assert!(file.read(length - 1..length).is_err());
            }
        }
    }

    #[test]
    fn a_doomed_file_goes_with_its_last_reader() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, vec![1; SMALL * 2]).unwrap();
        let file = StoredFile::open(&path).unwrap();
        file.doom();
        assert!(file.read(0..10).is_ok());
        drop(file);
        assert!(!path.exists());
    }
}
