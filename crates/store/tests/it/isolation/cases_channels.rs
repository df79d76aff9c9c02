//! The cases of channels, of whoever writes to them, and of what comes and goes.

use super::cases::{Case, Kind, cases, everything, is_taken};
use crate::fixture::Tenant;
use crate::fixture_channels::{
    LARGE_COST, fault, identity, new_call, new_connection, new_inbound, new_outbound, taken,
};
use crate::fixture_customers::new_conversation;
use crate::support::HOUR;
use quipu_core::Timestamp;
use quipu_core::channel::{
    ConnectionChange, ConnectionStatus, DeliveryState, InboundState, SendResult,
};
use quipu_core::conversation::NewConversation;
use quipu_core::lead::NewLead;
use quipu_store::tenant::{OutboundFilter, VoiceCallFilter};

pub(super) fn all() -> Vec<Case> {
    [
        connections(),
        contacts(),
        talks(),
        inbound(),
        outbound(),
        calls(),
    ]
    .concat()
}

fn connections() -> Vec<Case> {
    cases! {
        Write "channel_connections.insert" => |tx, a| {
            let new = new_connection(tx.now(), a.named("account"));
            is_taken(tx.channel_connections().insert(&new).await)
        };
        Read "channel_connections.find" => |tx, a| {
            tx.channel_connections().find(a.channels.connection).await?.is_some()
        };
        Write "channel_connections.lock" => |tx, a| {
            tx.channel_connections().lock(a.channels.connection).await?.is_some()
        };
        Read "channel_connections.sealed" => |tx, a| {
            tx.channel_connections().sealed(a.channels.connection).await?.is_some()
        };
        Read "channel_connections.list" => |tx, a| {
            let listed = tx.channel_connections().list(everything()).await?;
            listed.data.iter().any(|row| row.id == a.channels.connection)
        };
        Write "channel_connections.update" => |tx, a| {
            let status = Some(ConnectionStatus::Paused);
            let change = ConnectionChange { status, ..ConnectionChange::default() };
            tx.channel_connections().update(a.channels.connection, &change).await?
        };
        Write "channel_connections.delete" => |tx, a| {
            tx.channel_connections().delete(a.channels.connection).await?
        };
        // The connection of the fixture names nobody yet.
        Write "channel_connections.forget_agent" => |tx, a| {
            let agent = a.agent().id;
            let change = ConnectionChange { agent_id: Some(Some(agent)), ..ConnectionChange::default() };
            tx.channel_connections().update(a.channels.connection, &change).await?;
            tx.channel_connections().forget_agent(agent).await? > 0
        };
        Write "channel_connections.received" => |tx, a| {
            tx.channel_connections().received(a.channels.connection).await?
        };
        Write "channel_connections.sent" => |tx, a| {
            tx.channel_connections().sent(a.channels.connection).await?
        };
        Write "channel_connections.set_fault" => |tx, a| {
            let fault = Some((Some(190), a.now));
            tx.channel_connections().set_fault(a.channels.connection, fault).await?
        };
    }
}

fn contacts() -> Vec<Case> {
    cases! {
        Read "channel_contacts.known" => |tx, a| {
            let (connection, theirs) = (a.channels.connection, identity(a.slug));
            tx.channel_contacts().known(connection, &theirs).await?.is_some()
        };
        // The database refuses a connection that is not there, or the connection knows them.
        Write "channel_contacts.insert" => |tx, a| {
            let (connection, lead) = (a.channels.connection, a.customers.lead);
            let known = tx.channel_contacts().insert(connection, lead, &identity(a.slug)).await;
            known.is_ok_and(|new| new.is_none())
        };
        Read "channel_contacts.find" => |tx, a| {
            tx.channel_contacts().find(a.channels.contact).await?.is_some()
        };
        Write "channel_contacts.lock" => |tx, a| {
            tx.channel_contacts().lock(a.channels.contact).await?.is_some()
        };
        Write "channel_contacts.learn" => |tx, a| {
            tx.channel_contacts().learn(a.channels.contact, &identity("intruder")).await?
        };
        Write "channel_contacts.heard" => |tx, a| {
            let at = a.now + HOUR;
            tx.channel_contacts().heard(a.channels.contact, at, Some(at)).await?
        };
        Write "channel_contacts.opt_out" => |tx, a| {
            tx.channel_contacts().opt_out(a.channels.contact, Some(a.now)).await?
        };
    }
}

fn talks() -> Vec<Case> {
    cases! {
        Read "channel_contacts.of_conversation" => |tx, a| {
            tx.channel_contacts().of_conversation(a.customers.conversation).await?.is_some()
        };
        Read "channel_contacts.of_lead" => |tx, a| {
            !tx.channel_contacts().of_lead(a.customers.lead).await?.is_empty()
        };
        Read "channel_contacts.latest_conversation" => |tx, a| {
            tx.channel_contacts().latest_conversation(a.channels.contact).await?.is_some()
        };
        // With a conversation of whoever tries, since that of the customer is held already.
        Write "channel_contacts.hold_conversation" => |tx, a| {
            let lead = tx.leads().insert(&NewLead::default()).await?;
            let new = NewConversation {
                agent_id: None,
                ..new_conversation(lead, a.agent().id)
            };
            let conversation = tx.conversations().insert(&new).await?;
            tx.channel_contacts().hold_conversation(a.channels.contact, conversation).await.is_ok()
        };
    }
}

fn inbound() -> Vec<Case> {
    cases! {
        // The database refuses a connection that is not there, or the mark is known.
        Write "channel_inbound.mark" => |tx, a| {
            let noted = tx.channel_inbound().mark(a.channels.connection, &a.named("mark")).await;
            noted.is_ok_and(|new| !new)
        };
        Write "channel_inbound.insert" => |tx, a| {
            let (connection, contact) = (a.channels.connection, a.channels.contact);
            let new = new_inbound(connection, contact, "intruder", a.now);
            tx.channel_inbound().insert(&new).await.is_ok()
        };
        Read "channel_inbound.waiting" => |tx, a| {
            let waiting = tx.channel_inbound().waiting(a.channels.contact, 10).await?;
            waiting.iter().any(|one| one.id == a.channels.inbound)
        };
        Read "channel_inbound.count_waiting" => |tx, a| {
            tx.channel_inbound().count_waiting(a.channels.contact).await? > 0
        };
        Write "channel_inbound.set_message" => |tx, a| {
            tx.channel_inbound().set_message(a.channels.inbound, a.customers.message).await?
        };
        Write "channel_inbound.settle" => |tx, a| {
            tx.channel_inbound().settle(&[a.channels.inbound], InboundState::Left).await? > 0
        };
        Write "channel_inbound.asked" => |tx, a| {
            tx.channel_inbound().settle(&[a.channels.inbound], InboundState::Asked).await?;
            !tx.channel_inbound().asked(a.channels.contact).await?.is_empty()
        };
        Write "channel_inbound.resolve" => |tx, a| {
            tx.channel_inbound().settle(&[a.channels.inbound], InboundState::Asked).await?;
            tx.channel_inbound().resolve(a.channels.contact, InboundState::Returned).await? > 0
        };
        Read "channel_inbound.message_of" => |tx, a| {
            let (connection, external_id) = (a.channels.connection, a.named("inbound"));
            tx.channel_inbound().message_of(connection, &external_id).await?.is_some()
        };
    }
}

/// All of them, those of one connection, those of one conversation, and those that have come so far.
fn filters(a: &Tenant) -> [OutboundFilter; 4] {
    let all = OutboundFilter::default();
    let connection = Some(a.channels.connection);
    let conversation = Some(a.customers.conversation);
    let state = Some(DeliveryState::Sent);
    [
        all,
        OutboundFilter { connection, ..all },
        OutboundFilter {
            conversation,
            ..all
        },
        OutboundFilter { state, ..all },
    ]
}

fn outbound() -> Vec<Case> {
    cases! {
        Write "channel_outbound.insert" => |tx, a| {
            let new = new_outbound(a.channels.connection, a.channels.contact, "intruder");
            tx.channel_outbound().insert(&new).await.is_ok()
        };
        Read "channel_outbound.next" => |tx, a| {
            tx.channel_outbound().next(a.channels.contact).await?.is_some()
        };
        Read "channel_outbound.find" => |tx, a| {
            tx.channel_outbound().find(a.channels.sent).await?.is_some()
        };
        Read "channel_outbound.list" => |tx, a| {
            let mut found = false;
            for filter in filters(a) {
                let listed = tx.channel_outbound().list(filter, everything()).await?;
                found |= listed.data.iter().any(|one| one.id == a.channels.sent);
            }
            found
        };
        Write "channel_outbound.start" => |tx, a| {
            tx.channel_outbound().start(a.channels.waiting).await?
        };
        Write "channel_outbound.settle" => |tx, a| {
            let again = SendResult::Again { at: a.now, fault: fault("busy") };
            let mut reached = false;
            for result in [again, taken("intruder"), SendResult::Failed(fault("account"))] {
                reached |= tx.channel_outbound().settle(a.channels.waiting, &result).await?;
            }
            reached
        };
        Read "channel_outbound.known_as" => |tx, a| {
            let (connection, external_id) = (a.channels.connection, a.named("sent"));
            tx.channel_outbound().known_as(connection, &external_id).await?.is_some()
        };
        Write "channel_outbound.advance" => |tx, a| {
            let (id, read) = (a.channels.sent, DeliveryState::Read);
            tx.channel_outbound().advance(id, Some("intruder"), read, None).await?
        };
        Write "channel_outbound.advance_up_to" => |tx, a| {
            let (contact, at) = (a.channels.contact, a.now + HOUR);
            tx.channel_outbound().advance_up_to(contact, at, DeliveryState::Read).await? > 0
        };
        Write "channel_outbound.charge" => |tx, a| {
            tx.channel_outbound().charge(a.channels.sent, "marketing", None).await?
        };
        Read "channel_outbound.cost" => |tx, a| {
            let (from, to) = (Timestamp::UNIX_EPOCH, a.now + HOUR);
            let mut found = false;
            for filter in filters(a) {
                let cost = tx.channel_outbound().cost(filter, from, to).await?;
                found |= cost.cost_micros >= LARGE_COST;
            }
            found
        };
    }
}

/// All of them, those of one connection, and those of one conversation.
fn call_filters(a: &Tenant) -> [VoiceCallFilter; 3] {
    let all = VoiceCallFilter::default();
    let connection = Some(a.channels.connection);
    let conversation = Some(a.customers.conversation);
    [
        all,
        VoiceCallFilter { connection, ..all },
        VoiceCallFilter {
            conversation,
            ..all
        },
    ]
}

fn calls() -> Vec<Case> {
    cases! {
        // The database refuses a connection that is not there, or the call is known.
        Write "voice_calls.insert" => |tx, a| {
            let new = new_call(a.channels.connection, &a.named("call"));
            tx.voice_calls().insert(&new).await.is_ok_and(|new| new.is_none())
        };
        Read "voice_calls.list" => |tx, a| {
            let mut found = false;
            for filter in call_filters(a) {
                let listed = tx.voice_calls().list(filter, everything()).await?;
                found |= listed.data.iter().any(|one| one.id == a.channels.call);
            }
            found
        };
        Read "voice_calls.cost" => |tx, a| {
            let (from, to) = (Timestamp::UNIX_EPOCH, a.now + HOUR);
            let mut found = false;
            for filter in call_filters(a) {
                let cost = tx.voice_calls().cost(filter, from, to).await?;
                found |= cost.cost_micros >= LARGE_COST;
            }
            found
        };
    }
}
