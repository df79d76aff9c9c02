//! For whom tools are called.

use super::{call, refused, send, told};
use crate::harness::{Client, Reply, TestApp, make_agent, make_conversation, make_lead};
use quipu_core::access::Permission;
use quipu_testkit::sqlite_test;
use serde_json::{Value, json};
use uuid::Uuid;

async fn balance(client: &Client, meta: Value) -> Reply {
    let params = json!({ "name": "get_loyalty_balance", "arguments": {}, "_meta": meta });
    send(client, "uno", "tools/call", params).await
}

sqlite_test! {
    async fn the_connection_says_who_the_customer_is(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("zafiro").await;
        let client = &tenant.admin.client;
        make_agent(client, "Uno").await;
        let lead = make_lead(client, "Rosa").await;
        let conversation = make_conversation(client, &lead).await;
        let (lead_id, conversation_id) = (lead["id"].as_str().unwrap(), conversation["id"].as_str().unwrap());
        let another = make_lead(client, "Otra").await;

        for meta in [
            json!({ "quipu/lead_id": lead_id }),
            json!({ "quipu/conversation_id": conversation_id }),
            json!({ "quipu/lead_id": lead_id, "quipu/conversation_id": conversation_id, "progressToken": 1 }),
        ] {
            assert!(told(&balance(client, meta).await, false)["spendable"].is_number());
        }
        let for_rosa = client.with("x-quipu-lead", lead_id);
        told(&balance(&for_rosa, json!({})).await, false);
        told(&balance(&for_rosa, json!({ "quipu/lead_id": lead_id })).await, false);
        told(&balance(&client.with("x-quipu-conversation", conversation_id), json!({})).await, false);

        // Nobody is let go from the customer of the connection to another.
        let reply = balance(&for_rosa, json!({ "quipu/lead_id": another["id"] })).await;
        refused(&reply, -32602, "INVALID_ARGUMENTS");
        for wrong in [json!("x"), json!(7), json!(null)] {
            let reply = balance(client, json!({ "quipu/lead_id": wrong })).await;
            refused(&reply, -32602, "INVALID_ARGUMENTS");
        }
        refused(&balance(client, json!([])).await, -32602, "INVALID_ARGUMENTS");
        balance(&client.with("x-quipu-lead", "x"), json!({})).await.refused(400, "INVALID_HEADER");
        // A model writes arguments, and names no customer in them.
        let reply = call(client, "uno", "get_loyalty_balance", json!({ "lead_id": lead_id })).await;
        refused(&reply, -32602, "INVALID_ARGUMENTS");
        // The conversation of somebody else is not there.
        let meta = json!({ "quipu/lead_id": another["id"], "quipu/conversation_id": conversation_id });
        assert_eq!(told(&balance(client, meta).await, true)["error"]["code"], "NOT_FOUND");
        let meta = json!({ "quipu/lead_id": Uuid::now_v7() });
        assert_eq!(told(&balance(client, meta).await, true)["error"]["code"], "NOT_FOUND");

        // Nor is a customer of another tenant.
        let foreign = app.tenant("topacio").await;
        make_agent(&foreign.admin.client, "Uno").await;
        for meta in [
            json!({ "quipu/lead_id": lead_id }),
            json!({ "quipu/conversation_id": conversation_id }),
        ] {
            let reply = balance(&foreign.admin.client, meta).await;
            assert_eq!(told(&reply, true)["error"]["code"], "NOT_FOUND");
        }
    }

    async fn customers_are_for_those_who_may_see_them(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        make_agent(client, "Uno").await;
        let lead = make_lead(client, "Rosa").await;
        let meta = json!({ "quipu/lead_id": lead["id"] });
        let mut scopes = vec![Permission::AgentsRead, Permission::Chat];
        let talks = app.program(&tenant, &scopes).await;
        let error = told(&balance(&talks, meta.clone()).await, true);
        assert_eq!(error["error"]["details"]["permission"], "customers:read");
        scopes.push(Permission::CustomersRead);
        let sees = app.program(&tenant, &scopes).await;
        let error = told(&balance(&sees, meta.clone()).await, true);
        assert_eq!(error["error"]["details"]["permission"], "customers:write");
        let rename = json!({ "name": "update_lead_info", "arguments": { "name": "Rosa María" }, "_meta": meta });
        let error = told(&send(&sees, "uno", "tools/call", rename.clone()).await, true);
        assert_eq!(error["error"]["details"]["permission"], "customers:write");
        scopes.push(Permission::CustomersWrite);
        let changes = app.program(&tenant, &scopes).await;
        told(&balance(&changes, json!({ "quipu/lead_id": lead["id"] })).await, false);
        told(&send(&changes, "uno", "tools/call", rename).await, false);
        let path = format!("/api/v1/leads/{}", lead["id"].as_str().unwrap());
        assert_eq!(client.get(&path).await.ok(200)["name"], "Rosa María");
    }
}
