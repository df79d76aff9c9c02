//! Looking at documents, their chunks and their originals.

use super::load;
use crate::{Actor, App, knowledge_bases};
use bytes::Bytes;
use futures::StreamExt;
use quipu_core::knowledge::{ChunkView, Document, DocumentFilter, DocumentSort, ProcessingStatus};
use quipu_core::page::{Page, PageRequest, fitting};
use quipu_core::ports::ByteStream;
use quipu_core::{ChunkId, DocumentId, Error, KnowledgeBaseId, Result, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

/// # Errors
/// `NOT_FOUND` when the knowledge base is not there or is somebody else's.
pub async fn list(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    filter: &DocumentFilter,
    sort: DocumentSort,
    page: PageRequest,
) -> Result<Page<Document>> {
    let tx = app.store.read(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_read(actor, &kb)?;
    tx.documents().list(&kb, filter, sort, page).await
}

/// The most ids in one answer.
pub const MOST_IDS: u64 = 4_000;

/// Which documents a filter means, by their ids alone, the first that was added first.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct DocumentIds {
    pub data: Vec<DocumentId>,
    /// How many there are on all pages.
    pub total: u64,
    /// Pass it as `cursor` to get the next page; `null` on the last one.
    pub next_cursor: Option<DocumentId>,
}

/// # Errors
/// `NOT_FOUND` when the knowledge base is not there or is somebody else's.
pub async fn ids(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    filter: &DocumentFilter,
    after: Option<DocumentId>,
    limit: u64,
) -> Result<DocumentIds> {
    let limit = limit.clamp(1, MOST_IDS);
    let tx = app.store.read(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_read(actor, &kb)?;
    let documents = tx.documents();
    let mut data = documents.ids_after(&kb, filter, after, limit + 1).await?;
    let found = data.len();
    data.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    data.truncate(fitting(&data));
    let more = data.len() < found;
    Ok(DocumentIds {
        total: documents.count_matching(&kb, filter).await?,
        next_cursor: data.last().copied().filter(|_| more),
        data,
    })
}

/// # Errors
/// `NOT_FOUND` when it is not there or is somebody else's.
pub async fn get(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    id: DocumentId,
) -> Result<Document> {
    let tx = app.store.read(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_read(actor, &kb)?;
    load(&tx, &kb, id).await
}

/// How far its processing is.
///
/// # Errors
/// `NOT_FOUND` when it is not there or is somebody else's.
pub async fn status(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    id: DocumentId,
) -> Result<ProcessingStatus> {
    let tx = app.store.read(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_read(actor, &kb)?;
    tx.documents()
        .status(&kb, id)
        .await?
        .ok_or_else(|| Error::not_found("document"))
}

/// What changed in the knowledge base since an instant, the earliest change first, some of it: the
/// last one says from where to ask on. Asked again and again, it is a stream of events that works
/// whichever process does the work.
///
/// # Errors
/// `NOT_FOUND` when the knowledge base is not there, or no longer the caller's to see.
pub async fn events(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    since: Timestamp,
    after: Option<DocumentId>,
) -> Result<Vec<ProcessingStatus>> {
    let tx = app.store.read(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_read(actor, &kb)?;
    tx.documents().changed_since(&kb, since, after, 500).await
}

/// Chunks of a document in their order.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChunkPage {
    pub data: Vec<ChunkView>,
    /// Pass it as `cursor` to get the next page; `null` on the last one.
    pub next_cursor: Option<String>,
    pub total: i32,
}

/// # Errors
/// `NOT_FOUND` when it is not there or is somebody else's.
pub async fn chunks(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    id: DocumentId,
    from: i32,
    limit: u64,
) -> Result<ChunkPage> {
    let tx = app.store.read(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_read(actor, &kb)?;
    let document = load(&tx, &kb, id).await?;
    let mut data = tx.chunks().list(&kb, id, from, limit + 1).await?;
    let more = data.len() as u64 > limit;
    data.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let next_cursor = data
        .last()
        .filter(|_| more)
        .map(|last| (last.chunk_index + 1).to_string());
    Ok(ChunkPage {
        data,
        next_cursor,
        total: document.chunks_count,
    })
}

/// A chunk and what stands around it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChunkWithNeighbours {
    pub chunk: ChunkView,
    pub before: Option<ChunkView>,
    pub after: Option<ChunkView>,
    /// What the document's text holds between the chunk's positions, with up to 300 characters on
    /// each side.
    pub context: String,
}

const CONTEXT_CHARS: usize = 300;

/// # Errors
/// `NOT_FOUND` when it is not there or is somebody else's.
pub async fn chunk(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    document: DocumentId,
    id: ChunkId,
) -> Result<ChunkWithNeighbours> {
    let tx = app.store.read(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_read(actor, &kb)?;
    load(&tx, &kb, document).await?;
    let chunk = tx
        .chunks()
        .find(&kb, document, id)
        .await?
        .ok_or_else(|| Error::not_found("chunk"))?;
    let first = (chunk.chunk_index - 1).max(0);
    let around = tx.chunks().list(&kb, document, first, 3).await?;
    let at = |index: i32| around.iter().find(|c| c.chunk_index == index).cloned();
    let text = tx.chunks().text(&kb, document).await?.unwrap_or_default();
    let position = |value: i32| usize::try_from(value).unwrap_or(0);
    let from = position(chunk.start_char).saturating_sub(CONTEXT_CHARS);
    let to = position(chunk.end_char) + CONTEXT_CHARS;
    Ok(ChunkWithNeighbours {
        before: at(chunk.chunk_index - 1),
        after: at(chunk.chunk_index + 1),
        context: text.chars().skip(from).take(to - from).collect(),
        chunk,
    })
}

/// The text that was read out of the document; the positions of chunks point into it.
///
/// # Errors
/// `NOT_FOUND` when it is not there, is somebody else's, or was not processed yet.
pub async fn text(app: &App, actor: &Actor, kb: KnowledgeBaseId, id: DocumentId) -> Result<String> {
    let tx = app.store.read(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_read(actor, &kb)?;
    tx.chunks()
        .text(&kb, id)
        .await?
        .ok_or_else(|| Error::not_found("document"))
}

/// An original on its way out.
pub struct Download {
    pub filename: String,
    pub content_type: &'static str,
    pub size: u64,
    pub body: ByteStream,
}

/// # Errors
/// `NOT_FOUND` when it is not there, is somebody else's, or has no original.
pub async fn download(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    id: DocumentId,
) -> Result<Download> {
    let tx = app.store.read(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_read(actor, &kb)?;
    let document = load(&tx, &kb, id).await?;
    let original = tx.documents().original(&kb, id).await?;
    drop(tx);
    let missing = || Error::not_found("document");
    let original = original.ok_or_else(missing)?;
    if let Some(text) = original.text {
        let name = document.title.unwrap_or_else(|| "documento".to_owned());
        let size = text.len() as u64;
        let body = futures::stream::once(async move { Ok(Bytes::from(text)) }).boxed();
        return Ok(Download {
            filename: format!("{name}.txt"),
            content_type: "text/plain; charset=utf-8",
            size,
            body,
        });
    }
    let path = original.storage_path.ok_or_else(missing)?;
    let stored = app
        .originals
        .read(actor.scope(), &path)
        .await?
        .ok_or_else(missing)?;
    let name = document.filename.unwrap_or_else(|| "documento".to_owned());
    Ok(Download {
        filename: match document.file_type {
            Some(format) => format.properly_named(&name),
            None => format!("{name}.bin"),
        },
        content_type: document
            .file_type
            .map_or("application/octet-stream", |format| format.content_type()),
        size: stored.size,
        body: stored.bytes,
    })
}
