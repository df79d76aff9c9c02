//! Adding texts and web pages.

use super::{MAX_METADATA_BYTES, PROCESS_DOCUMENT, check_metadata, check_tags, load, target};
use crate::once::{self, Once};
use crate::{Actor, App, knowledge_bases, limits, token};
use quipu_core::job::NewJob;
use quipu_core::knowledge::{Document, DocumentSource, NewDocument};
use quipu_core::origin;
use quipu_core::plan::processing_credits;
use quipu_core::text::preview;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{DocumentId, KnowledgeBaseId, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::OpenKb;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// The longest text that can be added at once.
pub const MAX_TEXT_CHARS: usize = 1_000_000;
pub(crate) const PREVIEW_CHARS: usize = 150;
const MAX_URL_CHARS: usize = 2048;

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
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100)]
    pub category: Option<String>,
    #[serde(default)]
    #[schema(max_items = 50)]
    pub tags: Vec<String>,
    /// `custom_metadata` is the same.
    #[serde(default = "empty_object", alias = "custom_metadata")]
    #[schema(value_type = Object)]
    pub metadata: serde_json::Value,
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddUrl {
    /// A public page or document, over http or https.
    #[schema(
        min_length = 8,
        max_length = 2048,
        pattern = "^[hH][tT][tT][pP][sS]?://",
        example = "https://example.com/precios"
    )]
    pub url: String,
    /// The page's own title when left out.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 255)]
    pub title: Option<String>,
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100)]
    pub category: Option<String>,
    #[serde(default)]
    #[schema(max_items = 50)]
    pub tags: Vec<String>,
    /// `custom_metadata` is the same.
    #[serde(default = "empty_object", alias = "custom_metadata")]
    #[schema(value_type = Object)]
    pub metadata: serde_json::Value,
}

pub(super) fn empty_object() -> serde_json::Value {
    json!({})
}

/// Adds a text and queues its processing, in one transaction.
///
/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, `DUPLICATE_DOCUMENT`, or a limit of the plan.
pub async fn add_text(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    input: AddText,
) -> Result<Document> {
    let mut checks = Checks::new();
    let title = checks.optional_line("title", input.title.as_deref(), 255);
    checks.text("content", &input.content, MAX_TEXT_CHARS);
    let category = checks.optional_line("category", input.category.as_deref(), 100);
    let tags = check_tags(&mut checks, &input.tags);
    check_metadata(&mut checks, &input.metadata, MAX_METADATA_BYTES);
    checks.finish()?;

    let tx = match once::begin(app, actor, "document.add_text", &(kb, &input)).await? {
        Once::Again(document) => return Ok(document),
        Once::First(tx) => tx,
    };
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_write(actor, &kb)?;
    let bytes = u64::try_from(input.content.len()).unwrap_or(u64::MAX);
    let plan = limits::room_for_document(&tx, kb.id, bytes).await?;
    let id = DocumentId::generate(tx.now());
    let new = NewDocument {
        id,
        source: DocumentSource::Manual,
        title,
        filename: None,
        file_type: None,
        source_url: None,
        storage_path: None,
        preview: preview(&input.content, PREVIEW_CHARS),
        content_hash: token::hash(&input.content),
        size_bytes: i64::try_from(bytes).unwrap_or(i64::MAX),
        text: Some(input.content),
        category,
        tags,
        metadata: input.metadata,
        business: None,
    };
    tx.documents().insert(&kb, &new, &actor.name()).await?;
    let credits = processing_credits(bytes);
    limits::consume_credits(&tx, &plan, credits, PROCESS_DOCUMENT, &id.to_string()).await?;
    record(app, &tx, actor, &kb, id, bytes).await?;
    let document = load(&tx, &kb, id).await?;
    tx.commit(&document).await?;
    app.new_work.notify_one();
    Ok(document)
}

/// Adds a web page. It is read in the background, and again whenever it is processed again.
///
/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, `DUPLICATE_DOCUMENT`, or a limit of the plan.
pub async fn add_url(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    input: AddUrl,
) -> Result<Document> {
    let mut checks = Checks::new();
    let url = checks.line("url", &input.url, MAX_URL_CHARS);
    let lower = url.to_ascii_lowercase();
    if !lower.starts_with("http://") && !lower.starts_with("https://") {
        let allowed = "http://…, https://…".to_owned();
        checks.problem("url", Problem::Unknown { allowed });
    } else if origin::is_private_page(&url) {
        checks.problem("url", Problem::PrivatePage);
    }
    let title = checks.optional_line("title", input.title.as_deref(), 255);
    let category = checks.optional_line("category", input.category.as_deref(), 100);
    let tags = check_tags(&mut checks, &input.tags);
    check_metadata(&mut checks, &input.metadata, MAX_METADATA_BYTES);
    checks.finish()?;

    let tx = match once::begin(app, actor, "document.add_url", &(kb, &input)).await? {
        Once::Again(document) => return Ok(document),
        Once::First(tx) => tx,
    };
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_write(actor, &kb)?;
    let plan = limits::room_for_document(&tx, kb.id, 0).await?;
    limits::credit_for_later(&tx, &plan).await?;
    let id = DocumentId::generate(tx.now());
    let new = NewDocument {
        id,
        source: DocumentSource::Url,
        title,
        filename: None,
        file_type: None,
        storage_path: None,
        text: None,
        preview: String::new(),
        // The page changes and the address stays: the same address is the same document.
        content_hash: address_hash(&url),
        source_url: Some(url),
        size_bytes: 0,
        category,
        tags,
        metadata: input.metadata,
        business: None,
    };
    tx.documents().insert(&kb, &new, &actor.name()).await?;
    record(app, &tx, actor, &kb, id, 0).await?;
    let document = load(&tx, &kb, id).await?;
    tx.commit(&document).await?;
    app.new_work.notify_one();
    Ok(document)
}

/// What marks two documents as the same page.
pub(crate) fn address_hash(address: &str) -> String {
    token::hash(&format!("url\n{address}"))
}

/// What every new document leaves behind: a job, a count and an entry in the audit log.
pub(super) async fn record(
    app: &App,
    tx: &TenantTx,
    actor: &Actor,
    kb: &OpenKb,
    id: DocumentId,
    bytes: u64,
) -> Result<()> {
    enqueue_processing(app, tx, kb, id, None).await?;
    tx.usage().add(&[("documents_added", 1)]).await?;
    let details = json!({ "knowledge_base": kb.id, "bytes": bytes });
    actor.audit(tx, "knowledge.add", target(id), details).await
}

/// Queues the processing of a document. `stale` is an original that is no longer needed once
/// that is done.
pub(crate) async fn enqueue_processing(
    app: &App,
    tx: &TenantTx,
    kb: &OpenKb,
    id: DocumentId,
    stale: Option<&str>,
) -> Result<()> {
    let payload = json!({ "document_id": id, "stale": stale });
    enqueue(app, tx, kb, id, payload).await
}

/// The same for a page whose original was stored just now, so that it is not read once more.
pub(crate) async fn enqueue_fetched(
    app: &App,
    tx: &TenantTx,
    kb: &OpenKb,
    id: DocumentId,
    stale: Option<&str>,
) -> Result<()> {
    let payload = json!({ "document_id": id, "stale": stale, "fetched": true });
    enqueue(app, tx, kb, id, payload).await
}

async fn enqueue(
    app: &App,
    tx: &TenantTx,
    kb: &OpenKb,
    id: DocumentId,
    payload: serde_json::Value,
) -> Result<()> {
    tx.jobs()
        .enqueue(&NewJob {
            kind: PROCESS_DOCUMENT,
            payload,
            dedup_key: Some(id.to_string()),
            run_at: tx.now(),
            max_attempts: app.job_attempts,
            owner: kb.owner_user_id,
        })
        .await?;
    Ok(())
}
