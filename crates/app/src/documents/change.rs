//! Changing what is said about a document, its text, and deleting it.

use super::process_again::{MAX_AT_ONCE, begin_run, check_count, give_way};
use super::{
    MAX_METADATA_BYTES, PREVIEW_CHARS, PROCESS_DOCUMENT, check_metadata, check_tags, load, present,
    target,
};
use crate::{Actor, App, knowledge_bases, limits, removal, token};
use quipu_core::knowledge::{Document, DocumentChange, DocumentSource, NewDocument};
use quipu_core::removal::DeletionReceipt;
use quipu_core::text::preview;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{DocumentId, Error, ErrorCode, KnowledgeBaseId, Result};
use quipu_store::tenant::Target;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// Fields left out stay; `null` removes.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateDocument {
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 255)]
    pub title: Option<Option<String>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 200)]
    pub author: Option<Option<String>>,
    /// `created_date` is the same.
    #[serde(default, deserialize_with = "present", alias = "created_date")]
    #[schema(value_type = Option<String>, format = Date, example = "2026-11-15")]
    pub document_date: Option<Option<String>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 100)]
    pub category: Option<Option<String>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Vec<String>>, max_items = 50)]
    pub tags: Option<Option<Vec<String>>>,
    /// `custom_metadata` is the same.
    #[serde(default, deserialize_with = "present", alias = "custom_metadata")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Option<serde_json::Value>>,
    /// A disabled document is kept but not found.
    #[serde(default)]
    pub enabled: Option<bool>,
}

/// # Errors
/// `NOT_FOUND`, `FORBIDDEN` or `VALIDATION_FAILED`.
pub async fn update(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    id: DocumentId,
    input: UpdateDocument,
) -> Result<Document> {
    let mut checks = Checks::new();
    let mut line = |field: &str, value: &Option<Option<String>>, max: usize| {
        value
            .as_ref()
            .map(|value| checks.optional_line(field, value.as_deref(), max))
    };
    let mut change = DocumentChange {
        title: line("title", &input.title, 255),
        author: line("author", &input.author, 200),
        document_date: line("document_date", &input.document_date, 10),
        category: line("category", &input.category, 100),
        tags: None,
        metadata: input
            .metadata
            .clone()
            .map(|metadata| metadata.unwrap_or_else(|| json!({}))),
        enabled: input.enabled,
    };
    if let Some(Some(date)) = &change.document_date
        && date.parse::<jiff::civil::Date>().is_err()
    {
        let allowed = "2026-11-15".to_owned();
        checks.problem("document_date", Problem::Unknown { allowed });
    }
    change.tags = input
        .tags
        .as_ref()
        .map(|tags| check_tags(&mut checks, tags.as_deref().unwrap_or_default()));
    if let Some(metadata) = &change.metadata {
        check_metadata(&mut checks, metadata, MAX_METADATA_BYTES);
    }
    checks.finish()?;

    let tx = app.store.begin(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_write(actor, &kb)?;
    if !tx.documents().update(&kb, id, &change).await? {
        return Err(Error::not_found("document"));
    }
    let details = if kb.owner_user_id.is_some() {
        json!({})
    } else {
        serde_json::to_value(&input).map_err(Error::internal)?
    };
    actor
        .audit(&tx, "knowledge.update", target(id), details)
        .await?;
    let document = load(&tx, &kb, id).await?;
    tx.commit().await?;
    Ok(document)
}

/// Puts a new text behind a document that was typed. Readers see the old one until the new one
/// was processed.
///
/// # Errors
/// `NOT_FOUND`, `FORBIDDEN`, `VALIDATION_FAILED`, `DOCUMENT_STATE` when it is a file or a page,
/// `DUPLICATE_DOCUMENT`, or a limit of the plan.
pub async fn replace_text(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    id: DocumentId,
    content: String,
) -> Result<Document> {
    let mut checks = Checks::new();
    checks.text("content", &content, super::MAX_TEXT_CHARS);
    checks.finish()?;
    let tx = app.store.begin(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_write(actor, &kb)?;
    let before = load(&tx, &kb, id).await?;
    if before.source != DocumentSource::Manual {
        return Err(Error::new(ErrorCode::DocumentState));
    }
    let hash = token::hash(&content);
    if before.content_hash == hash {
        return Ok(before);
    }
    let size = i64::try_from(content.len()).unwrap_or(i64::MAX);
    let grown = u64::try_from(size - before.size_bytes).unwrap_or(0);
    limits::room_for_growth(&tx, kb.id, grown).await?;
    let new = NewDocument {
        id,
        source: DocumentSource::Manual,
        title: None,
        filename: None,
        file_type: None,
        source_url: None,
        storage_path: None,
        preview: preview(&content, PREVIEW_CHARS),
        text: Some(content),
        content_hash: hash,
        size_bytes: size,
        category: None,
        tags: Vec::new(),
        metadata: json!({}),
        business: None,
    };
    give_way(&tx, id).await?;
    tx.documents().replace_content(&kb, id, &new).await?;
    begin_run(app, &tx, &kb, id, None).await?;
    actor
        .audit(
            &tx,
            "knowledge.replace",
            target(id),
            json!({ "bytes": size }),
        )
        .await?;
    let document = load(&tx, &kb, id).await?;
    tx.commit().await?;
    app.new_work.notify_one();
    Ok(document)
}

/// Deletes one document from every store.
///
/// # Errors
/// `NOT_FOUND` or `FORBIDDEN`.
pub async fn delete(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    id: DocumentId,
) -> Result<DeletionReceipt> {
    remove(app, actor, kb, vec![id], true).await
}

/// Deletes many documents from every store. Those that are not there are not missed.
///
/// # Errors
/// `NOT_FOUND` for the knowledge base, `FORBIDDEN` or `VALIDATION_FAILED`.
pub async fn delete_many(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    ids: Vec<DocumentId>,
) -> Result<DeletionReceipt> {
    check_count(&ids)?;
    debug_assert!(ids.len() <= MAX_AT_ONCE);
    remove(app, actor, kb, ids, false).await
}

async fn remove(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    ids: Vec<DocumentId>,
    must_exist: bool,
) -> Result<DeletionReceipt> {
    let tx = app.store.begin(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_manage(actor, &kb)?;
    if kb.scope == quipu_core::knowledge::KbScope::Business {
        return Err(Error::new(ErrorCode::KnowledgeBaseManaged));
    }
    // Only what is in this knowledge base: the ids of another one are simply not there.
    let mut own = Vec::new();
    for id in ids {
        if tx.documents().find(&kb, id).await?.is_some() {
            own.push(id);
        }
    }
    if must_exist && own.is_empty() {
        return Err(Error::not_found("document"));
    }
    let prefixes = own.iter().map(|id| format!("{}/{id}", kb.id)).collect();
    let removal = removal::begin(
        app,
        &tx,
        Target::Documents(own.clone()),
        prefixes,
        kb.owner_user_id,
    )
    .await?;
    tx.removal().drop_jobs(PROCESS_DOCUMENT, &own).await?;
    tx.documents().delete(&kb, &own).await?;
    let name = match own.as_slice() {
        [one] => target(*one),
        _ => format!("{}:{} documents", knowledge_bases::target(kb.id), own.len()),
    };
    removal
        .finish(app, actor, tx, "knowledge.delete", name)
        .await
}
