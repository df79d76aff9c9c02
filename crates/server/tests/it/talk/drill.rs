//! A provider goes down and comes back, while customers keep asking.

use super::{Talk, said, steps};
use crate::harness::eventually;
use quipu_testkit::TestDatabase;
use quipu_testkit::model::{Asked, Dialect, Step};
use serde_json::json;
use std::time::Duration;

const HELLO: &str = "hola, buenas tardes";
/// How long a model is left alone: more than the questions take that find it down.
const REST: Duration = Duration::from_secs(15);

fn for_first(asked: &Asked) -> bool {
    asked.dialect == Dialect::Anthropic
}

/// How many breakers of the provider are in a state, as operators see it.
async fn breakers(talk: &Talk, state: &str) -> u32 {
    let metrics = talk.app.stranger().get("/metrics").await.text;
    let wanted = [
        "quipu_model_breaker_state",
        "\"model/anthropic\"",
        &format!("\"{state}\""),
    ];
    let mut lines = metrics.lines();
    let line = lines.find(|line| wanted.iter().all(|part| line.contains(part)));
    let value = line.and_then(|line| line.rsplit(' ').next());
    value.map_or(0, |value| value.parse().unwrap())
}

fn asked_first(talk: &Talk) -> usize {
    let asked = talk.model.requests();
    asked.iter().filter(|asked| for_first(asked)).count()
}

/// Only this test asks in Anthropic's protocol, because the metrics are those of the whole process.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_model_answers_while_the_first_is_down() {
    let second = Step::says("Hola, soy Maya.").when(|asked| !for_first(asked));
    let down = || {
        Step::status(529, "overloaded_error")
            .when(for_first)
            .always()
    };
    let script = [second.clone().always(), down()];
    let talk = Talk::open_with(TestDatabase::sqlite(), script, |options, model| {
        let models = &mut options.config.models;
        models.anthropic_api_key = "clave".to_owned().into();
        models.anthropic_base_url = model.base(Dialect::Anthropic);
        models.breaker_seconds = REST.as_secs();
    })
    .await;
    let first = json!({ "provider": "anthropic", "model": "primero", "base_url": null });
    talk.set(json!({ "model": first, "fallback_model": talk.config("segundo") }))
        .await;

    // The first is down: the second answers from the first question on, until nobody asks the first.
    let mut questions = 0;
    while breakers(&talk, "open").await == 0 {
        let answer = talk.ask(HELLO).await;
        assert_eq!(answer["model"], "openai_compatible/segundo", "{answer}");
        assert_eq!(said(&answer), "Hola, soy Maya.");
        let turn = talk.trace(&answer).await;
        let skipped = &steps(&turn, "model")[0]["details"]["skipped"][0];
        assert_eq!(skipped["model"], "anthropic/primero", "{turn}");
        // It rests from the fifth failure on, in the middle of a question too.
        let why = skipped["error"].as_str().unwrap();
        let wanted = if questions == 0 { "529" } else { "resting" };
        assert!(why.contains(wanted), "{skipped}");
        questions += 1;
        assert!(questions <= 6, "nothing opened the breaker");
    }
    let before = asked_first(&talk);
    let answer = talk.ask(HELLO).await;
    assert_eq!(answer["model"], "openai_compatible/segundo");
    assert_eq!(asked_first(&talk), before, "an open breaker does not ask");
    let turn = talk.trace(&answer).await;
    let skipped = &steps(&turn, "model")[0]["details"]["skipped"][0];
    assert!(
        skipped["error"].as_str().unwrap().contains("resting"),
        "{turn}"
    );

    // It comes back: one question finds out, and then it answers as before.
    let _ = talk.model.clear();
    let back = Step::says("Hola, soy Maya otra vez.").when(for_first);
    talk.model
        .add([second.always(), back.after(Duration::from_secs(5)).always()]);
    tokio::time::sleep(REST + Duration::from_millis(100)).await;
    let probe = eventually("a probe that is seen", async || {
        (breakers(&talk, "half_open").await == 1).then_some(())
    });
    let (answer, ()) = tokio::join!(talk.ask(HELLO), probe);
    assert_eq!(answer["model"], "anthropic/primero", "{answer}");
    assert_eq!(breakers(&talk, "open").await, 0);
    assert_eq!(breakers(&talk, "closed").await, 1);
    let answer = talk.ask(HELLO).await;
    assert_eq!(said(&answer), "Hola, soy Maya otra vez.");
    let turn = talk.trace(&answer).await;
    assert!(
        steps(&turn, "model")[0]["details"]["skipped"].is_null(),
        "{turn}"
    );
}
