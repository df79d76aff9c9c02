//! A file on its way in.

use super::Originals;
use super::error::{names_nothing, storage, unavailable};
use bytes::Bytes;
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStoreExt, PutPayload};
use quipu_core::{Error, Result};
use tokio::runtime::Handle;

/// What is held of a file before it is passed on. Buckets take no smaller parts, and some want all
/// parts alike.
const BUCKET_PART: usize = 5 * 1024 * 1024;
const FOLDER_PART: usize = 1024 * 1024;
/// How often a file is begun anew because its folder was removed while it was made. Each time it
/// takes a removal at the very same instant.
const FOLDER_TRIES: usize = 50;

/// Takes a file in pieces and holds no more than one part of it.
///
/// Dropping it without [`OriginalWriter::finish`] leaves nothing visible.
pub struct OriginalWriter {
    originals: Originals,
    location: Path,
    part: usize,
    /// What has not been passed on yet. A file that fits into it is written in one go.
    held: Vec<u8>,
    upload: Option<Box<dyn MultipartUpload>>,
    written: u64,
    /// Whether a part may have been lost, because passing it on failed or was not waited for.
    torn: bool,
}

impl OriginalWriter {
    pub(super) fn new(originals: Originals, location: Path) -> Self {
        let part = if originals.folder.is_some() {
            FOLDER_PART
        } else {
            BUCKET_PART
        };
        Self {
            originals,
            location,
            part,
            held: Vec::new(),
            upload: None,
            written: 0,
            torn: false,
        }
    }

    /// How many bytes were written so far.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.written
    }

    /// # Errors
    /// `STORAGE_FULL` or `STORAGE_UNAVAILABLE`; the writer is then of no more use.
    pub async fn write(&mut self, mut bytes: Bytes) -> Result<()> {
        while !bytes.is_empty() {
            if self.held.len() == self.part {
                self.pass_on().await?;
            }
            let room = (self.part - self.held.len()).min(bytes.len());
            self.held.extend_from_slice(&bytes.split_to(room));
            self.written += room as u64;
        }
        Ok(())
    }

    /// Makes the file appear. When this returns, it is stored for good: in a folder, the file and
    /// the folders above it have been flushed to the disk.
    ///
    /// # Errors
    /// `STORAGE_FULL` or `STORAGE_UNAVAILABLE`; then nothing is visible.
    pub async fn finish(mut self) -> Result<()> {
        if self.upload.is_none() && !self.torn {
            let payload = PutPayload::from(std::mem::take(&mut self.held));
            let put = with_folder(&self.originals, || {
                self.originals.store.put(&self.location, payload.clone())
            })
            .await;
            if put.is_err() {
                tidy(&self.originals, &self.location).await;
            }
            return put.map(drop).map_err(storage);
        }
        if !self.held.is_empty() {
            self.pass_on().await?;
        }
        let Some(upload) = self.upload.as_mut().filter(|_| !self.torn) else {
            return Err(unavailable("a part of the file was lost"));
        };
        upload.complete().await.map_err(storage)?;
        self.upload = None;
        Ok(())
    }

    /// Gives up, and waits until nothing is left of it.
    ///
    /// # Errors
    /// `STORAGE_UNAVAILABLE` when the storage does not answer.
    pub async fn abort(mut self) -> Result<()> {
        match self.upload.take() {
            Some(upload) => clear(&self.originals, &self.location, upload).await,
            None => Ok(()),
        }
    }

    async fn pass_on(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.torn, true) {
            return Err(unavailable("a part of the file was lost"));
        }
        let part = std::mem::replace(&mut self.held, Vec::with_capacity(self.part));
        if self.upload.is_none() {
            self.upload = Some(start(&self.originals, &self.location).await?);
        }
        if let Some(upload) = &mut self.upload {
            let part = PutPayload::from(part);
            upload.put_part(part).await.map_err(storage)?;
        }
        self.torn = false;
        Ok(())
    }
}

impl Drop for OriginalWriter {
    fn drop(&mut self) {
        let (Some(upload), Ok(runtime)) = (self.upload.take(), Handle::try_current()) else {
            return;
        };
        let originals = self.originals.clone();
        let location = self.location.clone();
        runtime.spawn(async move {
            if let Err(e) = clear(&originals, &location, upload).await {
                tracing::warn!("an unfinished upload could not be cleared away: {e}");
            }
        });
    }
}

async fn start(originals: &Originals, location: &Path) -> Result<Box<dyn MultipartUpload>> {
    let (writing, location) = (originals.clone(), location.clone());
    let start =
        async move { with_folder(&writing, || writing.store.put_multipart(&location)).await };
    let started = if originals.folder.is_some() {
        // The library makes the folders and flushes them on the thread that asks.
        let runtime = Handle::current();
        tokio::task::spawn_blocking(move || runtime.block_on(start))
            .await
            .map_err(Error::internal)?
    } else {
        start.await
    };
    started.map_err(storage)
}

/// Writes to a folder that whoever removes the last file of it may remove at the same time: the
/// library makes the folders once, and gives up when one is gone before the file stands in it.
async fn with_folder<T, W: Future<Output = object_store::Result<T>>>(
    originals: &Originals,
    write: impl Fn() -> W,
) -> object_store::Result<T> {
    let mut left = if originals.folder.is_some() {
        FOLDER_TRIES
    } else {
        1
    };
    loop {
        left -= 1;
        match write().await {
            Err(error) if left > 0 && names_nothing(&error) => {}
            done => return done,
        }
    }
}

async fn clear(
    originals: &Originals,
    location: &Path,
    mut upload: Box<dyn MultipartUpload>,
) -> Result<()> {
    let aborted = upload.abort().await.map_err(storage);
    tidy(originals, location).await;
    aborted
}

/// Removes the folders that were made for a file that did not come. That it may fail matters less
/// than what led here.
async fn tidy(originals: &Originals, location: &Path) {
    if let Some(folder) = &originals.folder {
        let _ = folder.forget(location).await;
    }
}
