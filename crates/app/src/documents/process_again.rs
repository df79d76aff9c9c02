//! Processing documents again, and calling it off.

use super::{PROCESS_DOCUMENT, enqueue_processing, load, target};
use crate::{Actor, App, jobs, knowledge_bases, limits};
use quipu_core::knowledge::{Document, DocumentFilter, DocumentSource, DocumentStatus};
use quipu_core::plan::processing_credits;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{DocumentId, Error, ErrorCode, KnowledgeBaseId, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::OpenKb;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// The most documents one request can name or mean.
pub(super) const MAX_AT_ONCE: usize = 1000;

/// What a request for many documents did.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BulkOutcome {
    /// Those that wait for processing now.
    pub accepted: Vec<DocumentId>,
    /// Those that are being processed already.
    pub skipped: Vec<DocumentId>,
    /// Those that are not there.
    pub not_found: Vec<DocumentId>,
    /// Whether there are more that the request meant; ask again.
    pub more: bool,
}

/// Processes a document again. Readers keep what they see until it is done.
///
/// # Errors
/// `NOT_FOUND`, `FORBIDDEN`, `DOCUMENT_STATE` while it waits or is being processed, or
/// `CREDITS_EXHAUSTED`.
pub async fn reprocess(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    id: DocumentId,
) -> Result<Document> {
    let tx = app.store.begin(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_write(actor, &kb)?;
    let before = load(&tx, &kb, id).await?;
    if !again(app, &tx, actor, &kb, &before).await? {
        return Err(Error::new(ErrorCode::DocumentState));
    }
    let document = load(&tx, &kb, id).await?;
    tx.commit().await?;
    app.new_work.notify_one();
    Ok(document)
}

/// Processes many again: those named, or every one that failed.
///
/// # Errors
/// `NOT_FOUND`, `FORBIDDEN`, `VALIDATION_FAILED`, or `CREDITS_EXHAUSTED`; then nothing is queued.
pub async fn reprocess_many(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    ids: Option<Vec<DocumentId>>,
) -> Result<BulkOutcome> {
    if let Some(ids) = &ids {
        check_count(ids)?;
    }
    let tx = app.store.begin(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_write(actor, &kb)?;
    let mut more = false;
    let ids = if let Some(ids) = ids {
        ids
    } else {
        let failed = DocumentFilter {
            status: Some(DocumentStatus::Failed),
            ..DocumentFilter::default()
        };
        let limit = MAX_AT_ONCE as u64;
        let mut found = tx.documents().ids(&kb, &failed, limit + 1).await?;
        more = found.len() > MAX_AT_ONCE;
        found.truncate(MAX_AT_ONCE);
        found
    };
    let mut outcome = BulkOutcome {
        accepted: Vec::new(),
        skipped: Vec::new(),
        not_found: Vec::new(),
        more,
    };
    for id in ids {
        match tx.documents().find(&kb, id).await? {
            None => outcome.not_found.push(id),
            Some(document) if again(app, &tx, actor, &kb, &document).await? => {
                outcome.accepted.push(id);
            }
            Some(_) => outcome.skipped.push(id),
        }
    }
    tx.commit().await?;
    app.new_work.notify_waiters();
    app.new_work.notify_one();
    Ok(outcome)
}

/// Calls off the processing of a document. One that readers saw before, they still see.
///
/// # Errors
/// `NOT_FOUND`, `FORBIDDEN`, or `DOCUMENT_STATE` when nothing is under way.
pub async fn cancel(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    id: DocumentId,
) -> Result<Document> {
    let tx = app.store.begin(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_write(actor, &kb)?;
    load(&tx, &kb, id).await?;
    let job = tx
        .jobs()
        .find_live(PROCESS_DOCUMENT, &id.to_string())
        .await?
        .ok_or_else(|| Error::new(ErrorCode::DocumentState))?;
    jobs::cancel_in(&tx, actor, job.id).await?;
    let document = load(&tx, &kb, id).await?;
    tx.commit().await?;
    Ok(document)
}

/// Starts another run of a document unless one is under way.
async fn again(
    app: &App,
    tx: &TenantTx,
    actor: &Actor,
    kb: &OpenKb,
    document: &Document,
) -> Result<bool> {
    let id = document.id;
    let live = tx
        .jobs()
        .find_live(PROCESS_DOCUMENT, &id.to_string())
        .await?;
    if live.is_some() {
        return Ok(false);
    }
    begin_run(app, tx, kb, id, None).await?;
    actor
        .audit(tx, "knowledge.reprocess", target(id), json!({}))
        .await?;
    Ok(true)
}

/// Queues another run and charges for it where the price is known already; what a file's text
/// costs is known once it was read.
pub(crate) async fn begin_run(
    app: &App,
    tx: &TenantTx,
    kb: &OpenKb,
    id: DocumentId,
    stale: Option<&str>,
) -> Result<()> {
    prepare_run(tx, kb, id).await?;
    enqueue_processing(app, tx, kb, id, stale).await
}

/// Everything of another run but the job that does it.
pub(crate) async fn prepare_run(tx: &TenantTx, kb: &OpenKb, id: DocumentId) -> Result<()> {
    give_way(tx, id).await?;
    let document = load(tx, kb, id).await?;
    if charged_later(document.source) {
        let plan = tx.profile().lock_plan().await?;
        limits::credit_for_later(tx, &plan).await?;
    }
    let run = tx
        .documents()
        .begin_run(kb, id)
        .await?
        .ok_or_else(|| Error::not_found("document"))?;
    if document.source == DocumentSource::Manual {
        let plan = tx.profile().lock_plan().await?;
        let bytes = u64::try_from(document.size_bytes).unwrap_or(0);
        let credits = processing_credits(bytes);
        limits::consume_credits(tx, &plan, credits, PROCESS_DOCUMENT, &charge(id, run)).await?;
    }
    Ok(())
}

/// Takes the job away from a run that works on what was there before. Comes before anything is
/// written to the document: workers lock the job first, and two orders would be a deadlock.
pub(super) async fn give_way(tx: &TenantTx, id: DocumentId) -> Result<()> {
    tx.removal().drop_jobs(PROCESS_DOCUMENT, &[id]).await?;
    Ok(())
}

/// The name under which a run is charged for, once.
pub(crate) fn charge(id: DocumentId, run: i32) -> String {
    if run == 1 {
        id.to_string()
    } else {
        format!("{id}:{run}")
    }
}

pub(super) fn check_count(ids: &[DocumentId]) -> Result<()> {
    let mut checks = Checks::new();
    if ids.is_empty() {
        checks.problem("document_ids", Problem::Empty);
    } else if ids.len() > MAX_AT_ONCE {
        checks.problem("document_ids", Problem::Range { min: 1, max: 1000 });
    }
    checks.finish()
}

/// Whether credits are taken when the text is known rather than when the document is added.
pub(crate) fn charged_later(source: DocumentSource) -> bool {
    matches!(source, DocumentSource::File | DocumentSource::Url)
}
