//! A business whose own n8n answers.

use super::{ChannelLine, rosa};
use crate::harness::{Reply, eventually, make_lead};
use quipu_channels::signature::{WebhookHeaders, is_webhook_signature};
use quipu_server::demo::DEMO;
use quipu_simulator::{CustomerWrites, N8nAnswer, N8nReceived};
use quipu_testkit::{TestDatabase, db_test, sqlite_test};
use serde_json::{Value, json};
use std::time::Duration;

const SECRET: &str = "un secreto compartido y largo";
const FLOW: &str = "flujo";
/// What n8n is sent of a message, in the order of the alphabet.
const FIELDS: [&str; 13] = [
    "agentId",
    "agentName",
    "companyName",
    "conversationHistory",
    "conversationId",
    "currentDate",
    "currentTime",
    "historyCount",
    "leadId",
    "leadName",
    "message",
    "projectId",
    "systemInstructions",
];
const SETTINGS: &str = "/api/v1/n8n";

/// The clinic, whose customers are answered by a workflow.
async fn open(db: TestDatabase) -> ChannelLine {
    let line = ChannelLine::open(db).await;
    let path = "/api/v1/secrets/n8n_shared_secret";
    line.admin
        .put(path, json!({ "value": SECRET }))
        .await
        .ok(200);
    line.admin.put(SETTINGS, settings(&line)).await.ok(200);
    line
}

fn settings(line: &ChannelLine) -> Value {
    json!({ "enabled": true, "webhook_url": format!("{}/n8n/{FLOW}", line.simulator.url()) })
}

/// Writes as a customer, and waits until n8n was asked so often.
async fn asks(line: &ChannelLine, text: &str, times: usize) -> N8nReceived {
    line.deliver(&rosa(), CustomerWrites::text(text)).await;
    let asked = eventually("a question to n8n", async || {
        let received = line.simulator.n8n_received(FLOW);
        received.get(times - 1).cloned()
    })
    .await;
    line.rest().await;
    asked
}

async fn n8n(line: &ChannelLine, path: &str, body: Value) -> Reply {
    let client = line.app.stranger().with("x-n8n-secret", SECRET);
    client.post(path, body).await
}

async fn responds(line: &ChannelLine, asked: &N8nReceived, more: &Value) -> Reply {
    let mut body = json!({
        "projectId": asked.body["projectId"],
        "conversationId": asked.body["conversationId"],
        "response": "Abrimos a las ocho.",
    });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    n8n(line, "/api/ai/respond", body).await
}

/// What was sent to the customer, when nothing more is to come of what has happened so far.
async fn texts(line: &ChannelLine) -> Vec<String> {
    eventually("the end of waiting for n8n", async || {
        let jobs = line.admin.get("/api/v1/jobs?limit=200").await.ok(200);
        let now = line.app.now().to_string();
        let still_waits = |job: &Value| {
            let unfinished = matches!(job["status"].as_str(), Some("queued" | "running"));
            unfinished
                && job["kind"] == "n8n_fallback"
                && job["run_at"].as_str().unwrap() <= now.as_str()
        };
        let jobs = jobs["data"].as_array().unwrap();
        (!jobs.iter().any(still_waits)).then_some(())
    })
    .await;
    line.rest().await;
    let sent = line.sent_to(&rosa()).into_iter();
    sent.filter_map(|sent| sent.text).collect()
}

db_test! {
    async fn what_a_customer_writes_is_asked_field_by_field(db) {
        let line = open(db).await;
        let asked = asks(&line, "a qué hora abren?", 1).await;
        let body = asked.body.as_object().unwrap();
        let mut names: Vec<&str> = body.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, FIELDS);
        let tenant = line.admin.get("/api/v1/tenant").await.ok(200);
        let conversation = line.conversation().await;
        assert_eq!(body["projectId"], tenant["id"]);
        assert_eq!(body["conversationId"], conversation["id"]);
        assert_eq!(body["leadId"], conversation["lead_id"]);
        assert_eq!(body["agentId"], conversation["agent_id"]);
        assert_eq!(body["leadName"], "Rosa Quispe");
        assert_eq!(body["message"], "a qué hora abren?");
        assert_eq!(body["conversationHistory"], json!([]));
        assert_eq!(body["historyCount"], 0);
        assert_eq!(body["currentDate"], "martes, 17 de marzo de 2026");
        assert_eq!(body["currentTime"], "09:00 a. m.");
        assert!(body["agentName"].is_string() && body["companyName"].is_string());
        assert_eq!(asked.headers["x-n8n-secret"], SECRET);
        let headers = WebhookHeaders {
            id: asked.headers["webhook-id"].clone(),
            timestamp: asked.headers["webhook-timestamp"].parse().unwrap(),
            signature: asked.headers["webhook-signature"].clone(),
        };
        assert!(is_webhook_signature(SECRET, &headers, line.app.now(), asked.raw_body.as_bytes()));
        assert!(texts(&line).await.is_empty(), "the agent answered too");

        let said = responds(&line, &asked, &json!({ "suggestedTemperature": "hot" })).await.ok(200);
        assert_eq!(said["success"], true);
        assert_eq!(texts(&line).await, ["Abrimos a las ocho."]);
        let lead = line.admin.get(&format!("/api/v1/leads/{}", body["leadId"].as_str().unwrap())).await.ok(200);
        assert_eq!(lead["temperature"], "hot");
        let next = asks(&line, "y los sábados?", 2).await;
        assert_eq!(next.body["conversationHistory"], json!([
            { "role": "user", "content": "a qué hora abren?" },
            { "role": "assistant", "content": "Abrimos a las ocho." },
        ]));
        assert_eq!(next.body["historyCount"], 2);
        // Who has answered is not answered for.
        responds(&line, &next, &json!({ "response": "A las nueve. [TEMPERATURA: COLD]" })).await.ok(200);
        line.app.clock.advance(Duration::from_secs(21));
        assert_eq!(texts(&line).await, ["Abrimos a las ocho.", "A las nueve."]);
        let lead = line.admin.get(&format!("/api/v1/leads/{}", body["leadId"].as_str().unwrap())).await.ok(200);
        assert_eq!(lead["temperature"], "cold");
    }

    async fn the_agent_answers_where_n8n_does_not_take_the_question(db) {
        let line = open(db).await;
        let broken = N8nAnswer { status: 500, ..N8nAnswer::default() };
        line.simulator.n8n_answers(FLOW, Some(broken));
        let answer = line.says(&rosa(), "a qué hora abren?").await;
        assert!(!answer.is_empty());
        assert_eq!(line.simulator.n8n_received(FLOW).len(), 1);
        // Nobody listens there.
        let nowhere = json!({ "enabled": true, "webhook_url": "http://127.0.0.1:9/webhook" });
        line.admin.put(SETTINGS, nowhere).await.ok(200);
        let answer = line.says(&rosa(), "y los sábados?").await;
        assert!(!answer.is_empty());
    }

    async fn the_agent_answers_where_n8n_is_silent(db) {
        let line = open(db).await;
        let asked = asks(&line, "a qué hora abren?", 1).await;
        line.app.clock.advance(Duration::from_secs(10));
        assert!(texts(&line).await.is_empty());
        // What is asked later has its own time.
        asks(&line, "cuánto cuesta la limpieza dental?", 2).await;
        line.app.clock.advance(Duration::from_secs(11));
        assert!(texts(&line).await.is_empty(), "n8n has time for the second question");
        line.app.clock.advance(Duration::from_secs(10));
        let answer = eventually("the answer of the agent", async || {
            texts(&line).await.into_iter().next()
        });
        let answer = answer.await;
        assert!(answer.contains("S/"), "{answer}");
        // Then n8n is too late.
        responds(&line, &asked, &json!({})).await.refused(409, "ANSWERED_MEANWHILE");
        assert_eq!(texts(&line).await.len(), 1);
    }

    async fn nobody_talks_over_a_person(db) {
        let line = open(db).await;
        let asked = asks(&line, "a qué hora abren?", 1).await;
        let conversation = asked.body["conversationId"].as_str().unwrap();
        let path = format!("/api/v1/conversations/{conversation}/messages");
        line.admin.post(&path, json!({ "role": "human", "text": "Le escribe Carla" })).await.ok(201);
        responds(&line, &asked, &json!({})).await.refused(409, "HANDOFF_STATE");
        let message = json!({ "projectId": DEMO.slug, "conversationId": conversation, "message": "hola" });
        n8n(&line, "/api/whatsapp/send", message).await.refused(409, "HANDOFF_STATE");
        line.app.clock.advance(Duration::from_secs(21));
        assert_eq!(texts(&line).await, ["Le escribe Carla"]);
    }

    async fn another_tenants_secret_opens_nothing(db) {
        let line = open(db).await;
        let asked = asks(&line, "a qué hora abren?", 1).await;
        let other = line.app.tenant("otra").await;
        let theirs = "otro secreto compartido y largo";
        let path = "/api/v1/secrets/n8n_shared_secret";
        other.admin.client.put(path, json!({ "value": theirs })).await.ok(200);
        let intruder = line.app.stranger().with("x-n8n-secret", theirs);
        let body = |project: &str| json!({
            "projectId": project,
            "conversationId": asked.body["conversationId"],
            "response": "hola",
        });
        intruder.post("/api/ai/respond", body(DEMO.slug)).await.refused(401, "UNAUTHENTICATED");
        intruder.post("/api/ai/respond", body("otra")).await.refused(404, "NOT_FOUND");
        let message = |project: &str| json!({
            "projectId": project, "leadId": asked.body["leadId"], "message": "hola",
        });
        intruder.post("/api/whatsapp/send", message(DEMO.slug)).await.refused(401, "UNAUTHENTICATED");
        intruder.post("/api/whatsapp/send", message("otra")).await.refused(404, "NOT_FOUND");
        line.app.stranger().post("/api/ai/respond", body(DEMO.slug)).await.refused(401, "UNAUTHENTICATED");
        assert!(texts(&line).await.is_empty());
    }

    async fn a_text_is_sent_once_however_often_it_comes(db) {
        let line = open(db).await;
        let asked = asks(&line, "a qué hora abren?", 1).await;
        let message = json!({
            "projectId": asked.body["projectId"],
            "leadId": asked.body["leadId"],
            "agentId": asked.body["agentId"],
            "message": "A las ocho.\n[TEMPERATURA: WARM]",
            "suggestedTemperature": null,
            "messageId": "corrida-1",
        });
        let first = n8n(&line, "/api/whatsapp/send", message.clone()).await.ok(200);
        let second = n8n(&line, "/api/whatsapp/send", message).await.ok(200);
        assert_eq!(first, second);
        let more = json!({ "messageId": "corrida-2", "response": "¿Algo más?" });
        let first = responds(&line, &asked, &more).await.ok(200);
        assert_eq!(first, responds(&line, &asked, &more).await.ok(200));
        assert_eq!(texts(&line).await, ["A las ocho.", "¿Algo más?"]);
        let lead = asked.body["leadId"].as_str().unwrap();
        let lead = line.admin.get(&format!("/api/v1/leads/{lead}")).await.ok(200);
        assert_eq!(lead["temperature"], "warm");
        // It was answered, so that the agent says nothing.
        line.app.clock.advance(Duration::from_secs(21));
        assert_eq!(texts(&line).await.len(), 2);
    }
}

/// What the workflow reads of a message is what a message has, and each of its nodes leads to another.
#[test]
fn the_workflow_reads_what_is_sent() {
    let folder = quipu_testkit::package_folder(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(folder.join("../../docs/n8n/quipu-workflow.json")).unwrap();
    let workflow: Value = serde_json::from_str(&text).unwrap();
    let nodes = workflow["nodes"].as_array().unwrap();
    let names: Vec<&str> = nodes
        .iter()
        .map(|node| node["name"].as_str().unwrap())
        .collect();
    for (from, to) in workflow["connections"].as_object().unwrap() {
        assert!(names.contains(&from.as_str()), "{from}");
        let to = to["main"][0][0]["node"].as_str().unwrap();
        assert!(names.contains(&to), "{to}");
    }
    for read in text.split(".body.").skip(1) {
        let field = read.split(|c: char| !c.is_alphanumeric()).next().unwrap();
        assert!(FIELDS.contains(&field), "nobody sends {field}");
    }
    for needed in ["/api/rag/search", "/api/ai/respond", "X-N8N-Secret"] {
        assert!(text.contains(needed), "{needed}");
    }
}

sqlite_test! {
    async fn without_a_fallback_nobody_answers(db) {
        let line = open(db).await;
        let mut quiet = settings(&line);
        quiet["fallback"] = json!(false);
        line.admin.put(SETTINGS, quiet).await.ok(200);
        asks(&line, "a qué hora abren?", 1).await;
        line.app.clock.advance(Duration::from_secs(61));
        assert!(texts(&line).await.is_empty());
    }

    async fn n8n_is_asked_only_when_it_can_say_who_it_is(db) {
        let line = ChannelLine::open(db).await;
        let usual = line.admin.get(SETTINGS).await.ok(200);
        let expected = json!({
            "enabled": false, "webhook_url": null, "timeout_seconds": 20, "fallback": true,
        });
        assert_eq!(usual, expected);
        line.admin.put(SETTINGS, settings(&line)).await.refused(409, "N8N_SECRET_REQUIRED");
        line.admin.put(SETTINGS, json!({ "enabled": true })).await.refused(422, "VALIDATION_FAILED");
        let hasty = json!({ "enabled": false, "timeout_seconds": 2 });
        line.admin.put(SETTINGS, hasty).await.refused(422, "VALIDATION_FAILED");
        let answer = line.says(&rosa(), "a qué hora abren?").await;
        assert!(!answer.is_empty());
        assert!(line.simulator.n8n_received(FLOW).is_empty());
    }

    async fn whom_no_whatsapp_reaches_is_not_written_to(db) {
        let line = open(db).await;
        let lead = make_lead(&line.admin, "Sin teléfono").await;
        let message = json!({ "projectId": DEMO.slug, "leadId": lead["id"], "message": "hola" });
        n8n(&line, "/api/whatsapp/send", message).await.refused(409, "CHANNEL_NOT_CONNECTED");
        let nobody = json!({ "projectId": DEMO.slug, "message": "hola" });
        n8n(&line, "/api/whatsapp/send", nobody).await.refused(422, "VALIDATION_FAILED");
        let asked = asks(&line, "hola", 1).await;
        let odd = json!({ "suggestedTemperature": "tibio" });
        responds(&line, &asked, &odd).await.refused(422, "VALIDATION_FAILED");
        line.app.clock.advance(Duration::from_hours(25));
        let late = n8n(&line, "/api/whatsapp/send", json!({
            "projectId": DEMO.slug, "leadId": asked.body["leadId"], "message": "¿Sigue ahí?",
        }));
        late.await.refused(409, "CHANNEL_WINDOW_CLOSED");
    }
}
