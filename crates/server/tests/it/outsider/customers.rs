//! Who may speak for a customer.

use crate::harness::Client;
use crate::talk::Talk;
use quipu_core::TenantId;
use quipu_core::access::Permission;
use quipu_server::demo::DEMO;
use quipu_testkit::db_test;
use serde_json::{Value, json};

const NUMBER: &str = "+51987654321";

/// The demo's clinic without a model, where a caller has an appointment, and a key that may only chat.
async fn clinic(db: quipu_testkit::TestDatabase) -> (Talk, Client) {
    let talk = Talk::open(db, []).await;
    talk.set(json!({ "model": null })).await;
    let body = asked(
        "limpieza el lunes a las 10, soy Ana Paz, sí confirmo",
        "voice",
    );
    talk.client
        .post("/api/agents/maya/chat", body)
        .await
        .ok(200);
    let booked = talk.admin.get("/api/v1/appointments").await.ok(200);
    assert_eq!(booked["data"].as_array().unwrap().len(), 1, "{booked}");
    let key = talk
        .admin
        .post(
            "/api/v1/api-keys",
            json!({ "name": "web", "scopes": [Permission::Chat, Permission::AgentsRead] }),
        )
        .await
        .ok(201);
    let widget = talk.app.stranger().bearer(key["key"].as_str().unwrap());
    (talk, widget)
}

fn asked(text: &str, channel: &str) -> Value {
    json!({
        "messages": [{ "role": "user", "content": text }],
        "stream": false, "user": NUMBER, "channel": channel,
    })
}

db_test! {
    async fn a_key_that_may_chat_reads_no_templates(db) {
        let (_talk, widget) = clinic(db).await;
        let asked_for = json!({ "arguments": { "situation": "bienvenida" } });
        let refused = widget.post("/api/v1/agents/maya/tools/get_response_template", asked_for).await;
        assert_eq!(refused.refused(403, "FORBIDDEN")["details"]["permission"], "business:read");
    }

    async fn a_key_that_may_chat_is_no_customer_by_voice(db) {
        let (talk, widget) = clinic(db).await;
        let forbidden = |reply: crate::harness::Reply| {
            assert_eq!(reply.refused(403, "FORBIDDEN")["details"]["permission"], "customers:write");
        };
        for channel in ["voice", "whatsapp"] {
            for text in ["¿qué citas tengo?", "cancela mi cita", "sí"] {
                forbidden(widget.post("/api/agents/maya/chat", asked(text, channel)).await);
            }
        }
        let messages = json!([{ "role": "user", "content": "cancela mi cita" }]);
        for call in [
            json!({ "user": NUMBER, "channel": "voice" }),
            json!({ "call": { "customer": { "number": NUMBER } } }),
            json!({ "call": {}, "customer": { "number": NUMBER } }),
        ] {
            let mut body = json!({ "model": "maya", "messages": messages });
            body.as_object_mut().unwrap().extend(call.as_object().unwrap().clone());
            forbidden(widget.post("/v1/chat/completions", body).await);
        }
        let booked = talk.admin.get("/api/v1/appointments").await.ok(200);
        assert_ne!(booked["data"][0]["status"], "cancelled", "{booked}");
    }

    async fn on_the_web_it_is_nobody_and_answered_all_the_same(db) {
        let (talk, widget) = clinic(db).await;
        for (text, user) in [("¿qué citas tengo?", NUMBER), ("¿a qué hora abren?", "visitante-42"), ("cancela mi cita", NUMBER)] {
            let mut body = asked(text, "web");
            body["user"] = json!(user);
            let answer = widget.post("/api/agents/maya/chat", body).await.ok(200);
            assert_eq!(answer["conversation_id"], Value::Null, "{answer}");
            assert!(!answer["message"]["content"].as_str().unwrap().is_empty());
        }
        let body = json!({ "model": "maya", "user": "visitante-42", "messages": [{ "role": "user", "content": "¿a qué hora abren?" }] });
        let answer = widget.post("/v1/chat/completions", body).await.ok(200);
        assert_eq!(answer["quipu"]["conversation_id"], Value::Null, "{answer}");
        // Without a name it was always so.
        let body = json!({ "messages": [{ "role": "user", "content": "hola" }], "stream": false });
        widget.post("/api/agents/maya/chat", body).await.ok(200);
        let leads = talk.admin.get("/api/v1/leads").await.ok(200);
        assert_eq!(leads["data"].as_array().unwrap().len(), 1, "{leads}");
        // Whoever may write customers keeps the conversation as before.
        let mut body = asked("hola", "web");
        body["user"] = json!("visitante-42");
        let answer = talk.client.post("/api/agents/maya/chat", body).await.ok(200);
        assert!(answer["conversation_id"].is_string(), "{answer}");
    }

    async fn tools_and_the_protocol_of_models_name_nobody_either(db) {
        let (talk, _) = clinic(db).await;
        let booked = talk.admin.get("/api/v1/appointments").await.ok(200);
        let lead = booked["data"][0]["lead_id"].as_str().unwrap().to_owned();
        let tenant: TenantId = {
            let tx = talk.app.platform().await;
            tx.tenants().find_by_slug(DEMO.slug).await.unwrap().unwrap().id
        };
        assert!(!tenant.to_string().is_empty());
        let scopes = [Permission::Chat, Permission::AgentsRead, Permission::CustomersRead];
        let key = talk.admin.post("/api/v1/api-keys", json!({ "name": "lee", "scopes": scopes })).await.ok(201);
        let reader = talk.app.stranger().bearer(key["key"].as_str().unwrap());
        let body = json!({ "arguments": {}, "context": { "lead_id": lead } });
        let reply = reader.post("/api/v1/agents/maya/tools/get_loyalty_balance", body).await;
        assert_eq!(reply.refused(403, "FORBIDDEN")["details"]["permission"], "customers:write");
        let call = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": "get_loyalty_balance", "arguments": {}, "_meta": { "quipu/lead_id": lead } },
        });
        let reply = reader.post("/mcp/maya", call).await;
        assert!(reply.text.contains("customers:write"), "{}", reply.text);
        assert!(!reply.text.contains("spendable"), "{}", reply.text);
    }
}
