//! What an agent knows of its own: its private knowledge base, reached through the agent.

use crate::documents::{self, AddText};
use crate::{Actor, App, agents, knowledge_bases};
use quipu_core::access::Permission;
use quipu_core::knowledge::{Document, DocumentFilter, DocumentSort, KnowledgeStats};
use quipu_core::page::{Page, PageRequest};
use quipu_core::removal::DeletionReceipt;
use quipu_core::{DocumentId, KnowledgeBaseId, Result};

/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, `DUPLICATE_DOCUMENT`, or a limit of the plan.
pub async fn add_text(app: &App, actor: &Actor, agent: &str, input: AddText) -> Result<Document> {
    actor.require(Permission::KnowledgeWrite)?;
    let kb = of_agent(app, actor, agent).await?;
    documents::add_text(app, actor, kb, input).await
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
    let kb = of_agent(app, actor, agent).await?;
    let everything = DocumentFilter::default();
    documents::list(app, actor, kb, &everything, DocumentSort::Newest, page).await
}

/// # Errors
/// `NOT_FOUND` when the agent or the document is not there.
pub async fn get(app: &App, actor: &Actor, agent: &str, id: DocumentId) -> Result<Document> {
    actor.require(Permission::KnowledgeRead)?;
    let kb = of_agent(app, actor, agent).await?;
    documents::get(app, actor, kb, id).await
}

/// # Errors
/// `NOT_FOUND` when there is no such agent in the tenant.
pub async fn stats(app: &App, actor: &Actor, agent: &str) -> Result<KnowledgeStats> {
    actor.require(Permission::KnowledgeRead)?;
    let kb = of_agent(app, actor, agent).await?;
    knowledge_bases::stats(app, actor, kb).await
}

/// Deletes the document from every store.
///
/// # Errors
/// `NOT_FOUND` when the agent or the document is not there.
pub async fn delete(
    app: &App,
    actor: &Actor,
    agent: &str,
    id: DocumentId,
) -> Result<DeletionReceipt> {
    actor.require(Permission::KnowledgeWrite)?;
    let kb = of_agent(app, actor, agent).await?;
    documents::delete(app, actor, kb, id).await
}

async fn of_agent(app: &App, actor: &Actor, agent: &str) -> Result<KnowledgeBaseId> {
    let tx = app.store.read(actor.scope()).await?;
    Ok(agents::find(&tx, agent).await?.knowledge_base_id)
}
