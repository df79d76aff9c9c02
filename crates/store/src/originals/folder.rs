//! What the library does not do for a folder: removing so that it lasts, leftovers and empty
//! folders included.

use super::error::storage;
use super::{FileTotals, blocking};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use quipu_core::Result;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path as FilePath, PathBuf};

#[derive(Clone)]
pub(super) struct Folder {
    files: LocalFileSystem,
    root: PathBuf,
}

impl Folder {
    pub(super) fn new(files: LocalFileSystem, root: PathBuf) -> Self {
        Self { files, root }
    }

    pub(super) async fn remove_file(&self, location: &Path) -> Result<bool> {
        let (root, path) = self.paths(location)?;
        blocking(move || {
            let there = is_gone_or(fs::remove_file(&path))?.is_some();
            if there {
                remove_empty_folders(&path, &root)?;
            }
            Ok(there)
        })
        .await
    }

    pub(super) async fn remove_tree(&self, location: &Path) -> Result<FileTotals> {
        let (root, path) = self.paths(location)?;
        blocking(move || {
            let mut removed = FileTotals::default();
            let found = walk(&path)?;
            for (file, bytes) in found.files {
                if is_gone_or(fs::remove_file(file))?.is_some() {
                    removed.add(bytes);
                }
            }
            // A folder comes after the one that holds it. One that is not empty any more has
            // just been written to, and stays.
            for folder in found.folders.into_iter().rev() {
                let _ = fs::remove_dir(folder);
            }
            remove_empty_folders(&path, &root)?;
            Ok(removed)
        })
        .await
    }

    pub(super) async fn count_tree(&self, location: &Path) -> Result<FileTotals> {
        let (_, path) = self.paths(location)?;
        blocking(move || {
            let mut found = FileTotals::default();
            for (_, bytes) in walk(&path)?.files {
                found.add(bytes);
            }
            Ok(found)
        })
        .await
    }

    /// Clears away the folders that were made for a file that did not come.
    pub(super) async fn forget(&self, location: &Path) -> Result<()> {
        let (root, path) = self.paths(location)?;
        blocking(move || remove_empty_folders(&path, &root)).await
    }

    /// Whether files can be made. The one made here has no name and is gone with its handle.
    pub(super) async fn check(&self) -> Result<()> {
        let root = self.root.clone();
        blocking(move || tempfile::tempfile_in(root).map(drop)).await
    }

    fn paths(&self, location: &Path) -> Result<(PathBuf, PathBuf)> {
        let path = self.files.path_to_filesystem(location).map_err(storage)?;
        Ok((self.root.clone(), path))
    }
}

#[derive(Default)]
struct Found {
    files: Vec<(PathBuf, u64)>,
    folders: Vec<PathBuf>,
}

/// Everything under a folder. Links are files here, and never followed.
fn walk(top: &FilePath) -> io::Result<Found> {
    let mut found = Found::default();
    let is_folder = is_gone_or(fs::symlink_metadata(top))?.is_some_and(|m| m.is_dir());
    if is_folder {
        found.folders.push(top.to_owned());
    }
    let mut next = 0;
    while let Some(folder) = found.folders.get(next).cloned() {
        next += 1;
        let Some(entries) = is_gone_or(fs::read_dir(folder))? else {
            continue;
        };
        for entry in entries {
            let entry = entry?;
            let Some(metadata) = is_gone_or(entry.metadata())? else {
                continue;
            };
            if metadata.is_dir() {
                found.folders.push(entry.path());
            } else {
                found.files.push((entry.path(), metadata.len()));
            }
        }
    }
    Ok(found)
}

/// Removes the empty folders above a path, below the root, and makes the removal last: a file
/// that was reported as removed must not be back after a power cut.
fn remove_empty_folders(path: &FilePath, root: &FilePath) -> io::Result<()> {
    let mut folder = path.parent();
    while let Some(above) = folder.filter(|above| *above != root) {
        match fs::remove_dir(above) {
            Ok(()) => {}
            Err(e) if e.kind() == ErrorKind::NotFound => {}
            // Not empty: the removal is an entry less in this one.
            Err(_) => break,
        }
        folder = above.parent();
    }
    let Some(left) = folder else { return Ok(()) };
    if let Some(handle) = is_gone_or(File::open(left))? {
        // Only Unix can do this with a folder; elsewhere the file system decides.
        if cfg!(unix) {
            handle.sync_all()?;
        }
    }
    Ok(())
}

/// `None` when what was to be touched is not there, or no longer.
fn is_gone_or<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(e) => Err(e),
    }
}
