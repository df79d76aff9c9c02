//! Connections that are opened to be in the way.

use crate::harness::TestApp;
use quipu_testkit::TestDatabase;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Whoever asks without end and reads nothing keeps nobody waiting.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_never_reads_takes_turns_with_everybody_else() {
    let app = TestApp::start(TestDatabase::sqlite()).await;
    let host = app.url.strip_prefix("http://").unwrap().to_owned();
    // Compressing takes much longer than sending what comes of it.
    let request =
        format!("GET /openapi.json HTTP/1.1\r\nhost: {host}\r\naccept-encoding: gzip\r\n\r\n");
    let request = request.repeat(400);
    let mut lines = Vec::new();
    for _ in 0..40 {
        let mut line = TcpStream::connect(&host).await.unwrap();
        line.write_all(request.as_bytes()).await.unwrap();
        lines.push(line);
    }
    let stranger = app.stranger();
    for _ in 0..3 {
        let began = Instant::now();
        let health = tokio::time::timeout(Duration::from_secs(10), stranger.get("/healthz")).await;
        assert_eq!(health.expect("an answer in time").status, 200);
        let took = began.elapsed();
        assert!(took < Duration::from_secs(5), "{took:?}");
    }
    drop(lines);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_address_has_so_many_connections() {
    let app = TestApp::start_with(TestDatabase::sqlite(), |options| {
        options.config.server.max_connections_per_address = 10;
    })
    .await;
    let host = app.url.strip_prefix("http://").unwrap().to_owned();
    let mut lines = Vec::new();
    for _ in 0..10 {
        lines.push(TcpStream::connect(&host).await.unwrap());
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mut one_more = TcpStream::connect(&host).await.unwrap();
    let mut nothing = Vec::new();
    let reading = one_more.read_to_end(&mut nothing);
    let closed = tokio::time::timeout(Duration::from_secs(5), reading).await;
    assert!(closed.is_ok(), "the eleventh connection was kept");
    // When one goes, another may come.
    drop(lines.pop());
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mut line = TcpStream::connect(&host).await.unwrap();
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    line.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    line.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

/// Behind a proxy all connections come from it, and whoever stands behind it is counted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn behind_a_proxy_it_is_requests_of_an_address() {
    let app = TestApp::start_with(TestDatabase::sqlite(), |options| {
        options.config.server.max_connections_per_address = 3;
        options.config.server.trust_forwarded_for = true;
    })
    .await;
    let host = app.url.strip_prefix("http://").unwrap().to_owned();
    let mut lines = Vec::new();
    for _ in 0..12 {
        let mut line = TcpStream::connect(&host).await.unwrap();
        // The body never comes, so that the request stays under way.
        let head = format!(
            "POST /api/v1/auth/login HTTP/1.1\r\nhost: {host}\r\nx-forwarded-for: 198.51.100.7\r\n\
             content-type: application/json\r\ncontent-length: 50\r\n\r\n"
        );
        line.write_all(head.as_bytes()).await.unwrap();
        lines.push(line);
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let from = |address: &'static str| app.stranger().with("x-forwarded-for", address);
    let reply = from("198.51.100.7").get("/healthz").await;
    reply.refused(429, "TOO_MANY_AT_ONCE");
    assert_eq!(from("203.0.113.9").get("/healthz").await.status, 200);
}
