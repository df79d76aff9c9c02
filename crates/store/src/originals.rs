//! The files people sent, as they sent them: in a folder, or in a bucket of S3, Google or Azure.
//!
//! Every tenant has a prefix of its own, which these methods put before the path. No path can name
//! anything outside of it, because a path may only be made of plain names.

mod backend;
mod error;
mod folder;
mod path;
mod writer;

pub use backend::OriginalsSettings;
pub use writer::OriginalWriter;

use error::storage;
use folder::Folder;
use futures::{StreamExt, TryStreamExt, stream};
use object_store::path::Path;
use object_store::{GetResultPayload, ObjectMeta, ObjectStore, ObjectStoreExt};
use quipu_core::ports::ByteStream;
use quipu_core::tenancy::TenantScope;
use quipu_core::{
    AttachmentId, ConversationId, DocumentId, Error, KnowledgeBaseId, LeadId, Result,
};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::io::ReaderStream;

/// How much of a file in a folder is read at once.
const PIECE: usize = 128 * 1024;
/// How many files are asked to be removed at once. It is what S3 takes in one request.
const REMOVED_AT_ONCE: usize = 1000;
/// How long a storage may take to say that it is there.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);

/// Where the originals are.
#[derive(Clone)]
pub struct Originals {
    store: Arc<dyn ObjectStore>,
    /// Set when the storage is a folder of this machine.
    folder: Option<Folder>,
    /// What stands before the tenants' own prefixes.
    root: Path,
}

/// A file on its way out.
pub struct StoredOriginal {
    pub size: u64,
    pub bytes: ByteStream,
}

/// How many files there are, or were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileTotals {
    pub files: u64,
    pub bytes: u64,
}

impl FileTotals {
    fn add(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
    }
}

impl Originals {
    /// Opens the storage, making the folder if it is one. A bucket is not asked yet: see
    /// [`Originals::check`].
    ///
    /// # Errors
    /// When the settings make no sense or the folder cannot be made.
    pub fn open(settings: &OriginalsSettings) -> Result<Self> {
        backend::open(settings)
    }

    /// Where the original of a document's version belongs.
    #[must_use]
    pub fn path(kb: KnowledgeBaseId, document: DocumentId, version: i32, filename: &str) -> String {
        path::of(kb, document, version, filename)
    }

    /// Where the files that come with a lead's conversations belong.
    #[must_use]
    pub fn folder_of_lead(lead: LeadId) -> String {
        path::of_lead(lead)
    }

    /// Where an attachment belongs: alone in a folder, below that of the lead.
    #[must_use]
    pub fn attachment_path(
        lead: LeadId,
        conversation: ConversationId,
        attachment: AttachmentId,
        filename: &str,
    ) -> String {
        path::of_attachment(lead, conversation, attachment, filename)
    }

    /// Starts a file. It appears when [`OriginalWriter::finish`] returns, whole, in place of what
    /// was there before; until then nobody sees anything of it.
    ///
    /// # Errors
    /// When the path is not one.
    #[expect(clippy::unused_async, reason = "a back end may have to be asked first")]
    pub async fn writer(&self, scope: TenantScope, path: &str) -> Result<OriginalWriter> {
        Ok(OriginalWriter::new(
            self.clone(),
            path::file(&self.root, scope, path)?,
        ))
    }

    /// Opens a file, or tells that there is none.
    ///
    /// # Errors
    /// `STORAGE_UNAVAILABLE` when the storage does not answer.
    pub async fn read(&self, scope: TenantScope, path: &str) -> Result<Option<StoredOriginal>> {
        let location = path::file(&self.root, scope, path)?;
        let found = match self.store.get(&location).await {
            Ok(found) => found,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(e) => return Err(storage(e)),
        };
        let size = found.meta.size;
        let bytes: ByteStream = match found.payload {
            // The library would read a folder's files in very small pieces.
            GetResultPayload::File(file, _) => {
                let file = tokio::fs::File::from_std(file);
                ReaderStream::with_capacity(file, PIECE)
                    .map_err(error::io)
                    .boxed()
            }
            GetResultPayload::Stream(stream) => stream.map_err(storage).boxed(),
        };
        Ok(Some(StoredOriginal { size, bytes }))
    }

    /// Removes a file, and tells whether there was one.
    ///
    /// # Errors
    /// `STORAGE_UNAVAILABLE` when the storage does not answer.
    pub async fn delete(&self, scope: TenantScope, path: &str) -> Result<bool> {
        let location = path::file(&self.root, scope, path)?;
        if let Some(folder) = &self.folder {
            return folder.remove_file(&location).await;
        }
        // A bucket does not say whether there was anything to remove.
        match self.store.head(&location).await {
            Ok(_) => {}
            Err(object_store::Error::NotFound { .. }) => return Ok(false),
            Err(e) => return Err(storage(e)),
        }
        match self.store.delete(&location).await {
            Ok(()) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(e) => Err(storage(e)),
        }
    }

    /// Removes everything under a prefix of whole names, such as a knowledge base or a document;
    /// under the empty prefix, everything the tenant has. In a folder, what interrupted uploads
    /// left behind goes too; a bucket needs a rule of its own that ends incomplete uploads.
    ///
    /// # Errors
    /// `STORAGE_UNAVAILABLE` when the storage does not answer; then part of it may be gone.
    pub async fn delete_prefix(&self, scope: TenantScope, prefix: &str) -> Result<FileTotals> {
        let prefix = path::prefix(&self.root, scope, prefix)?;
        if let Some(folder) = &self.folder {
            return folder.remove_tree(&prefix).await;
        }
        let mut removed = FileTotals::default();
        let mut batches = self.store.list(Some(&prefix)).try_chunks(REMOVED_AT_ONCE);
        while let Some(batch) = batches.next().await {
            let batch = batch.map_err(|e| storage(e.1))?;
            self.remove_all(&batch).await?;
            for file in batch {
                removed.add(file.size);
            }
        }
        Ok(removed)
    }

    async fn remove_all(&self, files: &[ObjectMeta]) -> Result<()> {
        let locations: Vec<_> = files.iter().map(|file| Ok(file.location.clone())).collect();
        let mut gone = self.store.delete_stream(stream::iter(locations).boxed());
        while let Some(result) = gone.next().await {
            match result {
                Ok(_) | Err(object_store::Error::NotFound { .. }) => {}
                Err(e) => return Err(storage(e)),
            }
        }
        Ok(())
    }

    /// Counts what is under a prefix of whole names. In a folder, what interrupted uploads left
    /// behind counts too, so that zero means zero.
    ///
    /// # Errors
    /// `STORAGE_UNAVAILABLE` when the storage does not answer.
    pub async fn count_prefix(&self, scope: TenantScope, prefix: &str) -> Result<FileTotals> {
        let prefix = path::prefix(&self.root, scope, prefix)?;
        if let Some(folder) = &self.folder {
            return folder.count_tree(&prefix).await;
        }
        let mut found = FileTotals::default();
        let mut files = self.store.list(Some(&prefix));
        while let Some(file) = files.next().await {
            found.add(file.map_err(storage)?.size);
        }
        Ok(found)
    }

    /// Whether the storage is there: a folder that can be written to, or a bucket that can be
    /// listed.
    ///
    /// # Errors
    /// `STORAGE_UNAVAILABLE` when it is not.
    pub async fn check(&self) -> Result<()> {
        if let Some(folder) = &self.folder {
            return folder.check().await;
        }
        // Nothing is ever stored under this name. An empty list still needs a bucket and rights.
        let nothing = self.root.clone().join("check");
        let mut files = self.store.list(Some(&nothing));
        match tokio::time::timeout(CHECK_TIMEOUT, files.next()).await {
            Ok(None | Some(Ok(_))) => Ok(()),
            Ok(Some(Err(e))) => Err(storage(e)),
            Err(_) => Err(error::unavailable("the storage took too long to answer")),
        }
    }
}

impl std::fmt::Debug for Originals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The library prints the keys of a bucket.
        f.debug_struct("Originals")
            .field("root", &self.root)
            .finish_non_exhaustive()
    }
}

/// Runs what would block a thread that serves others.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(Error::internal)?
        .map_err(error::io)
}
