//! The next words of a call.

use super::{enter, is_open, people, transfer, words};
use crate::channels::answer::is_for_people;
use crate::channels::receive::{DeliveryHeaders, Door};
use crate::chat::{Answered, Ask, StoredQuestion, TurnEnd, TurnFate, Whom, answer_stored};
use crate::{App, conversations, token};
use async_trait::async_trait;
use quipu_agents::{Answer, Listener, OpeningWords};
use quipu_channels::text::for_channel;
use quipu_channels::voice::{self as vapi, TRANSFER_TOOL, VoiceAsk};
use quipu_core::agent::{Agent, Intent, Medium, Specialist};
use quipu_core::channel::ChannelContact;
use quipu_core::chat::{ChatMessage, ToolCall, ToolChoice};
use quipu_core::conversation::{Conversation, HandoffMode, Message, MessageRole, NewMessage};
use quipu_core::lead::Channel;
use quipu_core::tenancy::TenantStatus;
use quipu_core::turn::Trace;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{
    AgentId, ConnectionId, ConversationId, Error, ErrorCode, MessageId, Result, TurnId, phrases,
};
use quipu_store::TenantTx;
use quipu_store::tenant::TurnViewer;
use serde_json::{Value, json};

/// Where the metadata of a message say which words of which call it is.
const KEY: &str = "call_turn";
/// How many messages of a caller are looked through for one that comes again.
const MOST_REPEATED: u64 = 20;

/// A request of Vapi for the next words of a call, known to be Vapi's.
pub struct CallTurn {
    door: Door,
    ask: VoiceAsk,
}

/// What a caller said, stored in their conversation.
struct PlacedWords {
    conversation: Conversation,
    question: MessageId,
    /// What they were answered, where the same words came before.
    said: Option<Message>,
}

/// Reads a request for the next words of a call.
///
/// # Errors
/// `NOT_FOUND` when there is no such connection, `CHANNEL_UNSIGNED` when the secret is missing or wrong,
/// `TENANT_SUSPENDED`, `INVALID_JSON`, or `VALIDATION_FAILED` with what it lacks.
pub async fn turn(
    app: &App,
    id: ConnectionId,
    headers: &DeliveryHeaders,
    body: &[u8],
) -> Result<CallTurn> {
    let door = enter(app, id, headers).await?;
    if door.status == TenantStatus::Suspended {
        return Err(Error::new(ErrorCode::TenantSuspended));
    }
    let body: Value =
        serde_json::from_slice(body).map_err(|_| Error::new(ErrorCode::InvalidJson))?;
    let ask = match vapi::asked(&body) {
        Ok(ask) => ask,
        Err(item) => {
            let (path, reason) = (&item.path, &item.reason);
            tracing::warn!(connection = %id, path, reason, "a request for words could not be read");
            let mut checks = Checks::new();
            checks.problem(&item.path, Problem::NotFound);
            checks.finish()?;
            return Err(Error::internal("what cannot be read passed for a request"));
        }
    };
    Ok(CallTurn { door, ask })
}

impl CallTurn {
    /// Whether words are passed on as they come.
    #[must_use]
    pub fn wants_stream(&self) -> bool {
        self.ask.stream
    }

    /// What the model is called that is asked.
    #[must_use]
    pub fn model(&self) -> String {
        let named = self.ask.model.clone();
        named.unwrap_or_else(|| self.door.connection.id.to_string())
    }

    /// The same for the same words at the same place of the same call. Whoever is interrupted and says more
    /// says something else.
    fn name(&self, question: &str) -> String {
        let VoiceAsk { call, .. } = &self.ask;
        let place = self.ask.number();
        let connection = self.door.connection.id;
        token::hash(&format!("{connection}:{}:{place}:{question}", call.id))
    }
}

/// Has the agent say the next words of a call. The whole call comes with each request, of which the last
/// words of the caller alone are new: the rest is remembered. What comes again is answered with what was
/// said before.
///
/// # Errors
/// `AGENT_DISABLED` when no agent answers calls. Whatever else fails is told to the caller.
pub async fn speak(app: &App, turn: &CallTurn, listener: &mut dyn Listener) -> Result<Answered> {
    let CallTurn { door, ask } = turn;
    let tx = app.store.read(door.scope).await?;
    let agent = people::agent(&tx, &door.connection).await?;
    let agent = agent.ok_or_else(|| Error::new(ErrorCode::AgentDisabled))?;
    let number = transfer::number(&tx, &door.connection, &ask.call).await?;
    drop(tx);
    let can_transfer = ask.may_transfer && number.is_some();
    let question = match worth_answering(door, ask, &agent, number.is_some()) {
        Ok(question) => question,
        Err(text) => return Ok(plain(app, agent, None, text, listener)),
    };
    let contact = people::meet(app, door, &ask.call).await?;
    let placed = place(app, turn, agent.id, &contact, question).await?;
    if placed.said.is_some() {
        return recall(app, door, agent, &placed, can_transfer, listener).await;
    }
    let mut answered = ask_agent(app, turn, agent, &placed, question, listener).await?;
    if can_transfer && wants_person(&answered) {
        pass_on(&mut answered);
    }
    Ok(answered)
}

/// What the caller said last, or what is said to them where that is nothing to be answered.
fn worth_answering<'a>(
    door: &Door,
    ask: &'a VoiceAsk,
    agent: &Agent,
    has_number: bool,
) -> Result<&'a str, String> {
    let language = agent.language;
    if !is_open(door) {
        return Err(words::closed(language).to_owned());
    }
    if ask.follows_tool {
        // The call is on its way to somebody, unless there is nobody.
        let failed = if has_number {
            ""
        } else {
            words::nobody(language)
        };
        return Err(failed.to_owned());
    }
    ask.question().ok_or_else(|| {
        let words = OpeningWords {
            agent_name: &agent.name,
            company_name: &agent.company_name,
            customer_name: None,
            style: agent.settings.response_style,
            language,
            medium: Medium::Voice,
        };
        words.text()
    })
}

/// Stores what the caller said, once, after what they heard when they were answered.
async fn place(
    app: &App,
    turn: &CallTurn,
    agent: AgentId,
    contact: &ChannelContact,
    question: &str,
) -> Result<PlacedWords> {
    let CallTurn { door, ask } = turn;
    let connection = &door.connection;
    let name = turn.name(question);
    let tx = app.store.begin(door.scope).await?;
    let conversation = people::conversation(&tx, connection, contact, Some(agent)).await?;
    let before = tx
        .messages()
        .recent(conversation.id, MOST_REPEATED, &[MessageRole::User])
        .await?;
    if let Some(same) = before.iter().find(|one| one.metadata[KEY] == name) {
        let said = answer_to(&tx, conversation.id, same.id).await?;
        return Ok(PlacedWords {
            conversation,
            question: same.id,
            said,
        });
    }
    let call = &ask.call.id;
    let is_first = !before.iter().any(|one| one.metadata["call_id"] == *call);
    if let Some(opening) = ask.opening().filter(|_| is_first) {
        let new = NewMessage {
            role: MessageRole::Assistant,
            author: format!("agent:{agent}"),
            text: opening.to_owned(),
            metadata: json!({ "call_id": call }),
        };
        conversations::append(&tx, &conversation, &new).await?;
    }
    let new = NewMessage {
        role: MessageRole::User,
        author: format!("lead:{}", conversation.lead_id),
        text: question.to_owned(),
        metadata: json!({ "call_id": call, KEY: name }),
    };
    let question = conversations::append(&tx, &conversation, &new).await?.id;
    tx.channel_contacts()
        .heard(contact.id, tx.now(), None)
        .await?;
    tx.channel_connections().received(connection.id).await?;
    tx.commit().await?;
    Ok(PlacedWords {
        conversation,
        question,
        said: None,
    })
}

/// What the agent answered before anything else was said.
async fn answer_to(
    tx: &TenantTx,
    conversation: ConversationId,
    question: MessageId,
) -> Result<Option<Message>> {
    let roles = [MessageRole::User, MessageRole::Assistant];
    let messages = tx.messages();
    let since = messages.since(conversation, question, &roles, 1).await?;
    let next = since.into_iter().next();
    Ok(next.filter(|next| next.role == MessageRole::Assistant))
}

/// Says again what was said before.
async fn recall(
    app: &App,
    door: &Door,
    agent: Agent,
    placed: &PlacedWords,
    can_transfer: bool,
    listener: &mut dyn Listener,
) -> Result<Answered> {
    let said = placed.said.as_ref();
    let text = said.map(|said| aloud(&said.text)).unwrap_or_default();
    let id = said.and_then(|said| said.metadata["turn_id"].as_str());
    let id = id.and_then(|id| id.parse::<TurnId>().ok());
    let tx = app.store.read(door.scope).await?;
    let everybody = TurnViewer {
        user: None,
        customers: true,
    };
    let before = match id {
        Some(id) => tx.turns().find(id, everybody).await?,
        None => None,
    };
    drop(tx);
    let mut answered = plain(app, agent, Some(&placed.conversation), text, listener);
    if let Some(before) = before {
        answered.turn_id = before.summary.id;
        let asked = before.summary.intent == Intent::Escalation.as_str();
        let is_handed = placed.conversation.handoff.mode != HandoffMode::Ai;
        if can_transfer && (before.summary.escalated || (asked && is_handed)) {
            pass_on(&mut answered);
        }
    }
    Ok(answered)
}

/// Has the agent answer, in words that can be spoken.
async fn ask_agent(
    app: &App,
    turn: &CallTurn,
    agent: Agent,
    placed: &PlacedWords,
    question: &str,
    listener: &mut dyn Listener,
) -> Result<Answered> {
    let conversation = &placed.conversation;
    let ask = Ask {
        project_id: None,
        messages: vec![ChatMessage::user(question.to_owned())],
        whom: Whom::Customer {
            lead: Some(conversation.lead_id),
            conversation: Some(conversation.id),
        },
        channel: Channel::Voice,
        instructions: None,
        client_tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
        draft: false,
    };
    // The same words do the same things once, however often Vapi asks.
    let actor = people::product(app, &turn.door).await?;
    let actor = actor.with_key(&turn.name(question));
    let end = CallEnd {
        question: placed.question,
    };
    let stored = StoredQuestion {
        message: placed.question,
        end: &end,
    };
    let id = agent.id.to_string();
    let mut spoken = SpokenParts { to: &mut *listener };
    let answered = answer_stored(app, &actor, &id, ask, &mut spoken, Some(stored)).await;
    match answered {
        Ok(Answered { answer: None, .. }) => {
            let text = words::by_person(agent.language).to_owned();
            Ok(plain(app, agent, Some(conversation), text, listener))
        }
        Ok(mut answered) => {
            if let Some(answer) = &mut answered.answer {
                answer.text = aloud(&answer.text);
            }
            Ok(answered)
        }
        Err(error) if is_for_people(&error) => {
            tracing::warn!(connection = %turn.door.connection.id, %error, "a caller was not answered");
            let text = phrases::apology(&agent.company_name, agent.language);
            Ok(plain(app, agent, Some(conversation), text, listener))
        }
        Err(error) => Err(error),
    }
}

/// The end of a turn in a call. What the caller heard was said, whoever takes over meanwhile; where the same
/// words were answered at the same time, one answer is kept.
struct CallEnd {
    question: MessageId,
}

#[async_trait]
impl TurnEnd for CallEnd {
    async fn close(
        &self,
        tx: &TenantTx,
        conversation: &Conversation,
        _answer: &Answer,
    ) -> Result<TurnFate> {
        let said = answer_to(tx, conversation.id, self.question).await?;
        Ok(match said {
            Some(_) => TurnFate::Abandoned,
            None => TurnFate::Said,
        })
    }
}

/// Passes the parts of an answer on as they are spoken.
struct SpokenParts<'a> {
    to: &'a mut dyn Listener,
}

impl Listener for SpokenParts<'_> {
    fn text(&mut self, part: &str) {
        let said = aloud(part);
        if !said.is_empty() {
            // Whoever puts the parts together must not join words.
            self.to.text(&format!("{said} "));
        }
    }

    fn tool(&mut self, name: &str) {
        self.to.tool(name);
    }

    fn is_reached(&self) -> bool {
        self.to.is_reached()
    }
}

fn aloud(text: &str) -> String {
    for_channel(text, Channel::Voice)
}

/// Whether somebody of the business is to speak with the caller.
fn wants_person(answered: &Answered) -> bool {
    if answered.handoff == HandoffMode::Human {
        return true;
    }
    answered.answer.as_ref().is_some_and(|answer| {
        let again = answer.intent == Intent::Escalation && answered.handoff != HandoffMode::Ai;
        answer.escalated || again
    })
}

/// Has Vapi pass the call on, once the answer has been heard.
fn pass_on(answered: &mut Answered) {
    let id = format!("call_{}", answered.turn_id.uuid().simple());
    if let Some(answer) = &mut answered.answer {
        answer.client_calls = vec![ToolCall {
            id,
            name: TRANSFER_TOOL.to_owned(),
            arguments: "{}".to_owned(),
            signature: None,
        }];
    }
}

/// Says something that no turn was needed for.
fn plain(
    app: &App,
    agent: Agent,
    conversation: Option<&Conversation>,
    text: String,
    listener: &mut dyn Listener,
) -> Answered {
    if !text.is_empty() {
        listener.text(&text);
    }
    let answer = Answer {
        parts: vec![text.clone()],
        text,
        citations: Vec::new(),
        grounded: false,
        language: agent.language,
        responder: "builtin".to_owned(),
        degraded: false,
        intent: Intent::General,
        specialist: Specialist::General,
        temperature: None,
        escalated: false,
        client_calls: Vec::new(),
        instructions: Vec::new(),
        dialogue: None,
        choices: Vec::new(),
        trace: Trace::default(),
    };
    Answered {
        agent,
        turn_id: TurnId::generate(app.now()),
        conversation_id: conversation.map(|conversation| conversation.id),
        handoff: conversation.map_or(HandoffMode::Ai, |conversation| conversation.handoff.mode),
        answer: Some(answer),
        trimmed: Vec::new(),
    }
}
