//! Instructions, and the few places in every prompt.

use crate::harness::{Client, Content, TestApp, ask, eventually, id, make_agent};
use futures::future::join_all;
use quipu_testkit::{db_test, sqlite_test};
use reqwest::Method;
use serde_json::{Value, json};
use std::fmt::Write as _;

const INSTRUCTIONS: &str = "/api/v1/instructions";

fn one(made: &Value) -> String {
    format!("{INSTRUCTIONS}/{}", id(made))
}

async fn make(client: &Client, title: &str, in_prompt: bool) -> Value {
    let body = json!({
        "type": "rule", "title": title, "content": "Saluda siempre por el nombre.",
        "include_in_prompt": in_prompt,
    });
    client.post(INSTRUCTIONS, body).await.ok(201)
}

async fn statistics(client: &Client) -> Value {
    client
        .get(&format!("{INSTRUCTIONS}/statistics"))
        .await
        .ok(200)
}

db_test! {
    async fn of_twenty_at_once_five_get_a_place(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("clinica").await.admin.client;
        let mut made = Vec::new();
        for number in 0..20 {
            made.push(make(&client, &format!("Instrucción {number}"), false).await);
        }
        let on = json!({ "include_in_prompt": true });
        let tried = join_all(made.iter().map(async |one_of| client.patch(&one(one_of), on.clone()).await)).await;
        assert_eq!(tried.iter().filter(|reply| reply.status == 200).count(), 5);
        for reply in tried.iter().filter(|reply| reply.status != 200) {
            let error = reply.refused(409, "PROMPT_FULL");
            assert_eq!((&error["details"]["limit"], &error["details"]["count"]), (&json!(5), &json!(5)));
        }
        let told = statistics(&client).await;
        assert_eq!((&told["in_prompt"], &told["can_include_more"]), (&json!(5), &json!(false)), "{told}");
        let listed = client.get(&format!("{INSTRUCTIONS}?limit=200")).await.ok(200);
        let listed = listed["data"].as_array().unwrap();
        assert_eq!(listed.iter().filter(|one| one["include_in_prompt"] == true).count(), 5);
        // New ones at once find no place either, and are not made.
        let created = join_all((0..8).map(|number| {
            let body = json!({ "type": "tone", "title": format!("Otra {number}"), "content": "x", "include_in_prompt": true });
            client.post(INSTRUCTIONS, body)
        })).await;
        assert!(created.iter().all(|reply| reply.status == 409));
        assert_eq!(statistics(&client).await["total"], 20);
        // Another tenant has places of its own.
        let other = app.tenant("otra").await.admin.client;
        make(&other, "Propia", true).await;
        assert_eq!(statistics(&other).await["in_prompt"], 1);
    }
}

sqlite_test! {
    async fn tokens_are_shared_and_places_come_back(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("clinica").await.admin.client;
        let words = |count: usize| "hola ".repeat(count);
        let body = |title: &str, count: usize| json!({
            "type": "restriction", "title": title, "content": words(count), "include_in_prompt": true, "priority": 9,
        });
        let long = client.post(INSTRUCTIONS, body("Larga", 200)).await.ok(201);
        let used = statistics(&client).await["prompt_tokens"].as_u64().unwrap();
        assert!((200..=202).contains(&used), "{used}");
        let error = client.post(INSTRUCTIONS, body("Otra", 150)).await.refused(409, "PROMPT_TOKENS_EXCEEDED");
        assert_eq!((&error["details"]["limit"], &error["details"]["tokens"]), (&json!(300), &json!(used)));
        assert!(error["message"].as_str().unwrap().contains("300"), "{error}");
        let english = client.with("accept-language", "en");
        let error = english.post(INSTRUCTIONS, body("Otra", 150)).await.refused(409, "PROMPT_TOKENS_EXCEEDED");
        assert!(error["message"].as_str().unwrap().starts_with("The instructions in the prompt"), "{error}");
        // Whoever has a place may grow as far as there is room, and no further.
        client.patch(&one(&long), json!({ "content": words(400) })).await.refused(409, "PROMPT_TOKENS_EXCEEDED");
        client.patch(&one(&long), json!({ "content": words(290) })).await.ok(200);
        client.patch(&one(&long), json!({ "content": words(10) })).await.ok(200);
        let other = client.post(INSTRUCTIONS, body("Otra", 150)).await.ok(201);
        let in_prompt = async || statistics(&client).await["in_prompt"].as_u64().unwrap();
        assert_eq!(in_prompt().await, 2);
        // Switching off, deactivating and deleting each give the place back.
        client.patch(&one(&long), json!({ "include_in_prompt": false })).await.ok(200);
        assert_eq!(in_prompt().await, 1);
        let resting = client.patch(&one(&other), json!({ "active": false })).await.ok(200);
        assert_eq!((&resting["include_in_prompt"], in_prompt().await), (&json!(false), 0));
        client.patch(&one(&other), json!({ "active": true })).await.ok(200);
        assert_eq!(in_prompt().await, 0);
        client.patch(&one(&other), json!({ "include_in_prompt": true })).await.ok(200);
        assert_eq!(client.delete(&one(&other)).await.status, 204);
        let left = statistics(&client).await;
        assert_eq!((&left["in_prompt"], &left["prompt_tokens"], &left["prompt_tokens_left"]), (&json!(0), &json!(0), &json!(300)));
        assert_eq!((&left["total"], &left["by_type"]["restriction"], &left["by_type"]["tone"]), (&json!(1), &json!(1), &json!(0)));
        for wrong in [
            json!({ "type": "rule", "title": "x", "content": "y", "priority": 11 }),
            json!({ "type": "rule", "title": "x", "content": "y", "priority": 0 }),
            json!({ "type": "rule", "title": "x", "content": "z".repeat(4_001) }),
            json!({ "type": "rule", "title": "", "content": "y" }),
        ] {
            client.post(INSTRUCTIONS, wrong).await.refused(422, "VALIDATION_FAILED");
        }
        client.post(INSTRUCTIONS, json!({ "type": "order", "title": "x", "content": "y" })).await.refused(400, "INVALID_JSON");
    }

    async fn what_is_said_of_a_branch_rests_when_it_is_gone(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("clinica").await.admin.client;
        let branch = client.post("/api/v1/branches", json!({ "name": "Centro" })).await.ok(201);
        let body = json!({
            "type": "behavior", "title": "Centro", "content": "Aquí no hay elevador.",
            "branch_id": branch["id"], "include_in_prompt": true,
        });
        let made = client.post(INSTRUCTIONS, body).await.ok(201);
        assert_eq!(client.delete(&format!("/api/v1/branches/{}", id(&branch))).await.status, 204);
        let resting = client.get(&one(&made)).await.ok(200);
        assert_eq!((&resting["branch_id"], &resting["active"], &resting["include_in_prompt"]), (&Value::Null, &json!(false), &json!(false)));
        assert_eq!(statistics(&client).await["in_prompt"], 0);
    }

    async fn instructions_come_and_go_as_a_table(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("clinica").await.admin.client;
        client.post("/api/v1/branches", json!({ "name": "Centro" })).await.ok(201);
        make(&client, "Ya estaba", true).await;
        let mut table = "Título;Tipo;Contenido;Prioridad;Sucursal;En el prompt;Activo\n\
             Descuentos;restricción;No ofrezcas descuentos.;9;;no;sí\n\
             Saludo;tono;Saluda con calidez.;3;Centro;no;\n\
             Mal tipo;orden;x;1;;;\n\
             Mala sucursal;regla;x;1;Norte;;\n".to_owned();
        for number in 0..5 {
            let _ = writeln!(table, "Fija {number};regla;Cumple lo prometido.;8;;sí;");
        }
        let import = async |query: &str, table: &str| {
            let path = format!("{INSTRUCTIONS}/import{query}");
            client.call(Method::POST, &path, &Content::Csv(table.to_owned())).await.ok(200)
        };
        for query in ["?dry_run=true", ""] {
            let report = import(query, &table).await;
            // One of the five finds no place beside the one that was there, and is not saved.
            assert_eq!((&report["created"], &report["failed"]), (&json!(6), &json!(3)), "{report}");
            let problems = report["problems"].as_array().unwrap();
            assert!(problems[2]["es"].as_str().unwrap().contains("caben 5"), "{report}");
        }
        let told = statistics(&client).await;
        assert_eq!((&told["total"], &told["in_prompt"]), (&json!(7), &json!(5)), "{told}");
        let listed = client.get(&format!("{INSTRUCTIONS}?limit=200")).await.ok(200);
        let titles: Vec<&str> = listed["data"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect();
        assert!(!titles.contains(&"Fija 4"), "{titles:?}");
        // What is important and has no place is proposed, and not switched on.
        let exported = client.get(&format!("{INSTRUCTIONS}/export")).await.text;
        let again = import("", &exported).await;
        assert_eq!((&again["unchanged"], &again["failed"]), (&json!(7), &json!(0)), "{again}\n{exported}");
        let proposed = again["proposed_for_prompt"].as_array().unwrap();
        assert_eq!(proposed.len(), 1, "{again}");
        assert_eq!((&proposed[0]["title"], &proposed[0]["priority"]), (&json!("Descuentos"), &json!(9)));
        assert!(proposed[0]["tokens"].as_u64().unwrap() > 2, "{again}");
        assert_eq!(statistics(&client).await["in_prompt"], 5);
        let faqs = Content::Csv("pregunta,respuesta\n¿a?,b\n".to_owned());
        let report = client.call(Method::POST, "/api/v1/faqs/import", &faqs).await.ok(200);
        assert_eq!(report["proposed_for_prompt"], json!([]));
    }
}

db_test! {
    async fn instructions_are_found_and_never_quoted(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("clinica").await.admin.client;
        let agent = id(&make_agent(&client, "Maya").await);
        let body = json!({
            "type": "restriction", "title": "Garantía de coronas",
            "content": "No digas que la garantía de las coronas de zirconia cubre solo catorce meses.",
        });
        client.post(INSTRUCTIONS, body).await.ok(201);
        let question = "¿cuánto cubre la garantía de las coronas de zirconia?";
        let path = format!("/api/v1/agents/{agent}/search");
        eventually("the instruction", async || {
            let found = client.post(&path, json!({ "query": question })).await.ok(200);
            found.to_string().contains("catorce meses").then_some(())
        })
        .await;
        let answer = ask(&client, &agent, question).await;
        assert!(!answer.to_string().contains("catorce"), "{answer}");
    }
}

sqlite_test! {
    async fn the_long_prompt_is_wanted_by_each_tenant_for_itself(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (own, other) = (app.tenant("uno").await.admin.client, app.tenant("dos").await.admin.client);
        let path = "/api/v1/business/prompting";
        assert_eq!(own.get(path).await.ok(200), json!({ "legacy_prompt": false }));
        own.put(path, json!({ "legacy_prompt": true })).await.ok(200);
        assert_eq!(own.get(path).await.ok(200), json!({ "legacy_prompt": true }));
        assert_eq!(other.get(path).await.ok(200), json!({ "legacy_prompt": false }));
        own.put(path, json!({ "legacy": true })).await.refused(400, "INVALID_JSON");
        own.put(path, json!({})).await.ok(200);
        assert_eq!(own.get(path).await.ok(200), json!({ "legacy_prompt": false }));
    }
}
