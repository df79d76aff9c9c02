//! What happens, told to programs of the business.
//!
//! An event is written down in the transaction of what it tells of, once for each endpoint that wants it, and
//! waits there. Nothing else is done by then: transactions that tell of different things must not wait for
//! each other. A look once a moment queues the job that sends what waits, endpoint by endpoint.

mod deliveries;
mod endpoints;
mod sending;

pub use deliveries::{list_deliveries, ping, replay};
pub(crate) use endpoints::check_hook;
pub use endpoints::{
    CreateEventEndpoint, CreatedEventEndpoint, UpdateEventEndpoint, create, delete, get, list,
    update,
};
pub use sending::enqueue_due;
pub(crate) use sending::{SEND_EVENT, send, signed};

use quipu_commerce::appointment::Appointment;
use quipu_commerce::order::Order;
use quipu_core::conversation::{Conversation, Message, MessageRole};
use quipu_core::event::{EventKind, NewEventDelivery};
use quipu_core::extraction::Failure;
use quipu_core::knowledge::KbScope;
use quipu_core::language::Language;
use quipu_core::lead::{Channel, NewLead};
use quipu_core::turn::{Feedback, TurnSummary};
use quipu_core::{DocumentId, Error, EventEndpointId, EventId, LeadId, Result, Timestamp};
use quipu_store::TenantTx;
use quipu_store::tenant::TurnViewer;
use serde_json::{Value, json};

/// Writes down that something happened, for each endpoint that wants to know. Whom it is about stands in the
/// data as `lead_id` and nowhere else, so that it can go over to whoever they become.
pub(crate) async fn note(
    tx: &TenantTx,
    kind: EventKind,
    lead: Option<LeadId>,
    data: Value,
) -> Result<()> {
    let wanting = tx.event_endpoints().wanting(kind).await?;
    if wanting.is_empty() {
        return Ok(());
    }
    let event = EventId::generate(tx.now());
    let body = written(tx.now(), kind, data);
    for endpoint in wanting {
        let new = NewEventDelivery {
            endpoint,
            kind,
            event,
            lead,
            body: body.clone(),
        };
        tx.event_deliveries().insert(&new).await?;
    }
    Ok(())
}

/// What is sent of an event.
fn written(at: Timestamp, kind: EventKind, data: Value) -> Value {
    let mut body = json!({ "type": kind, "timestamp": at });
    body["data"] = data;
    body
}

/// Somebody was met for the first time, on a channel where that is known.
pub(crate) async fn lead_created(
    tx: &TenantTx,
    id: LeadId,
    new: &NewLead,
    channel: Option<Channel>,
) -> Result<()> {
    let data = json!({
        "lead_id": id,
        "name": new.name,
        "email": new.email,
        "phone": new.phone,
        "temperature": new.temperature,
        "tags": new.tags,
        "agent_id": new.agent_id,
        "branch_id": new.branch_id,
        "channel": channel,
    });
    note(tx, EventKind::LeadCreated, Some(id), data).await
}

/// Something was said that the customer said or sees.
pub(crate) async fn said(
    tx: &TenantTx,
    conversation: &Conversation,
    message: &Message,
) -> Result<()> {
    let kind = match message.role {
        MessageRole::User => EventKind::MessageReceived,
        MessageRole::Assistant | MessageRole::Human | MessageRole::System => EventKind::MessageSent,
        MessageRole::Note => return Ok(()),
    };
    let data = json!({
        "conversation_id": conversation.id,
        "lead_id": conversation.lead_id,
        "agent_id": conversation.agent_id,
        "channel": conversation.channel,
        "message_id": message.id,
        "role": message.role,
        "text": message.text,
    });
    note(tx, kind, Some(conversation.lead_id), data).await
}

/// A person is asked for.
pub(crate) async fn handoff_requested(
    tx: &TenantTx,
    conversation: &Conversation,
    reason: Option<&str>,
) -> Result<()> {
    let data = json!({
        "conversation_id": conversation.id,
        "lead_id": conversation.lead_id,
        "agent_id": conversation.agent_id,
        "channel": conversation.channel,
        "reason": reason,
    });
    let lead = Some(conversation.lead_id);
    note(tx, EventKind::HandoffRequested, lead, data).await
}

pub(crate) async fn appointment(
    tx: &TenantTx,
    kind: EventKind,
    appointment: &Appointment,
) -> Result<()> {
    let data = serde_json::to_value(appointment).map_err(Error::internal)?;
    note(tx, kind, appointment.lead_id, data).await
}

pub(crate) async fn order(tx: &TenantTx, kind: EventKind, order: &Order) -> Result<()> {
    let data = serde_json::to_value(order).map_err(Error::internal)?;
    note(tx, kind, order.lead_id, data).await
}

/// A document can be found, or cannot be read. What is somebody's own is told to nobody, and what the
/// product keeps itself is no news.
pub(crate) async fn document(
    tx: &TenantTx,
    id: DocumentId,
    failure: Option<(Failure, Language)>,
) -> Result<()> {
    let kind = match failure {
        None => EventKind::DocumentCompleted,
        Some(_) => EventKind::DocumentFailed,
    };
    // Before the document is read: there is mostly nobody to be told.
    if tx.event_endpoints().wanting(kind).await?.is_empty() {
        return Ok(());
    }
    let Some(item) = tx.ingest().load(id).await? else {
        return Ok(());
    };
    if matches!(item.kb.scope, KbScope::Personal | KbScope::Business) {
        return Ok(());
    }
    let mut data = json!({
        "document_id": id,
        "knowledge_base_id": item.kb.id,
        "title": item.title,
        "filename": item.filename,
        "source": item.source,
        "source_url": item.source_url,
    });
    if let Some((failure, language)) = failure {
        data["error"] = json!({ "code": failure.code(), "message": failure.message(language) });
    }
    note(tx, kind, None, data).await
}

/// Somebody said what they think of an answer. What was somebody's private matter is told to nobody.
pub(crate) async fn feedback(tx: &TenantTx, turn: &TurnSummary, feedback: &Feedback) -> Result<()> {
    let kind = EventKind::FeedbackGiven;
    if tx.event_endpoints().wanting(kind).await?.is_empty() {
        return Ok(());
    }
    let everybody = TurnViewer {
        user: None,
        customers: true,
    };
    if tx.turns().find(turn.id, everybody).await?.is_none() {
        return Ok(());
    }
    let data = json!({
        "turn_id": turn.id,
        "agent_id": turn.agent_id,
        "conversation_id": turn.conversation_id,
        "lead_id": turn.lead_id,
        "helpful": feedback.helpful,
        "reason": feedback.reason,
        "question": turn.question,
        "answer": turn.answer,
    });
    note(tx, kind, turn.lead_id, data).await
}

fn target(id: EventEndpointId) -> String {
    format!("event_endpoint:{id}")
}
