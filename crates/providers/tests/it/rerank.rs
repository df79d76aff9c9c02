//! Services that judge passages again.

use crate::server::{KEY, Server, Step, relevance, tenant};
use quipu_core::ErrorCode;
use quipu_core::ports::{RerankError, Reranked, Reranker, Rerankers};
use quipu_core::reranking::{BUILTIN_JUDGE, RerankConfig, RerankProvider};
use quipu_providers::{BreakerSettings, ProviderRerankers, RerankSettings, RetrySettings};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn settings(server: &Server) -> RerankSettings {
    RerankSettings {
        cohere_base_url: format!("http://{}", server.address),
        allow_hosts: vec![server.address.to_string()],
        connect_timeout: Duration::from_secs(2),
        timeout: Duration::from_secs(20),
        retry: RetrySettings {
            attempts: 3,
            first_wait: Duration::from_millis(1),
            longest_wait: Duration::from_secs(2),
        },
        breaker: BreakerSettings {
            failures: 1_000,
            ..BreakerSettings::default()
        },
        ..RerankSettings::default()
    }
}

fn cohere() -> RerankConfig {
    RerankConfig {
        provider: RerankProvider::Cohere,
        ..RerankConfig::default()
    }
}

fn at(base_url: &str) -> RerankConfig {
    RerankConfig {
        model: Some("mio".to_owned()),
        base_url: Some(base_url.to_owned()),
        ..cohere()
    }
}

fn reranker(settings: RerankSettings, config: &RerankConfig) -> Arc<dyn Reranker> {
    let rerankers = ProviderRerankers::new(settings);
    let found = rerankers.of(tenant(1), config, Some(KEY.into())).unwrap();
    found.unwrap()
}

async fn ask(reranker: &dyn Reranker, passages: &[&str]) -> Result<Vec<f32>, RerankError> {
    let passages: Vec<String> = passages.iter().map(|text| (*text).to_owned()).collect();
    let judged = reranker.rerank("¿Cuánto cuesta?", &passages).await;
    match judged {
        Ok(Reranked::Relevances(relevances)) => Ok(relevances),
        Ok(other) => panic!("{other:?}"),
        // No error of any test holds the key.
        Err(RerankError::Transient(why) | RerankError::Permanent(why)) if why.contains(KEY) => {
            panic!("{why}")
        }
        Err(error) => Err(error),
    }
}

async fn asked(server: &Server, passages: &[&str]) -> Result<Vec<f32>, RerankError> {
    ask(reranker(settings(server), &cohere()).as_ref(), passages).await
}

fn transient(result: Result<Vec<f32>, RerankError>) -> String {
    match result {
        Err(RerankError::Transient(why)) => why,
        other => panic!("{other:?}"),
    }
}

fn permanent(result: Result<Vec<f32>, RerankError>) -> String {
    match result {
        Err(RerankError::Permanent(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn passages_are_judged_in_their_order_by_coheres_protocol() {
    let server = Server::open(&[]).await;
    let reranker = reranker(settings(&server), &cohere());
    assert_eq!(reranker.model(), "cohere/rerank-v3.5");
    let passages = ["uno", " dos y más ", "", "tres"];
    let found = ask(reranker.as_ref(), &passages).await.unwrap();
    let expected = [
        relevance("uno"),
        relevance("dos y más"),
        0.0,
        relevance("tres"),
    ];
    assert_eq!(found, expected);
    let seen = server.seen();
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].path, "/v2/rerank");
    assert_eq!(seen[0].headers["authorization"], format!("Bearer {KEY}"));
    let body = json!({
        "model": "rerank-v3.5",
        "query": "¿Cuánto cuesta?",
        "documents": ["uno", "dos y más", "tres"],
        "top_n": 3,
    });
    assert_eq!(seen[0].body, body);

    assert_eq!(
        ask(reranker.as_ref(), &["", " \n"]).await.unwrap(),
        [0.0; 2]
    );
    assert_eq!(ask(reranker.as_ref(), &[]).await.unwrap(), [0.0; 0]);
    assert_eq!(server.requests(), 0, "there was nothing to ask");
}

#[tokio::test]
async fn another_server_is_asked_where_its_address_says() {
    for (path, expected) in [
        ("", "/v2/rerank"),
        ("/v1", "/v1/rerank"),
        ("/v1/rerank", "/v1/rerank"),
        ("/rerank", "/rerank"),
        ("/cohere/v2/", "/cohere/v2/rerank"),
    ] {
        let server = Server::open(&[]).await;
        let config = at(&format!("http://{}{path}", server.address));
        let reranker = reranker(settings(&server), &config);
        ask(reranker.as_ref(), &["uno"]).await.unwrap();
        let seen = server.seen();
        assert_eq!(seen[0].path, expected);
        assert_eq!(seen[0].body["model"], "mio");
    }
}

#[tokio::test]
async fn long_passages_are_cut() {
    let server = Server::open(&[]).await;
    asked(&server, &[&"ñ".repeat(50_000)]).await.unwrap();
    let seen = server.seen();
    let sent = seen[0].body["documents"][0].as_str().unwrap();
    assert_eq!(sent, "ñ".repeat(4 * 1024));
}

#[tokio::test]
async fn what_may_pass_is_tried_twice_and_a_refusal_once() {
    for status in [408, 429, 500, 503] {
        let server = Server::open(&[Step::Status(status)]).await;
        asked(&server, &["uno"]).await.unwrap();
        assert_eq!(server.requests(), 2, "{status}");
        let server = Server::open(&vec![Step::Status(status); 9]).await;
        let why = transient(asked(&server, &["uno"]).await);
        assert!(why.contains(&status.to_string()), "{why}");
        assert_eq!(server.requests(), 2, "somebody waits");
    }
    for status in [400, 401, 404, 422] {
        let server = Server::open(&vec![Step::Status(status); 9]).await;
        let why = permanent(asked(&server, &["uno"]).await);
        assert!(why.contains(&status.to_string()), "{why}");
        assert_eq!(server.requests(), 1, "{status}");
    }
    let server = Server::open(&[Step::HangUp]).await;
    asked(&server, &["uno"]).await.unwrap();
    assert_eq!(server.requests(), 2);
}

#[tokio::test]
async fn a_slow_answer_is_given_up_and_rests_after_a_few() {
    let slow = Step::Slow(Duration::from_mins(1));
    let server = Server::open(&vec![slow; 9]).await;
    let hasty = RerankSettings {
        timeout: Duration::from_millis(100),
        breaker: BreakerSettings {
            failures: 2,
            ..BreakerSettings::default()
        },
        ..settings(&server)
    };
    let reranker = reranker(hasty, &cohere());
    let began = Instant::now();
    for _ in 0..2 {
        let why = transient(ask(reranker.as_ref(), &["uno"]).await);
        assert!(why.contains("100ms"), "{why}");
    }
    let why = transient(ask(reranker.as_ref(), &["uno"]).await);
    assert!(why.contains("resting"), "{why}");
    assert_eq!(server.requests(), 2, "an open breaker does not call");
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn answers_of_no_use_are_refused() {
    let one = r#"{"index": 0, "relevance_score": 0.5}"#;
    for body in [
        String::new(),
        "<html>".to_owned(),
        "{}".to_owned(),
        r#"{"results": null}"#.to_owned(),
        r#"{"results": []}"#.to_owned(),
        format!(r#"{{"results": [{one}]}}"#),
        format!(r#"{{"results": [{one}, {one}]}}"#),
        format!(r#"{{"results": [{one}, {{"index": 9, "relevance_score": 0.5}}]}}"#),
        format!(r#"{{"results": [{one}, {{"index": 1, "relevance_score": NaN}}]}}"#),
        format!(r#"{{"results": [{one}, {{"index": 1, "relevance_score": 11.5}}]}}"#),
        format!(r#"{{"pad": "{}"}}"#, "a".repeat(200_000)),
    ] {
        let server = Server::open(&[Step::Body(body.clone())]).await;
        permanent(asked(&server, &["uno", "dos"]).await);
        assert_eq!(server.requests(), 1);
    }
}

#[tokio::test]
async fn a_tenant_does_not_reach_into_the_house() {
    let server = Server::open(&[]).await;
    let port = server.address.port();
    let closed = ProviderRerankers::new(RerankSettings {
        allow_hosts: vec![],
        ..settings(&server)
    });
    let of = |base: &str| closed.of(tenant(1), &at(base), Some(KEY.into()));
    for base in [
        &format!("http://127.0.0.1:{port}"),
        &format!("http://0x7f.1:{port}/v1"),
        &format!("http://[::ffff:7f00:1]:{port}/rerank"),
        "http://10.0.0.1/v1",
        "http://169.254.169.254/rerank",
        "ftp://modelos.example/",
        "http://ana:clave@modelos.example/v1",
        "modelos",
        "",
    ] {
        let error = of(base).err().unwrap();
        assert_eq!(error.code(), ErrorCode::RerankMisconfigured, "{base}");
        assert!(!error.to_string().contains("clave@"));
    }
    // A name is only known to point into the house when it is looked up.
    let name = of(&format!("http://localhost:{port}/v1")).unwrap().unwrap();
    let why = permanent(ask(name.as_ref(), &["uno"]).await);
    assert!(why.contains("not public"), "{why}");
    assert_eq!(server.requests(), 0);
    // Nor does a server that is asked lead there.
    let open = Server::open(&[Step::Redirect(format!("http://{}/", server.address))]).await;
    permanent(asked(&open, &["uno"]).await);
    assert_eq!((open.requests(), server.requests()), (1, 0));
}

#[tokio::test]
async fn each_provider_needs_its_own() {
    let server = Server::open(&[]).await;
    let rerankers = ProviderRerankers::new(settings(&server));
    let of = |config: &RerankConfig, key: Option<&str>| {
        let key = key.map(Into::into);
        rerankers.of(tenant(1), config, key)
    };
    let nobody = RerankConfig {
        provider: RerankProvider::None,
        ..RerankConfig::default()
    };
    assert!(of(&nobody, Some(KEY)).unwrap().is_none());
    let judge = of(&RerankConfig::default(), None).unwrap().unwrap();
    assert_eq!(judge.model(), BUILTIN_JUDGE);
    let encoder = RerankConfig {
        provider: RerankProvider::Encoder,
        ..RerankConfig::default()
    };
    let found = of(&encoder, None).unwrap().unwrap();
    assert_eq!(found.model(), "quipu-es-en/encoder@2");
    for key in [None, Some(" ")] {
        let error = of(&cohere(), key).err().unwrap();
        assert_eq!(error.code(), ErrorCode::RerankMisconfigured);
    }
    // A server next door may want none.
    let own = at(&format!("http://{}", server.address));
    ask(of(&own, None).unwrap().unwrap().as_ref(), &["uno"])
        .await
        .unwrap();
    assert!(server.seen()[0].headers.get("authorization").is_none());
    let local = RerankConfig {
        provider: RerankProvider::Local,
        model: Some("mio".to_owned()),
        ..RerankConfig::default()
    };
    let error = of(&local, None).err().unwrap();
    assert_eq!(error.code(), ErrorCode::RerankMisconfigured);
    // A changed key is used from then on.
    let again = of(&cohere(), Some(KEY)).unwrap().unwrap();
    assert!(Arc::ptr_eq(
        &again,
        &of(&cohere(), Some(KEY)).unwrap().unwrap()
    ));
    let other = of(&cohere(), Some("otra")).unwrap().unwrap();
    assert!(!Arc::ptr_eq(&again, &other));
    assert!(!format!("{rerankers:?}").contains(KEY));
}
