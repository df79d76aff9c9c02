//! Several messages at once, where the version of the protocol has them.

use super::{NEWEST, VERSION, agent};
use crate::harness::{TestApp, make_agent};
use quipu_testkit::sqlite_test;
use serde_json::{Value, json};

fn ping(id: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "ping" })
}

sqlite_test! {
    async fn several_messages_are_answered_in_the_older_version_only(db) {
        let (_app, client) = agent(db).await;
        let note = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" });
        let begin = json!({ "jsonrpc": "2.0", "id": "c", "method": "initialize", "params": { "protocolVersion": NEWEST } });
        let batch = json!([ping("a"), note, ping("b"), begin]);
        for client in [client.clone(), client.with(VERSION, "2025-03-26")] {
            let answers = client.post("/mcp/uno", batch.clone()).await.ok(200);
            assert_eq!(answers[0], json!({ "jsonrpc": "2.0", "id": "a", "result": {} }));
            assert_eq!(answers[1], json!({ "jsonrpc": "2.0", "id": "b", "result": {} }));
            assert_eq!(answers[2]["id"], "c");
            assert_eq!(answers[2]["error"]["code"], -32600);
            assert_eq!(answers.as_array().unwrap().len(), 3);
            let reply = client.post("/mcp/uno", json!([note, note])).await;
            assert_eq!((reply.status, &*reply.text), (202, ""));
            client.post("/mcp/uno", json!([])).await.refused(400, "INVALID_JSON");
            client.post("/mcp/uno", json!(vec![ping("a"); 21])).await.refused(409, "TOO_MANY_ITEMS");
        }
        let newer = client.with(VERSION, NEWEST);
        newer.post("/mcp/uno", batch).await.refused(400, "INVALID_JSON");
    }

    async fn each_message_of_a_batch_counts(db) {
        let app = TestApp::start(db).await;
        app.plan("slow", |limits| limits.requests_per_minute = 6).await;
        let tenant = app.tenant_on("acme", "slow").await;
        make_agent(&tenant.admin.client, "Uno").await;
        let client = &app.program(&tenant, quipu_core::access::Permission::ALL).await;
        let answers = client.post("/mcp/uno", json!(vec![ping("a"); 20])).await.ok(200);
        let answers = answers.as_array().unwrap();
        let done = answers.iter().filter(|answer| answer.get("result").is_some());
        assert!(done.count() <= 5, "{answers:?}");
        let last = &answers[19]["error"];
        assert_eq!((&last["code"], &last["data"]["code"]), (&json!(-32000), &json!("RATE_LIMITED")));
        client.post("/mcp/uno", ping("b")).await.refused(429, "RATE_LIMITED");
    }
}
