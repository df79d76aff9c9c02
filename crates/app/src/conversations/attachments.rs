//! Files that come with a conversation.

use super::{find, lock, target};
use crate::documents::clean_name;
use crate::{Actor, App, after, limits};
use bytes::Bytes;
use futures::{Stream, StreamExt};
use quipu_core::access::Permission;
use quipu_core::conversation::{Attachment, AttachmentType, Conversation, NewAttachment};
use quipu_core::job::{ClaimedJob, NewJob};
use quipu_core::page::{Page, PageRequest};
use quipu_core::ports::ByteStream;
use quipu_core::tenancy::TenantScope;
use quipu_core::{AttachmentId, ConversationId, Error, ErrorCode, Result};
use quipu_store::{Originals, TenantTx};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::time::Duration;

/// The job that removes the file of an attachment that did not come to be.
pub(crate) const SWEEP_ATTACHMENT: &str = "sweep_attachment";

/// Longer than any upload may take.
const SWEEP_AFTER: Duration = Duration::from_hours(2);

const MAX_BYTES: u64 = 10 * 1024 * 1024;
const MAX_ATTACHMENTS: u64 = 50;

/// Somebody who may add a file to a conversation.
pub struct Attaching<'a> {
    app: &'a App,
    actor: &'a Actor,
    conversation: Conversation,
}

impl<'a> Attaching<'a> {
    /// Checks the right before anything is read.
    ///
    /// # Errors
    /// `FORBIDDEN`, `NOT_FOUND`, `TOO_MANY_ITEMS`, or a limit of the plan that is reached already.
    pub async fn open(app: &'a App, actor: &'a Actor, id: ConversationId) -> Result<Self> {
        actor.require(Permission::CustomersWrite)?;
        let tx = app.store.begin(actor.scope()).await?;
        let conversation = find(&tx, id).await?;
        room(&tx, id).await?;
        limits::room_for_attachment(&tx, 1).await?;
        Ok(Self {
            app,
            actor,
            conversation,
        })
    }

    /// Stores the file, then writes it down. Whatever goes wrong, the file is there only if its
    /// row is; when this process dies in between, a job sees to it.
    ///
    /// # Errors
    /// `ATTACHMENT_NOT_SUPPORTED`, `ATTACHMENT_MISLABELLED`, `FILE_TOO_LARGE`, `DOCUMENT_EMPTY`, `TOO_MANY_ITEMS`,
    /// `NOT_FOUND` when the conversation is gone meanwhile, or a limit of the plan.
    pub async fn add(
        &self,
        filename: &str,
        body: impl Stream<Item = Result<Bytes>> + Send + Unpin,
    ) -> Result<Attachment> {
        let (app, scope) = (self.app, self.actor.scope());
        let filename = clean_name(filename);
        let id = AttachmentId::generate(app.now());
        let Conversation { lead_id, .. } = self.conversation;
        // What the file is shows when it is read; until then nothing is kept under a name that may be
        // that of a program.
        let kept_as = AttachmentType::named(&filename).map_or("file", AttachmentType::as_str);
        let kept_as = format!("attachment.{kept_as}");
        let path = Originals::attachment_path(lead_id, self.conversation.id, id, &kept_as);
        let tx = app.store.begin(scope).await?;
        guard(app, &tx, id, &path).await?;
        tx.commit().await?;
        let stored = async {
            let (file_type, size) = self.receive(&path, &filename, body).await?;
            self.record(id, filename, file_type, size, path.clone())
                .await
        };
        match stored.await {
            Ok(attachment) => Ok(attachment),
            Err(error) => {
                if let Err(left) = app.originals.delete(scope, &path).await {
                    tracing::warn!(error = %left, "an attachment that failed is left for the sweep");
                }
                Err(error)
            }
        }
    }

    async fn record(
        &self,
        id: AttachmentId,
        filename: String,
        file_type: AttachmentType,
        size: u64,
        path: String,
    ) -> Result<Attachment> {
        let tx = self.app.store.begin(self.actor.scope()).await?;
        limits::room_for_attachment(&tx, size).await?;
        let conversation = lock(&tx, self.conversation.id).await?;
        room(&tx, conversation.id).await?;
        tx.jobs().withdraw(SWEEP_ATTACHMENT, &path).await?;
        let new = NewAttachment {
            id,
            filename: file_type.properly_named(&filename),
            file_type,
            size_bytes: i64::try_from(size).unwrap_or(i64::MAX),
            storage_path: path,
        };
        let attachment = tx.attachments().insert(conversation.id, &new).await?;
        let details = json!({ "attachment_id": id, "bytes": size });
        self.actor
            .audit(&tx, "conversation.attach", target(conversation.id), details)
            .await?;
        tx.commit().await?;
        Ok(attachment)
    }

    async fn receive(
        &self,
        path: &str,
        filename: &str,
        mut body: impl Stream<Item = Result<Bytes>> + Send + Unpin,
    ) -> Result<(AttachmentType, u64)> {
        let mut writer = self.app.originals.writer(self.actor.scope(), path).await?;
        let mut head = Vec::new();
        let mut size = 0_u64;
        let read = async {
            while let Some(piece) = body.next().await {
                let piece = piece?;
                size += piece.len() as u64;
                if size > MAX_BYTES {
                    return Err(Error::new(ErrorCode::FileTooLarge)
                        .with("filename", filename)
                        .with("max_bytes", MAX_BYTES));
                }
                let room = AttachmentType::HEAD.saturating_sub(head.len());
                head.extend_from_slice(&piece[..room.min(piece.len())]);
                if head.len() == AttachmentType::HEAD {
                    told(filename, &head)?;
                }
                writer.write(piece).await?;
            }
            if size == 0 {
                return Err(Error::new(ErrorCode::DocumentEmpty).with("filename", filename));
            }
            told(filename, &head)
        };
        match read.await {
            Ok(file_type) => {
                writer.finish().await?;
                Ok((file_type, size))
            }
            Err(error) => {
                drop(writer.abort().await);
                Err(error)
            }
        }
    }
}

/// What a file is by its first bytes. One whose name says otherwise is refused, because whoever
/// opens it goes by its name.
fn told(filename: &str, head: &[u8]) -> Result<AttachmentType> {
    let named = |code| Error::new(code).with("filename", filename);
    let found = AttachmentType::of(head);
    let found = found.ok_or_else(|| named(ErrorCode::AttachmentNotSupported))?;
    match AttachmentType::named(filename) {
        Some(said) if said != found => Err(named(ErrorCode::AttachmentMislabelled)
            .with("said", said.as_str())
            .with("found", found.as_str())),
        _ => Ok(found),
    }
}

async fn room(tx: &TenantTx, id: ConversationId) -> Result<()> {
    if tx.attachments().count(id).await? >= MAX_ATTACHMENTS {
        return Err(Error::new(ErrorCode::TooManyItems).with("value", MAX_ATTACHMENTS));
    }
    Ok(())
}

/// Newest first.
///
/// # Errors
/// `NOT_FOUND` when the tenant has no such conversation.
pub async fn list(
    app: &App,
    actor: &Actor,
    id: ConversationId,
    page: PageRequest,
) -> Result<Page<Attachment>> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    find(&tx, id).await?;
    tx.attachments().list(id, page).await
}

/// An attachment on its way out.
pub struct DownloadedAttachment {
    pub attachment: Attachment,
    pub size: u64,
    pub body: ByteStream,
}

/// # Errors
/// `NOT_FOUND` when the conversation has no such attachment.
pub async fn download(
    app: &App,
    actor: &Actor,
    conversation: ConversationId,
    id: AttachmentId,
) -> Result<DownloadedAttachment> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    find(&tx, conversation).await?;
    let missing = || Error::not_found("attachment");
    let (attachment, path) = tx.attachments().find(id).await?.ok_or_else(missing)?;
    drop(tx);
    if attachment.conversation_id != conversation {
        return Err(missing());
    }
    let stored = app.originals.read(actor.scope(), &path).await?;
    let stored = stored.ok_or_else(missing)?;
    Ok(DownloadedAttachment {
        attachment,
        size: stored.size,
        body: stored.bytes,
    })
}

#[derive(Serialize, Deserialize)]
struct SweepAttachment {
    attachment_id: AttachmentId,
    path: String,
}

/// Orders the removal of a file whose attachment will not come, for later.
async fn guard(app: &App, tx: &TenantTx, id: AttachmentId, path: &str) -> Result<()> {
    tx.jobs()
        .enqueue(&NewJob {
            kind: SWEEP_ATTACHMENT,
            payload: json!(SweepAttachment {
                attachment_id: id,
                path: path.to_owned(),
            }),
            dedup_key: Some(path.to_owned()),
            run_at: after(app.now(), SWEEP_AFTER),
            max_attempts: 1000,
            owner: None,
        })
        .await?;
    Ok(())
}

/// Does the job: removes the file unless there is an attachment after all.
///
/// # Errors
/// When the storage cannot be reached; the queue then tries again.
pub(crate) async fn sweep(app: &App, scope: TenantScope, job: &ClaimedJob) -> Result<bool> {
    let order: SweepAttachment =
        serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    let tx = app.store.read(scope).await?;
    let found = tx.attachments().find(order.attachment_id).await?;
    drop(tx);
    if found.is_none()
        && let Some((folder, _)) = order.path.rsplit_once('/')
    {
        // The file is alone in its folder, but for what an interrupted upload left of it.
        app.originals.delete_prefix(scope, folder).await?;
    }
    let tx = app.store.begin(scope).await?;
    if !tx.jobs().complete(job).await? {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}
