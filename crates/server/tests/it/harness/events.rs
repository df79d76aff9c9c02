//! An address that is told what happens, which no test reaches.

use super::{Tenant, TestApp, id};
use quipu_core::EventId;
use quipu_core::event::{DeliveryOutcome, EventKind, NewEventDelivery};
use serde_json::json;

/// Adds an endpoint to which something was sent. It is told nothing more, so that nothing is posted to where
/// nobody is. Returns the ids of both.
pub(super) async fn add_endpoint(app: &TestApp, tenant: &Tenant) -> (String, String) {
    let (client, slug) = (&tenant.admin.client, &tenant.slug);
    let endpoint = json!({
        "url": format!("https://{slug}.example/eventos"),
        "description": format!("CRM de {slug}"),
        "kinds": ["feedback.given"],
    });
    let made = client.post("/api/v1/event-endpoints", endpoint).await;
    let endpoint = id(&made.ok(201));
    let path = format!("/api/v1/event-endpoints/{endpoint}");
    client
        .patch(&path, json!({ "active": false }))
        .await
        .ok(200);
    let tx = app.app.store.begin(tenant.scope()).await.unwrap();
    let kind = EventKind::FeedbackGiven;
    let told = NewEventDelivery {
        endpoint: endpoint.parse().unwrap(),
        kind,
        event: EventId::generate(app.now()),
        lead: None,
        body: json!({ "type": kind, "timestamp": app.now(), "data": { "reason": slug } }),
    };
    let delivery = tx.event_deliveries().insert(&told).await.unwrap();
    let sent = DeliveryOutcome::Sent { status: 200 };
    assert!(tx.event_deliveries().settle(delivery, &sent).await.unwrap());
    tx.commit().await.unwrap();
    (endpoint, delivery.to_string())
}
