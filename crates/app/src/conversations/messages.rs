//! What is said in a conversation.

use super::handoff::{By, change};
use super::{countdown, find, lock, outgoing, set_status};
use crate::documents::check_metadata;
use crate::events;
use crate::once::{self, Once};
use crate::{Actor, App};
use quipu_core::access::Permission;
use quipu_core::conversation::{
    Conversation, ConversationStatus, HandoffEvent, HandoffMode, Message, MessageRole, NewMessage,
};
use quipu_core::page::{Page, PageRequest};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{ConversationId, Error, ErrorCode, Result};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

const MAX_TEXT_CHARS: usize = 20_000;
const MAX_METADATA_BYTES: usize = 10_000;

/// What people write, and what programs also pass on.
const OF_PEOPLE: &[MessageRole] = &[MessageRole::Human, MessageRole::Note];
const OF_PROGRAMS: &[MessageRole] = &[
    MessageRole::Human,
    MessageRole::Note,
    MessageRole::User,
    MessageRole::Assistant,
];
/// What the customer sees.
pub(crate) const PUBLIC: &[MessageRole] = &[
    MessageRole::User,
    MessageRole::Assistant,
    MessageRole::Human,
    MessageRole::System,
];

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddMessage {
    /// People write as `human`, or a `note` that the customer never sees; programs also pass on
    /// what the `user` and the `assistant` said.
    pub role: MessageRole,
    #[schema(min_length = 1, max_length = 20_000)]
    pub text: String,
    /// An object of at most 10,000 bytes. `channel`, `visitor_key`, `call_turn` and `turn_id` are the product's
    /// own, and are left out.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<serde_json::Value>,
}

/// Adds a message. A person who writes to the customer takes over from the agent, and whatever
/// the customer sees opens a closed conversation again.
///
/// # Errors
/// `NOT_FOUND` or `VALIDATION_FAILED`.
pub async fn add(
    app: &App,
    actor: &Actor,
    id: ConversationId,
    input: AddMessage,
) -> Result<Message> {
    actor.require(Permission::CustomersWrite)?;
    let mut checks = Checks::new();
    let is_person = actor.user_id().is_some();
    let roles = if is_person { OF_PEOPLE } else { OF_PROGRAMS };
    if !roles.contains(&input.role) {
        let names: Vec<&str> = roles.iter().map(|role| role.as_str()).collect();
        let allowed = names.join(", ");
        checks.problem("role", Problem::Unknown { allowed });
    }
    checks.text("text", &input.text, MAX_TEXT_CHARS);
    let mut metadata = input.metadata.clone().unwrap_or_else(|| json!({}));
    if let Some(metadata) = metadata.as_object_mut() {
        // These steer what is sent and what is said again, and are the product's own.
        for own in ["channel", "visitor_key", "call_turn", "turn_id"] {
            metadata.remove(own);
        }
    }
    check_metadata(&mut checks, &metadata, MAX_METADATA_BYTES);
    checks.finish()?;
    let tx = match once::begin(app, actor, "message.add", &(id, &input)).await? {
        Once::Again(message) => return Ok(message),
        Once::First(tx) => tx,
    };
    let conversation = lock(&tx, id).await?;
    if input.role == MessageRole::Human {
        reaches(&tx, &conversation).await?;
    }
    let new = NewMessage {
        role: input.role,
        author: actor.name(),
        text: input.text,
        metadata,
    };
    let message = append(&tx, &conversation, &new).await?;
    if new.role == MessageRole::Human {
        taken_by(&tx, actor, &conversation).await?;
    }
    tx.commit_about(Some(conversation.lead_id), &message)
        .await?;
    Ok(message)
}

/// Refuses words of a person that their customer would never get.
async fn reaches(tx: &TenantTx, conversation: &Conversation) -> Result<()> {
    match outgoing::route(tx, conversation).await? {
        Some(route) if !route.is_open(true, tx.now()) => {
            Err(Error::new(ErrorCode::ChannelWindowClosed))
        }
        _ => Ok(()),
    }
}

/// Lets whoever wrote to the customer take over, unless a person answers already.
pub(crate) async fn taken_by(
    tx: &TenantTx,
    actor: &Actor,
    conversation: &Conversation,
) -> Result<()> {
    if conversation.handoff.mode == HandoffMode::Human {
        return countdown::begin(tx, conversation.id).await;
    }
    let by = By::actor(actor);
    change(tx, conversation, HandoffEvent::Take, None, &by).await
}

/// Adds a message as part of something larger, to a conversation that is locked. Whatever the
/// customer sees opens a closed conversation again; who answers does not change.
///
/// # Errors
/// When the database cannot be written.
pub async fn append(
    tx: &TenantTx,
    conversation: &Conversation,
    new: &NewMessage,
) -> Result<Message> {
    let message = tx.messages().insert(conversation.id, new).await?;
    events::said(tx, conversation, &message).await?;
    outgoing::send(tx, conversation, &message).await?;
    if new.role.is_public() {
        tx.conversations().touch(conversation.id).await?;
        if conversation.status == ConversationStatus::Closed {
            let open = ConversationStatus::Open;
            set_status(tx, conversation.id, open, &new.author).await?;
        }
    }
    Ok(message)
}

/// What the customer sees, newest first; with the notes of the business where they are wanted, or
/// what has one role alone.
///
/// # Errors
/// `NOT_FOUND` when the tenant has no such conversation.
pub async fn list(
    app: &App,
    actor: &Actor,
    id: ConversationId,
    role: Option<MessageRole>,
    with_notes: bool,
    page: PageRequest,
) -> Result<Page<Message>> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    find(&tx, id).await?;
    let roles = match &role {
        Some(role) => std::slice::from_ref(role),
        None if with_notes => MessageRole::ALL,
        None => PUBLIC,
    };
    tx.messages().list(id, roles, page).await
}
