//! Servers that fail, are slow, or ask for time.

use crate::server::{
    KEY, Server, Step, embed, embedder, expected, near, permanent, tenant, transient,
};
use quipu_core::embedding::EmbeddingProvider;
use quipu_core::ports::{Embedders, Purpose};
use quipu_providers::{BreakerSettings, EmbeddingSettings, ProviderEmbedders};
use std::time::{Duration, Instant};
use tokio::time;

#[tokio::test]
async fn what_may_pass_is_tried_again() {
    for status in [408, 409, 429, 500, 502, 503, 504, 529] {
        let server = Server::open(&[Step::Status(status), Step::Status(status)]).await;
        let embedded = server.passages(&["uno"]).await.unwrap();
        near(&embedded.vectors, &[expected("uno")]);
        assert_eq!(server.requests(), 3, "{status}");

        let server = Server::open(&vec![Step::Status(status); 9]).await;
        let why = transient(server.passages(&["uno"]).await);
        assert!(why.contains(&status.to_string()), "{why}");
        assert_eq!(server.requests(), 3, "{status}");
    }
    let server = Server::open(&[Step::HangUp]).await;
    server.passages(&["uno"]).await.unwrap();
    assert_eq!(server.requests(), 2);
}

#[tokio::test]
async fn a_refusal_is_not_tried_again() {
    for status in [400, 401, 403, 404, 413, 422] {
        let server = Server::open(&vec![Step::Status(status); 3]).await;
        let why = permanent(server.passages(&["uno"]).await);
        assert!(
            why.contains(&status.to_string()) && why.contains("no, *"),
            "{why}"
        );
        assert_eq!(server.requests(), 1, "{status}");
    }
}

#[tokio::test]
async fn a_question_is_tried_twice() {
    let server = Server::open(&vec![Step::Status(503); 9]).await;
    let embedder = server.embedder(EmbeddingProvider::Openai);
    transient(embed(embedder.as_ref(), &["uno"], Purpose::Question).await);
    assert_eq!(server.requests(), 2);
}

#[tokio::test]
async fn nobody_there_is_transient() {
    let server = Server::open(&[]).await;
    let mut config = server.config(EmbeddingProvider::Custom);
    // The port was free a moment ago.
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    config.base_url = Some(format!("http://{address}/v1?key=en-la-url"));
    let settings = EmbeddingSettings {
        allow_hosts: vec![address.to_string()],
        ..server.settings()
    };
    let embedder = embedder(&settings, &config);
    let why = transient(embed(embedder.as_ref(), &["uno"], Purpose::Passage).await);
    assert!(!why.contains("en-la-url"), "{why}");
}

#[tokio::test]
async fn a_slow_answer_is_given_up() {
    let slow = Step::Slow(Duration::from_mins(1));
    let server = Server::open(&[slow.clone(), slow]).await;
    let settings = EmbeddingSettings {
        passage_timeout: Duration::from_millis(400),
        question_timeout: Duration::from_millis(300),
        ..server.settings()
    };
    let config = server.config(EmbeddingProvider::Custom);
    let embedder = embedder(&settings, &config);
    let began = Instant::now();
    let why = transient(embed(embedder.as_ref(), &["uno"], Purpose::Passage).await);
    assert!(why.contains("400ms"), "{why}");
    let why = transient(embed(embedder.as_ref(), &["uno"], Purpose::Question).await);
    assert!(why.contains("300ms"), "{why}");
    assert!(began.elapsed() < Duration::from_secs(20));
    assert_eq!(
        server.requests(),
        2,
        "a server that is slow is not asked twice"
    );
}

#[tokio::test]
async fn a_server_is_given_the_time_it_asks_for() {
    let server = Server::open(&[Step::RetryAfter(429, "1")]).await;
    let began = Instant::now();
    server.passages(&["uno"]).await.unwrap();
    assert!(began.elapsed() >= Duration::from_secs(1));
    assert_eq!(server.requests(), 2);

    let server = Server::open(&[Step::RetryAfter(503, "3600")]).await;
    let began = Instant::now();
    transient(server.passages(&["uno"]).await);
    assert!(
        began.elapsed() < Duration::from_secs(1),
        "nobody waits an hour"
    );
    assert_eq!(server.requests(), 1);
}

/// Moves the clock of the breaker on. It may stand still only meanwhile: with nothing else to do,
/// a clock that stands still jumps to the next deadline of a call.
async fn pass(duration: Duration) {
    time::pause();
    time::advance(duration).await;
    time::resume();
}

#[tokio::test]
async fn the_breaker_opens_for_one_tenant_and_server_and_closes_again() {
    let mut script = vec![Step::Status(503); 3];
    // The probe fails once more; then all is well.
    script.push(Step::Status(503));
    let server = Server::open(&script).await;
    let cool_down = Duration::from_secs(30);
    let mut settings = EmbeddingSettings {
        breaker: BreakerSettings {
            failures: 3,
            cool_down,
            ..BreakerSettings::default()
        },
        ..server.settings()
    };
    settings.retry.attempts = 1;
    let embedders = ProviderEmbedders::new(settings);
    let config = server.config(EmbeddingProvider::Custom);
    let ask = async |number: u8| {
        // Another key or model is the same server.
        let mut config = config.clone();
        config.model = format!("modelo-{number}-{}", server.requests());
        let key = Some(KEY.into());
        let embedder = embedders.of(tenant(number), &config, key).unwrap();
        embed(embedder.as_ref(), &["uno"], Purpose::Passage).await
    };
    for _ in 0..3 {
        transient(ask(1).await);
    }
    let why = transient(ask(1).await);
    assert!(why.contains("resting"), "{why}");
    assert_eq!(server.requests(), 3, "an open breaker does not call");

    pass(cool_down).await;
    assert!(transient(ask(1).await).contains("503"), "the probe");
    assert!(transient(ask(1).await).contains("resting"));
    assert_eq!(server.requests(), 4);
    ask(2).await.expect("another tenant's breaker is its own");

    pass(cool_down).await;
    ask(1).await.unwrap();
    ask(1).await.unwrap();
    assert_eq!(server.requests(), 7);
}

fn brittle(server: &Server) -> EmbeddingSettings {
    EmbeddingSettings {
        breaker: BreakerSettings {
            failures: 2,
            ..BreakerSettings::default()
        },
        ..server.settings()
    }
}

#[tokio::test]
async fn an_open_breaker_ends_the_attempts() {
    let server = Server::open(&vec![Step::Status(500); 9]).await;
    let config = server.config(EmbeddingProvider::Openai);
    let embedder = embedder(&brittle(&server), &config);
    transient(embed(embedder.as_ref(), &["uno"], Purpose::Passage).await);
    assert_eq!(server.requests(), 2, "the third attempt is not made");
}

#[tokio::test]
async fn refusals_do_not_open_the_breaker() {
    let server = Server::open(&vec![Step::Status(401); 9]).await;
    let config = server.config(EmbeddingProvider::Openai);
    let embedder = embedder(&brittle(&server), &config);
    for _ in 0..5 {
        permanent(embed(embedder.as_ref(), &["uno"], Purpose::Passage).await);
    }
    assert_eq!(server.requests(), 5);
}
