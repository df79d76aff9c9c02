//! How channels know a lead, after the lead was made.

use super::lead_path;
use crate::harness::{LEADS, TestApp, id, make_lead};
use futures::future::join_all;
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};

fn identities(lead: &Value) -> String {
    format!("{LEADS}/{}/identities", id(lead))
}

sqlite_test! {
    async fn an_identity_is_added_found_and_removed(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("acme").await.admin.client;
        let (ana, beto) = (make_lead(&client, "Ana Secreta").await, make_lead(&client, "Beto").await);
        let number = json!({ "channel": "whatsapp", "external_id": " 51987654321 " });
        let known = client.post(&identities(&ana), number.clone()).await.ok(201);
        assert_eq!(known["identities"], json!([{ "channel": "whatsapp", "external_id": "51987654321" }]));
        // What is known already changes nothing.
        assert_eq!(client.post(&identities(&ana), number.clone()).await.ok(201), known);
        let found = client.get(&format!("{LEADS}?channel=whatsapp&external_id=51987654321")).await.ok(200);
        assert_eq!(found["data"][0]["id"], ana["id"]);

        // One identity is one lead, and whoever asks for it does not learn whose it is.
        let error = client.post(&identities(&beto), number.clone()).await.refused(409, "ALREADY_EXISTS");
        for secret in [id(&ana).as_str(), "Secreta", "987654321"] {
            assert!(!error.to_string().contains(secret), "{error}");
        }
        let query = "?channel=whatsapp&external_id=51987654321";
        client.delete(&format!("{}{query}", identities(&beto))).await.refused(404, "NOT_FOUND");
        let emptied = client.delete(&format!("{}{query}", identities(&ana))).await.ok(200);
        assert_eq!(emptied["identities"], json!([]));
        client.delete(&format!("{}{query}", identities(&ana))).await.refused(404, "NOT_FOUND");
        client.post(&identities(&beto), number).await.ok(201);

        let log = client.get("/api/v1/audit-log?limit=200").await.ok(200).to_string();
        for told in ["lead.add_identity", "lead.remove_identity"] {
            assert!(log.contains(told), "{log}");
        }
        assert!(!log.contains("987654321"), "{log}");
    }

    async fn bad_identities_are_refused(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("acme").await.admin.client;
        let lead = make_lead(&client, "Ana").await;
        let path = identities(&lead);
        let identity = |text: &str| json!({ "channel": "web", "external_id": text });
        for bad in ["", " ", "a\u{1}b", &"x".repeat(201)] {
            client.post(&path, identity(bad)).await.refused(422, "VALIDATION_FAILED");
        }
        for bad in [json!({ "channel": "fax", "external_id": "1" }), json!({ "channel": "web" }), json!({ "channel": "web", "external_id": "1", "lead_id": "x" })] {
            client.post(&path, bad).await.refused(400, "INVALID_JSON");
        }
        client.delete(&path).await.refused(400, "INVALID_PARAMETER");
        client.delete(&format!("{path}?channel=web&external_id=")).await.refused(422, "VALIDATION_FAILED");
        // However many come at once, no lead is known in more than twenty ways.
        let many = join_all((0..24).map(|n| client.post(&path, identity(&n.to_string())))).await;
        assert_eq!(many.iter().filter(|reply| reply.status == 201).count(), 20);
        for reply in many.iter().filter(|reply| reply.status != 201) {
            reply.refused(409, "TOO_MANY_ITEMS");
        }
        let lead = client.get(&lead_path(&lead)).await.ok(200);
        assert_eq!(lead["identities"].as_array().unwrap().len(), 20);
    }
}

db_test! {
    async fn one_key_adds_an_identity_once(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("acme").await.admin.client;
        let lead = make_lead(&client, "Ana").await;
        let keyed = client.with("idempotency-key", "una vez");
        let identity = json!({ "channel": "web", "external_id": "1" });
        let first = keyed.post(&identities(&lead), identity.clone()).await.ok(201);
        let removed = format!("{}?channel=web&external_id=1", identities(&lead));
        client.delete(&removed).await.ok(200);
        assert_eq!(keyed.post(&identities(&lead), identity).await.ok(201), first);
        assert_eq!(client.get(&lead_path(&lead)).await.ok(200)["identities"], json!([]));
    }
}
