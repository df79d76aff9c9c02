//! A look at an archive before anything opens it.
//!
//! Readers count what they really unpack, against the same limits; this only spares them the
//! archives that say themselves that they are bombs.

use quipu_core::extraction::Failure;
use std::io::Cursor;
use zip::ZipArchive;

pub(crate) const MOST_ENTRIES: usize = 10_000;
pub(crate) const MOST_BYTES: u64 = 300 * 1024 * 1024;
/// Ordinary XML shrinks to a tenth or a twentieth.
pub(crate) const HIGHEST_RATIO: u64 = 200;
/// Below this nothing can hurt, however well it was packed.
const HARMLESS_BYTES: u64 = 64 * 1024 * 1024;

/// # Errors
/// `TooLarge` for an archive that would unpack to more than allowed, `Damaged` for one that has
/// no readable directory.
pub(crate) fn check(bytes: &[u8]) -> Result<(), Failure> {
    let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| Failure::Damaged)?;
    if archive.len() > MOST_ENTRIES {
        return Err(Failure::TooLarge);
    }
    let mut unpacked = 0_u64;
    for entry in 0..archive.len() {
        let entry = archive.by_index_data(entry).map_err(|_| Failure::Damaged)?;
        unpacked = unpacked.saturating_add(entry.size());
    }
    let ratio = unpacked / (bytes.len() as u64).max(1);
    if unpacked > MOST_BYTES || (unpacked > HARMLESS_BYTES && ratio > HIGHEST_RATIO) {
        return Err(Failure::TooLarge);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use zip::write::{SimpleFileOptions, ZipWriter};

    fn archive(entries: usize, zeros_each: usize) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for i in 0..entries {
            zip.start_file(format!("{i}"), SimpleFileOptions::default())
                .unwrap();
            zip.write_all(&vec![0; zeros_each]).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn bombs_are_told_by_entries_size_and_ratio() {
        assert_eq!(check(&archive(3, 1000)), Ok(()));
        assert_eq!(check(&archive(1, 10 * 1024 * 1024)), Ok(()));
        assert_eq!(check(&archive(10_001, 0)), Err(Failure::TooLarge));
        let packed_tightly = archive(7, 10 * 1024 * 1024);
        assert_eq!(check(&packed_tightly), Err(Failure::TooLarge));
    }

    #[test]
    fn an_archive_written_in_one_go_has_its_sizes_in_the_directory() {
        let mut zip = ZipWriter::new_stream(Vec::new());
        zip.start_file("a", SimpleFileOptions::default()).unwrap();
        zip.write_all(&[0; 1000]).unwrap();
        assert_eq!(check(&zip.finish().unwrap().into_inner()), Ok(()));
    }

    #[test]
    fn what_is_no_archive_is_damaged() {
        assert_eq!(check(b"PK\x03\x04"), Err(Failure::Damaged));
        let whole = archive(3, 100);
        assert_eq!(check(&whole[..whole.len() / 2]), Err(Failure::Damaged));
    }
}
