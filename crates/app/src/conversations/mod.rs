//! Conversations with customers: what is said, what is sent along, and who answers.

mod attachments;
pub(crate) mod countdown;
mod handoff;
mod messages;
pub(crate) mod outgoing;

pub use attachments::{Attaching, DownloadedAttachment, download, list as list_attachments};
pub(crate) use attachments::{SWEEP_ATTACHMENT, sweep as sweep_attachment};
pub use handoff::{RequestHandoff, release, request, request_handoff, take};
pub use messages::{AddMessage, add as add_message, append, list as list_messages};
pub(crate) use messages::{PUBLIC, taken_by};

use crate::leads::MAX_SEARCHED_CHARS;
use crate::once::{self, Once};
use crate::{Actor, App, agents, learning};
use quipu_core::access::Permission;
use quipu_core::conversation::{
    Conversation, ConversationFilter, ConversationRow, ConversationStatus, HandoffMode,
    NewConversation,
};
use quipu_core::history::{HistoryEntry, Subject};
use quipu_core::lead::Channel;
use quipu_core::page::{Page, PageRequest};
use quipu_core::validate::Checks;
use quipu_core::{ConversationId, Error, LeadId, Result};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateConversation {
    pub lead_id: LeadId,
    /// The agent's id or slug; the lead's own or the tenant's active one when left out.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 50)]
    pub agent: Option<String>,
    pub channel: Channel,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateConversation {
    pub status: ConversationStatus,
}

/// # Errors
/// `NOT_FOUND` for the lead or the agent, or `VALIDATION_FAILED`.
pub async fn create(app: &App, actor: &Actor, input: CreateConversation) -> Result<Conversation> {
    actor.require(Permission::CustomersWrite)?;
    let mut checks = Checks::new();
    let agent = checks.optional_line("agent", input.agent.as_deref(), 50);
    checks.finish()?;
    let tx = match once::begin(app, actor, "conversation.create", &input).await? {
        Once::Again(conversation) => return Ok(conversation),
        Once::First(tx) => tx,
    };
    // Locked, so that the lead is not deleted meanwhile.
    let lead = tx.leads().lock(input.lead_id).await?;
    let lead = lead.ok_or_else(|| Error::not_found("lead"))?;
    let agent_id = match (agent, lead.agent_id) {
        (Some(agent), _) => Some(agents::find(&tx, &agent).await?.id),
        (None, Some(agent)) => Some(agent),
        (None, None) => tx.agents().find_active().await?.map(|agent| agent.id),
    };
    let new = NewConversation {
        lead_id: lead.id,
        agent_id,
        channel: input.channel,
    };
    let id = tx.conversations().insert(&new).await?;
    let details = json!({ "lead_id": lead.id, "channel": input.channel });
    actor
        .audit(&tx, "conversation.create", target(id), details)
        .await?;
    let conversation = find(&tx, id).await?;
    tx.commit(&conversation).await?;
    Ok(conversation)
}

/// # Errors
/// `NOT_FOUND` when the tenant has no such conversation.
pub async fn get(app: &App, actor: &Actor, id: ConversationId) -> Result<Conversation> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    find(&tx, id).await
}

/// # Errors
/// `FORBIDDEN` without the permission, `VALIDATION_FAILED`.
pub async fn list(
    app: &App,
    actor: &Actor,
    mut filter: ConversationFilter,
    page: PageRequest,
) -> Result<Page<ConversationRow>> {
    actor.require(Permission::CustomersRead)?;
    let mut checks = Checks::new();
    filter.text = checks.optional_line("q", filter.text.as_deref(), MAX_SEARCHED_CHARS);
    checks.finish()?;
    let tx = app.store.read(actor.scope()).await?;
    tx.conversations().list(&filter, page).await
}

/// Closes the conversation or opens it again. Who answers does not change. What a person answered in
/// a conversation that is closed is proposed for its agent to learn, as when it is given back.
///
/// # Errors
/// `NOT_FOUND` when the tenant has no such conversation.
pub async fn update(
    app: &App,
    actor: &Actor,
    id: ConversationId,
    input: UpdateConversation,
) -> Result<Conversation> {
    actor.require(Permission::CustomersWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let before = lock(&tx, id).await?;
    if before.status == input.status {
        return Ok(before);
    }
    let action = match input.status {
        ConversationStatus::Open => "conversation.reopen",
        ConversationStatus::Closed => "conversation.close",
    };
    if input.status == ConversationStatus::Closed && before.handoff.mode == HandoffMode::Human {
        learning::propose(&tx, &before).await?;
    }
    set_status(&tx, id, input.status, &actor.name()).await?;
    actor.audit(&tx, action, target(id), json!({})).await?;
    let conversation = find(&tx, id).await?;
    tx.commit().await?;
    Ok(conversation)
}

/// What happened to the conversation, oldest first.
///
/// # Errors
/// `NOT_FOUND` when the tenant has no such conversation.
pub async fn history(app: &App, actor: &Actor, id: ConversationId) -> Result<Vec<HistoryEntry>> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    find(&tx, id).await?;
    tx.history().of(Subject::Conversation, id.uuid()).await
}

async fn set_status(
    tx: &TenantTx,
    id: ConversationId,
    status: ConversationStatus,
    by: &str,
) -> Result<()> {
    tx.conversations().set_status(id, status).await?;
    let action = match status {
        ConversationStatus::Open => "reopened",
        ConversationStatus::Closed => "closed",
    };
    note(tx, id, action, by, json!({})).await
}

async fn note(
    tx: &TenantTx,
    id: ConversationId,
    action: &str,
    by: &str,
    details: serde_json::Value,
) -> Result<()> {
    tx.history()
        .add(Subject::Conversation, id.uuid(), action, by, details)
        .await
}

pub(crate) async fn find(tx: &TenantTx, id: ConversationId) -> Result<Conversation> {
    let found = tx.conversations().find(id).await?;
    found.ok_or_else(|| Error::not_found("conversation"))
}

/// The conversation, which nobody else changes or writes into until the transaction ends.
pub(crate) async fn lock(tx: &TenantTx, id: ConversationId) -> Result<Conversation> {
    let found = tx.conversations().lock(id).await?;
    found.ok_or_else(|| Error::not_found("conversation"))
}

fn target(id: ConversationId) -> String {
    format!("conversation:{id}")
}
