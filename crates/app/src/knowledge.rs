//! What an agent knows: texts added by people, cut into chunks in the background.

use crate::once::{self, Once};
use crate::{Actor, App, agents, limits};
use quipu_core::access::Permission;
use quipu_core::job::{ClaimedJob, NewJob};
use quipu_core::knowledge::{Document, DocumentStatus, KnowledgeStats, NewText};
use quipu_core::page::{Page, PageRequest};
use quipu_core::plan::processing_credits;
use quipu_core::tenancy::TenantScope;
use quipu_core::text::preview;
use quipu_core::validate::Checks;
use quipu_core::{DocumentId, Error, KnowledgeBaseId, Result, TenantId};
use quipu_store::TenantTx;
use quipu_store::tenant::NewChunk;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// The longest text that can be added at once.
pub const MAX_TEXT_CHARS: usize = 1_000_000;
const PREVIEW_CHARS: usize = 150;

/// The job that turns a document into chunks.
pub const PROCESS_DOCUMENT: &str = "process_document";

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddText {
    #[serde(default)]
    #[schema(min_length = 1, max_length = 255, example = "Precios")]
    pub title: Option<String>,
    #[schema(
        min_length = 1,
        max_length = 1_000_000,
        example = "La limpieza dental cuesta S/ 120."
    )]
    pub content: String,
}

/// Adds a text to the agent's own knowledge base and queues its processing, in one transaction.
///
/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, `DUPLICATE_DOCUMENT`, or a limit of the plan.
pub async fn add_text(app: &App, actor: &Actor, agent: &str, input: AddText) -> Result<Document> {
    actor.require(Permission::KnowledgeWrite)?;
    let mut checks = Checks::new();
    let title = checks.optional_line("title", input.title.as_deref(), 255);
    checks.text("content", &input.content, MAX_TEXT_CHARS);
    checks.finish()?;

    let tx = match once::begin(app, actor, "knowledge.add_text", &(agent, &input)).await? {
        Once::Again(document) => return Ok(document),
        Once::First(tx) => tx,
    };
    let agent = agents::find(&tx, agent).await?;
    let kb = agent.knowledge_base_id;
    let bytes = u64::try_from(input.content.len()).unwrap_or(u64::MAX);
    let plan = limits::room_for_document(&tx, kb, bytes).await?;
    let new = NewText {
        knowledge_base_id: kb,
        title,
        preview: preview(&input.content, PREVIEW_CHARS),
        content_hash: crate::token::hash(&input.content),
        content: input.content,
    };
    let id = tx.documents().insert(&new, &actor.name()).await?;
    let credits = processing_credits(bytes);
    limits::consume_credits(&tx, &plan, credits, "process_document", &id.to_string()).await?;
    enqueue_processing(app, &tx, id).await?;
    tx.usage().add("documents_added", 1).await?;
    let details = json!({ "agent": agent.id, "bytes": bytes });
    actor
        .audit(&tx, "knowledge.add", format!("document:{id}"), details)
        .await?;
    let document = load(&tx, kb, id).await?;
    tx.commit(&document).await?;
    app.new_work.notify_one();
    Ok(document)
}

/// Newest first, one entry per document.
///
/// # Errors
/// `NOT_FOUND` when there is no such agent in the tenant.
pub async fn list(
    app: &App,
    actor: &Actor,
    agent: &str,
    page: PageRequest,
) -> Result<Page<Document>> {
    actor.require(Permission::KnowledgeRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?;
    tx.documents().list(agent.knowledge_base_id, page).await
}

/// # Errors
/// `NOT_FOUND` when the agent or the document is not there.
pub async fn get(app: &App, actor: &Actor, agent: &str, id: DocumentId) -> Result<Document> {
    actor.require(Permission::KnowledgeRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?;
    load(&tx, agent.knowledge_base_id, id).await
}

/// # Errors
/// `NOT_FOUND` when there is no such agent in the tenant.
pub async fn stats(app: &App, actor: &Actor, agent: &str) -> Result<KnowledgeStats> {
    actor.require(Permission::KnowledgeRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?;
    let stats = tx.knowledge_bases().stats(agent.knowledge_base_id).await?;
    stats.ok_or_else(|| Error::not_found("knowledge_base"))
}

/// Deletes the document with all its chunks.
///
/// # Errors
/// `NOT_FOUND` when the agent or the document is not there.
pub async fn delete(app: &App, actor: &Actor, agent: &str, id: DocumentId) -> Result<()> {
    actor.require(Permission::KnowledgeWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?;
    if !tx.documents().delete(agent.knowledge_base_id, id).await? {
        return Err(Error::not_found("document"));
    }
    let details = json!({ "agent": agent.id });
    actor
        .audit(&tx, "knowledge.delete", format!("document:{id}"), details)
        .await?;
    tx.commit().await
}

async fn enqueue_processing(app: &App, tx: &TenantTx, id: DocumentId) -> Result<()> {
    tx.jobs()
        .enqueue(&NewJob {
            kind: PROCESS_DOCUMENT,
            payload: json!({ "document_id": id }),
            dedup_key: Some(id.to_string()),
            run_at: tx.now(),
            max_attempts: app.job_attempts,
        })
        .await?;
    Ok(())
}

#[derive(Deserialize)]
struct ProcessDocument {
    document_id: DocumentId,
}

/// Does the job: cuts the text into chunks and finishes, in one transaction. Killed anywhere, it
/// has either done all of it or nothing.
///
/// # Errors
/// When the database cannot be used; the queue then tries again.
pub(crate) async fn process(app: &App, tenant: TenantId, job: &ClaimedJob) -> Result<Done> {
    let payload: ProcessDocument =
        serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    let id = payload.document_id;
    let scope = TenantScope::of(tenant);
    let content = app.store.read(scope).await?.documents().content(id).await?;
    let chunks = content.map(|(kb, text)| (kb, quipu_knowledge::chunk(&text)));

    let tx = app.store.begin(scope).await?;
    // A document that was deleted meanwhile needs nothing more; the job is done all the same.
    if let Some((kb, drafts)) = chunks
        && tx.documents().content(id).await?.is_some()
    {
        let new: Vec<NewChunk> = drafts
            .into_iter()
            .map(|draft| NewChunk {
                index: draft.index,
                content: draft.content,
                start_char: draft.start_char,
                end_char: draft.end_char,
            })
            .collect();
        tx.chunks().replace(kb, id, &new).await?;
        let count = i32::try_from(new.len()).unwrap_or(i32::MAX);
        tx.documents()
            .set_status(id, DocumentStatus::Completed, Some(count), None)
            .await?;
    }
    if !tx.jobs().complete(job).await? {
        return Ok(Done::LeaseLost);
    }
    tx.commit().await?;
    Ok(Done::Completed)
}

/// Keeps the document's state in step with its job's when that one ends or starts anew without
/// having been done, so that no document waits for a job that will not come.
pub(crate) async fn follow(
    tx: &TenantTx,
    payload: &serde_json::Value,
    status: DocumentStatus,
    why: Option<&str>,
) -> Result<()> {
    if let Ok(payload) = serde_json::from_value::<ProcessDocument>(payload.clone()) {
        tx.documents()
            .set_status(payload.document_id, status, None, why)
            .await?;
    }
    Ok(())
}

/// How a job ended from the handler's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    Completed,
    /// Somebody else has the job now; nothing was written.
    LeaseLost,
}

async fn load(tx: &TenantTx, kb: KnowledgeBaseId, id: DocumentId) -> Result<Document> {
    tx.documents()
        .find(kb, id)
        .await?
        .ok_or_else(|| Error::not_found("document"))
}
