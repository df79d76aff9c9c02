//! Servers that are slow, fall silent, or ask for time.

use super::harness::{PROVIDERS, ask, config, events, made, model, settings, transient};
use quipu_core::chat::ChatEvent;
use quipu_providers::ModelSettings;
use quipu_testkit::model::{ScriptedModel, Step};
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_server_is_given_the_time_it_asks_for() {
    for provider in PROVIDERS {
        let steps = [Step::retry_after("1"), Step::says("Sí")];
        let server = ScriptedModel::start(steps).await;
        let began = Instant::now();
        ask(model(&server, provider).as_ref()).await.unwrap();
        assert!(began.elapsed() >= Duration::from_secs(1), "{provider:?}");
        assert_eq!(server.requests().len(), 2);
    }
}

#[tokio::test]
async fn a_date_is_a_time_too_and_nobody_waits_an_hour() {
    // The server's own clock says what time it is; long past is now.
    let past = Step::retry_after("Wed, 21 Oct 2015 07:28:00 GMT");
    let server = ScriptedModel::start([past, Step::says("Sí")]).await;
    ask(model(&server, PROVIDERS[0]).as_ref()).await.unwrap();
    assert_eq!(server.requests().len(), 2);

    for after in ["3600", "Wed, 21 Oct 2099 07:28:00 GMT"] {
        let server = ScriptedModel::start([Step::retry_after(after).always()]).await;
        let began = Instant::now();
        let found = ask(model(&server, PROVIDERS[2]).as_ref())
            .await
            .unwrap_err();
        let quipu_core::chat::ChatError::Transient { retry_after, .. } = found else {
            panic!("{found:?}");
        };
        assert!(retry_after.unwrap() >= Duration::from_hours(1));
        assert!(began.elapsed() < Duration::from_secs(2));
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn no_wait_goes_beyond_the_deadline() {
    let server = ScriptedModel::start([Step::retry_after("2").always()]).await;
    let mut config = config(&server, PROVIDERS[0]);
    config.timeout_seconds = 1;
    let began = Instant::now();
    transient(ask(made(settings(&server), &config).as_ref()).await);
    assert!(began.elapsed() < Duration::from_secs(1));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_server_that_never_begins_is_given_up() {
    for provider in PROVIDERS {
        for step in [Step::hangs(), Step::falls_silent(&[])] {
            let server = ScriptedModel::start([step.always()]).await;
            let mut once = ModelSettings {
                first_timeout: Duration::from_millis(300),
                ..settings(&server)
            };
            once.retry.attempts = 1;
            let began = Instant::now();
            let model = made(once, &config(&server, provider));
            let why = transient(ask(model.as_ref()).await);
            assert!(why.contains("300ms"), "{provider:?} {why}");
            assert!(began.elapsed() < Duration::from_secs(10));
            assert_eq!(server.requests().len(), 1);
        }
    }
}

#[tokio::test]
async fn silence_in_the_middle_ends_an_answer() {
    for provider in PROVIDERS {
        let server = ScriptedModel::start([Step::falls_silent(&["Sí, "])]).await;
        let settings = ModelSettings {
            idle_timeout: Duration::from_millis(300),
            ..settings(&server)
        };
        let found = events(made(settings, &config(&server, provider)).as_ref()).await;
        assert_eq!(found[0], Ok(ChatEvent::TextDelta("Sí, ".to_owned())));
        let error = found[1].clone().unwrap_err();
        assert!(error.why().contains("300ms"), "{provider:?} {error}");
    }
}

#[tokio::test]
async fn a_whole_answer_has_its_time() {
    for provider in PROVIDERS {
        let pieces = vec!["palabra "; 100];
        let step = Step::pieces(&pieces).pausing(Duration::from_millis(100));
        let server = ScriptedModel::start([step]).await;
        let mut config = config(&server, provider);
        config.timeout_seconds = 1;
        let began = Instant::now();
        let found = events(made(settings(&server), &config).as_ref()).await;
        let took = began.elapsed();
        let error = found.last().unwrap().clone().unwrap_err();
        assert!(error.why().contains("1s"), "{provider:?} {error}");
        assert!(found.len() > 2, "what came is told");
        assert!(took >= Duration::from_secs(1) && took < Duration::from_secs(8));
    }
}

#[tokio::test]
async fn the_operator_has_the_last_word_about_time() {
    let server = ScriptedModel::start([Step::hangs()]).await;
    let settings = ModelSettings {
        longest_timeout: Duration::from_millis(200),
        ..settings(&server)
    };
    let why = transient(ask(made(settings, &config(&server, PROVIDERS[3])).as_ref()).await);
    assert!(why.contains("200ms"), "{why}");
}
