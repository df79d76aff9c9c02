//! Client libraries that people have already, against our API.

use crate::harness::{TestApp, eventually};
use quipu_app::bootstrap;
use quipu_core::access::Permission;
use quipu_server::demo::DEMO;
use quipu_testkit::db_test;
use serde_json::json;
use std::process::Stdio;
use tokio::process::Command;

/// Runs a script against the server; it says `ok` at its end.
async fn run(app: &TestApp, script: &str, key: &str) {
    let Ok(python) = std::env::var("QUIPU_TEST_PYTHON") else {
        eprintln!("SKIPPED: QUIPU_TEST_PYTHON is not set (use `make test`)");
        return;
    };
    let done = Command::new(python)
        .arg("-c")
        .arg(script)
        .env("QUIPU_URL", &app.url)
        .env("QUIPU_KEY", key)
        .stdin(Stdio::null())
        .output()
        .await
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    let failed = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}\n{failed}");
    assert_eq!(said.trim(), "ok", "{failed}");
}

db_test! {
    async fn the_python_client_of_openai_gets_embeddings(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let key = app.api_key(&tenant, &[Permission::KnowledgeRead]).await;
        run(&app, include_str!("clients/openai_embeddings.py"), &key).await;
    }

    async fn the_python_client_of_mcp_uses_an_agent(db) {
        let app = TestApp::start(db).await;
        let key = bootstrap::load_demo(&app.app, &DEMO).await.unwrap();
        // What the demo has to say takes a moment to be searchable.
        let client = app.stranger().bearer(&key);
        let asked = json!({ "arguments": { "query": "limpieza dental" } });
        eventually("finding", async || {
            let path = "/api/v1/agents/maya/tools/search_knowledge_base";
            let found = client.post(path, asked.clone()).await.ok(200);
            (found["result"]["results"] != json!([])).then_some(())
        })
        .await;
        run(&app, include_str!("clients/mcp_agent.py"), &key).await;
    }
}
