//! Client libraries that people have already, against our API.

use crate::harness::{TestApp, eventually};
use crate::talk::Talk;
use quipu_app::bootstrap;
use quipu_core::access::Permission;
use quipu_server::demo::DEMO;
use quipu_testkit::model::{Asked, Step};
use quipu_testkit::sqlite_test;
use serde_json::json;
use std::process::Stdio;
use tokio::process::Command;

/// Runs a program against the server; it says `ok` at its end.
async fn run(app: &TestApp, mut program: Command, key: &str) {
    let done = program
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

/// Python with a script, where there is one.
fn python(script: &str) -> Option<Command> {
    let mut program = Command::new(installed("QUIPU_TEST_PYTHON")?);
    program.arg("-c").arg(script);
    Some(program)
}

/// Node with a script, where there is one, in the folder whose packages it may use.
fn node(script: &str) -> Option<Command> {
    let folder = installed("QUIPU_TEST_NODE")?;
    let mut program = Command::new("node");
    let arguments = ["--input-type=module", "--eval", script];
    program.args(arguments).current_dir(folder);
    Some(program)
}

fn installed(variable: &str) -> Option<String> {
    let found = std::env::var(variable).ok();
    if found.is_none() {
        eprintln!("SKIPPED: {variable} is not set (use `make test`)");
    }
    found
}

/// What the model of the agent says to those who ask for a price or to open a door.
fn prices_and_doors() -> [Step; 4] {
    let said = |asked: &Asked, word: &str| {
        let mut messages = asked.body["messages"].as_array().into_iter().flatten();
        messages.any(|message| message["role"] == "user" && message.to_string().contains(word))
    };
    let ended = |asked: &Asked, role: &str| {
        let messages = asked.body["messages"].as_array();
        messages
            .and_then(|all| all.last())
            .is_some_and(|last| last["role"] == role)
    };
    [
        Step::calls(&[("get_service_info", r#"{"service_name":"limpieza"}"#)])
            .when(move |asked| said(asked, "limpieza") && ended(asked, "user"))
            .always(),
        Step::says("Cuesta {{tool.get_service_info.price_range}}. ¿Te agendo?")
            .when(move |asked| said(asked, "limpieza") && ended(asked, "tool"))
            .always(),
        Step::calls(&[("open_door", r#"{"door":"principal"}"#)])
            .when(move |asked| said(asked, "puerta") && ended(asked, "user"))
            .always(),
        Step::says("La puerta está abierta.")
            .when(move |asked| said(asked, "puerta") && ended(asked, "tool"))
            .always(),
    ]
}

sqlite_test! {
    async fn the_python_client_of_openai_gets_embeddings(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let key = app.api_key(&tenant, &[Permission::KnowledgeRead]).await;
        if let Some(program) = python(include_str!("clients/openai_embeddings.py")) {
            run(&app, program, &key).await;
        }
    }

    async fn the_python_client_of_openai_talks_to_an_agent(db) {
        let talk = Talk::open(db, prices_and_doors()).await;
        if let Some(program) = python(include_str!("clients/openai_chat.py")) {
            run(&talk.app, program, talk.client.token()).await;
        }
    }

    async fn the_responses_of_openais_client_are_those_of_an_agent(db) {
        let talk = Talk::open(db, prices_and_doors()).await;
        if let Some(program) = python(include_str!("clients/openai_responses.py")) {
            run(&talk.app, program, talk.client.token()).await;
        }
    }

    async fn the_ai_sdk_of_vercel_talks_to_an_agent(db) {
        let talk = Talk::open(db, prices_and_doors()).await;
        if let Some(program) = node(include_str!("clients/vercel_ai.mjs")) {
            run(&talk.app, program, talk.client.token()).await;
        }
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
        if let Some(program) = python(include_str!("clients/mcp_agent.py")) {
            run(&app, program, &key).await;
        }
    }
}
