//! A rehearsal of everything that an agent can change, which changes nothing.

use super::demo::World;
use crate::harness::{Client, eventually, id, rehearsed, say};
use quipu_server::demo::{ALL, DEMO};
use quipu_testkit::db_test;
use quipu_testkit::model::{Dialect, ScriptedModel, Step};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What a rehearsal may leave behind: its own rows, what models took, and that somebody called.
const OWN: [&str; 6] = [
    "rehearsal_scripts",
    "rehearsal_runs",
    "rehearsal_results",
    "usage_counters",
    "sessions",
    "api_keys",
];

/// Everything else in the database, without the order of the rehearsal and its job.
async fn contents(world: &World) -> BTreeMap<String, Vec<String>> {
    let mut contents = world.app.db.contents().await;
    contents.retain(|table, _| !OWN.contains(&table.as_str()));
    for (table, rows) in &mut contents {
        rows.retain(|row| {
            let of_job = table == "live_events" && row.contains("job");
            !row.contains("rehears") && !of_job
        });
    }
    contents
}

async fn rest(client: &Client) {
    eventually("rest", async || {
        let jobs = client.get("/api/v1/jobs?limit=200").await.ok(200);
        let moves = |job: &Value| {
            let waits = matches!(job["status"].as_str(), Some("queued" | "running"));
            waits && job["kind"] != "remind_appointment"
        };
        let jobs = jobs["data"].as_array().unwrap();
        let moving: Vec<&Value> = jobs.iter().filter(|job| moves(job)).collect();
        if !moving.is_empty() {
            // Of a run that fails it is told what did not come to rest.
            println!("{moving:?}");
        }
        moving.is_empty().then_some(())
    })
    .await;
}

/// What was called in a rehearsal, and not refused.
fn done(results: &Value) -> BTreeSet<String> {
    let results = results["data"].as_array().unwrap().iter();
    let calls = results.flat_map(|result| result["after"]["tools"].as_array().unwrap());
    let done = calls.filter(|call| call["error"].is_null());
    done.map(|call| call["tool"].as_str().unwrap().to_owned())
        .collect()
}

db_test! {
    async fn whatever_is_rehearsed_leaves_nothing_behind(db) {
        let model = ScriptedModel::start([]).await;
        let host = model.host();
        let world = World::open_with(db, |options| options.config.models.allow_hosts = vec![host]).await;
        let clinic = world.app.super_admin().await.client.in_tenant(DEMO.slug);
        let taqueria = world.app.super_admin().await.client.in_tenant(ALL[2].slug);
        let config = json!({ "settings": { "model": {
            "provider": "openai_compatible", "model": "modelo", "base_url": model.base(Dialect::Openai),
        } } });
        clinic.patch("/api/v1/agents/maya", config.clone()).await.ok(200);
        taqueria.patch("/api/v1/agents/lupita", config).await.ok(200);
        // One appointment stands, so that it can be moved and cancelled.
        world.call("create_appointment", json!({ "slot_id": world.later_slot })).await.ok(201);
        let conversation = json!({ "id": world.conversation });
        let from = world.app.now();
        let turns: Vec<(&str, &str, Value)> = vec![
            ("quiero agendar una cita de limpieza", "create_appointment", json!({ "slot_id": world.slot })),
            ("quiero cambiar mi cita a otro horario", "reschedule_appointment", json!({ "slot_id": world.slot })),
            ("quiero cancelar mi cita", "cancel_appointment", json!({ "reason": "viaje" })),
            ("quiero agendar una cita, me llamo Rosa Quispe", "update_lead_info", json!({ "name": "Rosa Quispe" })),
            ("quiero canjear mis puntos por un premio", "redeem_reward", json!({ "reward_name": world.reward })),
            ("¿ya tengo los puntos de mi última cita?", "award_loyalty_tokens", json!({ "appointment_id": world.completed })),
            ("quiero hablar con una persona", "escalate_to_human", json!({ "reason": "lo pide" })),
        ];
        for (text, tool, arguments) in &turns {
            say(&world.client, &conversation, "user", text).await;
            let call = arguments.to_string();
            model.add([Step::calls(&[(tool, &call)]).using(10, 0, 5), Step::says("Listo.").using(10, 0, 5)]);
        }
        rest(&clinic).await;
        rest(&taqueria).await;
        let to = world.app.now() + std::time::Duration::from_secs(1);
        let before = contents(&world).await;
        let path = "/api/v1/agents/maya/rehearsals";
        let run = rehearsed(&clinic, path, json!({ "from": from, "to": to })).await;
        assert_eq!(run["state"], "done", "{run}");
        assert_eq!((&run["conversations"], &run["answers"]), (&json!(1), &json!(turns.len())), "{run}");
        assert!(run["input_tokens"].as_u64().unwrap() >= 10 * 2 * turns.len() as u64, "{run}");
        let results = clinic.get(&format!("{path}/{}/results", id(&run))).await.ok(200);
        let called = done(&results);
        for (_, tool, _) in &turns {
            assert!(called.contains(*tool), "{tool} was not called: {results:#}");
        }
        let after = contents(&world).await;
        assert_eq!(before, after);

        // Somebody who is made up orders, and cancels what nobody ordered.
        let script = json!({ "name": "Pedido", "steps": [
            { "message": "quiero pedir dos tacos al pastor para recoger", "expect": { "must_call": ["create_order"] } },
            { "message": "mejor cancela mi pedido" },
        ] });
        let path = "/api/v1/agents/lupita/rehearsals";
        taqueria.post(&format!("{path}/scripts"), script).await.ok(201);
        let order = json!({ "items": [{ "name": "Taco al pastor", "quantity": 4 }], "order_type": "pickup", "branch_name": "Roma" }).to_string();
        model.add([
            Step::calls(&[("create_order", &order)]), Step::says("Listo."),
            Step::calls(&[("cancel_order", "{}")]), Step::says("No hay pedido."),
        ]);
        let before = contents(&world).await;
        let run = rehearsed(&taqueria, path, json!({ "all_scripts": true })).await;
        let results = taqueria.get(&format!("{path}/{}/results", id(&run))).await.ok(200);
        assert_eq!((&run["state"], &run["failed"]), (&json!("done"), &json!(0)), "{run} {results:#}");
        assert!(done(&results).contains("create_order"), "{results:#}");
        let refused = &results["data"][1]["after"]["tools"][0];
        assert_eq!((&refused["tool"], refused["error"].is_string()), (&json!("cancel_order"), true), "{results:#}");
        assert_eq!(before, contents(&world).await);
    }
}
