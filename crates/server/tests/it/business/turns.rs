//! For whom a tool is called: who may ask, how often, and what a model is told.

use super::demo::{Businesses, World};
use crate::harness::{TestApp, id, make_agent, make_conversation, make_lead};
use futures::future::join_all;
use quipu_core::access::Permission;
use quipu_server::demo::DEMO;
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};

sqlite_test! {
    async fn a_customer_is_only_for_those_who_may_see_customers(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        make_agent(client, "Maya").await;
        let lead = make_lead(client, "Ana").await;
        let conversation = make_conversation(client, &lead).await;
        let path = "/api/v1/agents/maya/tools/get_loyalty_balance";
        let info = "/api/v1/agents/maya/tools/get_business_info";
        let talker = app.program(&tenant, &[Permission::Chat]).await;
        let reader = app.program(&tenant, &[Permission::Chat, Permission::CustomersRead]).await;
        let speaks = [Permission::Chat, Permission::CustomersRead, Permission::CustomersWrite];
        let speaker = app.program(&tenant, &speaks).await;
        for context in [json!({ "lead_id": lead["id"] }), json!({ "conversation_id": conversation["id"] })] {
            let body = json!({ "context": context });
            let error = talker.post(path, body.clone()).await.refused(403, "FORBIDDEN");
            assert_eq!(error["details"]["permission"], "customers:read");
            talker.post(info, body.clone()).await.refused(403, "FORBIDDEN");
            let error = reader.post(path, body.clone()).await.refused(403, "FORBIDDEN");
            assert_eq!(error["details"]["permission"], "customers:write");
            assert_eq!(speaker.post(path, body).await.ok(200)["result"]["balance"], 0);
        }
        // Without a customer, whoever may chat may look.
        talker.post(info, json!({})).await.ok(200);
        // Seeing customers is not changing them.
        let body = json!({ "arguments": { "name": "Eva" }, "context": { "lead_id": lead["id"] } });
        reader.post("/api/v1/agents/maya/tools/update_lead_info", body).await.refused(403, "FORBIDDEN");
        let stays = client.get(&format!("/api/v1/leads/{}", id(&lead))).await.ok(200);
        assert_eq!(stays["name"], "Ana");
    }

    async fn only_those_who_may_change_customers_speak_for_one(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        make_agent(client, "Maya").await;
        let lead = make_lead(client, "Ana").await;
        let conversation = make_conversation(client, &lead).await;
        let talker = app.program(&tenant, &[Permission::Chat]).await;
        let ask = |who: Value| {
            let mut body = json!({ "messages": [{ "role": "user", "content": "hola" }], "stream": false });
            body.as_object_mut().unwrap().extend(who.as_object().unwrap().clone());
            body
        };
        let path = "/api/agents/maya/chat";
        for who in [
            json!({ "lead_id": lead["id"] }),
            json!({ "conversation_id": conversation["id"] }),
            json!({ "user": "+51 987 654 321", "channel": "whatsapp" }),
        ] {
            talker.post(path, ask(who.clone())).await.refused(403, "FORBIDDEN");
            let answer = client.post(path, ask(who)).await.ok(200);
            assert!(answer["conversation_id"].is_string(), "{answer}");
        }
        let visitor = json!({ "user": "visitante-1" });
        let nobody = talker.post(path, ask(visitor.clone())).await.ok(200);
        assert_eq!(nobody["conversation_id"], Value::Null, "{nobody}");
        let first = client.post(path, ask(visitor.clone())).await.ok(200);
        let second = client.post(path, ask(visitor)).await.ok(200);
        assert_eq!(first["conversation_id"], second["conversation_id"]);
        let other = client.post(path, ask(json!({ "user": "visitante-2" }))).await.ok(200);
        assert_ne!(first["conversation_id"], other["conversation_id"]);
        // What names a customer of another tenant names nobody.
        let stranger = app.tenant("otra").await.admin.client;
        make_agent(&stranger, "Maya").await;
        for who in [json!({ "lead_id": lead["id"] }), json!({ "conversation_id": conversation["id"] })] {
            stranger.post(path, ask(who)).await.refused(404, "NOT_FOUND");
        }
    }
}

db_test! {
    async fn no_crowd_gets_past_the_limit_of_changes(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("acme").await.admin.client;
        make_agent(&client, "Maya").await;
        let path = "/api/v1/agents/maya/tools/update_lead_info";
        // In one conversation, in several, and for the lead alone: it is the same customer.
        let lead = make_lead(&client, "Ana").await;
        let mut contexts = vec![json!({ "lead_id": lead["id"] })];
        for _ in 0..2 {
            let conversation = make_conversation(&client, &lead).await;
            contexts.push(json!({ "conversation_id": conversation["id"] }));
        }
        let calls = (0..30).map(|n| {
            let arguments = json!({ "name": format!("Ana {n}") });
            let context = &contexts[n % contexts.len()];
            client.post(path, json!({ "arguments": arguments, "context": context }))
        });
        let replies = join_all(calls).await;
        assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 20);
        for reply in replies.iter().filter(|reply| reply.status != 201) {
            reply.refused(429, "TOOL_LIMIT_REACHED");
        }
        for context in contexts {
            let body = json!({ "arguments": { "name": "Eva" }, "context": context });
            client.post(path, body).await.refused(429, "TOOL_LIMIT_REACHED");
        }
        // Somebody else has changes of their own.
        let other = make_lead(&client, "Beto").await;
        let body = json!({ "arguments": { "name": "Eva" }, "context": { "lead_id": other["id"] } });
        client.post(path, body).await.ok(201);
    }
}

sqlite_test! {
    async fn a_model_is_told_in_its_own_words(db) {
        let world = World::open(db).await;
        let told = async |name: &str, arguments: Value, code: &str, status: u16| {
            let error = world.call(name, arguments).await.refused(status, code);
            let fields = error["details"]["fields"].as_array().cloned().unwrap_or_default();
            for field in &fields {
                assert!(!field["field"].as_str().unwrap().is_empty(), "{error}");
            }
            error
        };
        let invalid = "INVALID_ARGUMENTS";
        for (name, arguments, field, says) in [
            ("create_appointment", json!({ "date": "2026-03-18", "time": "25:00" }), "time", "no es una hora"),
            ("create_appointment", json!({ "service_name": "limpieza" }), "slot_id", "indica slot_id, o bien date y time"),
            ("create_appointment", json!({ "time": "10:00" }), "date", "falta date"),
            ("create_appointment", json!({ "date": "2026-03-18" }), "time", "falta time"),
            ("update_lead_info", json!({}), "name", "indica name, email o phone"),
            ("award_loyalty_tokens", json!({}), "order_number", "order_number o appointment_id"),
        ] {
            let error = told(name, arguments, invalid, 422).await;
            assert_eq!(error["details"]["fields"][0]["field"], field, "{error}");
            assert!(error["message"].as_str().unwrap().contains(says), "{error}");
        }
        // What the business refuses is named as the tool calls it.
        let order = json!({ "items": [{ "name": world.product }], "order_type": "pickup", "scheduled_time": "mañana" });
        let error = told("create_order", order, "VALIDATION_FAILED", 422).await;
        assert_eq!(error["details"]["fields"][0]["field"], "scheduled_time", "{error}");
        assert!(error["message"].as_str().unwrap().contains("scheduled_time no es"), "{error}");

        // A number may come as a text.
        let order = json!({ "items": [{ "name": world.product, "quantity": "3" }], "order_type": "pickup" });
        let ordered = world.call("create_order", order).await.ok(201);
        assert_eq!(ordered["result"]["lines"][0]["quantity"], 3);

        // What is only similar is not called allowed; what is all there is, is.
        let error = told("get_service_info", json!({ "service_name": "limpieza de alfombras" }), "NOT_FOUND", 404).await;
        assert!(error["details"]["allowed"].is_null(), "{error}");
        assert!(!error["details"]["similar"].as_array().unwrap().is_empty(), "{error}");
        let error = told("get_service_info", json!({ "service_name": "xqzw" }), "NOT_FOUND", 404).await;
        let all = world.client.get("/api/v1/services?limit=200").await.ok(200);
        let count = all["data"].as_array().unwrap().len();
        assert!(error["details"]["similar"].is_null(), "{error}");
        assert_eq!(error["details"]["allowed"].as_array().unwrap().len(), count.min(20), "{error}");
        assert_eq!(error["details"]["allowed_more"].is_null(), count <= 20, "{error}");
    }

    async fn whoever_asks_when_it_opens_is_not_told_the_holidays_of_next_year(db) {
        let businesses = Businesses::open(db).await;
        for business in &businesses.all {
            let messages = json!([{ "role": "user", "content": "¿a qué hora abren?" }]);
            let written = json!({ "messages": messages, "stream": false });
            let path = format!("/api/agents/{}/chat", business.agent);
            let written = business.client.post(&path, written).await.ok(200);
            let spoken = json!({
                "model": business.agent,
                "messages": messages,
                "call": { "id": "c-1", "type": "inboundPhoneCall" },
                "customer": { "number": "+51987654321" },
            });
            let spoken = business.client.post("/v1/chat/completions", spoken).await.ok(200);
            for said in [&written["message"]["content"], &spoken["choices"][0]["message"]["content"]] {
                let said = said.as_str().unwrap();
                assert!(said.contains("horario") && said.contains("lunes"), "{said}");
                assert!(!said.contains("Navidad"), "{said}");
                assert!(said.split_whitespace().count() < 70, "{said}");
            }
        }
    }

    async fn nothing_is_booked_for_nobody(db) {
        let world = World::open(db).await;
        let count = async || {
            let agenda = world.client.get("/api/v1/appointments?limit=200").await.ok(200);
            agenda["data"].as_array().unwrap().len()
        };
        let before = count().await;
        for arguments in [json!({ "slot_id": world.slot }), json!({ "slot_id": world.slot, "customer_name": "Ana" })] {
            let error = world.post("create_appointment", json!({ "arguments": arguments })).await.refused(422, "LEAD_REQUIRED");
            assert!(error["message"].as_str().unwrap().contains("lead_id"), "{error}");
        }
        assert_eq!(count().await, before);
    }

    async fn programs_have_the_tools_of_what_an_agent_is_there_for(db) {
        let world = World::open(db).await;
        let path = format!("/api/v1/agents/{}", world.agent);
        let root = &world.app.super_admin().await.client.in_tenant(DEMO.slug);
        let names = async || -> Vec<String> {
            let listed = world.client.get(&format!("{path}/tools")).await.ok(200);
            let listed = listed.as_array().unwrap().iter();
            listed.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
        };
        let has = |names: &[String], name: &str| names.iter().any(|known| known == name);
        assert!(has(&names().await, "create_appointment"));
        for (kind, books, orders) in [("info_only", false, false), ("orders_only", false, true), ("appointments_only", true, false)] {
            root.patch(&path, json!({ "settings": { "assistant_type": kind } })).await.ok(200);
            let listed = names().await;
            for name in ["create_appointment", "get_available_slots", "cancel_appointment"] {
                assert_eq!(has(&listed, name), books, "{kind} {name}");
            }
            assert_eq!(has(&listed, "create_order"), orders, "{kind}");
            assert!(has(&listed, "get_service_info") && has(&listed, "escalate_to_human"), "{kind}");
            let booking = world.call("create_appointment", json!({ "slot_id": world.slot })).await;
            if books {
                booking.ok(201);
            } else {
                let error = booking.refused(404, "UNKNOWN_TOOL");
                assert_eq!(error["details"]["allowed"], json!(listed), "{kind}");
            }
            // The same over the Model Context Protocol.
            let client = world.client.with("mcp-protocol-version", "2025-06-18");
            let rpc = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
            let mcp = format!("/mcp/{}", world.agent);
            let told = client.post(&mcp, rpc("tools/list", json!({}))).await.ok(200);
            let told = told["result"]["tools"].as_array().unwrap().iter();
            let told: Vec<Value> = told.map(|tool| tool["name"].clone()).collect();
            assert_eq!(json!(told), json!(listed), "{kind}");
            let call = json!({ "name": "get_available_slots", "arguments": { "service_name": "limpieza" } });
            let called = client.post(&mcp, rpc("tools/call", call)).await.ok(200);
            let refused = called["error"]["data"]["code"] == "UNKNOWN_TOOL";
            assert_eq!(refused, !books, "{kind}: {called}");
        }
    }
}
