//! What a visitor says, and what they are answered.

use super::history::{KEY, who_answers};
use super::{SiteChat, WebVisitor, identity};
use crate::channels::answer::{conversation, is_for_people};
use crate::channels::contacts;
use crate::chat::{Answered, Ask, StoredQuestion, TurnEnd, TurnFate, Whom, answer_stored};
use crate::rate::RateCaller;
use crate::{Actor, App, conversations};
use async_trait::async_trait;
use quipu_agents::{Answer, Listener};
use quipu_channels::SenderIdentity;
use quipu_core::channel::ConnectionStatus;
use quipu_core::chat::{ChatMessage, ToolChoice};
use quipu_core::conversation::{Conversation, HandoffMode, Message, MessageRole, NewMessage};
use quipu_core::lead::Channel;
use quipu_core::validate::Checks;
use quipu_core::{AgentId, ConversationId, Error, ErrorCode, MessageId, Result};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::net::IpAddr;
use utoipa::ToSchema;

const MAX_TEXT_CHARS: usize = 2_000;
/// How often a message is stored anew that met another first one of the same visitor.
const ATTEMPTS: usize = 4;
/// How many messages of a visitor are looked through for one that comes again.
const MOST_REPEATED: u64 = 20;

/// Something that a visitor says.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SayInWebChat {
    #[schema(min_length = 1, max_length = 2_000)]
    pub text: String,
}

/// How it was sent.
#[derive(Clone, Debug)]
pub struct WebChatTurn {
    pub address: IpAddr,
    pub request_id: Option<String>,
    /// The visitor's own name of the message: what comes again under it is stored once.
    pub key: Option<String>,
}

/// What becomes of something that a visitor said.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WebChatAnswer {
    /// What they said, as it is stored.
    pub question_id: MessageId,
    /// The answer, as it is stored. Nothing where a person answers, or where it was given before.
    pub message_id: Option<MessageId>,
    /// The whole answer.
    pub text: String,
    /// Who answers from now on. While a person does, the agent says nothing.
    pub handoff: HandoffMode,
    /// What can be tapped instead of writing.
    pub choices: Vec<String>,
}

/// What a visitor said, stored in their conversation.
struct StoredWords {
    conversation: Conversation,
    message: MessageId,
    agent: Option<AgentId>,
    /// The same message came before.
    is_repeat: bool,
    is_answered: bool,
}

/// Takes what a visitor says, and has the agent answer it while that is not left to a person.
///
/// # Errors
/// `VALIDATION_FAILED`, or `VISITOR_LIMITED` with the seconds to wait.
pub async fn say(
    app: &App,
    chat: &SiteChat,
    visitor: &WebVisitor,
    input: &SayInWebChat,
    turn: WebChatTurn,
    listener: &mut dyn Listener,
) -> Result<WebChatAnswer> {
    let mut checks = Checks::new();
    checks.text("text", &input.text, MAX_TEXT_CHARS);
    checks.finish()?;
    let site = chat.connection().id;
    let number = visitor.id.number();
    app.rate.check_visitor(site, number, turn.address)?;
    let key = turn.key.as_deref();
    let actor = chat.actor(app, turn.request_id).await?;
    leave_room(app, chat, &actor)?;
    let stored = store_again(app, chat, visitor, &input.text, key).await?;
    let mode = stored.conversation.handoff.mode;
    let is_active = chat.connection().status == ConnectionStatus::Active;
    let Some(agent) = stored.agent.filter(|_| is_active) else {
        return Ok(stored.left(HandoffMode::Human));
    };
    if stored.is_answered {
        return Ok(stored.left(mode));
    }
    // What a visitor sends again does the same things once.
    let again = key.map(|_| stored.message.to_string());
    let actor = actor.with_key(again.as_deref().unwrap_or_default());
    let end = VisitorTurn {
        question: stored.message,
        is_repeat: stored.is_repeat,
    };
    let question = StoredQuestion {
        message: stored.message,
        end: &end,
    };
    let ask = ask(&stored.conversation, &input.text);
    let agent = agent.to_string();
    let answering = answer_stored(app, &actor, &agent, ask, listener, Some(question));
    match Box::pin(answering).await {
        Ok(answered) => told(app, chat, &stored, answered).await,
        Err(error) if is_for_people(&error) => Ok(stored.left(HandoffMode::Human)),
        Err(error) => Err(error),
    }
}

/// Counts the message against what the plan allows to the programs of the tenant, so that a page in which
/// somebody plays leaves the rest to everybody else. Visitors are not told of plans.
fn leave_room(app: &App, chat: &SiteChat, actor: &Actor) -> Result<()> {
    let site = RateCaller::Program(chat.connection().id.uuid());
    let checked = app.rate.check_tenant(actor.tenant_id(), actor.plan(), site);
    checked.map(|_| ()).map_err(|(_, error)| {
        let seconds = error.retry_after_seconds().unwrap_or(1);
        Error::new(ErrorCode::VisitorLimited).retry_after(seconds)
    })
}

fn ask(conversation: &Conversation, text: &str) -> Ask {
    Ask {
        project_id: None,
        messages: vec![ChatMessage::user(text.to_owned())],
        whom: Whom::Customer {
            lead: Some(conversation.lead_id),
            conversation: Some(conversation.id),
        },
        channel: Channel::Web,
        instructions: None,
        client_tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
        draft: false,
    }
}

/// Stores what was said, again where it met another message of somebody who writes for the first time.
async fn store_again(
    app: &App,
    chat: &SiteChat,
    visitor: &WebVisitor,
    text: &str,
    key: Option<&str>,
) -> Result<StoredWords> {
    for _ in 1..ATTEMPTS {
        match store(app, chat, visitor, text, key).await {
            Err(error) if error.code() == ErrorCode::Busy => {}
            stored => return stored,
        }
    }
    store(app, chat, visitor, text, key).await
}

async fn store(
    app: &App,
    chat: &SiteChat,
    visitor: &WebVisitor,
    text: &str,
    key: Option<&str>,
) -> Result<StoredWords> {
    let connection = chat.connection();
    let tx = app.store.begin(chat.door.scope).await?;
    let sender = SenderIdentity {
        user_id: identity(visitor).user_id,
        phone: None,
        name: None,
    };
    let contact = contacts::find_or_create(&tx, connection, &sender).await?;
    // Two messages at once would begin two conversations.
    tx.channel_contacts().lock(contact.id).await?;
    let agent = match connection.agent_id {
        Some(agent) => Some(agent),
        None => tx.agents().find_active().await?.map(|agent| agent.id),
    };
    let conversation = conversation(&tx, connection, &contact, agent).await?;
    let before = match key {
        Some(key) => said_before(&tx, conversation.id, key).await?,
        None => None,
    };
    if let Some(before) = before {
        let is_answered = is_answered(&tx, conversation.id, before.id).await?;
        return Ok(StoredWords {
            conversation,
            message: before.id,
            agent,
            is_repeat: true,
            is_answered,
        });
    }
    let new = NewMessage {
        role: MessageRole::User,
        author: format!("lead:{}", conversation.lead_id),
        text: text.to_owned(),
        metadata: key.map_or_else(|| json!({}), |key| json!({ KEY: key })),
    };
    let message = conversations::append(&tx, &conversation, &new).await?.id;
    tx.channel_contacts()
        .heard(contact.id, tx.now(), None)
        .await?;
    tx.channel_connections().received(connection.id).await?;
    tx.commit().await?;
    Ok(StoredWords {
        conversation,
        message,
        agent,
        is_repeat: false,
        is_answered: false,
    })
}

/// What the visitor said under a name of their own.
async fn said_before(
    tx: &TenantTx,
    conversation: ConversationId,
    key: &str,
) -> Result<Option<Message>> {
    let said = tx
        .messages()
        .recent(conversation, MOST_REPEATED, &[MessageRole::User])
        .await?;
    Ok(said.into_iter().find(|one| one.metadata[KEY] == key))
}

/// Whether anybody answered since a message.
async fn is_answered(
    tx: &TenantTx,
    conversation: ConversationId,
    question: MessageId,
) -> Result<bool> {
    let roles = [MessageRole::Assistant, MessageRole::Human];
    let messages = tx.messages();
    let since = messages.since(conversation, question, &roles, 1).await?;
    Ok(!since.is_empty())
}

/// The end of a turn with a visitor. What they saw of an answer is said, whoever takes over meanwhile; an
/// answer to what came again is dropped where the first one got there before it.
struct VisitorTurn {
    question: MessageId,
    is_repeat: bool,
}

#[async_trait]
impl TurnEnd for VisitorTurn {
    async fn close(
        &self,
        tx: &TenantTx,
        conversation: &Conversation,
        _answer: &Answer,
    ) -> Result<TurnFate> {
        if self.is_repeat && is_answered(tx, conversation.id, self.question).await? {
            return Ok(TurnFate::Abandoned);
        }
        Ok(TurnFate::Said)
    }
}

/// What a visitor is told at the end of an answer.
async fn told(
    app: &App,
    chat: &SiteChat,
    stored: &StoredWords,
    answered: Answered,
) -> Result<WebChatAnswer> {
    let handoff = who_answers(chat, answered.handoff);
    let Some(answer) = answered.answer else {
        return Ok(stored.left(handoff));
    };
    let tx = app.store.begin(chat.door.scope).await?;
    tx.channel_connections().sent(chat.connection().id).await?;
    let (within, question) = (stored.conversation.id, stored.message);
    let roles = [MessageRole::Assistant];
    let messages = tx.messages();
    let since = messages
        .since(within, question, &roles, MOST_REPEATED)
        .await?;
    tx.commit().await?;
    let turn = answered.turn_id.to_string();
    let said = since.iter().find(|one| one.metadata["turn_id"] == turn);
    let Some(said) = said else {
        return Ok(stored.left(handoff));
    };
    Ok(WebChatAnswer {
        question_id: stored.message,
        message_id: Some(said.id),
        text: answer.text,
        handoff,
        choices: answer.choices,
    })
}

impl StoredWords {
    /// What was said is not answered now.
    fn left(&self, handoff: HandoffMode) -> WebChatAnswer {
        WebChatAnswer {
            question_id: self.message,
            message_id: None,
            text: String::new(),
            handoff,
            choices: Vec::new(),
        }
    }
}
