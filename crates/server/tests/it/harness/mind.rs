//! What is kept around an agent's answers.

use super::{Client, Tenant, TestApp, eventually, id};
use quipu_core::agent::{Intent, Specialist};
use quipu_core::chat::Usage;
use quipu_core::learning::Lesson;
use quipu_core::turn::{NewTurn, Trace};
use quipu_core::{AgentId, TurnId};
use serde_json::{Value, json};

/// A turn of nobody in particular, as an agent leaves it behind.
pub(crate) fn a_turn(app: &TestApp, agent: &Value, question: &str) -> NewTurn {
    NewTurn {
        id: TurnId::generate(app.now()),
        agent_id: id(agent).parse::<AgentId>().unwrap(),
        conversation_id: None,
        lead_id: None,
        owner: None,
        actor: "system".to_owned(),
        variant: None,
        intent: Intent::Faq,
        specialist: Specialist::Faq,
        responder: "builtin".to_owned(),
        grounded: true,
        degraded: false,
        escalated: false,
        cost: Some(100),
        question: question.to_owned(),
        answer: format!("Respuesta a {question}"),
        trace: Trace {
            usage: Usage {
                input_tokens: 80,
                output_tokens: 20,
                ..Usage::default()
            },
            elapsed_us: 2_000,
            ..Trace::default()
        },
    }
}

/// The same in a conversation with its customer.
pub(crate) fn a_turn_with(app: &TestApp, agent: &Value, conversation: &Value) -> NewTurn {
    let text = |name: &str| conversation[name].as_str().unwrap().to_owned();
    NewTurn {
        conversation_id: Some(text("id").parse().unwrap()),
        lead_id: Some(text("lead_id").parse().unwrap()),
        ..a_turn(app, agent, "¿Atienden los domingos?")
    }
}

pub(crate) async fn keep_turn(app: &TestApp, tenant: &Tenant, turn: &NewTurn) -> String {
    let tx = app.app.store.begin(tenant.scope()).await.unwrap();
    tx.turns().insert(turn).await.unwrap();
    tx.commit().await.unwrap();
    turn.id.to_string()
}

/// Something that a person answered in a conversation, for somebody to approve.
pub(crate) async fn keep_lesson(app: &TestApp, tenant: &Tenant, conversation: &Value) -> String {
    let tx = app.app.store.begin(tenant.scope()).await.unwrap();
    let conversation = id(conversation).parse().unwrap();
    let found = tx.conversations().find(conversation).await;
    let found = found.unwrap().unwrap();
    let lesson = Lesson {
        question: format!("¿Qué hay en {}?", tenant.slug),
        answer: format!("Lo que {} dice.", tenant.slug),
    };
    let kept = tx.learned_answers().insert(&found, &lesson).await.unwrap();
    tx.commit().await.unwrap();
    kept.to_string()
}

/// What stands in the paths of rehearsals.
#[derive(Clone, Debug)]
pub(crate) struct RehearsalIds {
    pub(crate) script: String,
    pub(crate) run: String,
    pub(crate) result: String,
}

impl RehearsalIds {
    pub(super) fn of_nothing() -> Self {
        let nothing = || uuid::Uuid::now_v7().to_string();
        Self {
            script: nothing(),
            run: nothing(),
            result: nothing(),
        }
    }

    /// A script and a rehearsal in a tenant that was played to its end.
    pub(super) async fn made(tenant: &Tenant, agent: &Value) -> Self {
        let client = &tenant.admin.client;
        let path = format!("/api/v1/agents/{}/rehearsals", id(agent));
        let name = format!("Guion de {}", tenant.slug);
        let script = json!({ "name": name, "steps": [{ "message": name }] });
        let script = client
            .post(&format!("{path}/scripts"), script)
            .await
            .ok(201);
        let run = rehearsed(client, &path, json!({ "all_scripts": true })).await;
        let results = client.get(&format!("{path}/{}/results", id(&run))).await;
        Self {
            script: id(&script),
            run: id(&run),
            result: id(&results.ok(200)["data"][0]),
        }
    }
}

/// Orders a rehearsal and waits for its end.
pub(crate) async fn rehearsed(client: &Client, path: &str, body: Value) -> Value {
    let run = client.post(path, body).await.ok(202);
    let path = format!("{path}/{}", id(&run));
    eventually("the end of the rehearsal", async || {
        let run = client.get(&path).await.ok(200);
        let ended = !matches!(run["state"].as_str(), Some("queued" | "running"));
        ended.then_some(run)
    })
    .await
}
