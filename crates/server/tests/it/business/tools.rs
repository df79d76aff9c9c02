//! Every tool: what it does, what it refuses, and that nothing of another tenant is there for it.

use super::demo::{Businesses, World};
use crate::harness::{eventually, make_conversation, make_lead};
use quipu_agents::tool::{self, Access};
use quipu_server::demo::DEMO;
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Arguments that are right, in the order of the tools, and something that the answer must hold.
fn right(world: &World) -> Vec<(&'static str, Value, &'static str)> {
    vec![
        ("get_business_info", json!({}), "Clínica Dental Sonrisa"),
        (
            "get_branch_info",
            json!({ "branch_name": "miraflores" }),
            "hours_text",
        ),
        (
            "get_staff_info",
            json!({ "specialty": "ortodoncia" }),
            "specialty",
        ),
        (
            "get_service_info",
            json!({ "service_name": "limpieza" }),
            "S/ 120",
        ),
        ("list_services", json!({}), "price_range"),
        ("get_service_catalog", json!({}), "duration_minutes"),
        (
            "get_available_slots",
            json!({ "service_name": "limpieza" }),
            "slot_id",
        ),
        (
            "get_available_slots",
            json!({ "service_name": "limpieza", "time": "17:00", "limit": 1 }),
            "\"time\":\"17:00\"",
        ),
        (
            "get_policy",
            json!({ "policy_type": "cancellation" }),
            "short_version",
        ),
        (
            "get_faq",
            json!({ "question": "¿puedo pagar con tarjeta?" }),
            "answer",
        ),
        (
            "search_knowledge_base",
            json!({ "query": "¿cuánto cuesta la limpieza dental?" }),
            "S/ 120",
        ),
        (
            "get_response_template",
            json!({ "situation": "Confirmación de cita" }),
            "{{nombre}}",
        ),
        (
            "get_competitor_strategy",
            json!({ "competitor_name": world.competitor.clone() }),
            "strategy",
        ),
        ("get_menu", json!({}), "price_text"),
        ("get_loyalty_balance", json!({}), "spendable"),
        (
            "check_dental_urgency",
            json!({ "symptoms": ["se me hinchó la cara", "no puedo respirar bien"] }),
            "\"urgency_level\":5",
        ),
    ]
}

/// The same for those that change something, in an order in which each finds what it needs.
fn changes(world: &World) -> Vec<(&'static str, Value, &'static str)> {
    vec![
        (
            "create_appointment",
            json!({ "slot_id": world.slot }),
            "Limpieza dental",
        ),
        ("get_appointments", json!({}), "Limpieza dental"),
        (
            "reschedule_appointment",
            json!({ "slot_id": world.later_slot }),
            "cambiada",
        ),
        (
            "cancel_appointment",
            json!({ "reason": "viaje" }),
            "cancelada",
        ),
        (
            "update_lead_info",
            json!({ "name": "Rosa \"Rosi\" 🦷", "email": "rosa@ejemplo.pe" }),
            "updated_fields",
        ),
        (
            "create_order",
            json!({ "items": [{ "name": world.product.clone(), "quantity": 2 }], "order_type": "pickup" }),
            "order_number",
        ),
        ("get_order_status", json!({}), "received"),
        ("cancel_order", json!({}), "cancelled"),
        (
            "award_loyalty_tokens",
            json!({ "appointment_id": world.completed }),
            "awarded",
        ),
        (
            "redeem_reward",
            json!({ "reward_name": world.reward.clone() }),
            "code",
        ),
        (
            "request_invoice",
            json!({
                "folio": "A-00123", "rfc": "EKU9003173C9", "name": "ESCUELA KEMPER URGATE",
                "tax_regime": "601", "cfdi_use": "G03", "email": "facturas@ejemplo.mx", "total": "251.14",
            }),
            "invoice_request_id",
        ),
        (
            "extract_receipt",
            json!({ "attachment_id": world.attachment }),
            "total",
        ),
        (
            "escalate_to_human",
            json!({ "reason": "quiere hablar con la doctora" }),
            "pending_human",
        ),
    ]
}

/// Arguments that are wrong, and the code they are refused with.
fn wrong() -> Vec<(&'static str, Value)> {
    vec![
        ("get_business_info", json!({ "tenant_id": "otro" })),
        ("get_branch_info", json!({ "branch_id": "no es un id" })),
        ("get_staff_info", json!({ "staff_name": 7 })),
        ("get_service_info", json!({})),
        ("list_services", json!({ "category": "" })),
        ("get_service_catalog", json!({ "category": ["a"] })),
        ("get_available_slots", json!({ "date": "2027-02-29" })),
        ("get_available_slots", json!({ "time": "a las 5" })),
        ("get_appointments", json!({ "lead_id": Uuid::nil() })),
        ("get_policy", json!({ "policy_type": "vacaciones" })),
        ("get_faq", json!({ "pregunta": "hola" })),
        ("search_knowledge_base", json!({ "query": "", "limit": 3 })),
        ("get_response_template", json!({})),
        (
            "get_competitor_strategy",
            json!({ "competitor_name": null }),
        ),
        ("get_menu", json!({ "category": 1 })),
        ("get_loyalty_balance", json!({ "lead_id": Uuid::nil() })),
        ("check_dental_urgency", json!({ "symptoms": [] })),
        (
            "create_appointment",
            json!({ "date": "2026-03-18", "time": "10:00", "party_size": 0 }),
        ),
        ("reschedule_appointment", json!({ "time": "a las diez" })),
        ("cancel_appointment", json!({ "appointment_id": 12 })),
        ("update_lead_info", json!({ "temperature": "hot" })),
        (
            "create_order",
            json!({ "items": [{ "name": "cepillo", "quantity": -1 }], "order_type": "pickup" }),
        ),
        ("get_order_status", json!({ "order_number": 0 })),
        ("cancel_order", json!({ "order_number": "uno" })),
        ("award_loyalty_tokens", json!({ "tokens": 1_000_000 })),
        ("redeem_reward", json!({ "reward_name": "" })),
        ("request_invoice", json!({ "folio": "1" })),
        ("extract_receipt", json!({})),
        ("escalate_to_human", json!({ "reason": "" })),
    ]
}

db_test! {
    async fn every_tool_does_what_it_says(db) {
        let world = World::open(db).await;
        let mut tried = BTreeSet::new();
        for (name, arguments, holds) in right(&world).into_iter().chain(changes(&world)) {
            let reply = world.call(name, arguments.clone()).await;
            let made = tool::find(name).unwrap().access == Access::Write;
            assert_eq!(reply.status, if made { 201 } else { 200 }, "{name} {arguments}: {}", reply.text);
            let answer = reply.json();
            assert_eq!(answer["tool"], name);
            let text = answer["result"].to_string();
            assert!(text.contains(holds), "{name} must hold {holds}: {text}");
            tried.insert(name);
        }
        let all: BTreeSet<&str> = tool::ALL.iter().map(|tool| tool.name).collect();
        assert_eq!(tried, all);
        // What was changed is kept, with who did it.
        let calls = world.client.get("/api/v1/tool-calls?limit=200").await.ok(200);
        let kept: BTreeSet<&str> = calls["data"].as_array().unwrap().iter().map(|call| call["tool"].as_str().unwrap()).collect();
        let writing: BTreeSet<&str> = tool::ALL.iter().filter(|tool| tool.access == Access::Write).map(|tool| tool.name).collect();
        assert_eq!(kept, writing);
    }
}

sqlite_test! {
    async fn every_tool_refuses_what_is_wrong_and_says_how_to_do_better(db) {
        let world = World::open(db).await;
        let mut tried = BTreeSet::new();
        for (name, arguments) in wrong() {
            let error = world.call(name, arguments.clone()).await.refused(422, "INVALID_ARGUMENTS");
            assert!(!error["message"].as_str().unwrap().contains('{'), "{name}: {error}");
            let helps = ["takes", "allowed", "problems"].iter().any(|name| !error["details"][*name].is_null());
            assert!(helps, "{name} {arguments}: {error}");
            tried.insert(name);
        }
        let all: BTreeSet<&str> = tool::ALL.iter().map(|tool| tool.name).collect();
        assert_eq!(tried, all);
        let unknown = world.call("drop_database", json!({})).await.refused(404, "UNKNOWN_TOOL");
        assert!(unknown["details"]["allowed"].as_array().unwrap().len() > 20);
        // A restaurant has no urgent teeth.
        let path = format!("/api/v1/agents/{}/tools/check_dental_urgency", world.foreign.agent);
        let asked = json!({ "arguments": { "symptoms": ["dolor"] } });
        world.foreign.client.post(&path, asked).await.refused(404, "UNKNOWN_TOOL");
    }
}

db_test! {
    async fn no_tool_reaches_into_another_tenant(db) {
        let world = World::open(db).await;
        let other = &world.foreign;
        let lead = make_lead(&other.client, "Ajena").await;
        let conversation = make_conversation(&other.client, &lead).await;
        let mut tried = BTreeSet::new();
        // Another tenant's lead or conversation is not there, whatever the tool.
        for (name, arguments, _) in right(&world).into_iter().chain(changes(&world)) {
            for context in [
                json!({ "lead_id": lead["id"] }),
                json!({ "conversation_id": conversation["id"] }),
                json!({ "lead_id": world.lead, "conversation_id": conversation["id"] }),
            ] {
                let body = json!({ "arguments": arguments, "context": context });
                world.post(name, body).await.refused(404, "NOT_FOUND");
            }
            tried.insert(name);
        }
        assert_eq!(tried.len(), tool::ALL.len());
        // Nor is anything else of theirs, by its id.
        let foreign = |path: &str| {
            let client = other.client.clone();
            let path = path.to_owned();
            async move { client.get(&path).await.ok(200)["data"][0]["id"].clone() }
        };
        let branch = foreign("/api/v1/branches").await;
        let staff = foreign("/api/v1/staff").await;
        let service = foreign("/api/v1/services").await;
        for (name, arguments) in [
            ("get_branch_info", json!({ "branch_id": branch })),
            ("get_available_slots", json!({ "branch_id": branch })),
            ("get_available_slots", json!({ "staff_id": staff })),
            ("get_available_slots", json!({ "service_id": service })),
            ("create_appointment", json!({ "service_id": service, "date": "2026-03-18", "time": "10:00" })),
            ("create_appointment", json!({ "branch_id": branch, "date": "2026-03-18", "time": "10:00" })),
            ("create_appointment", json!({ "slot_id": other.slot })),
            ("reschedule_appointment", json!({ "appointment_id": other.completed, "slot_id": world.slot })),
            ("cancel_appointment", json!({ "appointment_id": other.completed })),
            ("award_loyalty_tokens", json!({ "appointment_id": other.completed })),
            ("extract_receipt", json!({ "attachment_id": other.attachment })),
            ("get_service_info", json!({ "service_name": "Reserva de mesa" })),
            ("get_menu", json!({ "item_name": "taco al pastor" })),
        ] {
            let reply = world.call(name, arguments.clone()).await;
            reply.refused(404, "NOT_FOUND");
        }
    }
}

sqlite_test! {
    async fn what_is_wrong_beside_a_slot_is_named_as_it_was_given(db) {
        let world = World::open(db).await;
        let free = world.call("get_available_slots", json!({ "service_name": "limpieza", "limit": 50 })).await.ok(200);
        let slots = free["result"]["slots"].as_array().unwrap();
        let slot = &slots[0];
        let other = slots.iter().find(|one| one["staff_name"] != slot["staff_name"]);
        let other = &other.expect("somebody else who attends")["staff_name"];
        let booked = world.call("create_appointment", json!({ "slot_id": slots[1]["slot_id"] })).await.ok(201);
        let appointment = &booked["result"]["appointment_id"];
        for (said, field) in [
            (json!({ "staff_name": other }), "staff_name"),
            (json!({ "date": slot["date"], "time": "03:00" }), "time"),
            (json!({ "date": "2026-12-01", "time": slot["time"] }), "time"),
        ] {
            let mut new = json!({ "slot_id": slot["slot_id"] });
            new.as_object_mut().unwrap().extend(said.as_object().unwrap().clone());
            let mut moved = new.clone();
            moved["appointment_id"] = appointment.clone();
            for (tool, arguments) in [("create_appointment", new), ("reschedule_appointment", moved)] {
                let error = world.call(tool, arguments).await.refused(422, "VALIDATION_FAILED");
                let wrong_field = &error["details"]["fields"][0];
                assert_eq!((&wrong_field["field"], &wrong_field["problem"]), (&json!(field), &json!("contradicts")), "{tool}");
                let told = format!("{field} contradice lo que dice slot_id");
                assert!(error["message"].as_str().unwrap().contains(&told), "{error}");
            }
        }
        let crowd = json!({ "slot_id": slot["slot_id"], "party_size": 900 });
        let error = world.call("create_appointment", crowd).await.refused(422, "VALIDATION_FAILED");
        let wrong_field = &error["details"]["fields"][0];
        assert_eq!((&wrong_field["field"], &wrong_field["problem"]), (&json!("party_size"), &json!("out_of_range")));
    }
}

db_test! {
    async fn one_customer_has_nothing_of_another(db) {
        let world = World::open(db).await;
        let booked = world.call("create_appointment", json!({ "slot_id": world.slot, "service_name": "limpieza" })).await.ok(201);
        let ordered = world.call("create_order", json!({ "items": [{ "name": world.product.clone() }], "order_type": "pickup" })).await.ok(201);
        let other = make_lead(&world.client, "Otra").await;
        let as_other = async |name: &str, arguments: Value| {
            world.post(name, json!({ "arguments": arguments, "context": { "lead_id": other["id"] } })).await
        };
        let appointment = &booked["result"]["appointment_id"];
        let seen = as_other("get_appointments", json!({})).await.ok(200);
        assert_eq!(seen["result"]["appointments"], json!([]), "{seen}");
        as_other("cancel_appointment", json!({ "appointment_id": appointment })).await.refused(404, "NOT_FOUND");
        as_other("reschedule_appointment", json!({ "appointment_id": appointment, "slot_id": world.later_slot })).await.refused(404, "NOT_FOUND");
        as_other("cancel_appointment", json!({})).await.refused(404, "NOT_FOUND");
        let number = &ordered["result"]["order_number"];
        as_other("get_order_status", json!({ "order_number": number })).await.refused(404, "NOT_FOUND");
        as_other("cancel_order", json!({ "order_number": number })).await.refused(404, "NOT_FOUND");
        as_other("extract_receipt", json!({ "attachment_id": world.attachment })).await.refused(422, "CONVERSATION_REQUIRED");
        // Without a customer there is nobody to do it for.
        for name in ["get_loyalty_balance", "get_order_status", "get_appointments"] {
            world.post(name, json!({})).await.refused(422, "LEAD_REQUIRED");
        }
    }

    async fn the_same_key_changes_once_and_a_customer_only_so_much(db) {
        let world = World::open(db).await;
        let path = format!("/api/v1/agents/{}/tools/create_appointment", world.agent);
        let body = json!({
            "arguments": { "slot_id": world.slot, "service_name": "limpieza" },
            "context": { "conversation_id": world.conversation },
        });
        let keyed = world.client.with("idempotency-key", "turno-1");
        let first = keyed.post(&path, body.clone()).await.ok(201);
        assert_eq!(keyed.post(&path, body.clone()).await.ok(201), first);
        world.client.post(&path, body).await.refused(409, "SLOT_UNAVAILABLE");
        // The first of the customer's changes was the appointment.
        for change in 1..20 {
            let name = json!({ "name": format!("Rosa {change}") });
            assert_eq!(world.call("update_lead_info", name).await.status, 201);
        }
        let limited = world.call("update_lead_info", json!({ "name": "Rosa" })).await;
        limited.refused(429, "TOOL_LIMIT_REACHED");
        world.app.clock.advance(std::time::Duration::from_secs(3601));
        assert_eq!(world.call("update_lead_info", json!({ "name": "Rosa" })).await.status, 201);
    }
}

sqlite_test! {
    async fn urgent_times_come_first_and_several_things_are_asked_back(db) {
        let world = World::open(db).await;
        let usual = world.call("get_available_slots", json!({ "service_name": "limpieza" })).await.ok(200);
        let urgent = world.call("get_available_slots", json!({ "urgent": true })).await.ok(200);
        let first = |found: &Value| found["result"]["slots"][0]["starts_at"].as_str().unwrap().to_owned();
        assert!(first(&urgent) <= first(&usual), "{urgent} {usual}");
        // A slot is one of its own service, however urgent it is to whoever takes it.
        let taken = world.call("create_appointment", json!({ "slot_id": world.slot, "urgent": true })).await.ok(201);
        let service = taken["result"]["service"].as_str().unwrap();
        assert!(service.contains("Limpieza"), "{taken}");
        world.call("create_appointment", json!({ "slot_id": world.later_slot, "service_name": "limpieza" })).await.ok(201);
        let error = world.call("cancel_appointment", json!({})).await.refused(422, "INVALID_ARGUMENTS");
        assert_eq!(error["details"]["allowed"].as_array().unwrap().len(), 2, "{error}");
    }

    async fn the_three_demo_tenants_answer_every_read_tool(db) {
        let businesses = Businesses::open(db).await;
        for business in &businesses.all {
            for tool in tool::ALL.iter().filter(|tool| tool.access == Access::Read && tool.is_for(business.vertical)) {
                let arguments = match tool.name {
                    "get_service_info" | "get_available_slots" => {
                        json!({ "service_name": business.service })
                    }
                    "get_policy" => json!({ "policy_type": "payment" }),
                    "get_faq" => json!({ "question": business.question }),
                    "search_knowledge_base" => json!({ "query": business.question }),
                    "get_response_template" => json!({ "situation": business.situation }),
                    "get_competitor_strategy" => json!({ "competitor_name": business.competitor }),
                    "check_dental_urgency" => json!({ "symptoms": ["me duele una muela"] }),
                    // Those of a customer and of a file are tried above.
                    "get_loyalty_balance" | "get_order_status" | "get_appointments" | "extract_receipt" => continue,
                    _ => json!({}),
                };
                let path = format!("/api/v1/agents/{}/tools/{}", business.agent, tool.name);
                let body = json!({ "arguments": arguments });
                let result = eventually(tool.name, async || {
                    let answer = business.client.post(&path, body.clone()).await.ok(200);
                    let result = answer["result"].clone();
                    // What is searched takes a moment to be searchable.
                    (result["results"] != json!([])).then_some(result)
                }).await;
                let empty = result.as_object().unwrap().iter().find(|(_, value)| **value == json!([]));
                assert!(empty.is_none(), "{} {}: {result}", business.agent, tool.name);
                assert!(result.to_string().len() > 40, "{} {}: {result}", business.agent, tool.name);
            }
        }
    }

    async fn what_a_tool_is_told_narrows_what_it_tells(db) {
        let world = World::open(db).await;
        let result = async |name: &str, arguments: Value| world.call(name, arguments).await.ok(200)["result"].clone();
        // Places are filled as far as it is told with what, however their names are written.
        let root = world.app.super_admin().await.client.in_tenant(DEMO.slug);
        let reminder = json!({ "name": "Aviso de mañana", "text": "Hola {{nombre}}, mañana {{hora}}.", "trigger_type": "appointment_reminder" });
        root.post("/api/v1/response-templates", reminder).await.ok(201);
        let asked = json!({ "trigger_type": "appointment_reminder", "variables": { "NOMBRE": "Rosa" } });
        let told = result("get_response_template", asked).await;
        assert_eq!(told["name"], "Aviso de mañana");
        assert_eq!(told["text"], "Hola Rosa, mañana {{hora}}.");
        assert_eq!((&told["variables"], &told["missing"]), (&json!(["nombre", "hora"]), &json!(["hora"])));
        let asked = json!({ "trigger_type": "confirmation", "variables": { "nombre": "Rosa" } });
        let told = result("get_response_template", asked).await;
        assert_eq!(told["name"], "Confirmación de cita", "{told}");
        assert!(told["text"].as_str().unwrap().contains("Rosa"), "{told}");
        for wrong in [json!({ "trigger_type": "otro" }), json!({ "variables": {} }), json!({ "trigger_type": "greeting", "variables": { "a": "x".repeat(501) } }), json!({ "trigger_type": "greeting", "variables": { "a": 1 } })] {
            world.call("get_response_template", wrong).await.refused(422, "INVALID_ARGUMENTS");
        }
        // Promotions are told unless nobody wants them.
        let with = result("get_service_catalog", json!({})).await.to_string();
        let without = result("get_service_catalog", json!({ "include_promotions": false })).await.to_string();
        assert!(with.contains("promotion_text") && !without.contains("promotion_"), "{without}");
        // A search is held to a kind of text, and to so many of it.
        for (category, kind) in [("policies", "policy"), ("competitors", "competitor"), ("templates", "response_template")] {
            let query = if kind == "competitor" { world.competitor.as_str().unwrap() } else { "cita" };
            let asked = json!({ "query": query, "category": category, "top_k": 1 });
            let found = result("search_knowledge_base", asked).await["results"].as_array().unwrap().clone();
            assert_eq!(found.len(), 1, "{category}");
            assert_eq!(found[0]["category"], kind);
        }
        let article = json!({ "title": "Ortodoncia invisible", "content": "Los alineadores transparentes se cambian cada dos semanas." });
        root.post("/api/v1/articles", article).await.ok(201);
        let asked = json!({ "query": "¿cada cuánto se cambian los alineadores?", "category": "articles", "top_k": 10 });
        eventually("an article", async || {
            let found = result("search_knowledge_base", asked.clone()).await;
            let all = found["results"].as_array().unwrap();
            assert!(all.iter().all(|found| found["title"] != world.competitor), "{found}");
            all.iter().any(|found| found["title"] == "Ortodoncia invisible").then_some(())
        }).await;
        world.call("search_knowledge_base", json!({ "query": "cita", "category": "otro" })).await.refused(422, "INVALID_ARGUMENTS");
    }
}
