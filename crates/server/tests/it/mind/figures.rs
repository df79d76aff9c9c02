//! What the figures say of hand-offs, channels, tools and documents as time goes by.

use crate::harness::{
    TestApp, a_turn, id, keep_turn, make_agent, make_conversation, make_kb, make_lead, teach_file,
};
use quipu_core::agent::Intent;
use quipu_core::turn::{NewTurn, Step, Trace};
use quipu_testkit::db_test;
use serde_json::{Value, json};
use std::time::Duration;

const SERIES: &str = "/api/v1/statistics/series";
const TOOLS: &str = "/api/v1/statistics/tools";

fn tool(name: &str, error: Option<&str>) -> Step {
    Step {
        name: "tool".to_owned(),
        at_us: 0,
        took_us: 2_000,
        details: json!({ "tool": name, "error": error }),
    }
}

db_test! {
    async fn tools_are_counted_one_by_one_and_beside_the_time_before(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (tenant, other) = (app.tenant("clinica").await, app.tenant("otra").await);
        let client = &tenant.admin.client;
        let (maya, sol) = (make_agent(client, "Maya").await, make_agent(client, "Sol").await);
        let theirs = make_agent(&other.admin.client, "Luz").await;
        let with = |agent: &Value, steps: Vec<Step>| {
            let new = a_turn(&app, agent, "x");
            let tool_calls = u32::try_from(steps.len()).unwrap();
            NewTurn { trace: Trace { tool_calls, steps, ..new.trace.clone() }, ..new }
        };
        let hours = || tool("get_business_hours", None);
        keep_turn(&app, &tenant, &with(&maya, vec![hours()])).await;
        app.clock.advance(Duration::from_hours(2));
        let from = app.now();
        let failed = tool("create_appointment", Some("SLOT_TAKEN"));
        keep_turn(&app, &tenant, &with(&maya, vec![hours(), hours(), failed])).await;
        keep_turn(&app, &tenant, &with(&sol, vec![hours()])).await;
        keep_turn(&app, &tenant, &a_turn(&app, &maya, "sin herramientas")).await;
        keep_turn(&app, &other, &with(&theirs, vec![tool("create_order", None)])).await;
        app.clock.advance(Duration::from_hours(3));
        let period = format!("from={from}&to={}", app.now());
        let told = client.get(&format!("{TOOLS}?{period}")).await.ok(200);
        let expected = json!([
            { "tool": "get_business_hours", "calls": 3, "failures": 0, "turns": 2, "mean_ms": 2.0 },
            { "tool": "create_appointment", "calls": 1, "failures": 1, "turns": 1, "mean_ms": 2.0 },
        ]);
        assert_eq!(told["tools"], expected, "{told}");
        assert_eq!((&told["before"][0]["tool"], &told["before"][0]["calls"]), (&json!("get_business_hours"), &json!(1)));
        let of_sol = client.get(&format!("{TOOLS}?{period}&agent={}", id(&sol))).await.ok(200);
        assert_eq!((of_sol["tools"].as_array().unwrap().len(), &of_sol["tools"][0]["calls"]), (1, &json!(1)));
        client.get(&format!("{TOOLS}?agent={}", id(&theirs))).await.refused(404, "NOT_FOUND");
        // Nobody was asked across the network yet.
        assert_eq!(client.get("/api/v1/statistics/providers").await.ok(200), json!([]));
    }

    async fn a_series_tells_channels_waits_documents_and_what_was_asked_in_vain(db) {
        let app = TestApp::start(db).await;
        let (tenant, other) = (app.tenant("clinica").await, app.tenant("otra").await);
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Maya").await;
        let start = app.now();
        let kb = make_kb(client, "Manual").await;
        teach_file(client, &kb, "llaves.txt", b"La llave azul abre la puerta.").await;
        let conversation = make_conversation(client, &make_lead(client, "Ana").await).await;
        make_conversation(&other.admin.client, &make_lead(&other.admin.client, "Eva").await).await;
        let path = format!("/api/v1/conversations/{}", id(&conversation));
        client.post(&format!("{path}/handoff/request"), json!({ "reason": "Quiere una persona" })).await.ok(200);
        app.clock.advance(Duration::from_mins(10));
        client.poke(&format!("{path}/handoff/take")).await.ok(200);
        let in_vain = a_turn(&app, &agent, "¿Tienen sauna?");
        let in_vain = NewTurn { grounded: false, degraded: false, intent: Intent::Faq, ..in_vain };
        keep_turn(&app, &tenant, &in_vain).await;
        app.clock.advance(Duration::from_mins(10));
        let series = async |client: &crate::harness::Client| {
            let path = format!("{SERIES}?from={start}&to={}", app.now());
            client.get(&path).await.ok(200)["total"].clone()
        };
        let total = series(client).await;
        assert_eq!(total["conversations"], json!({ "whatsapp": 1 }), "{total}");
        assert_eq!((&total["handoffs"], &total["mean_handoff_ms"]), (&json!(1), &json!(600_000.0)), "{total}");
        assert_eq!((&total["documents"], &total["document_bytes"]), (&json!(1), &json!(29)), "{total}");
        assert_eq!((&total["turns"], &total["unanswered"]), (&json!(1), &json!(1)), "{total}");
        let theirs = series(&other.admin.client).await;
        assert_eq!((&theirs["handoffs"], &theirs["documents"], &theirs["turns"]), (&json!(0), &json!(0), &json!(0)));
    }
}
