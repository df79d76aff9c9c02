//! A number of each tenant at a channel, the customer who writes to it, and what came and went.

use crate::fixture::named;
use crate::fixture_customers::Customers;
use crate::material::ACTOR;
use quipu_core::channel::{
    ConnectionSettings, ContactIdentity, InboundState, NewConnection, NewInbound, NewOutbound,
    NewVoiceCall, OutboundFault, SendResult,
};
use quipu_core::lead::Channel;
use quipu_core::{ConnectionId, ContactId, InboundId, OutboundId, Timestamp, VoiceCallId};
use quipu_store::TenantTx;
use serde_json::json;

pub(crate) struct Channels {
    /// Names no agent: an agent goes only after the connections have forgotten it.
    pub(crate) connection: ConnectionId,
    /// The customer, with whom their conversation is held.
    pub(crate) contact: ContactId,
    /// Waits, and is the message of the conversation already.
    pub(crate) inbound: InboundId,
    /// Waits to be sent.
    pub(crate) waiting: OutboundId,
    /// Was sent under the external id `a-sent` or `b-sent`, and is charged.
    pub(crate) sent: OutboundId,
    /// Is known as `a-call` or `b-call`, and costs as much as the message.
    pub(crate) call: VoiceCallId,
}

/// What A's message costs, which is more than what B's does.
pub(crate) const LARGE_COST: i64 = 1000;

pub(crate) async fn fill(tx: &TenantTx, slug: &str, customers: &Customers) -> Channels {
    let new = new_connection(tx.now(), named(slug, "account"));
    let connection = tx.channel_connections().insert(&new).await.unwrap();
    let contacts = tx.channel_contacts();
    let identity = identity(slug);
    let known = contacts.insert(connection, customers.lead, &identity).await;
    let contact = known.unwrap().unwrap();
    contacts
        .hold_conversation(contact, customers.conversation)
        .await
        .unwrap();
    let inbound = tx.channel_inbound();
    let mark = named(slug, "mark");
    assert!(inbound.mark(connection, &mark).await.unwrap());
    let new = new_inbound(connection, contact, &named(slug, "inbound"), tx.now());
    let came = inbound.insert(&new).await.unwrap();
    assert!(inbound.set_message(came, customers.message).await.unwrap());
    let outbound = tx.channel_outbound();
    let new = NewOutbound {
        conversation: Some(customers.conversation),
        message: Some(customers.message),
        ..new_outbound(connection, contact, &named(slug, "sent"))
    };
    let sent = send(tx, &new, &named(slug, "sent")).await;
    let cost = if slug == "a" { LARGE_COST } else { 1 };
    assert!(outbound.charge(sent, "utility", Some(cost)).await.unwrap());
    let new = new_outbound(connection, contact, &named(slug, "waiting"));
    let waiting = outbound.insert(&new).await.unwrap();
    let new = NewVoiceCall {
        contact: Some(contact),
        conversation: Some(customers.conversation),
        cost_micros: Some(cost),
        ..new_call(connection, &named(slug, "call"))
    };
    let call = tx.voice_calls().insert(&new).await.unwrap().unwrap();
    Channels {
        connection,
        contact,
        inbound: came,
        waiting,
        sent,
        call,
    }
}

pub(crate) fn new_connection(now: Timestamp, account: String) -> NewConnection {
    NewConnection {
        id: ConnectionId::generate(now),
        channel: Channel::Whatsapp,
        name: account.clone(),
        agent_id: None,
        account_id: account,
        parent_id: None,
        settings: ConnectionSettings::default(),
        sealed: b"sealed".to_vec(),
        key_hint: "…".to_owned(),
        created_by: ACTOR.to_owned(),
    }
}

/// Somebody whom a channel knows by an id and by a number.
pub(crate) fn identity(slug: &str) -> ContactIdentity {
    ContactIdentity {
        user_id: Some(named(slug, "user")),
        phone: Some(named(slug, "phone")),
        name: None,
    }
}

pub(crate) fn new_inbound(
    connection: ConnectionId,
    contact: ContactId,
    external_id: &str,
    said_at: Timestamp,
) -> NewInbound {
    NewInbound {
        contact,
        connection,
        external_id: external_id.to_owned(),
        kind: "message",
        event: json!({ "text": external_id }),
        state: InboundState::Waiting,
        said_at,
    }
}

pub(crate) fn new_outbound(
    connection: ConnectionId,
    contact: ContactId,
    text: &str,
) -> NewOutbound {
    NewOutbound {
        connection,
        contact,
        conversation: None,
        message: None,
        content: json!({ "text": text }),
        by_person: false,
    }
}

pub(crate) fn new_call(connection: ConnectionId, external_id: &str) -> NewVoiceCall {
    NewVoiceCall {
        connection,
        contact: None,
        conversation: None,
        external_id: external_id.to_owned(),
        started_at: None,
        ended_at: None,
        duration_seconds: Some(90),
        ended_reason: Some("customer-ended-call".to_owned()),
        transcript: Some(external_id.to_owned()),
        summary: None,
        recording_url: None,
        cost_micros: None,
    }
}

/// A message that the channel took and calls so.
pub(crate) async fn send(tx: &TenantTx, new: &NewOutbound, external_id: &str) -> OutboundId {
    let outbound = tx.channel_outbound();
    let id = outbound.insert(new).await.unwrap();
    assert!(outbound.start(id).await.unwrap());
    assert!(outbound.settle(id, &taken(external_id)).await.unwrap());
    id
}

pub(crate) fn taken(external_id: &str) -> SendResult {
    SendResult::Sent {
        external_id: external_id.to_owned(),
    }
}

pub(crate) fn fault(kind: &str) -> OutboundFault {
    OutboundFault {
        code: Some(131_026),
        kind: kind.to_owned(),
        message: kind.to_owned(),
    }
}
