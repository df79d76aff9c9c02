//! Posting to where a tenant points.

use crate::site::{Answers, Site};
use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Redirect;
use axum::routing::{get, post};
use quipu_core::ports::{WebhookAnswer, WebhookError, WebhookRequest, WebhookSender};
use quipu_fetch::{FetchSettings, GuardedSender};
use secrecy::SecretString;
use std::time::{Duration, Instant};

async fn listener() -> Site {
    let router = Router::new()
        .route(
            "/",
            post(|headers: HeaderMap, body: Bytes| async move {
                let header = |name: &str| headers[name].to_str().unwrap().to_owned();
                let (kind, id) = (header("content-type"), header("webhook-id"));
                format!("{kind} {id} {}", String::from_utf8_lossy(&body))
            }),
        )
        .route("/lejos", post(|| async { Redirect::temporary("/") }))
        .route("/no", post(|| async { (StatusCode::GONE, "ya no existe") }))
        .route("/mucho", post(|| async { "a".repeat(200_000) }))
        .route(
            "/lento",
            post(|| async {
                tokio::time::sleep(Duration::from_secs(30)).await;
                "tarde"
            }),
        )
        .route("/solo-leer", get(|| async { "hola" }));
    Site::open(router).await
}

async fn say(sender: &GuardedSender, url: &str) -> Result<WebhookAnswer, WebhookError> {
    let headers = [("webhook-id", SecretString::from("evt-1"))];
    let request = WebhookRequest {
        url,
        headers: &headers,
        body: Bytes::from_static(b"{\"n\":1}"),
        patience: Duration::from_secs(2),
    };
    sender.post(&request).await
}

fn refusal(result: Result<WebhookAnswer, WebhookError>) -> String {
    match result {
        Err(WebhookError::NotAllowed(why)) => why,
        other => panic!("it was posted: {other:?}"),
    }
}

#[tokio::test]
async fn what_is_posted_arrives_and_any_answer_is_one() {
    let site = listener().await;
    let sender = GuardedSender::new(&site.settings());
    let said = say(&sender, &site.url("/")).await.unwrap();
    assert_eq!(
        (said.status, said.body.as_str()),
        (200, "application/json evt-1 {\"n\":1}")
    );
    let gone = say(&sender, &site.url("/no")).await.unwrap();
    assert_eq!((gone.status, gone.body.as_str()), (410, "ya no existe"));
    assert_eq!(
        say(&sender, &site.url("/solo-leer")).await.unwrap().status,
        405
    );
    let long = say(&sender, &site.url("/mucho")).await.unwrap();
    assert_eq!((long.status, long.body.len()), (200, 64 * 1024));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let site = listener().await;
    let sender = GuardedSender::new(&site.settings());
    let moved = say(&sender, &site.url("/lejos")).await.unwrap();
    assert_eq!(moved.status, 307);
    assert_eq!(site.requests(), 1);
}

#[tokio::test]
async fn whoever_does_not_answer_is_not_waited_for() {
    let site = listener().await;
    let sender = GuardedSender::new(&site.settings());
    let began = Instant::now();
    let late = say(&sender, &site.url("/lento")).await;
    assert!(
        matches!(late, Err(WebhookError::Unreachable(_))),
        "{late:?}"
    );
    assert!(began.elapsed() < Duration::from_secs(20));
    let nobody = say(&sender, "http://127.0.0.1:9/").await;
    assert!(
        matches!(nobody, Err(WebhookError::Unreachable(_))),
        "{nobody:?}"
    );
}

#[tokio::test]
async fn nothing_is_posted_into_the_house() {
    let site = listener().await;
    let sender = GuardedSender::new(&FetchSettings::default());
    let port = site.address.port();
    for inside in [
        site.url("/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        format!("http://2130706433:{port}/"),
        "http://169.254.169.254/latest/meta-data".to_owned(),
        "http://10.0.0.1/".to_owned(),
        "http://[::1]/".to_owned(),
    ] {
        let why = refusal(say(&sender, &inside).await);
        assert!(why.contains("not public"), "{inside}: {why}");
        assert!(sender.check(&inside).is_err());
    }
    for no_hook in [
        "",
        "hooks.example/1",
        "ftp://hooks.example/",
        "https://ana:clave@hooks.example/",
    ] {
        assert!(sender.check(no_hook).is_err(), "{no_hook}");
    }
    assert!(sender.check("https://hooks.example:5678/1?token=x").is_ok());
    assert_eq!(site.requests(), 0);
}

#[tokio::test]
async fn a_name_that_leads_into_the_house_is_not_posted_to() {
    let site = listener().await;
    let url = format!("http://hooks.example:{}/", site.address.port());
    let inside: &[&str] = &["1.1.1.1", "127.0.0.1"];
    for answer in [inside, &["10.1.2.3"], &["::ffff:169.254.169.254"]] {
        let resolver = Answers::new(&[answer]);
        let sender = GuardedSender::with_resolver(&FetchSettings::default(), resolver.clone());
        let why = refusal(say(&sender, &url).await);
        assert!(why.contains("not public"), "{why}");
        assert_eq!(resolver.asked(), 1);
    }
    assert_eq!(site.requests(), 0);
    let sender = GuardedSender::with_resolver(&site.settings(), Answers::new(&[&["127.0.0.1"]]));
    assert_eq!(say(&sender, &url).await.unwrap().status, 200);
    assert_eq!(site.requests(), 1);
}
