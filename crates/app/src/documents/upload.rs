//! Uploads: from the request's stream to the storage, without ever holding the file.

use super::add::record;
use super::{MAX_METADATA_BYTES, check_metadata, check_tags, load, target};
use crate::{Actor, App, after, knowledge_bases, limits};
use bytes::Bytes;
use futures::{Stream, StreamExt};
use quipu_core::format::{Format, Sniffer};
use quipu_core::job::{ClaimedJob, NewJob};
use quipu_core::knowledge::{DocumentSource, DocumentStatus, KnowledgeBase, NewDocument};
use quipu_core::tenancy::TenantScope;
use quipu_core::validate::Checks;
use quipu_core::{DocumentId, Error, ErrorCode, KnowledgeBaseId, Result};
use quipu_store::tenant::OpenKb;
use quipu_store::{Originals, TenantTx};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::time::Duration;
use utoipa::ToSchema;

/// The job that removes what an upload left behind when it was cut off.
pub(crate) const SWEEP_UPLOAD: &str = "sweep_upload";

/// Longer than any upload may take.
const SWEEP_AFTER: Duration = Duration::from_hours(2);

/// What whoever uploads says about the files.
#[derive(Clone, Debug, Default)]
pub struct FileDetails {
    pub title: Option<String>,
    pub category: Option<String>,
    pub tags: Vec<String>,
    pub metadata: Option<serde_json::Value>,
}

/// A file that was taken on.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Uploaded {
    pub document_id: DocumentId,
    pub filename: String,
    pub file_type: Format,
    pub size_bytes: u64,
    pub status: DocumentStatus,
    /// A guess from its kind and size, and from what waits before it.
    pub estimated_processing_time_seconds: u64,
}

/// Somebody who may add files to a knowledge base.
pub struct Upload<'a> {
    app: &'a App,
    actor: &'a Actor,
    kb: OpenKb,
}

/// What was learnt while the file passed by.
struct Received {
    format: Format,
    size: u64,
    hash: String,
}

impl<'a> Upload<'a> {
    /// Checks the right to add files before anything is read.
    ///
    /// # Errors
    /// `NOT_FOUND`, `FORBIDDEN`, `KNOWLEDGE_BASE_ARCHIVED`, a limit of the plan that is reached
    /// already, or `CREDITS_EXHAUSTED`.
    pub async fn open(app: &'a App, actor: &'a Actor, kb: KnowledgeBaseId) -> Result<Self> {
        let tx = app.store.begin(actor.scope()).await?;
        let kb = writable(&tx, actor, kb).await?;
        let plan = limits::room_for_document(&tx, kb.id, 1).await?;
        limits::credit_for_later(&tx, &plan).await?;
        Ok(Self { app, actor, kb })
    }

    /// The same for a file that takes another's place: the document is there already, and how much
    /// it grows is known when the file was read.
    ///
    /// # Errors
    /// `NOT_FOUND`, `FORBIDDEN`, `KNOWLEDGE_BASE_ARCHIVED` or `CREDITS_EXHAUSTED`.
    pub async fn open_to_replace(
        app: &'a App,
        actor: &'a Actor,
        kb: KnowledgeBaseId,
    ) -> Result<Self> {
        let tx = app.store.begin(actor.scope()).await?;
        let kb = writable(&tx, actor, kb).await?;
        let plan = limits::room_for_growth(&tx, kb.id, 0).await?;
        limits::credit_for_later(&tx, &plan).await?;
        Ok(Self { app, actor, kb })
    }

    /// Takes one file: stores it, then writes its document and its job in one transaction.
    ///
    /// # Errors
    /// `FILE_TOO_LARGE`, `FORMAT_NOT_SUPPORTED`, `DOCUMENT_EMPTY`, `DUPLICATE_DOCUMENT` naming
    /// the document that has the same content, or a limit of the plan.
    pub async fn add(
        &self,
        filename: &str,
        details: &FileDetails,
        body: impl Stream<Item = Result<Bytes>> + Send + Unpin,
    ) -> Result<Uploaded> {
        let mut checks = Checks::new();
        let filename = clean_name(filename);
        let title = checks.optional_line("title", details.title.as_deref(), 255);
        let category = checks.optional_line("category", details.category.as_deref(), 100);
        let tags = check_tags(&mut checks, &details.tags);
        let metadata = details.metadata.clone().unwrap_or_else(|| json!({}));
        check_metadata(&mut checks, &metadata, MAX_METADATA_BYTES);
        checks.finish()?;

        let id = DocumentId::generate(self.app.now());
        let path = Originals::path(self.kb.id, id, 1, &filename);
        let (received, document) = self
            .store_then(id, &path, &filename, body, async |tx, kb, received| {
                let new = NewDocument {
                    id,
                    source: DocumentSource::File,
                    title: title.clone(),
                    filename: Some(filename.clone()),
                    file_type: Some(received.format),
                    source_url: None,
                    storage_path: Some(path.clone()),
                    text: None,
                    content_hash: received.hash.clone(),
                    size_bytes: i64::try_from(received.size).unwrap_or(i64::MAX),
                    preview: String::new(),
                    category: category.clone(),
                    tags: tags.clone(),
                    metadata: metadata.clone(),
                    business: None,
                };
                let plan = limits::room_for_document(tx, kb.id, received.size).await?;
                limits::credit_for_later(tx, &plan).await?;
                tx.documents().insert(kb, &new, &self.actor.name()).await?;
                record(self.app, tx, self.actor, kb, id, received.size).await?;
                load(tx, kb, id).await
            })
            .await?;
        Ok(Uploaded {
            document_id: id,
            filename,
            file_type: received.format,
            size_bytes: received.size,
            status: document.status,
            estimated_processing_time_seconds: estimate(received.format, received.size),
        })
    }

    /// Puts a new file behind a document that is there. Readers see the old version until the new
    /// one was processed.
    ///
    /// # Errors
    /// As for a new file; `NOT_FOUND` when there is no such document, `DOCUMENT_STATE` when it is
    /// not a file.
    pub async fn replace(
        &self,
        id: DocumentId,
        filename: &str,
        body: impl Stream<Item = Result<Bytes>> + Send + Unpin,
    ) -> Result<Uploaded> {
        let filename = clean_name(filename);
        let tx = self.app.store.read(self.actor.scope()).await?;
        let before = load(&tx, &self.kb, id).await?;
        if before.source != DocumentSource::File {
            return Err(Error::new(ErrorCode::DocumentState));
        }
        let version = tx.documents().next_version(&self.kb, id).await?;
        let version = version.ok_or_else(|| Error::not_found("document"))?;
        drop(tx);
        let path = Originals::path(self.kb.id, id, version, &filename);
        let (received, status) = self
            .store_then(id, &path, &filename, body, async |tx, kb, received| {
                let now = load(tx, kb, id).await?;
                let grown = received
                    .size
                    .saturating_sub(u64::try_from(now.size_bytes).unwrap_or(0));
                limits::room_for_growth(tx, kb.id, grown).await?;
                let stale = tx.documents().original(kb, id).await?;
                let stale = stale.and_then(|original| original.storage_path);
                let new = NewDocument {
                    id,
                    source: DocumentSource::File,
                    title: None,
                    filename: Some(filename.clone()),
                    file_type: Some(received.format),
                    source_url: None,
                    storage_path: Some(path.clone()),
                    text: None,
                    content_hash: received.hash.clone(),
                    size_bytes: i64::try_from(received.size).unwrap_or(i64::MAX),
                    preview: String::new(),
                    category: None,
                    tags: Vec::new(),
                    metadata: json!({}),
                    business: None,
                };
                if now.content_hash == received.hash {
                    return Err(Error::new(ErrorCode::DuplicateDocument)
                        .with("document_id", id.to_string()));
                }
                super::process_again::give_way(tx, id).await?;
                tx.documents().replace_content(kb, id, &new).await?;
                if let Some(stale) = &stale {
                    // Its run removes it; should that fail or give way, this order does.
                    guard(self.app, tx, kb, id, stale).await?;
                }
                super::process_again::begin_run(self.app, tx, kb, id, stale.as_deref()).await?;
                let details = json!({ "bytes": received.size });
                self.actor
                    .audit(tx, "knowledge.replace", target(id), details)
                    .await?;
                Ok(load(tx, kb, id).await?.status)
            })
            .await?;
        Ok(Uploaded {
            document_id: id,
            filename,
            file_type: received.format,
            size_bytes: received.size,
            status,
            estimated_processing_time_seconds: estimate(received.format, received.size),
        })
    }

    /// Stores the file, then does `then` in a transaction. Whatever goes wrong, the file is
    /// there only if the transaction is; when this process dies in between, the guard sees to it.
    async fn store_then<T>(
        &self,
        id: DocumentId,
        path: &str,
        filename: &str,
        body: impl Stream<Item = Result<Bytes>> + Send + Unpin,
        then: impl AsyncFnOnce(&TenantTx, &OpenKb, &Received) -> Result<T>,
    ) -> Result<(Received, T)> {
        let (app, scope) = (self.app, self.actor.scope());
        let tx = app.store.begin(scope).await?;
        guard(app, &tx, &self.kb, id, path).await?;
        tx.commit().await?;
        let stored = async {
            let received = self.receive(path, filename, body).await?;
            let tx = app.store.begin(scope).await?;
            // The knowledge base may have been archived or deleted while the file came in.
            let kb = writable(&tx, self.actor, self.kb.id).await?;
            let done = then(&tx, &kb, &received).await?;
            tx.jobs().withdraw(SWEEP_UPLOAD, path).await?;
            tx.commit().await?;
            Ok((received, done))
        };
        match stored.await {
            Ok(done) => {
                app.new_work.notify_one();
                Ok(done)
            }
            Err(error) => {
                if let Err(left) = app.originals.delete(scope, path).await {
                    tracing::warn!(error = %left, "an upload that failed is left for the sweep");
                }
                Err(error)
            }
        }
    }

    async fn receive(
        &self,
        path: &str,
        filename: &str,
        mut body: impl Stream<Item = Result<Bytes>> + Send + Unpin,
    ) -> Result<Received> {
        let mut writer = self.app.originals.writer(self.actor.scope(), path).await?;
        let mut sniffer = Sniffer::new();
        let mut hasher = Sha256::new();
        let mut size = 0_u64;
        let read = async {
            while let Some(piece) = body.next().await {
                let piece = piece?;
                size += piece.len() as u64;
                sniffer.see(&piece);
                let max = sniffer.max_bytes(filename);
                if size > max {
                    return Err(too_large(filename, max));
                }
                hasher.update(&piece);
                writer.write(piece).await?;
            }
            if size == 0 {
                return Err(Error::new(ErrorCode::DocumentEmpty).with("filename", filename));
            }
            let format = sniffer.finish(filename).ok_or_else(|| {
                Error::new(ErrorCode::FormatNotSupported).with("filename", filename)
            })?;
            if size > format.max_bytes() {
                return Err(too_large(filename, format.max_bytes()));
            }
            Ok(format)
        };
        let format = match read.await {
            Ok(format) => format,
            Err(error) => {
                drop(writer.abort().await);
                return Err(error);
            }
        };
        writer.finish().await?;
        Ok(Received {
            format,
            size,
            hash: hex::encode(hasher.finalize()),
        })
    }
}

async fn writable(tx: &TenantTx, actor: &Actor, kb: KnowledgeBaseId) -> Result<OpenKb> {
    let kb = knowledge_bases::open(tx, actor, kb).await?;
    knowledge_bases::may_write(actor, &kb)?;
    Ok(kb)
}

fn too_large(filename: &str, max: u64) -> Error {
    Error::new(ErrorCode::FileTooLarge)
        .with("filename", filename)
        .with("max_bytes", max)
}

/// The last part of whatever path a client sent, without control characters, never empty.
pub(crate) fn clean_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let seen = quipu_core::text::visible(last);
    let clean: String = seen.chars().filter(|c| !c.is_control()).collect();
    let clean: String = clean.trim().chars().take(200).collect();
    if clean.is_empty() || clean == "." || clean == ".." {
        "documento".to_owned()
    } else {
        clean
    }
}

/// Seconds, from what was measured on two cores; scans, which take longest, cannot be told yet.
fn estimate(format: Format, bytes: u64) -> u64 {
    let per_second = match format {
        Format::Pdf => 1_000_000,
        Format::Docx | Format::Doc | Format::Pptx | Format::Ppt => 2_000_000,
        _ => 500_000,
    };
    1 + bytes / per_second
}

/// Orders the removal of a file whose document will not come, for later.
pub(crate) async fn guard(
    app: &App,
    tx: &TenantTx,
    kb: &KnowledgeBase,
    document: DocumentId,
    path: &str,
) -> Result<()> {
    tx.jobs()
        .enqueue(&NewJob {
            kind: SWEEP_UPLOAD,
            payload: json!(SweepUpload {
                document_id: document,
                path: path.to_owned(),
            }),
            dedup_key: Some(path.to_owned()),
            run_at: after(app.now(), SWEEP_AFTER),
            max_attempts: 1000,
            // The path holds the file's name.
            owner: kb.owner_user_id,
        })
        .await?;
    Ok(())
}

#[derive(Serialize, Deserialize)]
struct SweepUpload {
    document_id: DocumentId,
    path: String,
}

/// Does the job: removes the file unless a document names it after all.
///
/// # Errors
/// When the storage cannot be reached; the queue then tries again.
pub(crate) async fn sweep_upload(app: &App, scope: TenantScope, job: &ClaimedJob) -> Result<bool> {
    let order: SweepUpload =
        serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    let item = app
        .store
        .read(scope)
        .await?
        .ingest()
        .load(order.document_id)
        .await?;
    match item {
        // Nothing of a document that is not there is needed, an unfinished upload included.
        None => {
            let folder = order
                .path
                .splitn(3, '/')
                .take(2)
                .collect::<Vec<_>>()
                .join("/");
            app.originals.delete_prefix(scope, &folder).await?;
        }
        Some(item) if item.storage_path.as_deref() != Some(order.path.as_str()) => {
            app.originals.delete(scope, &order.path).await?;
        }
        Some(_) => {}
    }
    let tx = app.store.begin(scope).await?;
    if !tx.jobs().complete(job).await? {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_path_and_are_never_empty() {
        assert_eq!(clean_name("../../etc/passwd"), "passwd");
        assert_eq!(clean_name("C:\\docs\\carta.pdf"), "carta.pdf");
        assert_eq!(clean_name(".."), "documento");
        assert_eq!(clean_name("\u{0}\n"), "documento");
        assert_eq!(clean_name(" Menú ñandú.pdf "), "Menú ñandú.pdf");
        assert_eq!(clean_name(&"a".repeat(500)).len(), 200);
    }
}
