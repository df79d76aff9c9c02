//! The folder of the word index, as tantivy wants to see it.

use crate::sealed;
use crate::stored::StoredFile;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, TerminatingWrite, WatchCallback,
    WatchHandle, WritePtr,
};

#[derive(Clone, Debug)]
pub(crate) struct WordFolder {
    folder: PathBuf,
    /// The files that are being read, so that a file is deleted only after its last reader.
    open: Arc<Mutex<HashMap<PathBuf, Weak<StoredFile>>>>,
}

impl WordFolder {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            open: Arc::default(),
        }
    }

    /// How many bytes of the open files are in memory.
    pub(crate) fn in_memory(&self) -> usize {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.values()
            .filter_map(Weak::upgrade)
            .map(|file| file.in_memory())
            .sum()
    }

    fn read(&self, path: &Path) -> io::Result<Arc<StoredFile>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = open.get(path).and_then(Weak::upgrade) {
            return Ok(file);
        }
        let file = Arc::new(StoredFile::open(&self.folder.join(path))?);
        open.retain(|_, file| file.strong_count() > 0);
        open.insert(path.to_owned(), Arc::downgrade(&file));
        Ok(file)
    }
}

/// The list of files that tantivy keeps for its own clean-up. It may be stale after a power cut:
/// what is not in use is swept away when the partition is opened.
fn is_list_of_files(path: &Path) -> bool {
    path == Path::new(".managed.json")
}

fn read_error(error: io::Error, path: &Path) -> OpenReadError {
    if error.kind() == io::ErrorKind::NotFound {
        OpenReadError::FileDoesNotExist(path.to_owned())
    } else {
        OpenReadError::wrap_io_error(error, path.to_owned())
    }
}

impl Directory for WordFolder {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        match self.read(path) {
            Ok(file) => Ok(file),
            Err(error) => Err(read_error(error, path)),
        }
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = open.remove(path).and_then(|file| file.upgrade()) {
            file.doom();
            return Ok(());
        }
        fs::remove_file(self.folder.join(path)).map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                DeleteError::FileDoesNotExist(path.to_owned())
            } else {
                DeleteError::IoError {
                    io_error: Arc::new(error),
                    filepath: path.to_owned(),
                }
            }
        })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.folder.join(path).exists())
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        match File::create_new(self.folder.join(path)) {
            Ok(file) => Ok(BufWriter::new(Box::new(Written(file)))),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(OpenWriteError::FileAlreadyExists(path.to_owned()))
            }
            Err(error) => Err(OpenWriteError::wrap_io_error(error, path.to_owned())),
        }
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        sealed::read(&self.folder.join(path)).map_err(|error| read_error(error, path))
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        sealed::write(&self.folder.join(path), data, !is_list_of_files(path))
    }

    fn sync_directory(&self) -> io::Result<()> {
        sealed::sync_folder(&self.folder)
    }

    /// A partition has one writer at a time already, and reads again only when that one rests.
    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    /// Nothing is watched: whoever writes also publishes.
    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

struct Written(File);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl TerminatingWrite for Written {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.0.sync_data()
    }
}
