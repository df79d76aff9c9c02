//! The whole way, as a new customer walks it.

use crate::harness::{Client, TestApp, all_pages, ask, completed, eventually, id, make_agent};
use quipu_testkit::db_test;
use serde_json::{Value, json};
use std::collections::HashSet;

const TEXT: &str = "Taquería El Farolito.\n\nAbrimos de martes a domingo, de 1:00 p. m. a 11:00 p. m. \
    Los lunes cerramos por descanso.\n\nLos tacos al pastor cuestan 25 pesos cada uno y la orden \
    de cinco, 110 pesos. ¡El agua de jamaica es gratis con cada orden! Aceptamos efectivo y \
    tarjeta, pero no cheques. El estacionamiento está a la vuelta, en la calle Niño Perdido.";

db_test! {
    async fn from_an_empty_platform_to_an_honest_answer(db) {
        let app = TestApp::start(db).await;
        let root = app.super_admin().await.client;
        let body = json!({ "name": "Taquería El Farolito", "plan": "professional", "time_zone": "America/Mexico_City" });
        let tenant = root.post("/api/v1/tenants", body).await.ok(201);
        assert_eq!(tenant["slug"], "taqueria-el-farolito");
        assert_eq!(tenant["status"], "active");

        let body = json!({ "email": "Rosa@Farolito.test", "name": "Rosa", "role": "admin" });
        let root = root.in_tenant("taqueria-el-farolito");
        let invited = root.post("/api/v1/members", body).await.ok(201);
        assert_eq!(invited["email"], "rosa@farolito.test");
        let token = &invited["invitation"]["reset_token"];
        let password = "tacos de madrugada";
        let body = json!({ "reset_token": token, "password": password });
        app.stranger()
            .post("/api/v1/auth/password/reset", body)
            .await
            .ok(204);
        let body = json!({ "email": "rosa@farolito.test", "password": password });
        let signed_in = app
            .stranger()
            .post("/api/v1/auth/login", body)
            .await
            .ok(200);
        assert_eq!(signed_in["tenants"][0]["role"], "admin");
        let rosa = app.stranger().bearer(signed_in["token"].as_str().unwrap());

        let agent = make_agent(&rosa, "Lupita").await;
        assert_eq!(agent["slug"], "lupita");
        assert_eq!(agent["company_name"], "Taquería El Farolito");
        assert_eq!(agent["active"], true);
        knowledge(&rosa).await;
        answers(&rosa, &agent).await;
        forgets(&rosa).await;
        is_written_down(&rosa).await;
    }

    async fn agents_can_be_changed_and_one_is_active(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("acme").await.admin.client;
        make_agent(&client, "Uno").await;
        let two = make_agent(&client, "Dos").await;
        assert_eq!(two["active"], false);
        let active = async || {
            let listed = client.get("/api/v1/agents").await.ok(200);
            let agents = listed["data"].as_array().unwrap().clone();
            let active = agents.into_iter().filter(|agent| agent["active"] == true);
            active
                .map(|agent| agent["slug"].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(active().await, ["uno"]);
        client.poke("/api/v1/agents/dos/activate").await.ok(200);
        assert_eq!(active().await, ["dos"]);

        let change = json!({ "name": "Second", "slug": "second", "language": "en" });
        let changed = client.patch("/api/v1/agents/dos", change).await.ok(200);
        assert_eq!(
            (&changed["id"], &changed["language"]),
            (&two["id"], &json!("en"))
        );
        client
            .get("/api/v1/agents/dos")
            .await
            .refused(404, "NOT_FOUND");
        client
            .patch("/api/v1/agents/second", json!({ "slug": "uno" }))
            .await
            .refused(409, "ALREADY_EXISTS");
        let answer = ask(&client, "second", "ok").await;
        assert_eq!(answer["language"], "en");
        client.delete("/api/v1/agents/second").await.ok(200);
        client
            .delete("/api/v1/agents/second")
            .await
            .refused(404, "NOT_FOUND");
        assert_eq!(active().await, [""; 0]);
    }

    async fn pages_lose_and_repeat_nothing(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("acme").await.admin.client;
        let mut agents = HashSet::new();
        let mut documents = HashSet::new();
        for i in 0..120 {
            agents.insert(id(&make_agent(&client, &format!("Agente {i}")).await));
            let body = json!({ "content": format!("Texto número {i}.") });
            let added = client
                .post("/api/v1/agents/agente-0/knowledge", body)
                .await
                .ok(202);
            documents.insert(id(&added));
        }
        assert_eq!((agents.len(), documents.len()), (120, 120));
        for (path, expected) in [
            ("/api/v1/agents", &agents),
            ("/api/v1/agents/agente-0/knowledge", &documents),
        ] {
            for limit in [1, 7, 60, 119, 120, 200] {
                let seen = all_pages(&client, path, limit).await;
                let ids: HashSet<String> = seen.iter().map(id).collect();
                assert_eq!(seen.len(), 120, "{path} by {limit}");
                assert_eq!(&ids, expected, "{path} by {limit}");
            }
            let default = client.get(path).await.ok(200);
            assert_eq!(default["data"].as_array().unwrap().len(), 50);
        }
        assert_eq!(all_pages(&client, "/api/v1/jobs", 50).await.len(), 120);
        assert_eq!(
            all_pages(&client, "/api/v1/audit-log", 100).await.len(),
            240
        );
        assert_eq!(
            all_pages(&client, "/api/v1/usage/credits", 30).await.len(),
            121
        );
        // What is added while somebody turns pages does not push anything out of the way.
        let first = client.get("/api/v1/agents?limit=100").await.ok(200);
        app.clock.advance(std::time::Duration::from_secs(1));
        make_agent(&client, "Recién llegado").await;
        let cursor = first["next_cursor"].as_str().unwrap();
        let rest = client
            .get(&format!("/api/v1/agents?limit=100&cursor={cursor}"))
            .await
            .ok(200);
        assert_eq!(rest["data"].as_array().unwrap().len(), 20);
    }
}

/// Adding a text, and what is shown of it.
async fn knowledge(rosa: &Client) {
    let path = "/api/v1/agents/lupita/knowledge";
    let body = json!({ "title": "La taquería", "content": TEXT });
    let added = rosa.post(path, body.clone()).await.ok(202);
    assert_eq!(added["source"], "manual");
    completed(rosa, "lupita", &added).await;
    let again = rosa.post(path, body).await;
    let error = again.refused(409, "DUPLICATE_DOCUMENT");
    assert_eq!(error["details"]["document_id"], added["id"]);

    let listed = rosa.get(path).await.ok(200);
    let documents = listed["data"].as_array().unwrap();
    assert_eq!(documents.len(), 1, "one entry however many chunks");
    let document = &documents[0];
    assert_eq!(document["title"], "La taquería");
    assert_eq!(document["status"], "completed");
    let preview = document["preview"].as_str().unwrap();
    let start: String = TEXT.split_whitespace().collect::<Vec<_>>().join(" ");
    let start: String = start.chars().take(150).collect();
    assert_eq!(preview, format!("{}…", start.trim_end()));
    assert_eq!(document["size_bytes"], TEXT.len());

    let stats = rosa.get(&format!("{path}/stats")).await.ok(200);
    assert_eq!(stats["documents"], 1);
    assert_eq!(stats["chunks"], document["chunks_count"]);
    assert!(stats["chunks"].as_u64().unwrap() >= 1);
    assert_eq!(stats["size_bytes"], TEXT.len());
    assert_eq!(
        (&stats["documents_pending"], &stats["last_queried_at"]),
        (&json!(0), &Value::Null)
    );
}

/// Asking in JSON and as a stream.
async fn answers(rosa: &Client, agent: &Value) {
    let answer = ask(rosa, "lupita", "¿Cuánto cuestan los tacos al pastor?").await;
    let text = answer["message"]["content"].as_str().unwrap();
    assert!(text.contains("25 pesos") && text.contains("[1]"), "{text}");
    assert_eq!(
        (&answer["grounded"], &answer["degraded"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(answer["agent_id"], agent["id"]);
    assert_eq!(answer["message"]["role"], "assistant");
    assert_eq!(answer["language"], "es");

    let characters: Vec<char> = TEXT.chars().collect();
    let citations = answer["citations"].as_array().unwrap();
    assert!(!citations.is_empty());
    for citation in citations {
        let at = |name: &str| usize::try_from(citation[name].as_u64().unwrap()).unwrap();
        let quoted: String = characters[at("start_char")..at("end_char")]
            .iter()
            .collect();
        assert_eq!(citation["quote"], quoted, "the offsets point elsewhere");
        assert_eq!(citation["knowledge_base_id"], agent["knowledge_base_id"]);
        assert!(
            text.contains(&format!("[{}]", citation["number"])),
            "{text}"
        );
    }

    let question = json!([{ "role": "user", "content": "¿Cuánto cuestan los tacos al pastor?" }]);
    let body = json!({ "project_id": "taqueria-el-farolito", "messages": question });
    let stream = rosa.post("/api/agents/lupita/chat", body).await;
    assert!(
        stream
            .header("content-type")
            .starts_with("text/event-stream")
    );
    let events = events(&stream.text);
    let (done, deltas) = events.split_last().unwrap();
    assert!(deltas.iter().all(|(name, _)| name == "delta"), "{events:?}");
    let spoken: String = deltas
        .iter()
        .map(|(_, data)| data["text"].as_str().unwrap())
        .collect();
    assert_eq!((&*done.0, &*spoken), ("done", text));
    // Better vectors may have come in between, by which the same passage is more surely the answer.
    let sources = |answer: &Value| {
        let mut answer = answer.clone();
        answer["turn_id"] = Value::Null;
        for citation in answer["citations"].as_array_mut().unwrap() {
            citation["similarity"] = Value::Null;
        }
        answer
    };
    assert_eq!(
        sources(&done.1),
        sources(&answer),
        "both ways give the same answer"
    );

    let follow_up = json!([
        { "role": "user", "content": "¿Cuánto cuestan los tacos al pastor?" },
        { "role": "assistant", "content": text },
        { "role": "user", "content": "¿Y qué días abren?" },
    ]);
    let body = json!({ "messages": follow_up, "stream": false });
    let answer = rosa.post("/api/agents/lupita/chat", body).await.ok(200);
    assert!(answer.to_string().contains("martes a domingo"), "{answer}");
    let answer = ask(rosa, "lupita", "¿Venden hamburguesas veganas?").await;
    assert_eq!(answer["grounded"], false, "{answer}");

    // What was asked is counted a moment after it was answered.
    let usage = eventually("counting", async || {
        let usage = rosa.get("/api/v1/usage").await.ok(200);
        (usage["counters"]["messages"] == 4).then_some(usage)
    })
    .await;
    eventually("noting when it was searched last", async || {
        let stats = rosa.get("/api/v1/agents/lupita/knowledge/stats").await;
        stats.ok(200)["last_queried_at"].is_string().then_some(())
    })
    .await;
    assert_eq!(usage["counters"]["documents_added"], 1);
}

/// What was deleted is no longer said.
async fn forgets(rosa: &Client) {
    let path = "/api/v1/agents/lupita/knowledge";
    let listed = rosa.get(path).await.ok(200);
    let document = format!("{path}/{}", id(&listed["data"][0]));
    rosa.delete(&document).await.ok(200);
    rosa.get(&document).await.refused(404, "NOT_FOUND");
    let stats = rosa.get(&format!("{path}/stats")).await.ok(200);
    assert_eq!(
        (&stats["documents"], &stats["chunks"]),
        (&json!(0), &json!(0))
    );
    let answer = ask(rosa, "lupita", "¿Cuánto cuestan los tacos al pastor?").await;
    let text = answer["message"]["content"].as_str().unwrap();
    assert!(text.starts_with("No tengo esa información"), "{text}");
    assert_eq!(
        (&answer["grounded"], &answer["citations"]),
        (&json!(false), &json!([]))
    );
}

async fn is_written_down(rosa: &Client) {
    let log = rosa.get("/api/v1/audit-log").await.ok(200);
    let actions: HashSet<&str> = log["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["action"].as_str().unwrap())
        .collect();
    for action in [
        "tenant.create",
        "member.invite",
        "agent.create",
        "knowledge.add",
        "knowledge.delete",
    ] {
        assert!(actions.contains(action), "{action} is not in {actions:?}");
    }
}

/// The events of a stream, by name.
fn events(stream: &str) -> Vec<(String, Value)> {
    let field = |block: &str, name: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(name));
        line.map(|value| value.trim_start().to_owned())
    };
    stream
        .split("\n\n")
        .filter_map(|block| Some((field(block, "event:")?, field(block, "data:")?)))
        .map(|(name, data)| (name, serde_json::from_str(&data).unwrap()))
        .collect()
}
