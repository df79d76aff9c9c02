//! What happens on a connection between two requests.

use crate::harness::TestApp;
use quipu_testkit::TestDatabase;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Reads until the server has said this.
async fn hear(line: &mut TcpStream, wanted: &str) -> String {
    let mut heard = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let reading = tokio::time::timeout(Duration::from_secs(20), line.read(&mut piece));
        let read = reading.await.expect("an answer in time").unwrap_or(0);
        heard.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&heard).into_owned();
        assert!(
            read > 0 || text.contains(wanted),
            "the line was cut: {text}"
        );
        if text.contains(wanted) {
            return text;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_request_leaves_its_connection_usable() {
    let app = TestApp::start(TestDatabase::sqlite()).await;
    let host = app.url.strip_prefix("http://").unwrap();
    let mut line = TcpStream::connect(host).await.unwrap();
    let body = r#"{"model": "maya", "messages": []}"#;
    for _ in 0..3 {
        let head = format!(
            "POST /v1/chat/completions HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer nobody\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        line.write_all(head.as_bytes()).await.unwrap();
        // The refusal needs no body, and the body is late.
        tokio::time::sleep(Duration::from_millis(300)).await;
        line.write_all(body.as_bytes()).await.unwrap();
        let refused = hear(&mut line, "\"request_id\"").await;
        assert!(refused.starts_with("HTTP/1.1 401"), "{refused}");
    }
    let next = format!("GET /healthz HTTP/1.1\r\nhost: {host}\r\n\r\n");
    line.write_all(next.as_bytes()).await.unwrap();
    assert!(
        hear(&mut line, "\r\n\r\n")
            .await
            .starts_with("HTTP/1.1 200")
    );
}
