//! WhatsApp, as its Cloud API answers.

mod content;
mod interactive;
mod recipient;
mod template;
mod webhook;

use super::error::GraphError;
use crate::account::SimulatedAccount;
use crate::customer::SimulatedCustomer;
use crate::delivery::QueuedDelivery;
use crate::failure::{FailureManner, SimulatedFailure};
use crate::message::{MessageAuthor, MessageState, SignalKind, SimulatedMessage, SimulatedSignal};
use crate::outgoing::Taken;
use crate::state::SimulatorState;
use recipient::{Addressed, addressed};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
pub(crate) use webhook::{echo_body, incoming_body, status_body};

pub(crate) const WINDOW_MILLISECONDS: i64 = 24 * 60 * 60 * 1000;
const TYPING_MILLISECONDS: i64 = 25_000;
/// The business has its answer before it hears what became of the message.
const STATUS_PAUSE: Duration = Duration::from_millis(50);

/// Takes a message, or says that one was read.
pub(super) fn send(
    state: &Arc<SimulatorState>,
    account: &SimulatedAccount,
    body: &Value,
) -> Result<Taken, GraphError> {
    match body["messaging_product"].as_str() {
        Some("whatsapp") => {}
        Some(_) => {
            return Err(GraphError::parameter(
                "Param messaging_product must be one of {WHATSAPP}",
            ));
        }
        None => {
            return Err(GraphError::parameter(
                "The parameter messaging_product is required.",
            ));
        }
    }
    if !body["status"].is_null() {
        return mark_read(state, account, body).map(Taken::from);
    }
    let to = addressed(state, account, body)?;
    let outgoing = content::read(account, body)?;
    if to.by_user_id && outgoing.category == "authentication" {
        let message =
            "(#131062) Business-scoped user ID recipients are not supported for this message";
        return Err(GraphError::new(400, 131_062, message));
    }
    let planned = state.edit(|records| records.next_failure(&account.account_id));
    if let Some(failure) = planned
        .as_ref()
        .filter(|failure| failure.manner == FailureManner::Answer)
    {
        return Err(failure.into());
    }
    let category = outgoing.category.clone();
    let free = outgoing.template.is_none();
    let mut message = outgoing.into_message(&account.account_id, &to.customer.id, body);
    let later = planned
        .as_ref()
        .filter(|failure| failure.manner == FailureManner::Later);
    let closed = free && !is_window_open(state, account, &to.customer);
    let failure = later.cloned().or_else(|| closed.then(window_closed));
    message.failure_code = failure.as_ref().map(|failure| failure.code);
    if state.read(|records| {
        records
            .customer(&account.account_id, &to.customer.id)
            .is_none()
    }) {
        state.edit(|records| records.meet(&account.account_id, &to.customer));
    }
    let message = state.record(account, message);
    report(
        state,
        account,
        &to.customer,
        &message,
        &category,
        failure.as_ref(),
    );
    Ok(Taken {
        answer: accepted(account, &to, &message),
        broken: planned.is_some_and(|failure| failure.manner == FailureManner::BrokenConnection),
    })
}

fn accepted(account: &SimulatedAccount, to: &Addressed, message: &SimulatedMessage) -> Value {
    let contact = if to.by_user_id {
        json!({ "input": to.input, "user_id": to.customer.user_id_for(account) })
    } else {
        json!({ "input": to.input, "wa_id": to.customer.id })
    };
    let mut taken = json!({ "id": message.id });
    if message.template.is_some() {
        taken["message_status"] = "accepted".into();
    }
    json!({ "messaging_product": "whatsapp", "contacts": [contact], "messages": [taken] })
}

fn is_window_open(
    state: &SimulatorState,
    account: &SimulatedAccount,
    customer: &SimulatedCustomer,
) -> bool {
    let wrote_at = state.read(|records| {
        let record = records.customer(&account.account_id, &customer.id);
        record.and_then(|record| record.wrote_at)
    });
    wrote_at.is_some_and(|at| state.clock.now() - at <= WINDOW_MILLISECONDS)
}

fn window_closed() -> SimulatedFailure {
    SimulatedFailure::new(400, 131_047, "Re-engagement message")
}

/// Tells the business what became of the message.
fn report(
    state: &Arc<SimulatorState>,
    account: &SimulatedAccount,
    customer: &SimulatedCustomer,
    message: &SimulatedMessage,
    category: &str,
    failure: Option<&SimulatedFailure>,
) {
    let states: &[MessageState] = match failure {
        Some(_) => &[MessageState::Failed],
        None => &[MessageState::Sent, MessageState::Delivered],
    };
    for (at, next) in states.iter().enumerate() {
        let body = status_body(state, account, customer, message, *next, category, failure);
        let queued = QueuedDelivery {
            body,
            message_id: Some(message.id.clone()),
            becomes: Some(*next),
            pause: if at == 0 {
                STATUS_PAUSE
            } else {
                Duration::ZERO
            },
        };
        state.deliver_later(&account.account_id, queued);
    }
}

/// Marks a message of a customer and all before it as read, and shows that somebody is writing.
fn mark_read(
    state: &SimulatorState,
    account: &SimulatedAccount,
    body: &Value,
) -> Result<Value, GraphError> {
    if body["status"] != "read" {
        return Err(GraphError::value("status must be one of {read}"));
    }
    let id = body["message_id"]
        .as_str()
        .ok_or_else(|| GraphError::missing("message_id"))?;
    let typing = &body["typing_indicator"];
    if !typing.is_null() && typing["type"] != "text" {
        return Err(GraphError::value(
            "typing_indicator.type must be one of {text}",
        ));
    }
    let now = state.clock.now();
    state.edit(|records| {
        let message = records.message(&account.account_id, id);
        let message = message.filter(|message| message.author == MessageAuthor::Customer);
        let Some(customer_id) = message.map(|message| message.customer_id.clone()) else {
            return Err(GraphError::value(
                "message_id is not that of a message of a customer",
            ));
        };
        let signal = |kind| SimulatedSignal {
            account_id: account.account_id.clone(),
            customer_id: customer_id.clone(),
            at: now,
            kind,
            message_id: Some(id.to_owned()),
        };
        records.signal(signal(SignalKind::Read));
        records.read_up_to(&account.account_id, &customer_id, id);
        if !typing.is_null() {
            records.signal(signal(SignalKind::Typing));
            if let Some(customer) = records.customer_mut(&account.account_id, &customer_id) {
                customer.typing_until = now + TYPING_MILLISECONDS;
            }
        }
        Ok(json!({ "success": true }))
    })
}
