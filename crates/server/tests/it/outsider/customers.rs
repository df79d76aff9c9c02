//! Who may speak for a customer.

use crate::harness::Client;
use crate::talk::Talk;
use quipu_app::bootstrap;
use quipu_core::TenantId;
use quipu_core::access::Permission;
use quipu_server::demo::{ALL, DEMO};
use quipu_testkit::db_test;
use quipu_testkit::model::Step;
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

    async fn who_may_only_chat_orders_so_much_an_hour_for_nobody(db) {
        const MOST: usize = 60;
        let order = json!({ "items": [{ "name": "Taco al pastor", "quantity": 4 }], "order_type": "pickup", "branch_name": "Roma", "customer_name": "Ana" });
        let script = [
            Step::says("Listo.").when(|asked| !asked.tool_results().is_empty()).always(),
            Step::calls(&[("create_order", &order.to_string())]).always(),
        ];
        let talk = Talk::open(db, script).await;
        let [_, _, taqueria] = ALL;
        bootstrap::load_demo(&talk.app.app, &taqueria).await.unwrap();
        let admin = talk.app.super_admin().await.client.in_tenant(taqueria.slug);
        let settings = json!({ "settings": { "model": talk.config("modelo") } });
        admin.patch("/api/v1/agents/lupita", settings).await.ok(200);
        let key = async |name: &str| {
            let key = json!({ "name": name, "scopes": [Permission::Chat] });
            let key = admin.post("/api/v1/api-keys", key).await.ok(201);
            talk.app.stranger().bearer(key["key"].as_str().unwrap())
        };
        let ask = async |client: &Client, number: usize| {
            let text = format!("Un taco al pastor para recoger a nombre de Ana, es mi pedido {number}, lo confirmo.");
            let body = json!({ "messages": [{ "role": "user", "content": text }], "stream": false });
            client.post("/api/agents/lupita/chat", body).await.ok(200);
            let asked = talk.model.requests().pop().unwrap();
            asked.tool_results().pop().unwrap().1
        };
        let (first, second) = (key("una página").await, key("otra página").await);
        // At nine in Lima nobody sells tacos yet.
        talk.app.clock.advance(std::time::Duration::from_hours(6));
        for number in 0..MOST {
            let result = ask(&first, number).await;
            assert_eq!(result["success"], true, "{number}: {result}");
            talk.app.clock.advance(std::time::Duration::from_secs(10));
        }
        let refused = ask(&first, MOST).await;
        assert_eq!(refused["error"]["code"], "TOOL_LIMIT_REACHED", "{refused}");
        assert_eq!(ask(&second, MOST).await["success"], true, "another page has orders of its own");
        talk.app.clock.advance(std::time::Duration::from_hours(1));
        assert_eq!(ask(&first, MOST + 1).await["success"], true);
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
