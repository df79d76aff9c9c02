//! Providers that say no, break off, or talk nonsense.

use super::harness::{PROVIDERS, ask, config, events, kind, made, model, settings, transient};
use crate::server::KEY;
use quipu_core::chat::{ChatEvent, RefusalKind};
use quipu_testkit::model::{Dialect, ScriptedModel, Step};

#[tokio::test]
async fn what_may_pass_is_asked_again() {
    for provider in PROVIDERS {
        for status in [408, 409, 429, 500, 502, 503, 529] {
            let fails = || Step::status(status, "server_error");
            let server = ScriptedModel::start([fails().times(2), Step::says("Sí")]).await;
            let answer = ask(model(&server, provider).as_ref()).await.unwrap();
            assert_eq!(answer.text, "Sí");
            assert_eq!(server.requests().len(), 3, "{provider:?} {status}");

            let server = ScriptedModel::start([fails().always()]).await;
            let why = transient(ask(model(&server, provider).as_ref()).await);
            assert!(why.contains(&status.to_string()), "{why}");
            assert_eq!(server.requests().len(), 3, "{provider:?} {status}");
        }
    }
}

#[tokio::test]
async fn every_kind_of_no_is_told_apart_and_not_asked_again() {
    for provider in PROVIDERS {
        for (status, name, expected) in [
            (401, "authentication_error", RefusalKind::BadKey),
            (403, "permission_error", RefusalKind::BadKey),
            (429, "insufficient_quota", RefusalKind::NoCredit),
            (402, "payment_required", RefusalKind::NoCredit),
            (400, "invalid_request_error", RefusalKind::BadRequest),
            (422, "unprocessable", RefusalKind::BadRequest),
            (400, "context_length_exceeded", RefusalKind::TooLong),
            (413, "request_too_large", RefusalKind::TooLong),
            (404, "model_not_found", RefusalKind::UnknownModel),
            (400, "content_filter", RefusalKind::Refused),
        ] {
            let server = ScriptedModel::start([Step::status(status, name).always()]).await;
            let found = kind(ask(model(&server, provider).as_ref()).await);
            assert_eq!(found, expected, "{provider:?} {name}");
            assert_eq!(server.requests().len(), 1, "{provider:?} {name}");
        }
        let server = ScriptedModel::start([Step::refuses().always()]).await;
        let found = kind(ask(model(&server, provider).as_ref()).await);
        assert_eq!(found, RefusalKind::Refused, "{provider:?}");
        assert_eq!(server.requests().len(), 1, "{provider:?}");
    }
}

#[tokio::test]
async fn a_key_that_is_sent_back_is_in_no_error() {
    for provider in PROVIDERS {
        for status in [401, 500] {
            let server = ScriptedModel::start([Step::status(status, KEY).always()]).await;
            // The check stands in `ask`.
            assert!(ask(model(&server, provider).as_ref()).await.is_err());
        }
    }
}

#[tokio::test]
async fn half_an_answer_is_an_error_and_not_asked_again() {
    for provider in PROVIDERS {
        for step in [
            Step::ends_early(&["Sí, "]),
            Step::hangs_up(&["Sí, "]),
            Step::breaks(&["Sí, "]),
        ] {
            let server = ScriptedModel::start([step.always()]).await;
            let found = events(model(&server, provider).as_ref()).await;
            assert_eq!(found.len(), 2, "{found:?}");
            assert_eq!(found[0], Ok(ChatEvent::TextDelta("Sí, ".to_owned())));
            let error = found[1].clone().unwrap_err();
            assert_eq!(error.kind(), None, "{provider:?} {error}");
            assert_eq!(server.requests().len(), 1, "{provider:?}");
        }
    }
}

#[tokio::test]
async fn what_breaks_before_the_first_word_is_asked_again() {
    for provider in PROVIDERS {
        for step in [
            Step::ends_early(&[]),
            Step::hangs_up(&[]),
            Step::breaks(&[]),
            Step::raw(200, ""),
            Step::raw(200, "<html>hola</html>"),
            Step::raw(200, "{\"contentType\": \"application/json\"}"),
            Step::raw(200, "data: {\"choices\": [\n\n"),
        ] {
            let server = ScriptedModel::start([step, Step::says("Sí")]).await;
            let answer = ask(model(&server, provider).as_ref()).await.unwrap();
            assert_eq!(answer.text, "Sí", "{provider:?}");
            assert_eq!(server.requests().len(), 2, "{provider:?}");
        }
    }
}

#[tokio::test]
async fn what_a_model_does_not_take_is_left_out_the_next_time() {
    let refusal = r#"{"error": {"code": "unsupported_parameter", "param": "max_tokens",
        "message": "'max_tokens' is unsupported, 'max_completion_tokens' is meant"}}"#;
    let server = ScriptedModel::start([
        Step::raw(400, refusal).when(|asked| !asked.body["max_tokens"].is_null()),
        Step::says("Sí").always(),
    ])
    .await;
    let model = model(&server, PROVIDERS[1]);
    for _ in 0..2 {
        assert_eq!(ask(model.as_ref()).await.unwrap().text, "Sí");
    }
    let sent: Vec<bool> = server
        .requests()
        .iter()
        .map(|asked| asked.body["max_completion_tokens"].is_number())
        .collect();
    assert_eq!(sent, [false, true, true], "it is learned once");

    let stubborn =
        ScriptedModel::start([
            Step::raw(400, "{\"error\": \"temperature is unsupported\"}").always(),
        ])
        .await;
    let mut config = config(&stubborn, PROVIDERS[2]);
    config.temperature = Some(0.2);
    let model = made(settings(&stubborn), &config);
    assert_eq!(kind(ask(model.as_ref()).await), RefusalKind::BadRequest);
    assert_eq!(stubborn.requests().len(), 2, "it is left out once");
}

#[tokio::test]
async fn an_answer_is_whole_although_its_last_words_are_missing() {
    // No counts and no [DONE]: some servers close right behind the last piece.
    let body = "data: {\"choices\":[{\"delta\":{\"content\":\"Sí\"}}]}\n\n\
                data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}";
    let server = ScriptedModel::start([Step::raw(200, body)]).await;
    let answer = ask(model(&server, PROVIDERS[1]).as_ref()).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.usage.input_tokens), ("Sí", 0));
    assert_eq!(server.requests()[0].dialect, Dialect::Openai);
}
