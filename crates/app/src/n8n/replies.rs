//! What n8n says to customers.

use super::load;
use crate::channels::whatsapp_conversation;
use crate::conversations::{self, outgoing};
use crate::once::{self, Once};
use crate::{Actor, App, leads};
use jiff::SignedDuration;
use quipu_agents::without_marker;
use quipu_core::access::Principal;
use quipu_core::channel::InboundState;
use quipu_core::conversation::{Conversation, HandoffMode, MessageRole, NewMessage};
use quipu_core::lead::{Channel, Temperature};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{ConversationId, Error, ErrorCode, LeadId, MessageId, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::TemperatureCause;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

const MAX_TEXT_CHARS: usize = 20_000;
const MAX_KEY_CHARS: usize = 200;
/// For how long after the agent has answered an answer of n8n is one to the same message.
const LATE: SignedDuration = SignedDuration::from_mins(10);

/// The answer of n8n to what it was asked.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct N8nReply {
    /// The tenant's id or slug.
    #[schema(min_length = 1, max_length = 50)]
    pub project_id: String,
    pub conversation_id: ConversationId,
    /// What the customer reads. A marker of the temperature in it is taken out.
    #[serde(alias = "message")]
    #[schema(min_length = 1, max_length = 20_000)]
    pub response: String,
    /// How close the customer is to buying: `HOT`, `WARM` or `COLD`.
    #[serde(default)]
    #[schema(max_length = 20, example = "HOT")]
    pub suggested_temperature: Option<String>,
    /// Whose conversation it is; it must be theirs.
    #[serde(default)]
    pub lead_id: Option<LeadId>,
    /// As it was in what n8n was asked.
    #[serde(default)]
    #[schema(max_length = 50)]
    pub agent_id: Option<String>,
    /// What is sent again under the same id is said once.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 200)]
    pub message_id: Option<String>,
}

/// Something that n8n says over WhatsApp, to a lead or in a conversation.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct N8nMessage {
    /// The tenant's id or slug.
    #[schema(min_length = 1, max_length = 50)]
    pub project_id: String,
    /// To whom; may be left out with a conversation.
    #[serde(default)]
    pub lead_id: Option<LeadId>,
    /// In which conversation; the one that was begun last when left out.
    #[serde(default)]
    pub conversation_id: Option<ConversationId>,
    /// What the customer reads. A marker of the temperature in it is taken out.
    #[schema(min_length = 1, max_length = 20_000)]
    pub message: String,
    /// As it was in what n8n was asked.
    #[serde(default)]
    #[schema(max_length = 50)]
    pub agent_id: Option<String>,
    /// How close the customer is to buying: `HOT`, `WARM` or `COLD`.
    #[serde(default)]
    #[schema(max_length = 20, example = "HOT")]
    pub suggested_temperature: Option<String>,
    /// What is sent again under the same id is said once.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 200)]
    pub message_id: Option<String>,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct N8nReplied {
    pub success: bool,
    /// The message as it is kept.
    pub message_id: MessageId,
    pub conversation_id: ConversationId,
    pub lead_id: LeadId,
}

/// Words of n8n, as they are kept.
struct Said {
    text: String,
    temperature: Option<Temperature>,
    /// Whose conversation it must be.
    lead: Option<LeadId>,
    /// The channel that they must go out through.
    only: Option<Channel>,
}

/// Says what n8n answers.
///
/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, `HANDOFF_STATE` when a person answers by now, `ANSWERED_MEANWHILE` when the
/// agent has, `CHANNEL_WINDOW_CLOSED` when the customer wrote too long ago.
pub async fn respond(app: &App, actor: &Actor, input: N8nReply) -> Result<N8nReplied> {
    let actor = identified(actor, input.message_id.as_deref())?;
    let mut checks = Checks::new();
    let temperature = input.suggested_temperature.as_deref();
    let (text, temperature) = check(&mut checks, "response", &input.response, temperature);
    check_key(&mut checks, input.message_id.as_deref());
    checks.finish()?;
    let said = Said {
        text,
        temperature,
        lead: input.lead_id,
        only: None,
    };
    let tx = match once::begin(app, &actor, "n8n.respond", &input).await? {
        Once::Again(replied) => return Ok(replied),
        Once::First(tx) => tx,
    };
    let replied = say(&tx, input.conversation_id, said).await?;
    tx.commit_about(Some(replied.lead_id), &replied).await?;
    app.new_work.notify_one();
    Ok(replied)
}

/// Says something over WhatsApp.
///
/// # Errors
/// As for an answer, or `CHANNEL_NOT_CONNECTED` when the customer does not write over WhatsApp.
pub async fn send(app: &App, actor: &Actor, input: N8nMessage) -> Result<N8nReplied> {
    let actor = identified(actor, input.message_id.as_deref())?;
    let mut checks = Checks::new();
    let temperature = input.suggested_temperature.as_deref();
    let (text, temperature) = check(&mut checks, "message", &input.message, temperature);
    check_key(&mut checks, input.message_id.as_deref());
    if input.lead_id.is_none() && input.conversation_id.is_none() {
        let fields = "leadId, conversationId".to_owned();
        checks.problem("leadId", Problem::OneOf { fields });
    }
    checks.finish()?;
    let said = Said {
        text,
        temperature,
        lead: input.lead_id,
        only: Some(Channel::Whatsapp),
    };
    let tx = match once::begin(app, &actor, "n8n.send", &input).await? {
        Once::Again(replied) => return Ok(replied),
        Once::First(tx) => tx,
    };
    let conversation = match (input.conversation_id, input.lead_id) {
        (Some(conversation), _) => conversation,
        (None, Some(lead)) => whatsapp_conversation(&tx, lead).await?,
        (None, None) => return Err(Error::new(ErrorCode::LeadRequired)),
    };
    let replied = say(&tx, conversation, said).await?;
    tx.commit_about(Some(replied.lead_id), &replied).await?;
    app.new_work.notify_one();
    Ok(replied)
}

/// The tenant's n8n, which nobody else is. What it names so happens once.
fn identified(actor: &Actor, key: Option<&str>) -> Result<Actor> {
    if !matches!(actor.principal(), Principal::SharedSecret { .. }) {
        return Err(Error::new(ErrorCode::Unauthenticated));
    }
    Ok(match key {
        Some(key) => actor.with_key(key),
        None => actor.clone(),
    })
}

fn check_key(checks: &mut Checks, key: Option<&str>) {
    if let Some(key) = key {
        checks.line("messageId", key, MAX_KEY_CHARS);
    }
}

/// What is said, and how close the customer is to buying by the field or else by the marker.
fn check(
    checks: &mut Checks,
    field: &str,
    text: &str,
    temperature: Option<&str>,
) -> (String, Option<Temperature>) {
    let (said, marked) = without_marker(text);
    checks.text(field, &said, MAX_TEXT_CHARS);
    let word = temperature.map(|word| word.trim().to_lowercase());
    // Expressions of n8n that found nothing write so.
    let word = word.filter(|word| !matches!(word.as_str(), "" | "null" | "undefined"));
    let suggested = word.as_deref().map(Temperature::parse);
    if suggested == Some(None) {
        let allowed = "HOT, WARM, COLD".to_owned();
        checks.problem("suggestedTemperature", Problem::Unknown { allowed });
    }
    (said, suggested.flatten().or(marked))
}

async fn say(tx: &TenantTx, id: ConversationId, said: Said) -> Result<N8nReplied> {
    let found = conversations::find(tx, id).await?;
    if said.lead.is_some_and(|lead| lead != found.lead_id) {
        return Err(Error::not_found("conversation"));
    }
    // The customer before the conversation, as whoever says something takes them: two that take them the
    // other way round wait for each other.
    if let Some(temperature) = said.temperature {
        let cause = TemperatureCause::by("n8n");
        leads::rate(tx, found.lead_id, temperature, cause).await?;
    }
    let conversation = conversations::lock(tx, id).await?;
    if conversation.handoff.mode == HandoffMode::Human {
        return Err(Error::new(ErrorCode::HandoffState));
    }
    let route = outgoing::route(tx, &conversation).await?;
    let channel = route.as_ref().map(|route| route.connection.channel);
    if said.only.is_some() && channel != said.only {
        return Err(Error::new(ErrorCode::ChannelNotConnected));
    }
    if let Some(route) = &route
        && !route.is_open(false, tx.now())
    {
        return Err(Error::new(ErrorCode::ChannelWindowClosed));
    }
    if is_late(tx, &conversation).await? {
        return Err(Error::new(ErrorCode::AnsweredMeanwhile));
    }
    let new = NewMessage {
        role: MessageRole::Assistant,
        author: "n8n".to_owned(),
        text: said.text,
        metadata: json!({}),
    };
    let message = conversations::append(tx, &conversation, &new).await?;
    if let Some(route) = route {
        let (contact, state) = (route.contact.id, InboundState::Answered);
        tx.channel_inbound().resolve(contact, state).await?;
    }
    Ok(N8nReplied {
        success: true,
        message_id: message.id,
        conversation_id: conversation.id,
        lead_id: conversation.lead_id,
    })
}

/// Whether the agent has answered in n8n's place a moment ago: the customer would be answered twice.
async fn is_late(tx: &TenantTx, conversation: &Conversation) -> Result<bool> {
    if !load(tx).await?.enabled {
        return Ok(false);
    }
    let roles = [
        MessageRole::User,
        MessageRole::Assistant,
        MessageRole::Human,
    ];
    let last = tx.messages().recent(conversation.id, 1, &roles).await?;
    Ok(last.last().is_some_and(|last| {
        let by_agent = last.role == MessageRole::Assistant && last.author.starts_with("agent:");
        by_agent && tx.now().duration_since(last.created_at) < LATE
    }))
}
