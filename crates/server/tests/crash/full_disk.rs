//! A disk that fills up under a server: writers are told, readers are served, nothing is lost.

use crate::client::{Client, EMAIL, PASSWORD, text};
use crate::home::{Home, PATIENCE, TURNS};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Where the test finds its tiny disk, once it runs in a place that has one.
const TINY_DISK: &str = "QUIPU_TEST_TINY_DISK";
const KNOWLEDGE: &str = "/api/v1/agents/maya/knowledge";

/// Runs itself again in a mount namespace of its own, where it may mount a small disk. The
/// namespace ends with the process, and takes the disk along however the test ends.
#[test]
fn a_full_disk_is_reported_and_loses_nothing() {
    if let Ok(disk) = std::env::var(TINY_DISK) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(fill_the_disk(Path::new(&disk)));
        return;
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let _turn = runtime.block_on(TURNS.acquire());
    let disk = tempfile::tempdir().unwrap();
    let in_namespace = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c"]);
        command.arg(format!(
            "mount -t tmpfs -o size=8m,mode=700 tmpfs '{}' && {script}",
            disk.path().display()
        ));
        command
    };
    if !in_namespace("true")
        .output()
        .is_ok_and(|output| output.status.success())
    {
        eprintln!("SKIPPED the full disk: this machine lets the tests mount no disk of their own");
        return;
    }
    let (_, test) = concat!(
        module_path!(),
        "::a_full_disk_is_reported_and_loses_nothing"
    )
    .split_once("::")
    .unwrap();
    let program = std::env::current_exe().unwrap();
    let run = format!("exec '{}' --exact {test} --nocapture", program.display());
    let output = in_namespace(&run)
        .env(TINY_DISK, disk.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("1 passed"),
        "the test did not find itself: {said}"
    );
    println!("{said}");
}

async fn fill_the_disk(disk: &Path) {
    let ballast = disk.join("ballast");
    std::fs::write(&ballast, vec![0; 5_000_000]).unwrap();
    let url = format!("sqlite://{}", disk.join("quipu.db").display());
    let home = Home::at(disk, &url)
        .await
        .without_demo()
        .set("QUIPU_JOBS__LEASE_SECONDS", 1)
        .set("QUIPU_JOBS__MAX_ATTEMPTS", 100);
    let server = home.start_server().ready().await;
    let mut client = Client::first_sign_in(&server).await;
    client.make_tenant("tenant").await;
    client
        .post("/api/v1/agents", &json!({ "name": "Maya" }))
        .await;

    let mut kept = Vec::new();
    let refusal = loop {
        match write(&client, kept.len()).await {
            (status, document) if status.is_success() => kept.push(text(&document["id"])),
            refused => break refused,
        }
        assert!(kept.len() < 1000, "the disk does not fill up");
    };
    assert!(!kept.is_empty(), "the disk was full from the start");
    assert_full(&refusal);
    // Now and then a write still finds room in the files that are there. Whatever does not is
    // refused like the first, and reading goes on.
    let mut refusals = 0;
    while refusals < 5 {
        let written = write(&client, kept.len()).await;
        if written.0.is_success() {
            kept.push(text(&written.1["id"]));
        } else {
            assert_full(&written);
            refusals += 1;
        }
        let sign_in = json!({ "email": EMAIL, "password": PASSWORD });
        let path = "/api/v1/auth/login";
        let sent = client.send(Method::POST, path, Some(&sign_in), None).await;
        let signed_in = sent.expect("an answer");
        if !signed_in.0.is_success() {
            assert_full(&signed_in);
        }
        assert_eq!(ids(&client).await, kept);
        client.get("/readyz").await;
        client.get("/api/v1/agents/maya").await;
    }

    std::fs::remove_file(ballast).unwrap();
    for _ in 0..3 {
        let (status, document) = write(&client, kept.len()).await;
        assert!(status.is_success(), "{status} {document}");
        kept.push(text(&document["id"]));
    }
    until_completed(&client, &kept).await;
    Client::sign_in(&server.address, PASSWORD).await;

    // What was acknowledged is on the disk, and not in a connection that never committed.
    server.process.kill().await;
    let server = home.start_server().ready().await;
    client.address.clone_from(&server.address);
    until_completed(&client, &kept).await;
    home.assert_no_panic();
    println!("{} texts were acknowledged", kept.len());
}

async fn write(client: &Client, n: usize) -> (StatusCode, Value) {
    let body = json!({ "content": format!("{n:06}. ").repeat(1500) });
    let sent = client
        .send(Method::POST, KNOWLEDGE, Some(&body), None)
        .await;
    sent.expect("the server answers even when its disk is full")
}

/// In our own shape, with a code that programs know.
fn assert_full((status, body): &(StatusCode, Value)) {
    let error = &body["error"];
    let code = error["code"].as_str().unwrap_or_default();
    assert!(
        matches!(
            (status.as_u16(), code),
            (507, "STORAGE_FULL") | (503, "DATABASE_UNAVAILABLE" | "BUSY")
        ),
        "{status} {body}"
    );
    assert!(!text(&error["message"]).is_empty(), "{body}");
    assert!(!text(&error["request_id"]).is_empty(), "{body}");
}

/// Oldest first, as they were written.
async fn ids(client: &Client) -> Vec<String> {
    let documents = client.all(KNOWLEDGE).await;
    documents
        .iter()
        .rev()
        .map(|document| text(&document["id"]))
        .collect()
}

async fn until_completed(client: &Client, kept: &[String]) {
    let patience = Instant::now() + PATIENCE;
    loop {
        let documents = client.all(KNOWLEDGE).await;
        assert_eq!(documents.len(), kept.len());
        if documents
            .iter()
            .all(|document| document["status"] == "completed")
        {
            return;
        }
        assert!(Instant::now() < patience, "{documents:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
