//! What endpoints were told, and telling it again.

use super::endpoints::find;
use super::sending::hurry;
use super::{target, written};
use crate::{Actor, App};
use quipu_core::access::Permission;
use quipu_core::event::{EventDelivery, EventDeliveryState, EventKind, NewEventDelivery};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{Error, EventDeliveryId, EventEndpointId, EventId, Result};
use quipu_store::TenantTx;
use serde_json::json;

/// What an endpoint was told and is to be told, newest first. Customers are in it.
///
/// # Errors
/// `FORBIDDEN` without the permission, or `NOT_FOUND` when the tenant has no such endpoint.
pub async fn list_deliveries(
    app: &App,
    actor: &Actor,
    endpoint: EventEndpointId,
    state: Option<EventDeliveryState>,
    page: PageRequest,
) -> Result<Page<EventDelivery>> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    find(&tx, endpoint).await?;
    tx.event_deliveries().list(endpoint, state, page).await
}

/// Sends an endpoint something of which nothing follows, to see whether it arrives.
///
/// # Errors
/// `NOT_FOUND` when the tenant has no such endpoint.
pub async fn ping(app: &App, actor: &Actor, endpoint: EventEndpointId) -> Result<EventDelivery> {
    actor.require(Permission::BusinessWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let found = find(&tx, endpoint).await?;
    let kind = EventKind::Ping;
    let new = NewEventDelivery {
        endpoint,
        kind,
        event: EventId::generate(tx.now()),
        lead: None,
        body: written(tx.now(), kind, json!({ "endpoint_id": endpoint })),
    };
    let id = tx.event_deliveries().insert(&new).await?;
    actor
        .audit(&tx, "event_endpoint.test", target(endpoint), json!({}))
        .await?;
    let delivery = load(&tx, endpoint, id).await?;
    hurry(&tx, &found).await?;
    tx.commit().await?;
    app.new_work.notify_one();
    Ok(delivery)
}

/// Sends something again, whatever came of it.
///
/// # Errors
/// `NOT_FOUND` when there is no such endpoint or delivery.
pub async fn replay(
    app: &App,
    actor: &Actor,
    endpoint: EventEndpointId,
    id: EventDeliveryId,
) -> Result<EventDelivery> {
    actor.require(Permission::BusinessWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let found = find(&tx, endpoint).await?;
    load(&tx, endpoint, id).await?;
    tx.event_deliveries().replay(id).await?;
    let details = json!({ "delivery_id": id });
    actor
        .audit(&tx, "event_endpoint.replay", target(endpoint), details)
        .await?;
    let delivery = load(&tx, endpoint, id).await?;
    hurry(&tx, &found).await?;
    tx.commit().await?;
    app.new_work.notify_one();
    Ok(delivery)
}

async fn load(
    tx: &TenantTx,
    endpoint: EventEndpointId,
    id: EventDeliveryId,
) -> Result<EventDelivery> {
    let found = tx.event_deliveries().find(endpoint, id).await?;
    found.ok_or_else(|| Error::not_found("event_delivery"))
}
