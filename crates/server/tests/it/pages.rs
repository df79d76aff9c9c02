//! The pages people work with, as a browser asks for them.

use crate::harness::{Client, Reply, TestApp};
use quipu_testkit::sqlite_test;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn page(client: &Client, path: &str) -> Reply {
    client.with("accept", "text/html,*/*;q=0.8").get(path).await
}

/// What stands between two marks.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    text.split_once(before)?
        .1
        .split_once(after)
        .map(|(found, _)| found)
}

/// Status and headers of a file, in lower case.
async fn raw_head(url: &str, path: &str, accepted: &str) -> String {
    let host = url.strip_prefix("http://").unwrap();
    let mut line = TcpStream::connect(host).await.unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nhost: {host}\r\naccept-encoding: {accepted}\r\nconnection: close\r\n\r\n"
    );
    line.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    line.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer);
    let (head, _) = answer.split_once("\r\n\r\n").unwrap();
    format!("{head}\r\n").to_lowercase()
}

sqlite_test! {
    async fn every_address_but_those_of_programs_is_a_page(db) {
        let app = TestApp::start(db).await;
        let browser = app.stranger();
        let start = page(&browser, "/").await;
        assert_eq!(start.status, 200, "{}", start.text);
        for path in ["/api/v1/nada", "/v1/nada", "/assets/nada.js", "/mcp/a/b/c"] {
            page(&browser, path).await.refused(404, "ROUTE_NOT_FOUND");
        }
        browser.get("/t/sonrisa/agents").await.refused(404, "ROUTE_NOT_FOUND");
        let posted = browser.post("/t/sonrisa", json!({})).await;
        posted.refused(404, "ROUTE_NOT_FOUND");
        let Some(nonce) = between(&start.text, "name=\"csp-nonce\" content=\"", "\"") else {
            // Built without its pages, it says how to get them.
            assert!(start.text.contains("make build"), "{}", start.text);
            return;
        };
        let deep = page(&browser, "/t/sonrisa/agents/maya?tab=talk").await;
        assert_eq!(deep.status, 200);
        let policy = start.header("content-security-policy");
        assert!(policy.contains(&format!("'nonce-{nonce}'")), "{policy}");
        assert!(policy.contains("script-src 'self';") && !policy.contains("unsafe"), "{policy}");
        assert!(!deep.text.contains(nonce), "a nonce is used once");
        assert_eq!(start.header("cache-control"), "no-store");
        assert!(!start.text.contains("<script>"), "no script stands in the page");
    }

    async fn files_are_sent_small_and_kept_for_good(db) {
        let app = TestApp::start(db).await;
        let browser = app.stranger();
        let start = page(&browser, "/").await;
        let Some(script) = between(&start.text, "src=\"/assets/", "\"") else {
            return;
        };
        let path = format!("/assets/{script}");
        for (accepted, sent) in [("br, gzip", Some("br")), ("gzip", Some("gzip")), ("identity", None)] {
            // The usual client unpacks what it is sent and hides that it did.
            let head = raw_head(&app.url, &path, accepted).await;
            let encoding = between(&head, "content-encoding: ", "\r\n");
            assert_eq!(encoding, sent, "{head}");
            assert!(head.starts_with("http/1.1 200") && head.contains("immutable"), "{head}");
            assert!(head.contains("content-type: text/javascript"), "{head}");
        }
        let packed = browser.get(&path).await;
        let plain = browser.with("accept-encoding", "identity").get(&path).await;
        assert!(plain.text.contains("import") && plain.text == packed.text);
        let tag = packed.header("etag").to_owned();
        assert_eq!(browser.with("if-none-match", &tag).get(&path).await.status, 304);
    }
}
