//! Answers that were kept to be given again are forgotten with the customer they are about.

use super::demo::World;
use crate::harness::{CONVERSATIONS, LEADS, Reply, conversation_path, id};
use quipu_server::demo;
use quipu_testkit::db_test;
use serde_json::{Value, json};

/// A request that was sent under a key, and its answer.
struct Sent {
    path: String,
    key: String,
    body: Value,
    answer: Value,
}

impl World {
    async fn keyed(&self, path: &str, key: &str, body: Value) -> Reply {
        let client = self.client.with("idempotency-key", key);
        client.post(path, body).await
    }

    async fn keep(&self, path: &str, body: Value) -> Sent {
        let key = format!("clave de {path}");
        let answer = self.keyed(path, &key, body.clone()).await.ok(201);
        Sent {
            path: path.to_owned(),
            key,
            body,
            answer,
        }
    }
}

db_test! {
    async fn nothing_that_was_answered_about_a_deleted_lead_is_kept(db) {
        let world = World::open(db).await;
        let new = json!({ "name": "Zoraida Quispe", "phone": "+51 987 654 321" });
        let made = world.keep(LEADS, new).await;
        let lead = id(&made.answer);
        let root = world.app.super_admin().await.client.in_tenant(demo::DEMO.slug);
        let loyalty = format!("{LEADS}/{lead}/loyalty");
        let given = json!({ "tokens": 100_000, "reason": "regalo" });
        root.post(&format!("{loyalty}/adjustments"), given).await.ok(201);
        let rewards = root.get("/api/v1/rewards").await.ok(200);
        let conversation = world.keep(CONVERSATIONS, json!({ "lead_id": lead, "channel": "whatsapp" })).await;
        let item = json!([{ "name": world.product }]);
        let tool = format!("/api/v1/agents/{}/tools/update_lead_info", world.agent);
        let context = json!({ "conversation_id": conversation.answer["id"] });
        let kept = [
            world.keep(&conversation_path(&conversation.answer, "/messages"), json!({ "role": "user", "text": "Soy Zoraida" })).await,
            world.keep("/api/v1/appointments", json!({ "slot_id": world.slot, "lead_id": lead, "customer_name": "Zoraida" })).await,
            world.keep("/api/v1/orders", json!({ "items": item, "order_type": "pickup", "lead_id": lead, "customer_name": "Zoraida" })).await,
            world.keep("/api/v1/invoice-requests", json!({
                "folio": "Z-1", "rfc": "EKU9003173C9", "name": "Zoraida", "tax_regime": "601", "cfdi_use": "G03",
                "email": "zoraida@ejemplo.mx", "lead_id": lead,
            })).await,
            world.keep(&format!("{loyalty}/redemptions"), json!({ "reward_id": rewards["data"][0]["id"] })).await,
            world.keep(&format!("{LEADS}/{lead}/identities"), json!({ "channel": "web", "external_id": "zoraida-1" })).await,
            world.keep(&tool, json!({ "arguments": { "name": "Zoraida Q." }, "context": context })).await,
            conversation,
        ];
        // Somebody else's are none of this.
        let other = world.keep(&format!("{LEADS}/{}/identities", world.lead.as_str().unwrap()), json!({ "channel": "web", "external_id": "rosa-1" })).await;
        for sent in kept.iter().chain([&made, &other]) {
            let again = world.keyed(&sent.path, &sent.key, sent.body.clone()).await.ok(201);
            assert_eq!(again, sent.answer, "{}", sent.path);
        }

        let receipt = world.client.delete(&format!("{LEADS}/{lead}")).await.ok(200);
        let rows = &receipt["removed"]["rows"];
        for (table, count) in [
            ("leads", 1), ("conversations", 1), ("messages", 1), ("appointments", 1), ("orders", 1),
            ("invoice_requests", 1), ("redemptions", 1), ("loyalty_transactions", 2), ("tool_calls", 1),
            ("kept_answers", 9),
        ] {
            assert_eq!(rows[table], count, "{table}: {receipt}");
            assert_eq!(receipt["remaining"]["rows"][table], 0, "{table}: {receipt}");
        }
        assert_eq!(receipt["complete"], true, "{receipt}");
        for sent in &kept {
            // The request is looked at anew, and whom it is about is not there.
            let again = world.keyed(&sent.path, &sent.key, sent.body.clone()).await;
            again.refused(404, "NOT_FOUND");
        }
        let anew = world.keyed(LEADS, &made.key, made.body.clone()).await.ok(201);
        assert_ne!(anew["id"], made.answer["id"]);
        let again = world.keyed(&other.path, &other.key, other.body.clone()).await.ok(201);
        assert_eq!(again, other.answer);
    }
}
