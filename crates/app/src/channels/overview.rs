//! How connections do: what they sent, what that cost, and whether their channel takes it.

use super::connections::find;
use super::keys::account;
use crate::conversations::{self, outgoing};
use crate::once::{self, Once};
use crate::{Actor, App};
use jiff::civil::Date;
use quipu_channels::{FailureKind, SendFailure, TemplateMessage};
use quipu_core::access::Permission;
use quipu_core::channel::{ChannelCost, DeliveryState, OutboundRecord};
use quipu_core::conversation::{Conversation, Message, MessageRole, NewMessage};
use quipu_core::lead::Channel;
use quipu_core::page::{Page, PageRequest};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{ConnectionId, ConversationId, Error, ErrorCode, Result, Timestamp};
use quipu_store::TenantTx;
use quipu_store::tenant::{OutboundFilter, VoiceCallFilter};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// Which messages that were sent are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutboundQuery {
    pub connection: Option<ConnectionId>,
    pub conversation: Option<ConversationId>,
    pub state: Option<DeliveryState>,
}

/// What the channel says of a connection, and what was seen of it here.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChannelReport {
    /// Whether the channel takes the key.
    pub key_works: bool,
    /// How customers see the account: its number or its name.
    pub account_name: Option<String>,
    /// The channel's word for how it is rated.
    pub quality: Option<String>,
    /// Whether the channel delivers to us; nothing where it does not say.
    pub subscribed: Option<bool>,
    pub last_received_at: Option<Timestamp>,
    /// What is wrong, for people.
    pub problem: Option<String>,
}

/// A template that the channel has approved or refused.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChannelTemplateInfo {
    pub name: String,
    pub language: String,
    /// As the channel says it: `APPROVED`, `PENDING`, `REJECTED`, `PAUSED` …
    pub status: String,
    pub category: String,
    pub body: String,
}

/// How a conversation reaches its customer.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ConversationChannel {
    pub connection_id: ConnectionId,
    pub connection_name: String,
    /// Whether words of one's own choice reach the customer now, and until when.
    pub open: bool,
    pub open_until: Option<Timestamp>,
    /// Since when the customer wants no messages that they did not ask for.
    pub opted_out_at: Option<Timestamp>,
    /// What the conversation has cost at the channel.
    pub cost: ChannelCost,
}

/// What a month cost at the channel of a connection.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChannelMonth {
    pub connection_id: ConnectionId,
    /// Such as `2026-11`.
    pub month: String,
    pub cost: ChannelCost,
}

/// A template to be sent in a conversation.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SendTemplate {
    #[schema(min_length = 1, max_length = 512, example = "recordatorio_cita")]
    pub name: String,
    #[schema(min_length = 2, max_length = 15, example = "es")]
    pub language: String,
    /// What fills its body, in order.
    #[serde(default)]
    #[schema(max_items = 20)]
    pub values: Vec<String>,
}

/// What was sent, newest first.
///
/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn outbound(
    app: &App,
    actor: &Actor,
    query: OutboundQuery,
    page: PageRequest,
) -> Result<Page<OutboundRecord>> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    if let Some(connection) = query.connection {
        find(&tx, connection).await?;
    }
    if let Some(conversation) = query.conversation {
        conversations::find(&tx, conversation).await?;
    }
    let filter = OutboundFilter {
        connection: query.connection,
        conversation: query.conversation,
        state: query.state,
    };
    tx.channel_outbound().list(filter, page).await
}

/// Asks the channel about a connection.
///
/// # Errors
/// `NOT_FOUND` when the tenant has no such connection. What the channel refuses is in the report.
pub async fn check(app: &App, actor: &Actor, id: ConnectionId) -> Result<ChannelReport> {
    actor.require(Permission::AgentsWrite)?;
    let tx = app.store.read(actor.scope()).await?;
    let connection = find(&tx, id).await?;
    let language = outgoing::language(&tx).await?;
    drop(tx);
    let account = account(app, actor.scope(), &connection).await?;
    let report = app.channels.report(&account).await;
    let tx = app.store.begin(actor.scope()).await?;
    let (report, problem) = match report {
        Ok(report) => {
            tx.channel_connections().set_fault(id, None).await?;
            (report, None)
        }
        Err(failure) => {
            if failure.kind == FailureKind::Account {
                let since = (failure.code, tx.now());
                tx.channel_connections().set_fault(id, Some(since)).await?;
            }
            let code = failure.code.unwrap_or_default();
            let told = super::states::fault(connection.channel, code, language).message;
            (quipu_channels::client::AccountReport::default(), Some(told))
        }
    };
    tx.commit().await?;
    Ok(ChannelReport {
        key_works: problem.is_none(),
        account_name: report.name,
        quality: report.quality,
        subscribed: report.subscribed,
        last_received_at: connection.last_received_at,
        problem,
    })
}

/// The templates of a connection as its channel has them.
///
/// # Errors
/// `NOT_FOUND` when the tenant has no such connection, or `CHANNEL_REFUSED`.
pub async fn templates(
    app: &App,
    actor: &Actor,
    id: ConnectionId,
) -> Result<Vec<ChannelTemplateInfo>> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let connection = find(&tx, id).await?;
    drop(tx);
    let account = account(app, actor.scope(), &connection).await?;
    let found = app.channels.templates(&account).await;
    let found = found.map_err(|failure| refused(&failure))?;
    let shown = found.into_iter().map(|template| ChannelTemplateInfo {
        name: template.name,
        language: template.language,
        status: template.status,
        category: template.category,
        body: template.body,
    });
    Ok(shown.collect())
}

fn refused(failure: &SendFailure) -> Error {
    Error::new(ErrorCode::ChannelRefused).with("reason", failure.to_string())
}

/// How a conversation reaches its customer.
///
/// # Errors
/// `NOT_FOUND` for the conversation, or `CHANNEL_NOT_CONNECTED` when it is held through none.
pub async fn conversation_channel(
    app: &App,
    actor: &Actor,
    id: ConversationId,
) -> Result<ConversationChannel> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let conversation = conversations::find(&tx, id).await?;
    let route = routed(&tx, &conversation).await?;
    let filter = OutboundFilter {
        conversation: Some(id),
        ..OutboundFilter::default()
    };
    // Up to and with this very instant.
    let to = tx.now().checked_add(jiff::SignedDuration::from_secs(1));
    let to = to.unwrap_or(tx.now());
    let channel = route.connection.channel;
    let cost = cost(&tx, channel, filter, (conversation.created_at, to)).await?;
    Ok(ConversationChannel {
        connection_id: route.connection.id,
        connection_name: route.connection.name.clone(),
        open: route.is_open(true, tx.now()),
        open_until: route.open_until(),
        opted_out_at: route.contact.opted_out_at,
        cost,
    })
}

async fn routed(tx: &TenantTx, conversation: &Conversation) -> Result<outgoing::ConversationRoute> {
    let route = outgoing::route(tx, conversation).await?;
    route.ok_or_else(|| Error::new(ErrorCode::ChannelNotConnected))
}

/// What a month cost at the channel of a connection, in the time zone of UTC, by which channels charge.
///
/// # Errors
/// `NOT_FOUND` when the tenant has no such connection, `VALIDATION_FAILED` for what is no month.
pub async fn month(
    app: &App,
    actor: &Actor,
    id: ConnectionId,
    month: &str,
) -> Result<ChannelMonth> {
    actor.require(Permission::UsageRead)?;
    let (from, to) = span(month)?;
    let tx = app.store.read(actor.scope()).await?;
    let channel = find(&tx, id).await?.channel;
    let filter = OutboundFilter {
        connection: Some(id),
        ..OutboundFilter::default()
    };
    Ok(ChannelMonth {
        connection_id: id,
        month: month.to_owned(),
        cost: cost(&tx, channel, filter, (from, to)).await?,
    })
}

/// What a period cost at a channel: its messages, or its calls.
async fn cost(
    tx: &TenantTx,
    channel: Channel,
    filter: OutboundFilter,
    (from, to): (Timestamp, Timestamp),
) -> Result<ChannelCost> {
    if channel != Channel::Voice {
        return tx.channel_outbound().cost(filter, from, to).await;
    }
    let calls = VoiceCallFilter {
        connection: filter.connection,
        conversation: filter.conversation,
    };
    tx.voice_calls().cost(calls, from, to).await
}

/// From when until when a month goes that is written like `2026-11`.
fn span(month: &str) -> Result<(Timestamp, Timestamp)> {
    let first = format!("{month}-01").parse::<Date>().ok();
    let next = first.and_then(|first| first.checked_add(jiff::Span::new().months(1)).ok());
    let at = |date: Date| {
        let midnight = date.to_zoned(jiff::tz::TimeZone::UTC).ok();
        midnight.map(|midnight| midnight.timestamp())
    };
    if let (Some(from), Some(to)) = (first.and_then(at), next.and_then(at)) {
        return Ok((from, to));
    }
    let mut checks = Checks::new();
    let allowed = "2026-11".to_owned();
    checks.problem("month", Problem::Unknown { allowed });
    checks.finish()?;
    Err(Error::internal("what is no month passed for one"))
}

/// Sends a template in a conversation, which reaches the customer also when they wrote long ago. Whoever
/// sends it takes over, as with any message of theirs.
///
/// # Errors
/// `NOT_FOUND` for the conversation, `CHANNEL_NOT_CONNECTED`, or `VALIDATION_FAILED`.
pub async fn send_template(
    app: &App,
    actor: &Actor,
    id: ConversationId,
    input: SendTemplate,
) -> Result<Message> {
    actor.require(Permission::CustomersWrite)?;
    let mut checks = Checks::new();
    let name = checks.line("name", &input.name, 512);
    let language = checks.line("language", &input.language, 15);
    if input.values.len() > 20 {
        checks.problem("values", Problem::TooMany { max: 20 });
    }
    for (at, value) in input.values.iter().enumerate().take(20) {
        checks.text(&format!("values[{at}]"), value, 1_000);
    }
    checks.finish()?;
    let tx = match once::begin(app, actor, "template.send", &(id, &input)).await? {
        Once::Again(message) => return Ok(message),
        Once::First(tx) => tx,
    };
    let conversation = conversations::lock(&tx, id).await?;
    routed(&tx, &conversation).await?;
    let text = if input.values.is_empty() {
        format!("[{name}]")
    } else {
        format!("[{name}] {}", input.values.join(" · "))
    };
    let extras = outgoing::MessageExtras {
        template: Some(TemplateMessage {
            name,
            language,
            body: input.values,
            buttons: Vec::new(),
        }),
        ..outgoing::MessageExtras::default()
    };
    let new = NewMessage {
        role: MessageRole::Human,
        author: actor.name(),
        text,
        metadata: extras.into(json!({}))?,
    };
    let message = conversations::append(&tx, &conversation, &new).await?;
    conversations::taken_by(&tx, actor, &conversation).await?;
    let lead = Some(conversation.lead_id);
    tx.commit_about(lead, &message).await?;
    app.new_work.notify_one();
    Ok(message)
}
