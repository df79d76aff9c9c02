//! The cases of what programs of a business are told.

use super::cases::{Case, Kind, cases, everything};
use crate::fixture_events::{new_delivery, new_endpoint};
use quipu_core::event::{DeliveryOutcome, EventDeliveryState, EventEndpointChange, EventKind};

pub(super) fn all() -> Vec<Case> {
    [endpoints(), deliveries()].concat()
}

fn endpoints() -> Vec<Case> {
    cases! {
        Add "event_endpoints.insert" => |tx, a| {
            let new = new_endpoint(tx.now(), "intruder");
            let inserted = tx.event_endpoints().insert(&new).await?;
            inserted == a.events.endpoint
        };
        Read "event_endpoints.find" => |tx, a| {
            tx.event_endpoints().find(a.events.endpoint).await?.is_some()
        };
        Read "event_endpoints.sealed" => |tx, a| {
            tx.event_endpoints().sealed(a.events.endpoint).await?.is_some()
        };
        Read "event_endpoints.list" => |tx, a| {
            let listed = tx.event_endpoints().list(everything()).await?;
            listed.data.iter().any(|row| row.id == a.events.endpoint)
        };
        Read "event_endpoints.wanting" => |tx, a| {
            let wanting = tx.event_endpoints().wanting(EventKind::LeadCreated).await?;
            wanting.contains(&a.events.endpoint)
        };
        Write "event_endpoints.update" => |tx, a| {
            let change = EventEndpointChange { active: Some(false), ..EventEndpointChange::default() };
            tx.event_endpoints().update(a.events.endpoint, &change).await?
        };
        Write "event_endpoints.failed" => |tx, a| {
            tx.event_endpoints().failed(a.events.endpoint, None, "intruder", None).await?
        };
        Write "event_endpoints.recovered" => |tx, a| {
            tx.event_endpoints().recovered(a.events.endpoint).await?
        };
        Write "event_endpoints.delete" => |tx, a| {
            tx.event_endpoints().delete(a.events.endpoint).await?
        };
    }
}

fn deliveries() -> Vec<Case> {
    cases! {
        // The database refuses an endpoint that is not there.
        Write "event_deliveries.insert" => |tx, a| {
            let new = new_delivery(tx.now(), a.events.endpoint, None);
            tx.event_deliveries().insert(&new).await.is_ok()
        };
        Read "event_deliveries.next" => |tx, a| {
            tx.event_deliveries().next(a.events.endpoint).await?.is_some()
        };
        Read "event_deliveries.find" => |tx, a| {
            tx.event_deliveries().find(a.events.endpoint, a.events.sent).await?.is_some()
        };
        Read "event_deliveries.list" => |tx, a| {
            let mut found = false;
            for state in [None, Some(EventDeliveryState::Sent)] {
                let deliveries = tx.event_deliveries();
                let listed = deliveries.list(a.events.endpoint, state, everything()).await?;
                found |= listed.data.iter().any(|one| one.id == a.events.sent);
            }
            found
        };
        Write "event_deliveries.settle" => |tx, a| {
            let again = DeliveryOutcome::Again { at: a.now, status: None, error: "busy".to_owned() };
            let dead = DeliveryOutcome::Dead { status: Some(410), error: "gone".to_owned() };
            let mut reached = false;
            for outcome in [again, dead] {
                reached |= tx.event_deliveries().settle(a.events.waiting, &outcome).await?;
            }
            reached
        };
        Write "event_deliveries.replay" => |tx, a| {
            tx.event_deliveries().replay(a.events.sent).await?
        };
    }
}
