//! What a visitor and the business said to each other.

use super::{SiteChat, WebVisitor, identity};
use crate::App;
use crate::conversations::{self, PUBLIC, outgoing::MessageExtras};
use quipu_core::channel::ConnectionStatus;
use quipu_core::conversation::{Conversation, HandoffMode, Message, MessageRole};
use quipu_core::{ConversationId, MessageId, Result, Timestamp};
use quipu_store::TenantTx;
use serde::Serialize;
use utoipa::ToSchema;

/// How many messages are told at once, and how much text.
const MOST: u64 = 50;
const MOST_BYTES: usize = 100_000;
/// Where the visitor's own name of a message stands in its metadata.
pub(super) const KEY: &str = "visitor_key";

/// What was said in the conversation of a visitor.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WebChatHistory {
    /// Oldest first.
    pub messages: Vec<WebChatMessage>,
    /// Who answers.
    pub handoff: HandoffMode,
    /// A token that counts for longer, to be used from now on. Nothing while the present one is fresh.
    pub token: Option<String>,
}

/// A message as its visitor sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WebChatMessage {
    pub id: MessageId,
    pub role: MessageRole,
    pub text: String,
    /// What could be tapped to answer it.
    pub choices: Vec<String>,
    /// The `Idempotency-Key` that the visitor's message was sent with.
    pub key: Option<String>,
    pub at: Timestamp,
}

/// The latest messages of the conversation of a visitor, or those after one that they know.
///
/// # Errors
/// When the database cannot be read.
pub async fn history(
    app: &App,
    chat: &SiteChat,
    visitor: &WebVisitor,
    after: Option<MessageId>,
) -> Result<WebChatHistory> {
    let now = app.now();
    let token = visitor.is_aging(now).then(|| chat.sign(visitor.id, now));
    let tx = app.store.read(chat.door.scope).await?;
    let Some(conversation) = latest(&tx, chat, visitor).await? else {
        return Ok(WebChatHistory {
            messages: Vec::new(),
            handoff: HandoffMode::Ai,
            token,
        });
    };
    let found = messages(&tx, conversation.id, after).await?;
    Ok(WebChatHistory {
        messages: found.into_iter().map(shown).collect(),
        handoff: who_answers(chat, conversation.handoff.mode),
        token,
    })
}

/// Who answers through a connection. While it is paused, only people do.
pub(super) fn who_answers(chat: &SiteChat, mode: HandoffMode) -> HandoffMode {
    match chat.connection().status {
        ConnectionStatus::Active => mode,
        ConnectionStatus::Paused => HandoffMode::Human,
    }
}

async fn latest(
    tx: &TenantTx,
    chat: &SiteChat,
    visitor: &WebVisitor,
) -> Result<Option<Conversation>> {
    let contacts = tx.channel_contacts();
    let connection = chat.connection().id;
    let Some(contact) = contacts.known(connection, &identity(visitor)).await? else {
        return Ok(None);
    };
    match contacts.latest_conversation(contact.id).await? {
        Some(id) => Ok(Some(conversations::find(tx, id).await?)),
        None => Ok(None),
    }
}

/// As many as are told at once: the latest, or the first of those after one that is known.
async fn messages(
    tx: &TenantTx,
    conversation: ConversationId,
    after: Option<MessageId>,
) -> Result<Vec<Message>> {
    let mut room = MOST_BYTES;
    let fits = |message: &Message| {
        let had = room;
        room = room.saturating_sub(message.text.len());
        had > 0
    };
    if let Some(after) = after {
        let messages = tx.messages();
        let found = messages.since(conversation, after, PUBLIC, MOST).await?;
        return Ok(found.into_iter().take_while(fits).collect());
    }
    let found = tx.messages().recent(conversation, MOST, PUBLIC).await?;
    let mut lately: Vec<Message> = found.into_iter().rev().take_while(fits).collect();
    lately.reverse();
    Ok(lately)
}

fn shown(message: Message) -> WebChatMessage {
    let choices = MessageExtras::of(&message.metadata).choices;
    let is_visitor = message.role == MessageRole::User;
    let key = message.metadata[KEY].as_str().filter(|_| is_visitor);
    WebChatMessage {
        id: message.id,
        role: message.role,
        choices: choices.into_iter().map(|choice| choice.title).collect(),
        key: key.map(str::to_owned),
        text: message.text,
        at: message.created_at,
    }
}
