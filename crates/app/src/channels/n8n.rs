//! Asking the business's own n8n what to answer, and answering where it does not.

use super::answer::{conversation, enqueue};
use super::turn::{ChannelTurn, TurnEnding};
use crate::auth::N8N_SECRET;
use crate::events::signed;
use crate::n8n::{self, N8nSettings};
use crate::{Actor, App, conversations, profile};
use bytes::Bytes;
use jiff::SignedDuration;
use quipu_commerce::calendar::{clock_of, full_date};
use quipu_core::channel::InboundState;
use quipu_core::conversation::{Conversation, HandoffMode, Message, MessageRole};
use quipu_core::job::{ClaimedJob, NewJob};
use quipu_core::language::Language;
use quipu_core::lead::Channel;
use quipu_core::ports::WebhookRequest;
use quipu_core::tenancy::TenantScope;
use quipu_core::{
    AgentId, ContactId, ConversationId, Error, ErrorCode, InboundId, LeadId, MessageId, Result,
    TenantId,
};
use quipu_store::TenantTx;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::time::Duration;

/// The job that has the agent answer where n8n has not.
pub(crate) const N8N_FALLBACK: &str = "n8n_fallback";
const ATTEMPTS: i32 = 20;
/// How many messages n8n is told that were said before.
const HISTORY: usize = 8;
/// How many are looked at for that: a burst is not among them.
const MOST_LOOKED_AT: u64 = 60;
/// Who may have answered.
const ANSWERS: [MessageRole; 2] = [MessageRole::Assistant, MessageRole::Human];

/// What a customer wrote, and where.
pub(super) struct Question<'a> {
    pub(super) conversation: &'a Conversation,
    pub(super) agent: AgentId,
    /// The first and the last message of it.
    pub(super) first: MessageId,
    pub(super) last: MessageId,
    pub(super) words: String,
}

/// What n8n is sent, field by field as workflows read it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct N8nPayload {
    lead_id: LeadId,
    agent_id: AgentId,
    agent_name: String,
    company_name: String,
    lead_name: String,
    project_id: TenantId,
    message: String,
    conversation_id: ConversationId,
    system_instructions: Option<String>,
    conversation_history: Vec<HistoryLine>,
    history_count: usize,
    current_date: String,
    current_time: String,
}

#[derive(Serialize)]
struct HistoryLine {
    role: &'static str,
    content: String,
}

/// A question that n8n can be asked.
struct Prepared {
    settings: N8nSettings,
    url: String,
    secret: SecretString,
    payload: N8nPayload,
}

#[derive(Deserialize)]
struct FallbackOrder {
    contact_id: ContactId,
    conversation_id: ConversationId,
    /// The last of what n8n was asked by then.
    asked: InboundId,
}

/// Has n8n answer, where that is who answers. Returns `None` where the agent does.
pub(super) async fn ask(
    app: &App,
    actor: &Actor,
    turn: &ChannelTurn<'_>,
    question: &Question<'_>,
) -> Result<Option<TurnEnding>> {
    let Some(prepared) = prepare(app, actor, question).await? else {
        return Ok(None);
    };
    let body = serde_json::to_vec(&prepared.payload).map_err(Error::internal)?;
    // The same question asked again after a crash is known by its name.
    let name = question.last.to_string();
    // n8n's Webhook node cannot check a signature over the bytes, but it can compare a header.
    let mut headers = vec![("x-n8n-secret", prepared.secret.clone())];
    headers.extend(signed(&prepared.secret, &name, app, &body));
    let request = WebhookRequest {
        url: &prepared.url,
        headers: &headers,
        body: Bytes::from(body),
        patience: Duration::from_secs(prepared.settings.timeout_seconds.into()),
    };
    let tenant = actor.tenant_id();
    let is_taken = match app.webhooks.post(&request).await {
        Ok(answer) if (200..300).contains(&answer.status) => true,
        Ok(answer) => {
            let status = answer.status;
            tracing::warn!(tenant.id = %tenant, status, "n8n did not take a message");
            false
        }
        Err(error) => {
            tracing::warn!(tenant.id = %tenant, %error, "n8n could not be asked");
            false
        }
    };
    count(if is_taken { "asked" } else { "failed" });
    leave_to_n8n(app, actor, turn, question, &prepared.settings, is_taken).await
}

/// Notes that n8n answers. Returns `None` where it does not, and nobody has answered.
async fn leave_to_n8n(
    app: &App,
    actor: &Actor,
    turn: &ChannelTurn<'_>,
    question: &Question<'_>,
    settings: &N8nSettings,
    is_taken: bool,
) -> Result<Option<TurnEnding>> {
    let tx = app.store.begin(actor.scope()).await?;
    let conversation = conversations::lock(&tx, question.conversation.id).await?;
    tx.channel_contacts().lock(turn.contact).await?;
    // It may have answered before it said that it would, or although it did not say so in time.
    let is_answered = has_answer(&tx, conversation.id, question.last).await?;
    if !is_taken && !is_answered {
        return Ok(None);
    }
    if !tx.jobs().complete(turn.job).await? {
        return Ok(Some(TurnEnding::LeaseLost));
    }
    let state = if is_answered {
        InboundState::Answered
    } else if conversation.handoff.mode == HandoffMode::Human {
        InboundState::Left
    } else {
        InboundState::Asked
    };
    tx.channel_inbound().settle(&turn.burst, state).await?;
    if state == InboundState::Asked && settings.fallback {
        order_fallback(&tx, turn, conversation.id, settings).await?;
    }
    if tx.channel_inbound().count_waiting(turn.contact).await? > 0 {
        enqueue(&tx, turn.contact, 0).await?;
    }
    tx.commit().await?;
    Ok(Some(TurnEnding::Done))
}

async fn order_fallback(
    tx: &TenantTx,
    turn: &ChannelTurn<'_>,
    conversation: ConversationId,
    settings: &N8nSettings,
) -> Result<()> {
    let Some(asked) = turn.burst.iter().max() else {
        return Ok(());
    };
    let pause = SignedDuration::from_secs(settings.timeout_seconds.into());
    let job = NewJob {
        kind: N8N_FALLBACK,
        payload: json!({
            "contact_id": turn.contact,
            "conversation_id": conversation,
            "asked": asked,
        }),
        dedup_key: Some(asked.to_string()),
        run_at: tx.now().checked_add(pause).unwrap_or(tx.now()),
        max_attempts: ATTEMPTS,
        owner: None,
    };
    tx.jobs().enqueue(&job).await?;
    Ok(())
}

/// Has the agent answer what n8n has not. Returns `false` when the lease was lost.
pub(crate) async fn n8n_fallback(app: &App, scope: TenantScope, job: &ClaimedJob) -> Result<bool> {
    let order: FallbackOrder =
        serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    let tx = app.store.begin(scope).await?;
    let conversation = tx.conversations().lock(order.conversation_id).await?;
    let contact = tx.channel_contacts().lock(order.contact_id).await?;
    if !tx.jobs().complete(job).await? {
        return Ok(false);
    }
    let (Some(conversation), Some(contact)) = (conversation, contact) else {
        tx.commit().await?;
        return Ok(true);
    };
    let asked = tx.channel_inbound().asked(contact.id).await?;
    let last = asked.iter().map(|one| one.id).max();
    // What was asked later is answered with what was asked before, when its own time has come.
    if last.is_some_and(|last| last <= order.asked) {
        let message = asked.iter().filter_map(|one| one.message_id).max();
        let is_answered = match message {
            Some(message) => has_answer(&tx, conversation.id, message).await?,
            None => false,
        };
        let state = if is_answered {
            InboundState::Answered
        } else if conversation.handoff.mode == HandoffMode::Human {
            InboundState::Left
        } else {
            InboundState::Returned
        };
        tx.channel_inbound().resolve(contact.id, state).await?;
        if state == InboundState::Returned {
            count("silent");
            enqueue(&tx, contact.id, 0).await?;
        }
    }
    tx.commit().await?;
    app.new_work.notify_one();
    Ok(true)
}

/// Whether anybody has answered since a message.
async fn has_answer(tx: &TenantTx, conversation: ConversationId, after: MessageId) -> Result<bool> {
    let messages = tx.messages();
    let since = messages.since(conversation, after, &ANSWERS, 1).await?;
    Ok(!since.is_empty())
}

/// What n8n is asked, where it is to be asked at all.
async fn prepare(app: &App, actor: &Actor, question: &Question<'_>) -> Result<Option<Prepared>> {
    let tx = app.store.read(actor.scope()).await?;
    let settings = n8n::load(&tx).await?;
    let (true, Some(url)) = (settings.enabled, settings.webhook_url.clone()) else {
        return Ok(None);
    };
    // What becomes of a message that no agent may answer is decided where agents answer.
    let agent = tx.agents().find(question.agent).await?;
    let agent = agent.filter(|agent| agent.enabled && actor.plan().require_agents().is_ok());
    let lead = tx.leads().find(question.conversation.lead_id).await?;
    let stored = tx.secrets().find_sealed(N8N_SECRET).await?;
    let (Some(agent), Some(lead), Some(stored)) = (agent, lead, stored) else {
        return Ok(None);
    };
    let secret = app.vault.open(tx.tenant_id(), N8N_SECRET, &stored.sealed)?;
    let history = history(&tx, question).await?;
    drop(tx);
    let tenant = actor.tenant();
    let language = tenant.locale.split('-').next().unwrap_or_default();
    let language = Language::parse_or_default(language);
    let now = app.now().to_zoned(profile::time_zone(actor));
    let payload = N8nPayload {
        lead_id: lead.id,
        agent_id: agent.id,
        agent_name: agent.name,
        company_name: agent.company_name,
        lead_name: lead.name.unwrap_or_default(),
        project_id: tenant.id,
        message: question.words.clone(),
        conversation_id: question.conversation.id,
        system_instructions: agent.settings.system_instructions,
        history_count: history.len(),
        conversation_history: history,
        current_date: full_date(&now, language),
        current_time: clock_of(&now, &tenant.locale, language),
    };
    Ok(Some(Prepared {
        settings,
        url,
        secret,
        payload,
    }))
}

/// What was said before the question, oldest first, without what only the business reads.
async fn history(tx: &TenantTx, question: &Question<'_>) -> Result<Vec<HistoryLine>> {
    let roles = [
        MessageRole::User,
        MessageRole::Assistant,
        MessageRole::Human,
    ];
    let id = question.conversation.id;
    let recent = tx.messages().recent(id, MOST_LOOKED_AT, &roles).await?;
    let before = recent.into_iter().filter(|said| said.id < question.first);
    let before: Vec<Message> = before.collect();
    let from = before.len().saturating_sub(HISTORY);
    let lines = before.into_iter().skip(from);
    Ok(lines
        .map(|said| HistoryLine {
            role: match said.role {
                MessageRole::User => "user",
                _ => "assistant",
            },
            content: said.text,
        })
        .collect())
}

/// The conversation with a lead over WhatsApp, through the connection to which they wrote last.
///
/// # Errors
/// `NOT_FOUND` for the lead, `CHANNEL_NOT_CONNECTED` when they do not write over WhatsApp.
pub(crate) async fn whatsapp_conversation(tx: &TenantTx, lead: LeadId) -> Result<ConversationId> {
    if !tx.leads().hold(lead).await? {
        return Err(Error::not_found("lead"));
    }
    for contact in tx.channel_contacts().of_lead(lead).await? {
        let found = tx.channel_connections().find(contact.connection_id).await?;
        let Some(connection) = found.filter(|found| found.channel == Channel::Whatsapp) else {
            continue;
        };
        let agent = match connection.agent_id {
            Some(agent) => Some(agent),
            None => tx.agents().find_active().await?.map(|agent| agent.id),
        };
        let held = conversation(tx, &connection, &contact, agent).await?;
        return Ok(held.id);
    }
    Err(Error::new(ErrorCode::ChannelNotConnected))
}

fn count(outcome: &'static str) {
    metrics::counter!("quipu_n8n_total", "outcome" => outcome).increment(1);
}
