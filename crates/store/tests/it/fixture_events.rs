//! An address of each tenant that is told what happens, and what it was told.

use crate::fixture::named;
use crate::fixture_customers::Customers;
use crate::material::ACTOR;
use quipu_core::event::{DeliveryOutcome, EventKind, NewEventDelivery, NewEventEndpoint};
use quipu_core::{EventDeliveryId, EventEndpointId, EventId, LeadId, Timestamp};
use quipu_store::TenantTx;
use serde_json::json;

pub(crate) struct Events {
    /// Is told of leads, and takes nothing at the moment.
    pub(crate) endpoint: EventEndpointId,
    /// Tells of the customer, and waits.
    pub(crate) waiting: EventDeliveryId,
    pub(crate) sent: EventDeliveryId,
}

pub(crate) async fn fill(tx: &TenantTx, slug: &str, customers: &Customers) -> Events {
    let new = new_endpoint(tx.now(), slug);
    let endpoint = tx.event_endpoints().insert(&new).await.unwrap();
    let endpoints = tx.event_endpoints();
    assert!(
        endpoints
            .failed(endpoint, Some(500), slug, Some(tx.now()))
            .await
            .unwrap()
    );
    let deliveries = tx.event_deliveries();
    let new = new_delivery(tx.now(), endpoint, Some(customers.lead));
    let sent = deliveries.insert(&new).await.unwrap();
    let outcome = DeliveryOutcome::Sent { status: 200 };
    assert!(deliveries.settle(sent, &outcome).await.unwrap());
    let waiting = deliveries.insert(&new).await.unwrap();
    Events {
        endpoint,
        waiting,
        sent,
    }
}

pub(crate) fn new_endpoint(now: Timestamp, slug: &str) -> NewEventEndpoint {
    NewEventEndpoint {
        id: EventEndpointId::generate(now),
        url: format!("https://{slug}.example/eventos"),
        description: Some(named(slug, "endpoint")),
        kinds: vec![EventKind::LeadCreated],
        sealed: b"sealed".to_vec(),
        created_by: ACTOR.to_owned(),
    }
}

pub(crate) fn new_delivery(
    now: Timestamp,
    endpoint: EventEndpointId,
    lead: Option<LeadId>,
) -> NewEventDelivery {
    let kind = EventKind::LeadCreated;
    NewEventDelivery {
        endpoint,
        kind,
        event: EventId::generate(now),
        lead,
        body: json!({ "type": kind, "timestamp": now, "data": { "lead_id": lead } }),
    }
}
