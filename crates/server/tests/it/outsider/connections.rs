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
    // It is written when it is first asked for, which is not what anybody is to wait for here.
    assert_eq!(app.stranger().get("/openapi.json").await.status, 200);
    let host = app.url.strip_prefix("http://").unwrap().to_owned();
    // A task of this runtime would wait for its turn before it could be in the way.
    let waited = tokio::task::spawn_blocking(move || stand_in_the_way(&host)).await;
    for took in waited.unwrap() {
        assert!(took < Duration::from_secs(5), "{took:?}");
    }
}

/// Asks for much over many connections without taking any of it, and returns how long somebody else
/// waits for an answer meanwhile.
fn stand_in_the_way(host: &str) -> Vec<Duration> {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;
    // Compressing takes much longer than sending what comes of it.
    let request =
        format!("GET /openapi.json HTTP/1.1\r\nhost: {host}\r\naccept-encoding: gzip\r\n\r\n");
    let request = request.repeat(400);
    let connect = |asked: &str| {
        let mut line = TcpStream::connect(host).unwrap();
        line.write_all(asked.as_bytes()).unwrap();
        line
    };
    let lines: Vec<TcpStream> = (0..80).map(|_| connect(&request)).collect();
    let health = format!("GET /healthz HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    let wait = |_| {
        let began = Instant::now();
        let mut line = connect(&health);
        let patience = Some(Duration::from_secs(10));
        line.set_read_timeout(patience).unwrap();
        let mut answer = String::new();
        line.read_to_string(&mut answer).expect("an answer in time");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        began.elapsed()
    };
    let waited = (0..3).map(wait).collect();
    drop(lines);
    waited
}

/// An answer that nobody takes is not kept for ever, with the place of whoever asked for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_never_takes_an_answer_is_let_go() {
    let app = TestApp::start_with(TestDatabase::sqlite(), |options| {
        options.config.server.max_connections_per_address = 1;
    })
    .await;
    let host = app.url.strip_prefix("http://").unwrap().to_owned();
    let mut line = TcpStream::connect(&host).await.unwrap();
    // More than the system keeps for a connection.
    let request = format!("GET /openapi.json HTTP/1.1\r\nhost: {host}\r\n\r\n").repeat(400);
    line.write_all(request.as_bytes()).await.unwrap();
    let began = Instant::now();
    let is_served = async || {
        let mut other = TcpStream::connect(&host).await.unwrap();
        let request = format!("GET /healthz HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        // One that is refused may be closed before it has asked.
        drop(other.write_all(request.as_bytes()).await);
        let mut answer = Vec::new();
        drop(other.read_to_end(&mut answer).await);
        answer.starts_with(b"HTTP/1.1 200")
    };
    assert!(!is_served().await, "the first has the only place");
    while !is_served().await {
        assert!(began.elapsed() < Duration::from_secs(40), "it was kept");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    drop(line);
}

/// Each connection takes a file, and a session is given fewer by default than are to be served.
#[cfg(target_os = "linux")]
#[test]
fn a_server_takes_as_many_files_as_the_system_lets_it() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("QUIPU_")) {
        command.env_remove(name);
    }
    let start = "ulimit -Sn 200 && exec \"$0\" serve --bind 127.0.0.1:0";
    let mut server = command
        .args(["-c", start, env!("CARGO_BIN_EXE_quipu")])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let about = |name: &str| {
        let text = std::fs::read_to_string(format!("/proc/{}/{name}", server.id()));
        text.unwrap_or_default()
    };
    let limits = || -> Vec<String> {
        let limits = about("limits");
        let files = limits
            .lines()
            .find_map(|line| line.strip_prefix("Max open files"));
        let words = files.unwrap_or_default().split_whitespace();
        words.take(2).map(str::to_owned).collect()
    };
    let began = Instant::now();
    // Until then it is the shell, which has not set its own limit yet.
    while about("comm").trim() != "quipu" && began.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let is_raised = || matches!(limits().as_slice(), [soft, hard] if soft == hard);
    while !is_raised() && began.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(50));
    }
    let found = limits();
    drop(server.kill());
    drop(server.wait());
    assert_ne!(found[0], "200", "it stayed at what it was given");
    assert_eq!(found[0], found[1]);
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
