//! Answering what somebody wrote on a channel.

use super::burst::{Burst, StoredMessage, fetch_files, show_reading};
use super::compose::compose;
use super::n8n;
use super::turn::{ChannelTurn, TurnEnding};
use crate::chat::{Ask, StoredQuestion, Whom, answer_stored};
use crate::conversations::{self, countdown, outgoing};
use crate::{Actor, App, RequestInfo};
use jiff::SignedDuration;
use quipu_agents::Silence;
use quipu_channels::{InboundContent, InboundMessage, MessageEcho};
use quipu_core::access::Principal;
use quipu_core::channel::{
    ChannelConnection, ChannelContact, ConnectionStatus, DeliveryState, InboundState,
    WaitingInbound,
};
use quipu_core::chat::{ChatMessage, ToolChoice};
use quipu_core::conversation::{
    Conversation, ConversationStatus, HandoffMode, MessageRole, NewConversation, NewMessage,
};
use quipu_core::job::{ClaimedJob, NewJob};
use quipu_core::language::Language;
use quipu_core::tenancy::TenantScope;
use quipu_core::{
    AgentId, ContactId, Error, ErrorCode, InboundId, Result, TenantId, Timestamp, phrases,
};
use quipu_store::TenantTx;
use serde::Deserialize;
use serde_json::json;
use std::sync::Mutex;

/// The job that answers what somebody wrote.
pub(crate) const ANSWER_CONTACT: &str = "answer_contact";
/// How often a job begins anew that a crash cut off, or whose agent could not be asked.
const ATTEMPTS: i32 = 50;
/// How many messages are answered as one.
const MOST_AT_ONCE: u64 = 30;
/// A customer who never stops writing is answered after so many pauses.
const MOST_PAUSES: i32 = 4;
/// How often an answer is thrown away because the customer wrote more meanwhile.
const MOST_STALE: usize = 3;
/// How long an echo waits for the answer to what we are sending at this moment, to be told from it.
const ECHO_PAUSE_MS: i64 = 1_500;

#[derive(Deserialize)]
struct Order {
    contact_id: ContactId,
}

/// What there is to do for somebody.
enum Step {
    /// Nothing any more: the job is done.
    Done,
    LeaseLost,
    Answer(Box<Burst>),
}

/// Has what waits of somebody answered after a pause.
pub(super) async fn enqueue(tx: &TenantTx, contact: ContactId, pause_ms: i64) -> Result<()> {
    let run_at = tx.now().checked_add(SignedDuration::from_millis(pause_ms));
    enqueue_at(tx, contact, run_at.unwrap_or(tx.now())).await
}

async fn enqueue_at(tx: &TenantTx, contact: ContactId, run_at: Timestamp) -> Result<()> {
    let job = NewJob {
        kind: ANSWER_CONTACT,
        payload: json!({ "contact_id": contact }),
        dedup_key: Some(contact.to_string()),
        run_at,
        max_attempts: ATTEMPTS,
        owner: None,
    };
    tx.jobs().enqueue(&job).await?;
    Ok(())
}

/// Answers what waits of somebody. Returns `false` when the lease was lost.
pub(crate) async fn answer_contact(app: &App, tenant: TenantId, job: &ClaimedJob) -> Result<bool> {
    let order: Order = serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    let scope = TenantScope::of(tenant);
    for attempt in 1..=MOST_STALE {
        let burst = match gather(app, scope, job, order.contact_id).await? {
            Step::Done => return Ok(true),
            Step::LeaseLost => return Ok(false),
            Step::Answer(burst) => burst,
        };
        let wanted = tenant.to_string();
        let system = Principal::System;
        let actor = Actor::enter(app, system, Some(&wanted), RequestInfo::default()).await?;
        show_reading(app, scope, &burst).await;
        fetch_files(app, &actor, &burst).await;
        let turn = ChannelTurn {
            job,
            contact: burst.contact.id,
            burst: burst.messages.iter().map(|message| message.id).collect(),
            is_last_try: attempt == MOST_STALE,
            ended: Mutex::new(None),
        };
        match speak(app, &actor, &burst, &turn).await? {
            TurnEnding::Done => {
                app.new_work.notify_one();
                return Ok(true);
            }
            TurnEnding::LeaseLost => return Ok(false),
            TurnEnding::Stale => {}
        }
    }
    Err(Error::new(ErrorCode::Busy))
}

/// Stores in the conversation what came in, and says whether there is anything to answer.
async fn gather(app: &App, scope: TenantScope, job: &ClaimedJob, order: ContactId) -> Result<Step> {
    let tx = app.store.begin(scope).await?;
    let found = tx.channel_contacts().find(order).await?;
    let Some(contact) = found else {
        return finish(tx, job, order).await;
    };
    let connection = tx.channel_connections().find(contact.connection_id).await?;
    let Some(connection) = connection else {
        return finish(tx, job, order).await;
    };
    let agent = match connection.agent_id {
        Some(agent) => Some(agent),
        None => tx.agents().find_active().await?.map(|agent| agent.id),
    };
    let conversation = conversation(&tx, &connection, &contact, agent).await?;
    tx.channel_contacts().lock(contact.id).await?;
    let waiting = tx
        .channel_inbound()
        .waiting(contact.id, MOST_AT_ONCE)
        .await?;
    if waiting.is_empty() {
        return finish(tx, job, order).await;
    }
    if let Some(later) = later(&tx, &connection, &contact, &waiting).await? {
        if !tx.jobs().complete(job).await? {
            return Ok(Step::LeaseLost);
        }
        enqueue_at(&tx, contact.id, later).await?;
        tx.commit().await?;
        return Ok(Step::Done);
    }
    let messages = store(&tx, &connection, &conversation, &waiting).await?;
    // What an echo says may have changed who answers.
    let conversation = conversations::lock(&tx, conversation.id).await?;
    let is_answered = connection.status == ConnectionStatus::Active
        && conversation.handoff.mode != HandoffMode::Human;
    let (Some(agent), true, false) = (agent, is_answered, messages.is_empty()) else {
        let ids: Vec<InboundId> = messages.iter().map(|message| message.id).collect();
        tx.channel_inbound()
            .settle(&ids, InboundState::Left)
            .await?;
        return finish(tx, job, contact.id).await;
    };
    if !tx.jobs().holds(job).await? {
        return Ok(Step::LeaseLost);
    }
    tx.commit().await?;
    Ok(Step::Answer(Box::new(Burst {
        contact,
        connection,
        conversation,
        agent,
        messages,
    })))
}

/// Ends the job; another one goes on with what is left.
async fn finish(tx: TenantTx, job: &ClaimedJob, contact: ContactId) -> Result<Step> {
    if !tx.jobs().complete(job).await? {
        return Ok(Step::LeaseLost);
    }
    if tx.channel_inbound().count_waiting(contact).await? > 0 {
        enqueue(&tx, contact, 0).await?;
    }
    tx.commit().await?;
    Ok(Step::Done)
}

/// The open conversation with somebody, locked; a new one where there is none, or where another agent
/// answers by now.
pub(super) async fn conversation(
    tx: &TenantTx,
    connection: &ChannelConnection,
    contact: &ChannelContact,
    agent: Option<AgentId>,
) -> Result<Conversation> {
    if let Some(id) = tx
        .channel_contacts()
        .latest_conversation(contact.id)
        .await?
    {
        let latest = conversations::lock(tx, id).await?;
        if latest.status == ConversationStatus::Open && latest.agent_id == agent {
            return Ok(latest);
        }
    }
    tx.leads().hold(contact.lead_id).await?;
    let new = NewConversation {
        lead_id: contact.lead_id,
        agent_id: agent,
        channel: connection.channel,
    };
    let id = tx.conversations().insert(&new).await?;
    tx.channel_contacts()
        .hold_conversation(contact.id, id)
        .await?;
    conversations::lock(tx, id).await
}

/// When what waits is answered, where that is not now: the customer may be writing still, or an echo may
/// be that of what we are sending at this moment.
async fn later(
    tx: &TenantTx,
    connection: &ChannelConnection,
    contact: &ChannelContact,
    waiting: &[WaitingInbound],
) -> Result<Option<Timestamp>> {
    let now = tx.now();
    let has_echo = waiting.iter().any(|one| one.kind == "echo");
    if has_echo {
        let next = tx.channel_outbound().next(contact.id).await?;
        let is_sending = next.is_some_and(|next| next.state == DeliveryState::Sending);
        let pause = SignedDuration::from_millis(ECHO_PAUSE_MS);
        return Ok(is_sending.then(|| now.checked_add(pause).unwrap_or(now)));
    }
    if connection.status == ConnectionStatus::Paused {
        return Ok(None);
    }
    let pause = SignedDuration::from_millis(connection.settings.debounce_ms.into());
    let fresh = waiting.iter().filter(|one| one.message_id.is_none());
    let (mut first, mut last) = (None, None);
    for at in fresh.map(|one| one.received_at) {
        first = Some(first.map_or(at, |first: Timestamp| first.min(at)));
        last = Some(last.map_or(at, |last: Timestamp| last.max(at)));
    }
    let (Some(first), Some(last)) = (first, last) else {
        return Ok(None);
    };
    let quiet = last.checked_add(pause).unwrap_or(last);
    let patience = first.checked_add(pause * MOST_PAUSES).unwrap_or(first);
    let at = quiet.min(patience);
    Ok((at > now).then_some(at))
}

/// Writes what waits into the conversation, each once, and returns what the customer said of it.
async fn store(
    tx: &TenantTx,
    connection: &ChannelConnection,
    conversation: &Conversation,
    waiting: &[WaitingInbound],
) -> Result<Vec<StoredMessage>> {
    let mut messages = Vec::new();
    for inbound in waiting {
        if inbound.kind == "echo" {
            store_echo(tx, connection, conversation, inbound).await?;
            continue;
        }
        let read: InboundMessage =
            serde_json::from_value(inbound.event.clone()).map_err(Error::internal)?;
        let words = compose(&read.content);
        let message = if let Some(message) = inbound.message_id {
            message
        } else {
            let new = NewMessage {
                role: MessageRole::User,
                author: format!("lead:{}", conversation.lead_id),
                text: words.text.clone(),
                metadata: json!({
                    "channel_message_id": inbound.external_id,
                    "kind": read.content.kind(),
                    "said_at": inbound.said_at,
                }),
            };
            let message = conversations::append(tx, conversation, &new).await?.id;
            tx.channel_inbound()
                .set_message(inbound.id, message)
                .await?;
            message
        };
        messages.push(StoredMessage {
            id: inbound.id,
            external_id: inbound.external_id.clone(),
            message,
            content: read.content,
            words,
            returned: inbound.returned,
        });
    }
    Ok(messages)
}

/// Writes down what a person of the business said outside the product, who thereby takes over.
async fn store_echo(
    tx: &TenantTx,
    connection: &ChannelConnection,
    conversation: &Conversation,
    inbound: &WaitingInbound,
) -> Result<()> {
    let inbounds = tx.channel_inbound();
    inbounds.settle(&[inbound.id], InboundState::Noted).await?;
    let outbound = tx.channel_outbound();
    let ours = outbound
        .known_as(connection.id, &inbound.external_id)
        .await?;
    if ours.is_some() {
        return Ok(());
    }
    let echo: MessageEcho =
        serde_json::from_value(inbound.event.clone()).map_err(Error::internal)?;
    if matches!(
        echo.content,
        InboundContent::Reaction { .. } | InboundContent::Deleted { .. }
    ) {
        return Ok(());
    }
    let extras = outgoing::MessageExtras {
        echo: true,
        ..outgoing::MessageExtras::default()
    };
    let author = format!("channel:{}", connection.id);
    let new = NewMessage {
        role: MessageRole::Human,
        author: author.clone(),
        text: compose(&echo.content).text,
        metadata: extras.into(json!({ "channel_message_id": inbound.external_id }))?,
    };
    let message = conversations::append(tx, conversation, &new).await?;
    inbounds.set_message(inbound.id, message.id).await?;
    countdown::taken_outside(tx, conversation.id, &author).await
}

/// Has the agent answer a burst as one message.
async fn speak(
    app: &App,
    actor: &Actor,
    burst: &Burst,
    turn: &ChannelTurn<'_>,
) -> Result<TurnEnding> {
    let readable = burst.messages.iter().filter(|one| one.words.is_readable);
    let words: Vec<&str> = readable.map(|one| one.words.text.as_str()).collect();
    let (Some(first), Some(last)) = (burst.messages.first(), burst.messages.last()) else {
        return Ok(TurnEnding::Done);
    };
    if words.is_empty() {
        return apologise(app, actor, burst, turn).await;
    }
    let words = words.join("\n");
    // What n8n has not answered is answered here.
    if !burst.messages.iter().any(|one| one.returned) {
        let question = n8n::Question {
            conversation: &burst.conversation,
            agent: burst.agent,
            first: first.message,
            last: last.message,
            words: words.clone(),
        };
        if let Some(ending) = n8n::ask(app, actor, turn, &question).await? {
            return Ok(ending);
        }
    }
    let ask = Ask {
        project_id: None,
        messages: vec![ChatMessage::user(words)],
        whom: Whom::Customer {
            lead: Some(burst.conversation.lead_id),
            conversation: Some(burst.conversation.id),
        },
        channel: burst.connection.channel,
        instructions: None,
        client_tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
        draft: false,
    };
    let stored = StoredQuestion {
        message: first.message,
        end: turn,
    };
    // The same burst does the same things once, however often its turn begins anew.
    let actor = actor.with_key(&first.id.to_string());
    let agent = burst.agent.to_string();
    let answered = answer_stored(app, &actor, &agent, ask, &mut Silence, Some(stored)).await;
    match (answered, turn.ending()) {
        (Ok(_), Some(ending)) => Ok(ending),
        // A person answers by now.
        (Ok(_), None) => leave(app, &actor, turn).await,
        (Err(error), _) if is_for_people(&error) => {
            ask_for_person(app, &actor, burst).await?;
            leave(app, &actor, turn).await
        }
        (Err(error), _) => Err(error),
    }
}

/// Whether no agent will ever answer this.
pub(super) fn is_for_people(error: &Error) -> bool {
    matches!(
        error.code(),
        ErrorCode::AgentDisabled
            | ErrorCode::FeatureNotInPlan
            | ErrorCode::NotFound
            | ErrorCode::ValidationFailed
    )
}

/// What becomes of what was said, by who answers.
pub(super) const fn settled(by_person: bool) -> InboundState {
    if by_person {
        InboundState::Left
    } else {
        InboundState::Answered
    }
}

/// Tells the people of the business that their agent does not answer.
async fn ask_for_person(app: &App, actor: &Actor, burst: &Burst) -> Result<()> {
    let tx = app.store.begin(actor.scope()).await?;
    let conversation = conversations::lock(&tx, burst.conversation.id).await?;
    if conversation.handoff.mode == HandoffMode::Ai {
        let reason = match outgoing::language(&tx).await? {
            Language::Es => "El agente no puede responder ahora",
            Language::En => "The agent cannot answer now",
        };
        conversations::request_handoff(&tx, conversation.id, reason, "channel").await?;
    }
    tx.commit().await
}

/// Leaves a burst to a person.
async fn leave(app: &App, actor: &Actor, turn: &ChannelTurn<'_>) -> Result<TurnEnding> {
    let tx = app.store.begin(actor.scope()).await?;
    tx.channel_contacts().lock(turn.contact).await?;
    if !tx.jobs().complete(turn.job).await? {
        return Ok(TurnEnding::LeaseLost);
    }
    tx.channel_inbound()
        .settle(&turn.burst, InboundState::Left)
        .await?;
    if tx.channel_inbound().count_waiting(turn.contact).await? > 0 {
        enqueue(&tx, turn.contact, 0).await?;
    }
    tx.commit().await?;
    Ok(TurnEnding::Done)
}

/// Says that nothing of what came can be read, such as a recording.
async fn apologise(
    app: &App,
    actor: &Actor,
    burst: &Burst,
    turn: &ChannelTurn<'_>,
) -> Result<TurnEnding> {
    let tx = app.store.begin(actor.scope()).await?;
    let language = outgoing::language(&tx).await?;
    let conversation = conversations::lock(&tx, burst.conversation.id).await?;
    tx.channel_contacts().lock(turn.contact).await?;
    if !tx.jobs().complete(turn.job).await? {
        return Ok(TurnEnding::LeaseLost);
    }
    let by_person = conversation.handoff.mode == HandoffMode::Human;
    let state = settled(by_person);
    tx.channel_inbound().settle(&turn.burst, state).await?;
    // A sticker is no question.
    let asks = burst
        .messages
        .iter()
        .any(|one| one.content.kind() != "sticker");
    if !by_person && asks {
        let new = NewMessage {
            role: MessageRole::Assistant,
            author: format!("agent:{}", burst.agent),
            text: sentence(burst, language).to_owned(),
            metadata: json!({}),
        };
        conversations::append(&tx, &conversation, &new).await?;
    }
    if tx.channel_inbound().count_waiting(turn.contact).await? > 0 {
        enqueue(&tx, turn.contact, 0).await?;
    }
    tx.commit().await?;
    Ok(TurnEnding::Done)
}

fn sentence(burst: &Burst, language: Language) -> &'static str {
    let is_recording = burst
        .messages
        .iter()
        .any(|one| one.content.kind() == "audio");
    phrases::unreadable(is_recording, language)
}
