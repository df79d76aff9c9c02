//! Tools that a business switched off: no agent has them, whoever answers and whoever asks.

use super::{Talk, said};
use crate::harness::{Reply, TestApp, id, make_agent};
use quipu_testkit::TestDatabase;
use quipu_testkit::model::Step;
use serde_json::{Value, json};

const AGENT: &str = "/api/v1/agents/maya";

async fn open(script: impl IntoIterator<Item = Step>) -> Talk {
    Talk::open(TestDatabase::sqlite(), script).await
}

async fn switch_off(talk: &Talk, names: &[&str]) {
    talk.set(json!({ "disabled_tools": names })).await;
}

async fn listed(talk: &Talk) -> Vec<Value> {
    let tools = talk.client.get(&format!("{AGENT}/tools")).await.ok(200);
    tools.as_array().unwrap().clone()
}

fn of<'a>(tools: &'a [Value], name: &str) -> &'a Value {
    tools.iter().find(|tool| tool["name"] == name).unwrap()
}

async fn rpc(talk: &Talk, method: &str, params: Value) -> Value {
    let client = talk.client.with("mcp-protocol-version", "2025-06-18");
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    client.post("/mcp/maya", body).await.ok(200)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_calls_what_is_switched_off() {
    let talk = open([]).await;
    switch_off(&talk, &["get_available_slots"]).await;
    let tools = listed(&talk).await;
    for (name, enabled) in [
        ("get_available_slots", false),
        ("create_appointment", false),
        ("cancel_appointment", true),
    ] {
        assert_eq!(of(&tools, name)["enabled"], enabled, "{name}");
    }
    assert_eq!(
        of(&tools, "create_appointment")["needs"],
        json!(["get_available_slots"])
    );
    assert_eq!(of(&tools, "escalate_to_human")["essential"], true);
    let call = |name: &str| {
        let path = format!("{AGENT}/tools/{name}");
        let client = talk.client.clone();
        async move { client.post(&path, json!({ "arguments": {} })).await }
    };
    let error = call("create_appointment")
        .await
        .refused(409, "TOOL_DISABLED");
    assert_eq!(error["details"]["tool"], "create_appointment");
    call("get_business_info").await.ok(200);
    let told = rpc(&talk, "tools/list", json!({})).await;
    let told = told["result"]["tools"].as_array().unwrap().clone();
    assert!(
        told.iter().all(|tool| tool["name"] != "create_appointment"),
        "{told:?}"
    );
    assert!(told.iter().any(|tool| tool["name"] == "cancel_appointment"));
    let called = json!({ "name": "create_appointment", "arguments": {} });
    let called = rpc(&talk, "tools/call", called).await;
    assert_eq!(called["error"]["data"]["code"], "TOOL_DISABLED", "{called}");
    // Switched on again, they are there again.
    talk.set(json!({ "disabled_tools": null })).await;
    assert_eq!(
        of(&listed(&talk).await, "create_appointment")["enabled"],
        true
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_neither_sees_nor_reaches_what_is_switched_off() {
    let talk = open([
        Step::calls(&[("create_appointment", r#"{"slot_id": "x"}"#)]),
        Step::says("Por aquí no agendo citas; pasa a la clínica."),
    ])
    .await;
    switch_off(&talk, &["create_appointment"]).await;
    let answer = talk.ask("quiero agendar una limpieza para mañana").await;
    assert!(said(&answer).contains("no agendo"), "{answer}");
    let asked = talk.model.requests();
    let offered = asked[0].tools();
    assert!(
        !offered.contains(&"create_appointment".to_owned()),
        "{offered:?}"
    );
    assert!(
        offered.contains(&"reschedule_appointment".to_owned()),
        "{offered:?}"
    );
    let told = asked[0].system();
    assert!(told.contains("Aquí no puedes: agendar una cita"), "{told}");
    assert!(!told.contains("get_available_slots, create_appointment"));
    let turn = talk.trace(&answer).await;
    let refused = turn["trace"]["steps"].to_string();
    assert!(refused.contains("UNKNOWN_TOOL"), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_model_nothing_is_promised_that_is_switched_off() {
    let talk = open([]).await;
    talk.set(json!({ "model": { "provider": "builtin" } }))
        .await;
    switch_off(&talk, &["create_appointment"]).await;
    let answer = talk
        .ask("quiero agendar una limpieza para mañana a las 10")
        .await;
    assert!(said(&answer).contains("no agendo citas"), "{answer}");
    assert_eq!(answer["degraded"], false, "{answer}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn switches_wait_in_drafts_and_stand_in_differences_and_versions() {
    let talk = open([]).await;
    let draft = json!({ "settings": { "disabled_tools": ["create_appointment"] } });
    talk.admin
        .put(&format!("{AGENT}/draft"), draft)
        .await
        .ok(200);
    assert_eq!(
        of(&listed(&talk).await, "create_appointment")["enabled"],
        true
    );
    let difference = talk
        .admin
        .get(&format!("{AGENT}/draft/difference"))
        .await
        .ok(200);
    let field = &difference["data"][0];
    assert_eq!(field["path"], "settings.disabled_tools", "{difference}");
    assert_eq!(
        (&field["before"], &field["after"]),
        (&json!([]), &json!(["create_appointment"]))
    );
    talk.admin
        .post(&format!("{AGENT}/draft/publish"), json!({}))
        .await
        .ok(201);
    assert_eq!(
        of(&listed(&talk).await, "create_appointment")["enabled"],
        false
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_left_without_a_person_to_ask_for() {
    let talk = open([]).await;
    let set = |names: Value| {
        let body = json!({ "settings": { "disabled_tools": names } });
        let admin = talk.admin.clone();
        async move { admin.patch(AGENT, body).await }
    };
    let error = set(json!(["escalate_to_human"]))
        .await
        .refused(422, "VALIDATION_FAILED");
    let field = &error["details"]["fields"][0];
    assert_eq!(field["field"], "settings.disabled_tools", "{error}");
    assert!(
        field["message"]
            .as_str()
            .unwrap()
            .contains("escalate_to_human"),
        "{error}"
    );
    set(json!(["no_such_tool"]))
        .await
        .refused(422, "VALIDATION_FAILED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn switches_of_one_business_mean_nothing_to_another() {
    let app = TestApp::start(TestDatabase::sqlite()).await;
    let (a, b) = (app.tenant("uno").await, app.tenant("dos").await);
    let (a, b) = (&a.admin.client, &b.admin.client);
    let (of_a, of_b) = (make_agent(a, "maya").await, make_agent(b, "maya").await);
    let off = json!({ "settings": { "disabled_tools": ["get_policy"] } });
    let path = |agent: &Value| format!("/api/v1/agents/{}", id(agent));
    a.patch(&path(&of_a), off.clone()).await.ok(200);
    b.patch(&path(&of_a), off).await.refused(404, "NOT_FOUND");
    let tools = |reply: Reply| reply.ok(200).as_array().unwrap().clone();
    let tools = tools(b.get(&format!("{}/tools", path(&of_b))).await);
    assert_eq!(of(&tools, "get_policy")["enabled"], true);
}
