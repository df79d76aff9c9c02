//! Answers that are complete, however they travel.

use super::harness::{PROVIDERS, ask, config, events, made, model, question, settings};
use crate::server::KEY;
use bytes::Bytes;
use futures::StreamExt;
use quipu_core::chat::{
    ChatEvent, ChatMessage, ChatRequest, FinishReason, Image, ImageType, ModelProvider, Usage,
};
use quipu_testkit::model::{Dialect, ScriptedModel, Step};
use std::time::{Duration, Instant};

const PIECES: [&str; 4] = ["Sí, ", "mañana a las 9 ", "🦷 ", "ñandú\n\ndata: no"];

#[tokio::test]
async fn a_text_comes_in_the_pieces_it_was_sent_in() {
    for provider in PROVIDERS {
        let server = ScriptedModel::start([Step::pieces(&PIECES).using(120, 100, 9)]).await;
        let mut found = events(model(&server, provider).as_ref()).await;
        let usage = Usage {
            input_tokens: 120,
            // Ollama remembers too, but does not say so.
            cached_input_tokens: if provider.1 == Dialect::Ollama {
                0
            } else {
                100
            },
            cache_write_tokens: 0,
            output_tokens: 9,
        };
        let reason = FinishReason::Stop;
        let finished = ChatEvent::Finished { reason, usage };
        assert_eq!(found.pop(), Some(Ok(finished)), "{provider:?}");
        let pieces = PIECES.map(|piece| Ok(ChatEvent::TextDelta(piece.to_owned())));
        assert_eq!(found, pieces, "{provider:?}");
    }
}

#[tokio::test]
async fn it_does_not_matter_how_the_network_cuts() {
    for provider in PROVIDERS {
        for size in [1, 7] {
            let step = Step::says_and_calls(&PIECES, &[("slots", "{\"día\":\"ñ\"}")]);
            let server = ScriptedModel::start([step.cut_every(size)]).await;
            let answer = ask(model(&server, provider).as_ref()).await.unwrap();
            assert_eq!(answer.text, PIECES.concat(), "{provider:?} {size}");
            assert_eq!(answer.tool_calls[0].arguments, "{\"día\":\"ñ\"}");
        }
    }
}

#[tokio::test]
async fn pieces_are_there_before_the_answer_is_whole() {
    for provider in PROVIDERS {
        let pause = Duration::from_millis(150);
        let server = ScriptedModel::start([Step::pieces(&["a", "b", "c"]).pausing(pause)]).await;
        let model = model(&server, provider);
        let began = Instant::now();
        let mut stream = model.chat(&question("¿?")).await.unwrap();
        stream.next().await.unwrap().unwrap();
        let first = began.elapsed();
        let rest = stream.count().await;
        assert_eq!(rest, 3);
        assert!(began.elapsed() >= first + pause, "{provider:?} {first:?}");
    }
}

#[tokio::test]
async fn nothing_said_is_an_answer_and_a_bound_is_told() {
    for provider in PROVIDERS {
        let cut = Step::pieces(&["Sí, pero"]).running_out();
        let server = ScriptedModel::start([Step::pieces(&[]), cut]).await;
        let model = model(&server, provider);
        let empty = ask(model.as_ref()).await.unwrap();
        assert_eq!(
            (empty.text.as_str(), empty.reason),
            ("", FinishReason::Stop)
        );
        let cut = ask(model.as_ref()).await.unwrap();
        assert_eq!(cut.reason, FinishReason::Length, "{provider:?}");
    }
}

#[tokio::test]
async fn a_hundred_thousand_tokens_are_read_and_more_are_not() {
    // All protocols are cut and bounded in the same place, so one of them is read to that length.
    for (provider, tokens) in PROVIDERS.into_iter().zip([100_000, 0, 9_000, 9_000, 9_000]) {
        let server = ScriptedModel::start([Step::tokens(tokens)]).await;
        let answer = ask(model(&server, provider).as_ref()).await.unwrap();
        assert_eq!(answer.text.len(), tokens * "palabra ".len());
    }
    let long = "a".repeat(1024 * 1024);
    let pieces = vec![long.as_str(); 6];
    let server = ScriptedModel::start([Step::pieces(&pieces)]).await;
    let model = model(&server, PROVIDERS[0]);
    let kind = super::harness::kind(ask(model.as_ref()).await);
    assert_eq!(kind.as_str(), "bad_answer");
}

#[tokio::test]
async fn each_provider_is_asked_where_and_as_it_wants() {
    let (bearer, plain) = (format!("Bearer {KEY}"), KEY.to_owned());
    for (provider, path, header, key) in [
        (
            PROVIDERS[0],
            "/v1/chat/completions",
            "authorization",
            &bearer,
        ),
        (
            PROVIDERS[1],
            "/v1/chat/completions",
            "authorization",
            &bearer,
        ),
        (PROVIDERS[2], "/v1/messages", "x-api-key", &plain),
        (
            PROVIDERS[3],
            "/v1beta/models/modelo:streamGenerateContent",
            "x-goog-api-key",
            &plain,
        ),
        (PROVIDERS[4], "/api/chat", "authorization", &bearer),
    ] {
        let server = ScriptedModel::start([Step::says("Sí")]).await;
        let model = model(&server, provider);
        assert_eq!(model.name(), format!("{}/modelo", provider.0.as_str()));
        ask(model.as_ref()).await.unwrap();
        let asked = &server.requests()[0];
        assert_eq!(asked.path, path);
        assert_eq!(asked.headers[header], key.as_str());
        assert_eq!(asked.headers["content-type"], "application/json");
        assert_eq!(asked.model(), "modelo");
        assert_eq!(asked.system(), "Eres Maya.");
        assert_eq!(asked.last_user(), "¿Hay citas?");
        let secret = asked.query.contains(KEY) || asked.body.to_string().contains(KEY);
        assert!(!secret, "the key is in a header alone");
        match provider.0 {
            ModelProvider::Anthropic => {
                assert_eq!(asked.headers["anthropic-version"], "2023-06-01");
                assert_eq!(
                    asked.body["system"][0]["cache_control"]["type"],
                    "ephemeral"
                );
            }
            ModelProvider::Gemini => assert_eq!(asked.query, "alt=sse"),
            _ => assert_eq!(asked.body["stream"], true),
        }
    }
}

#[tokio::test]
async fn a_request_may_ask_for_less_than_the_configuration_and_not_for_more() {
    for (wanted, sent) in [(None, 1024), (Some(10), 10), (Some(9_999), 1024)] {
        let server = ScriptedModel::start([Step::says("Sí")]).await;
        let mut config = config(&server, PROVIDERS[1]);
        config.temperature = Some(0.5);
        let model = made(settings(&server), &config);
        let request = ChatRequest {
            max_tokens: wanted,
            temperature: wanted.map(|_| 0.0),
            ..question("¿?")
        };
        drop(model.chat(&request).await.unwrap());
        let body = &server.requests()[0].body;
        assert_eq!(body["max_tokens"], sent);
        let temperature = if wanted.is_some() { 0.0 } else { 0.5 };
        assert_eq!(body["temperature"], temperature);
    }
}

#[tokio::test]
async fn pictures_travel_and_too_much_of_them_does_not() {
    let picture = |size: usize| ChatRequest {
        messages: vec![ChatMessage::User {
            text: "¿Cuánto pagué?".to_owned(),
            images: vec![Image {
                kind: ImageType::Jpeg,
                bytes: Bytes::from(vec![0; size]),
            }],
        }],
        ..ChatRequest::default()
    };
    for provider in PROVIDERS {
        let server = ScriptedModel::start([Step::says("30 pesos")]).await;
        let model = model(&server, provider);
        drop(model.chat(&picture(3)).await.unwrap());
        let body = server.requests()[0].body.to_string();
        assert!(body.contains("AAAA"), "{provider:?}");
    }
    let server = ScriptedModel::start([]).await;
    let model = model(&server, PROVIDERS[0]);
    let Err(error) = model.chat(&picture(30_000_000)).await else {
        panic!("it is too long");
    };
    assert_eq!(error.kind().unwrap().as_str(), "too_long");
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn a_dropped_answer_ends_the_call() {
    for provider in PROVIDERS {
        let server = ScriptedModel::start([Step::falls_silent(&["Sí"])]).await;
        let model = model(&server, provider);
        let mut stream = model.chat(&question("¿?")).await.unwrap();
        stream.next().await.unwrap().unwrap();
        assert_eq!(server.open_answers(), 1);
        drop(stream);
        let began = Instant::now();
        while server.open_answers() > 0 {
            assert!(began.elapsed() < Duration::from_secs(10), "{provider:?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}
