//! Messenger and Instagram, as their pages' Send API answers.

mod content;
mod webhook;

use super::error::GraphError;
use crate::account::{SimulatedAccount, SimulatedChannel};
use crate::customer::SimulatedCustomer;
use crate::delivery::QueuedDelivery;
use crate::failure::FailureManner;
use crate::message::{MessageState, SignalKind, SimulatedMessage, SimulatedSignal};
use crate::outgoing::Taken;
use crate::state::{CustomerRecord, SimulatorState};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
pub(crate) use webhook::{delivered_body, echo_body, incoming_body, read_body};

const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1000;
const TYPING_MILLISECONDS: i64 = 20_000;
/// The business has its answer before its message comes back.
const ECHO_PAUSE: Duration = Duration::from_millis(50);

/// Takes a message or a sign that somebody is there.
pub(super) fn send(
    state: &Arc<SimulatorState>,
    account: &SimulatedAccount,
    body: &Value,
) -> Result<Taken, GraphError> {
    let customer = recipient(state, account, body)?;
    let (action, message) = (&body["sender_action"], &body["message"]);
    match (action.is_null(), message.is_null()) {
        (true, false) => {}
        (false, true) => return show(state, account, &customer.customer, action).map(Taken::from),
        (true, true) => return Err(GraphError::parameter("The parameter message is required.")),
        (false, false) => {
            return Err(GraphError::parameter(
                "message and sender_action cannot be sent together.",
            ));
        }
    }
    let by_person = check_type(account.channel, body)?;
    let mut outgoing = content::read(account.channel, message)?;
    outgoing.by_person = by_person;
    check_window(state, account, &customer, by_person)?;
    let planned = state.edit(|records| records.next_failure(&account.account_id));
    if let Some(failure) = planned
        .as_ref()
        .filter(|f| f.manner != FailureManner::BrokenConnection)
    {
        return Err(failure.into());
    }
    let customer = customer.customer;
    let sent = outgoing.into_message(&account.account_id, &customer.id, body);
    let sent = state.record(account, sent);
    report(state, account, &customer, &sent);
    Ok(Taken {
        answer: json!({ "recipient_id": customer.id, "message_id": sent.id }),
        broken: planned.is_some(),
    })
}

/// Nobody can be written to who has not written.
fn recipient(
    state: &SimulatorState,
    account: &SimulatedAccount,
    body: &Value,
) -> Result<CustomerRecord, GraphError> {
    let id = match &body["recipient"]["id"] {
        Value::String(id) if !id.is_empty() => id,
        _ => {
            return Err(GraphError::parameter(
                "The parameter recipient is required.",
            ));
        }
    };
    let known = state.read(|records| records.customer(&account.account_id, id).cloned());
    known.ok_or_else(|| match account.channel {
        SimulatedChannel::Instagram => {
            GraphError::parameter("The requested user cannot be found.").subcode(2_534_014)
        }
        _ => GraphError::parameter("No matching user found").subcode(2_018_001),
    })
}

/// Says whether a person of the business wrote this.
fn check_type(channel: SimulatedChannel, body: &Value) -> Result<bool, GraphError> {
    match (body["messaging_type"].as_str(), &body["tag"]) {
        (Some("RESPONSE"), Value::Null) => Ok(false),
        // Instagram takes every message that says nothing of itself as an answer.
        (None, Value::Null)
            if channel == SimulatedChannel::Instagram && body["messaging_type"].is_null() =>
        {
            Ok(false)
        }
        (Some("MESSAGE_TAG"), Value::String(tag)) if tag == "HUMAN_AGENT" => Ok(true),
        (Some("MESSAGE_TAG"), Value::Null) => Err(GraphError::parameter(
            "The parameter tag is required with MESSAGE_TAG.",
        )),
        (Some("MESSAGE_TAG"), _) => Err(GraphError::parameter(
            "The message tag is not supported any more.",
        )
        .subcode(2_018_334)),
        (Some("RESPONSE"), _) => Err(GraphError::parameter("tag goes with MESSAGE_TAG alone.")),
        (None, _) if body["messaging_type"].is_null() => Err(GraphError::parameter(
            "The parameter messaging_type is required.",
        )),
        _ => Err(GraphError::parameter(
            "messaging_type must be one of {RESPONSE, MESSAGE_TAG}.",
        )),
    }
}

fn check_window(
    state: &SimulatorState,
    account: &SimulatedAccount,
    customer: &CustomerRecord,
    by_person: bool,
) -> Result<(), GraphError> {
    let days = if by_person { 7 } else { 1 };
    let now = state.clock.now();
    if customer
        .wrote_at
        .is_some_and(|at| now - at <= days * DAY_MILLISECONDS)
    {
        return Ok(());
    }
    let subcode = match account.channel {
        SimulatedChannel::Instagram => 2_534_022,
        _ => 2_018_278,
    };
    let message = "(#10) This message is sent outside of allowed window.";
    Err(GraphError::new(400, 10, message).subcode(subcode))
}

fn show(
    state: &SimulatorState,
    account: &SimulatedAccount,
    customer: &SimulatedCustomer,
    action: &Value,
) -> Result<Value, GraphError> {
    let kind = match action.as_str() {
        Some("typing_on") => SignalKind::Typing,
        Some("typing_off") => SignalKind::TypingStopped,
        Some("mark_seen") => SignalKind::Read,
        _ => {
            return Err(GraphError::parameter(
                "sender_action must be one of {mark_seen, typing_on, typing_off}.",
            ));
        }
    };
    let now = state.clock.now();
    state.edit(|records| {
        records.signal(SimulatedSignal {
            account_id: account.account_id.clone(),
            customer_id: customer.id.clone(),
            at: now,
            kind,
            message_id: None,
        });
        if kind == SignalKind::Read {
            records.read_all(&account.account_id, &customer.id);
        } else if let Some(record) = records.customer_mut(&account.account_id, &customer.id) {
            let typing = kind == SignalKind::Typing;
            record.typing_until = if typing { now + TYPING_MILLISECONDS } else { 0 };
        }
    });
    Ok(json!({ "recipient_id": customer.id }))
}

/// What was sent comes back, and Messenger says that it has arrived.
fn report(
    state: &Arc<SimulatorState>,
    account: &SimulatedAccount,
    customer: &SimulatedCustomer,
    message: &SimulatedMessage,
) {
    let queued = |body, becomes, pause| QueuedDelivery {
        body,
        message_id: Some(message.id.clone()),
        becomes: Some(becomes),
        pause,
    };
    let echo = echo_body(account, customer, message, Some(super::node::APP_ID));
    let echo = queued(echo, MessageState::Sent, ECHO_PAUSE);
    state.deliver_later(&account.account_id, echo);
    match account.channel {
        SimulatedChannel::Messenger => {
            let body = delivered_body(account, customer, message, state.clock.now());
            let delivered = queued(body, MessageState::Delivered, Duration::ZERO);
            state.deliver_later(&account.account_id, delivered);
        }
        // Instagram tells nothing of it; the customer has it all the same.
        _ => state.edit(|records| {
            records.advance(&account.account_id, &message.id, MessageState::Delivered);
        }),
    }
}
