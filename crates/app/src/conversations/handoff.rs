//! Who answers: the agent, or a person who was asked for or took over.

use super::{countdown, find, lock, note, target};
use crate::{Actor, App, events, learning};
use quipu_core::access::Permission;
use quipu_core::conversation::{Conversation, Handoff, HandoffEvent, HandoffMode};
use quipu_core::validate::Checks;
use quipu_core::{ConversationId, Result, UserId};
use quipu_store::TenantTx;
use quipu_store::tenant::NewAuditEntry;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

const MAX_REASON_CHARS: usize = 500;

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestHandoff {
    /// Why a person is needed.
    #[schema(
        min_length = 1,
        max_length = 500,
        example = "Quiere hablar con una persona"
    )]
    pub reason: String,
}

/// Asks for a person. Asking again changes nothing.
///
/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, or `HANDOFF_STATE` when a person answers already.
pub async fn request(
    app: &App,
    actor: &Actor,
    id: ConversationId,
    input: RequestHandoff,
) -> Result<Conversation> {
    actor.require(Permission::CustomersWrite)?;
    let reason = check_reason(&input.reason)?;
    let event = HandoffEvent::Request;
    happen(app, actor, id, event, Some(reason)).await
}

/// Has whoever asks take over, from the agent or from somebody else.
///
/// # Errors
/// `NOT_FOUND` when the tenant has no such conversation.
pub async fn take(app: &App, actor: &Actor, id: ConversationId) -> Result<Conversation> {
    happen(app, actor, id, HandoffEvent::Take, None).await
}

/// Has the agent answer again. What a person answered in its place is proposed for it to learn.
///
/// # Errors
/// `NOT_FOUND`, or `HANDOFF_STATE` when the agent answers already.
pub async fn release(app: &App, actor: &Actor, id: ConversationId) -> Result<Conversation> {
    happen(app, actor, id, HandoffEvent::Release, None).await
}

async fn happen(
    app: &App,
    actor: &Actor,
    id: ConversationId,
    event: HandoffEvent,
    reason: Option<String>,
) -> Result<Conversation> {
    actor.require(Permission::CustomersWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let before = lock(&tx, id).await?;
    let released = event == HandoffEvent::Release && before.handoff.mode == HandoffMode::Human;
    if released {
        // Before the release is part of the history that says where the hand-off began.
        learning::propose(&tx, &before).await?;
    }
    change(&tx, &before, event, reason, &By::actor(actor)).await?;
    let conversation = find(&tx, id).await?;
    tx.commit().await?;
    Ok(conversation)
}

/// Asks for a person as part of something larger: an agent that does not know further, or a rule
/// that found something urgent. `by` is who asks, as the audit log will call them.
///
/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, or `HANDOFF_STATE` when a person answers already.
pub async fn request_handoff(
    tx: &TenantTx,
    id: ConversationId,
    reason: &str,
    by: &str,
) -> Result<Conversation> {
    let reason = check_reason(reason)?;
    let before = lock(tx, id).await?;
    let by = By::product(by);
    change(tx, &before, HandoffEvent::Request, Some(reason), &by).await?;
    find(tx, id).await
}

/// Who changes who answers.
pub(crate) struct By {
    name: String,
    user_id: Option<UserId>,
    request_id: Option<String>,
}

impl By {
    /// The product itself, or somebody outside it.
    pub(crate) fn product(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            user_id: None,
            request_id: None,
        }
    }

    pub(super) fn actor(actor: &Actor) -> Self {
        Self {
            name: actor.name(),
            user_id: actor.user_id(),
            request_id: actor.request().request_id.clone(),
        }
    }
}

/// Writes down what follows from an event, in a conversation that is locked: there, in its history
/// and in the audit log.
pub(crate) async fn change(
    tx: &TenantTx,
    before: &Conversation,
    event: HandoffEvent,
    reason: Option<String>,
    by: &By,
) -> Result<()> {
    let current = &before.handoff;
    let mode = current.mode.after(event)?;
    let is_theirs = current.by.as_deref() == Some(&by.name);
    let nothing_new = match event {
        HandoffEvent::Request => current.mode == HandoffMode::PendingHuman,
        HandoffEvent::Take => current.mode == HandoffMode::Human && is_theirs,
        HandoffEvent::Release => false,
    };
    if nothing_new {
        return Ok(());
    }
    let (action, audited) = match event {
        HandoffEvent::Request => ("handoff_requested", "conversation.handoff_request"),
        HandoffEvent::Take => ("handoff_taken", "conversation.handoff_take"),
        HandoffEvent::Release => ("handoff_released", "conversation.handoff_release"),
    };
    if event == HandoffEvent::Request {
        events::handoff_requested(tx, before, reason.as_deref()).await?;
    }
    let details = match &reason {
        Some(reason) => json!({ "reason": reason }),
        None => json!({}),
    };
    let handoff = Handoff {
        mode,
        reason: match event {
            HandoffEvent::Request => reason,
            // Whoever takes over wants to know why they were asked.
            HandoffEvent::Take => current.reason.clone(),
            HandoffEvent::Release => None,
        },
        by: Some(by.name.clone()),
        at: Some(tx.now()),
        user_id: by.user_id.filter(|_| event == HandoffEvent::Take),
        returns_at: None,
    };
    tx.conversations().set_handoff(before.id, &handoff).await?;
    if event == HandoffEvent::Take {
        countdown::begin(tx, before.id).await?;
    }
    note(tx, before.id, action, &by.name, details).await?;
    // Without the reason, which may say something about the customer: a deleted lead leaves
    // nothing behind, and the audit log is never changed.
    let from = before.handoff.mode;
    tx.audit()
        .insert(NewAuditEntry {
            actor: by.name.clone(),
            action: audited,
            target: target(before.id),
            details: json!({ "from": from, "to": mode }),
            request_id: by.request_id.clone(),
        })
        .await
}

fn check_reason(reason: &str) -> Result<String> {
    let mut checks = Checks::new();
    let reason = checks.line("reason", reason, MAX_REASON_CHARS);
    checks.finish()?;
    Ok(reason)
}
