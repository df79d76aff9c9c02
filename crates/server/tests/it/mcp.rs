//! Agents over the Model Context Protocol, message by message.

mod batches;
mod customers;
mod resources;

use crate::harness::{Client, Reply, TestApp, make_agent, teach};
use quipu_core::access::Permission;
use quipu_testkit::{TestDatabase, db_test, sqlite_test};
use reqwest::Method;
use serde_json::{Value, json};

const NEWEST: &str = "2025-06-18";
const VERSION: &str = "mcp-protocol-version";

fn message(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
}

async fn send(client: &Client, agent: &str, method: &str, params: Value) -> Reply {
    let client = client.with(VERSION, NEWEST);
    client
        .post(&format!("/mcp/{agent}"), message(method, &params))
        .await
}

/// The result of a request that must succeed.
#[track_caller]
fn result(reply: &Reply) -> Value {
    let answer = reply.ok(200);
    assert_eq!(answer["jsonrpc"], "2.0", "{answer}");
    assert_eq!(answer["id"], 7, "{answer}");
    assert_eq!(answer.get("error"), None, "{answer}");
    answer["result"].clone()
}

/// The error of a request that the protocol must refuse, with ours inside.
#[track_caller]
fn refused(reply: &Reply, number: i64, code: &str) -> Value {
    let answer = reply.ok(200);
    assert_eq!(answer["id"], 7, "{answer}");
    assert_eq!(answer.get("result"), None, "{answer}");
    let error = &answer["error"];
    assert_eq!(error["code"], number, "{answer}");
    assert_eq!(error["data"]["code"], code, "{answer}");
    assert_eq!(error["message"], error["data"]["message"], "{answer}");
    assert_eq!(error["data"]["request_id"], reply.header("x-request-id"));
    error["data"].clone()
}

async fn call(client: &Client, agent: &str, tool: &str, arguments: Value) -> Reply {
    let params = json!({ "name": tool, "arguments": arguments });
    send(client, agent, "tools/call", params).await
}

/// What a tool said, which is the same as text and as data.
#[track_caller]
fn told(reply: &Reply, is_error: bool) -> Value {
    let result = result(reply);
    assert_eq!(result["isError"], is_error, "{result}");
    let text = result["content"][0]["text"].as_str().unwrap();
    assert_eq!(result["content"][0]["type"], "text");
    let read: Value = serde_json::from_str(text).unwrap();
    assert_eq!(read, result["structuredContent"], "{result}");
    read
}

async fn agent(db: TestDatabase) -> (TestApp, Client) {
    let app = TestApp::start(db).await;
    let tenant = app.tenant("acme").await;
    let client = tenant.admin.client.clone();
    make_agent(&client, "Uno").await;
    (app, client)
}

sqlite_test! {
    async fn client_and_server_agree_on_a_version(db) {
        let (_app, client) = agent(db).await;
        for (asked, agreed) in [
            ("2025-06-18", "2025-06-18"),
            ("2025-03-26", "2025-03-26"),
            ("2024-11-05", "2025-06-18"),
            ("2099-01-01", "2025-06-18"),
        ] {
            let params = json!({
                "protocolVersion": asked,
                "capabilities": {},
                "clientInfo": { "name": "prueba", "version": "1" },
            });
            // Nothing was agreed on before, so that no header counts.
            for client in [client.clone(), client.with(VERSION, asked)] {
                let reply = client.post("/mcp/uno", message("initialize", &params)).await;
                let result = result(&reply);
                assert_eq!(result["protocolVersion"], agreed);
                assert_eq!(result["serverInfo"]["name"], "quipu");
                assert!(result["serverInfo"]["title"].as_str().unwrap().contains("Uno"));
                assert!(result["capabilities"]["tools"].is_object());
                assert!(result["capabilities"]["resources"].is_object());
                assert!(reply.header("mcp-session-id").is_empty());
            }
        }
        let reply = send(&client, "uno", "initialize", json!({})).await;
        refused(&reply, -32602, "INVALID_ARGUMENTS");
        let done = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let reply = client.with(VERSION, NEWEST).post("/mcp/uno", done).await;
        assert_eq!((reply.status, &*reply.text), (202, ""));
        assert_eq!(result(&send(&client, "uno", "ping", json!({})).await), json!({}));
        let other = client.with(VERSION, "2024-11-05");
        let error = other.post("/mcp/uno", message("ping", &json!({}))).await.refused(400, "INVALID_HEADER");
        assert_eq!(error["details"]["allowed"], json!(["2025-03-26", "2025-06-18"]));
    }

    async fn tools_are_listed_as_the_agent_has_them(db) {
        let (_app, client) = agent(db).await;
        let body = json!({ "name": "Two", "language": "en", "vertical": "dental" });
        client.post("/api/v1/agents", body).await.ok(201);
        for slug in ["uno", "two"] {
            let plain = client.get(&format!("/api/v1/agents/{slug}/tools")).await.ok(200);
            let listed = result(&send(&client, slug, "tools/list", json!({})).await);
            let listed = listed["tools"].as_array().unwrap();
            assert_eq!(listed.len(), plain.as_array().unwrap().len());
            for (tool, plain) in listed.iter().zip(plain.as_array().unwrap()) {
                assert_eq!(tool["name"], plain["name"]);
                assert_eq!(tool["description"], plain["description"]);
                assert_eq!(tool["inputSchema"], plain["parameters"]);
                assert_eq!(tool["inputSchema"]["type"], "object");
                let reads = plain["access"] == "read";
                assert_eq!(tool["annotations"]["readOnlyHint"], reads);
                assert!(tool["annotations"]["destructiveHint"].is_boolean());
                assert!(tool["annotations"]["idempotentHint"].is_boolean());
            }
            let has_teeth = listed.iter().any(|tool| tool["name"] == "check_dental_urgency");
            assert_eq!(has_teeth, slug == "two");
        }
        let reply = send(&client, "uno", "tools/list", json!({ "cursor": "x" })).await;
        refused(&reply, -32602, "INVALID_CURSOR");
    }

    async fn a_tool_answers_and_refuses(db) {
        let (_app, client) = agent(db).await;
        teach(&client, "uno", "Wifi", "La contraseña del wifi es jaguar-11.").await;
        let found = call(&client, "uno", "search_knowledge_base", json!({ "query": "contraseña del wifi" })).await;
        assert!(told(&found, false)["results"][0]["content"].as_str().unwrap().contains("jaguar-11"));
        assert!(told(&call(&client, "uno", "get_business_info", json!({})).await, false).is_object());

        let wrong = call(&client, "uno", "search_knowledge_base", json!({ "consulta": "wifi" })).await;
        let error = refused(&wrong, -32602, "INVALID_ARGUMENTS");
        assert!(error["message"].as_str().unwrap().contains("query"), "{error}");
        let unknown = refused(&call(&client, "uno", "drop_database", json!({})).await, -32602, "UNKNOWN_TOOL");
        assert!(unknown["details"]["allowed"].as_array().unwrap().len() > 20);
        let teeth = call(&client, "uno", "check_dental_urgency", json!({ "symptoms": ["dolor"] })).await;
        refused(&teeth, -32602, "UNKNOWN_TOOL");
        for params in [json!({}), json!({ "name": 7 }), json!({ "name": "get_menu", "arguments": [] })] {
            let reply = send(&client, "uno", "tools/call", params).await;
            refused(&reply, -32602, "INVALID_ARGUMENTS");
        }
        refused(&send(&client, "uno", "prompts/list", json!({})).await, -32601, "UNKNOWN_METHOD");

        // What the tool itself refuses is for the model to read.
        let reply = call(&client, "uno", "get_loyalty_balance", json!({})).await;
        let error = &told(&reply, true)["error"];
        assert_eq!(error["code"], "LEAD_REQUIRED");
        assert_eq!(error["request_id"], reply.header("x-request-id"));
        client.patch("/api/v1/agents/uno", json!({ "enabled": false })).await.ok(200);
        let reply = call(&client, "uno", "get_business_info", json!({})).await;
        assert_eq!(told(&reply, true)["error"]["code"], "AGENT_DISABLED");
    }

    async fn errors_are_said_in_the_language_of_the_agent(db) {
        let (_app, client) = agent(db).await;
        let body = json!({ "name": "Two", "language": "en" });
        client.post("/api/v1/agents", body).await.ok(201);
        let spanish = refused(&call(&client, "uno", "x", json!({})).await, -32602, "UNKNOWN_TOOL");
        let english = refused(&call(&client, "two", "x", json!({})).await, -32602, "UNKNOWN_TOOL");
        assert_eq!(spanish["message"], "No existe esa herramienta para este agente.");
        assert_eq!(english["message"], "This agent has no such tool.");
        // Whoever says which language they read is answered in that one.
        let reader = client.with("accept-language", "en-GB, es;q=0.5");
        let asked = refused(&call(&reader, "uno", "x", json!({})).await, -32602, "UNKNOWN_TOOL");
        assert_eq!(asked["message"], "This agent has no such tool.");
    }

    async fn each_method_wants_its_permission(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        make_agent(&tenant.admin.client, "Uno").await;
        let stranger = app.stranger();
        send(&stranger, "uno", "ping", json!({})).await.refused(401, "UNAUTHENTICATED");
        send(&stranger.bearer("qk_nadie"), "uno", "ping", json!({})).await.refused(401, "UNAUTHENTICATED");
        let talks = app.program(&tenant, &[Permission::Chat]).await;
        let error = send(&talks, "uno", "ping", json!({})).await.refused(403, "FORBIDDEN");
        assert_eq!(error["details"]["permission"], "agents:read");

        let looks = app.program(&tenant, &[Permission::AgentsRead]).await;
        result(&send(&looks, "uno", "tools/list", json!({})).await);
        let error = told(&call(&looks, "uno", "get_business_info", json!({})).await, true);
        assert_eq!(error["error"]["code"], "FORBIDDEN");
        assert_eq!(error["error"]["details"]["permission"], "chat");
        let error = refused(&send(&looks, "uno", "resources/list", json!({})).await, -32000, "FORBIDDEN");
        assert_eq!(error["details"]["permission"], "knowledge:read");

        let both = app.program(&tenant, &[Permission::AgentsRead, Permission::Chat]).await;
        told(&call(&both, "uno", "get_business_info", json!({})).await, false);
    }
}

db_test! {
    async fn two_tenants_share_nothing(db) {
        let app = TestApp::start(db).await;
        let mut clients = Vec::new();
        for (slug, word) in [("zafiro", "jaguar-11"), ("topacio", "puma-22")] {
            let tenant = app.tenant(slug).await;
            let admin = &tenant.admin.client;
            let made = make_agent(admin, "Uno").await;
            teach(admin, "uno", "Wifi", &format!("La contraseña del wifi es {word}.")).await;
            let scopes = [Permission::AgentsRead, Permission::Chat, Permission::KnowledgeRead];
            clients.push((app.program(&tenant, &scopes).await, word, made["id"].clone()));
        }
        for (at, (client, word, _)) in clients.iter().enumerate() {
            // The same slug is another agent in each tenant.
            let found = call(client, "uno", "search_knowledge_base", json!({ "query": "contraseña del wifi" })).await;
            let found = told(&found, false).to_string();
            for (_, other, _) in &clients {
                assert_eq!(found.contains(other), word == other, "{found}");
            }
            let foreign = clients[1 - at].2.as_str().unwrap();
            for method in ["initialize", "ping", "tools/list", "resources/list"] {
                let params = json!({ "protocolVersion": NEWEST });
                send(client, foreign, method, params).await.refused(404, "NOT_FOUND");
            }
            call(client, foreign, "get_business_info", json!({})).await.refused(404, "NOT_FOUND");
        }
    }
}

#[tokio::test]
async fn what_http_refuses_it_refuses_here_too() {
    let app = TestApp::start_with(TestDatabase::sqlite(), |options| {
        options.config.server.max_body_bytes = 10_000;
    })
    .await;
    let tenant = app.tenant("acme").await;
    let client = &tenant.admin.client;
    make_agent(client, "Uno").await;
    for method in [Method::GET, Method::DELETE, Method::PUT] {
        let reply = client.send(method, "/mcp/uno", None).await;
        reply.refused(405, "METHOD_NOT_ALLOWED");
        assert_eq!(reply.header("allow"), "POST");
    }
    let post = async |kind: &'static str, body: String| {
        let request = client.request(Method::POST, "/mcp/uno");
        Reply::of(request.header("content-type", kind).body(body)).await
    };
    let ping = message("ping", &json!({})).to_string();
    post("text/plain", ping)
        .await
        .refused(415, "UNSUPPORTED_MEDIA_TYPE");
    let json = "application/json";
    post(json, "{".to_owned())
        .await
        .refused(400, "INVALID_JSON");
    let huge = "x".repeat(10_000);
    post(json, message("ping", &json!({ "x": huge })).to_string())
        .await
        .refused(413, "BODY_TOO_LARGE");
}

#[tokio::test]
async fn pages_are_let_in_only_by_name() {
    let (panel, own) = ("https://panel.example.com", "https://quipu.example.com");
    let app = TestApp::start_with(TestDatabase::sqlite(), |options| {
        options.config.server.cors_origins = vec![panel.to_owned()];
        options.config.server.public_url = own.to_owned();
    })
    .await;
    let tenant = app.tenant("acme").await;
    let client = &tenant.admin.client;
    make_agent(client, "Uno").await;
    for known in [panel, own] {
        result(&send(&client.with("origin", known), "uno", "ping", json!({})).await);
    }
    let host = app.url.clone();
    for other in [&*host, "null", "", "https://malo.example.com"] {
        let reply = send(&client.with("origin", other), "uno", "ping", json!({})).await;
        reply.refused(403, "CROSS_SITE_REQUEST");
    }
}
