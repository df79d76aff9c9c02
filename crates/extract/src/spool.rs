//! A file that a child can read and nobody can find.

use futures::StreamExt;
use quipu_core::ports::ByteStream;
use quipu_core::{Error, Result};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::Path;
use tokio::io::AsyncWriteExt;

/// A file without a name: it is gone with the last process that holds it, however that ends.
#[derive(Debug)]
pub(crate) struct Spool(File);

impl Spool {
    /// Copies a stream into a file. `None` when there is more than `most` bytes of it.
    ///
    /// # Errors
    /// When the stream breaks or the disk does not take it.
    pub(crate) async fn fill(
        mut original: ByteStream,
        folder: &Path,
        most: u64,
    ) -> Result<Option<Self>> {
        let folder = folder.to_owned();
        let file = tokio::task::spawn_blocking(move || tempfile::tempfile_in(folder))
            .await
            .map_err(Error::internal)?
            .map_err(Error::internal)?;
        let mut file = tokio::fs::File::from_std(file);
        let mut size = 0;
        while let Some(bytes) = original.next().await {
            let bytes = bytes?;
            size += bytes.len() as u64;
            if size > most {
                return Ok(None);
            }
            file.write_all(&bytes).await.map_err(Error::internal)?;
        }
        file.flush().await.map_err(Error::internal)?;
        Ok(Some(Self(file.into_std().await)))
    }

    /// The file opened anew, so that several children read it without moving each other's place.
    ///
    /// # Errors
    /// When the process may open no more files.
    pub(crate) fn reopen(&self) -> Result<File> {
        File::open(format!("/proc/self/fd/{}", self.0.as_raw_fd())).map_err(Error::internal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use std::io::Read;

    fn stream(pieces: &[&'static str]) -> ByteStream {
        let pieces: Vec<_> = pieces.iter().map(|p| Ok(Bytes::from(*p))).collect();
        futures::stream::iter(pieces).boxed()
    }

    #[tokio::test]
    async fn every_reader_starts_at_the_beginning_and_no_name_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::fill(stream(&["ho", "la"]), folder.path(), 4).await;
        let spool = spool.unwrap().unwrap();
        for _ in 0..2 {
            let mut text = String::new();
            spool.reopen().unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "hola");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn more_than_allowed_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::fill(stream(&["ho", "la"]), folder.path(), 3).await;
        assert!(spool.unwrap().is_none());
    }
}
