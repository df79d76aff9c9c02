//! What a business says about itself elsewhere in the product, made searchable as it is saved.
//!
//! Whoever saves a policy, an answer or an article calls [`index`] in the same transaction. The
//! text becomes a document of the tenant's business knowledge base, one for each thing, and
//! saving it again changes that document in place.

use crate::documents::{PREVIEW_CHARS, PROCESS_DOCUMENT, begin_run, enqueue_processing};
use crate::ingest::content_hash;
use crate::{Actor, App, embeddings};
use quipu_core::access::Permission;
use quipu_core::chunking::ChunkingConfig;
use quipu_core::knowledge::{Document, DocumentChange, DocumentSource, KbScope, NewDocument};
use quipu_core::language::Language;
use quipu_core::text::preview;
use quipu_core::validate::Checks;
use quipu_core::{DocumentId, Error, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::{NewKnowledgeBase, OpenKb};
use serde_json::json;

/// Something of the business that customers ask about.
#[derive(Clone, Debug)]
pub struct BusinessContent {
    /// What kind of thing it is, such as `policy` or `faq`.
    pub kind: &'static str,
    /// Its id among its kind.
    pub source_id: String,
    pub title: String,
    pub text: String,
    pub category: Option<String>,
    pub tags: Vec<String>,
}

/// Indexes it, or what changed of it, as part of the transaction that saves it.
///
/// # Errors
/// `VALIDATION_FAILED` when the text is too long, or when the database cannot be written.
pub async fn index(app: &App, tx: &TenantTx, content: &BusinessContent) -> Result<DocumentId> {
    let kb = knowledge_base(app, tx).await?;
    let existing = tx
        .documents()
        .find_business(content.kind, &content.source_id)
        .await?;
    put_into(app, tx, &kb, content, existing).await
}

/// The same for many at once, into the knowledge base that [`knowledge_base`] gives: the document
/// that is there already, or none, is known to whoever calls.
pub(crate) async fn put_into(
    app: &App,
    tx: &TenantTx,
    kb: &OpenKb,
    content: &BusinessContent,
    existing: Option<Document>,
) -> Result<DocumentId> {
    let mut checks = Checks::new();
    let title = checks.line("title", &content.title, 255);
    checks.text("text", &content.text, super::documents::MAX_TEXT_CHARS);
    checks.finish()?;
    let hash = content_hash(&[content.kind, &content.source_id, &content.text]);
    let size_bytes = i64::try_from(content.text.len()).unwrap_or(i64::MAX);
    let new = NewDocument {
        id: existing
            .as_ref()
            .map_or_else(|| DocumentId::generate(tx.now()), |document| document.id),
        source: DocumentSource::Business,
        title: Some(title.clone()),
        filename: None,
        file_type: None,
        source_url: None,
        storage_path: None,
        text: Some(content.text.clone()),
        content_hash: hash,
        size_bytes,
        preview: preview(&content.text, PREVIEW_CHARS),
        category: content.category.clone(),
        tags: content.tags.clone(),
        metadata: json!({}),
        business: Some((content.kind.to_owned(), content.source_id.clone())),
    };
    let Some(before) = existing else {
        tx.documents().insert(kb, &new, "system").await?;
        enqueue_processing(app, tx, kb, new.id, None).await?;
        return Ok(new.id);
    };
    // The title is part of what is embedded, so a new one is a new version too.
    let changed = before.content_hash != new.content_hash || before.title.as_ref() != Some(&title);
    if changed {
        // Workers lock the job before the document, and so must we.
        tx.removal().drop_jobs(PROCESS_DOCUMENT, &[new.id]).await?;
    }
    let change = DocumentChange {
        title: Some(Some(title)),
        category: Some(content.category.clone()),
        tags: Some(content.tags.clone()),
        ..DocumentChange::default()
    };
    tx.documents().update(kb, new.id, &change).await?;
    if changed {
        tx.documents().replace_content(kb, new.id, &new).await?;
        begin_run(app, tx, kb, new.id, None).await?;
    }
    Ok(new.id)
}

/// Forgets it, as part of the transaction that deletes it.
///
/// # Errors
/// When the database cannot be written.
pub async fn forget(app: &App, tx: &TenantTx, kind: &str, source_id: &str) -> Result<bool> {
    let Some(document) = tx.documents().find_business(kind, source_id).await? else {
        return Ok(false);
    };
    let kb = knowledge_base(app, tx).await?;
    tx.removal()
        .drop_jobs(PROCESS_DOCUMENT, &[document.id])
        .await?;
    Ok(tx.documents().delete(&kb, &[document.id]).await? == 1)
}

/// Indexes something on its own, for whoever has nothing else to save with it.
///
/// # Errors
/// `FORBIDDEN`, `VALIDATION_FAILED`, or when the database cannot be written.
pub async fn put(app: &App, actor: &Actor, content: &BusinessContent) -> Result<DocumentId> {
    actor.require(Permission::KnowledgeWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let id = index(app, &tx, content).await?;
    tx.commit().await?;
    app.new_work.notify_one();
    Ok(id)
}

/// Forgets something on its own.
///
/// # Errors
/// `FORBIDDEN`, or when the database cannot be written.
pub async fn remove(app: &App, actor: &Actor, kind: &str, source_id: &str) -> Result<bool> {
    actor.require(Permission::KnowledgeWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let found = forget(app, &tx, kind, source_id).await?;
    tx.commit().await?;
    Ok(found)
}

/// The tenant's business knowledge base, made on first use.
pub(crate) async fn knowledge_base(app: &App, tx: &TenantTx) -> Result<OpenKb> {
    // Two first savings at once must not make two of them.
    tx.profile().lock_plan().await?;
    if let Some(kb) = tx.knowledge_bases().open_business().await? {
        return Ok(kb);
    }
    let locale = tx.profile().get().await?.locale;
    let language = Language::parse_or_default(locale.split('-').next().unwrap_or_default());
    tx.knowledge_bases()
        .insert(&NewKnowledgeBase {
            name: match language {
                Language::Es => "Negocio".to_owned(),
                Language::En => "Business".to_owned(),
            },
            scope: KbScope::Business,
            agent_id: None,
            owner_user_id: None,
            description: None,
            language,
            chunking_config: ChunkingConfig::business(),
            embedding_config: embeddings::default_config(app, tx).await?,
            created_by: Some("system".to_owned()),
        })
        .await?;
    tx.knowledge_bases()
        .open_business()
        .await?
        .ok_or_else(|| Error::internal("the business knowledge base vanished"))
}
