//! How long a customer waits for a model that does not answer, and who answers in its place.

use super::{Talk, said, steps};
use crate::harness::eventually;
use quipu_testkit::model::Step;
use quipu_testkit::{TestDatabase, db_test};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const QUESTION: &str = "¿Qué me recomiendan para la sensibilidad?";
const PRICE: &str = "¿cuánto cuesta la limpieza dental?";

/// All that is kept of the only conversation there is, oldest first.
async fn kept(talk: &Talk) -> Vec<(String, String)> {
    let listed = talk.admin.get("/api/v1/conversations").await.ok(200);
    let id = listed["data"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/conversations/{id}/messages");
    let messages = talk.admin.get(&path).await.ok(200);
    let messages = messages["data"].as_array().unwrap().clone();
    let told = messages.iter().map(|message| {
        let text = |name: &str| message[name].as_str().unwrap_or_default().to_owned();
        (text("role"), text("text"))
    });
    told.collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_stands_behind_a_model_that_hangs_answers_while_somebody_waits() {
    let request = Duration::from_secs(8);
    let script = [
        Step::hangs()
            .when(|asked| asked.model() == "modelo")
            .always(),
        Step::says("Con gusto le ayudo.").when(|asked| asked.model() == "otro"),
        Step::hangs().when(|asked| asked.model() == "otro").always(),
    ];
    let talk = Talk::open_with(TestDatabase::sqlite(), script, |options, _| {
        options.config.server.request_timeout_seconds = request.as_secs();
    })
    .await;
    talk.set(json!({ "fallback_model": talk.config("otro") }))
        .await;
    let began = Instant::now();
    let answer = talk.ask(QUESTION).await;
    assert!(began.elapsed() < request, "{:?}", began.elapsed());
    assert_eq!(answer["model"], "openai_compatible/otro", "{answer}");
    assert_eq!(said(&answer), "Con gusto le ayudo.");
    let told = kept(&talk).await;
    assert_eq!(told.last().unwrap().1, "Con gusto le ayudo.", "{told:?}");

    // The product itself is the last who answers, and it is still heard.
    let began = Instant::now();
    let answer = talk.ask(PRICE).await;
    assert!(began.elapsed() < request, "{:?}", began.elapsed());
    assert!(said(&answer).contains("S/ 120"), "{answer}");
    assert_eq!(
        (&answer["model"], &answer["degraded"]),
        (&json!("builtin"), &json!(true))
    );
    let turn = talk.trace(&answer).await;
    assert_eq!(steps(&turn, "fallback").len(), 1, "{turn}");
}

db_test! {
    async fn what_nobody_could_receive_is_not_kept_as_said(db) {
        let late = Step::says("Tarde pero seguro.").after(Duration::from_secs(2));
        let talk = Talk::open(db, [late, Step::says("Aquí estoy.").always()]).await;
        let body = json!({
            "messages": [{ "role": "user", "content": QUESTION }],
            "stream": false,
            "user": "visitante",
        });
        let request = talk.client.request(reqwest::Method::POST, "/api/agents/maya/chat");
        let request = request.json(&body).timeout(Duration::from_millis(700));
        assert!(request.send().await.is_err(), "the customer left");
        // The turn is kept with its answer, for whoever wonders what became of it.
        let turn = eventually("the turn", async || {
            let turns = talk.admin.get("/api/v1/turns").await.ok(200);
            turns["data"].get(0).cloned()
        })
        .await;
        assert_eq!(turn["answer"], "Tarde pero seguro.", "{turn}");
        let path = format!("/api/v1/turns/{}", turn["id"].as_str().unwrap());
        let turn: Value = talk.admin.get(&path).await.ok(200);
        let told = kept(&talk).await;
        assert_eq!(told.len(), 1, "{told:?}");
        assert_eq!(told[0].0, "user");
        assert_eq!(steps(&turn, "unreceived").len(), 1, "{turn}");
        // Asked again, the agent does not take for said what was not.
        let answer = talk.ask(QUESTION).await;
        assert_eq!(said(&answer), "Aquí estoy.");
        let asked = talk.model.requests();
        assert!(!asked.last().unwrap().body.to_string().contains("Tarde pero"));
    }
}
