//! What a running server writes down of those who knock at its doors, and what it does not.

use crate::client::{Client, EMAIL, PASSWORD};
use crate::home::Home;
use quipu_testkit::TestDatabase;
use reqwest::Method;
use serde_json::json;

/// As many wrong ones as are let by before the door is locked.
const FAILURES: usize = 5;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_knocks_is_written_down_and_what_they_said_is_not() {
    let db = TestDatabase::sqlite();
    let home = Home::new(db.url()).await;
    let server = home.start_server().ready().await;
    Client::first_sign_in(&server).await;
    let anybody = Client::new(&server.address, "");
    for guess in 0..FAILURES {
        let body = json!({ "email": EMAIL, "password": format!("adivinanza-{guess}") });
        let answer = anybody
            .send(Method::POST, "/api/v1/auth/login", Some(&body), None)
            .await;
        assert_eq!(answer.expect("an answer").0, 401);
    }
    let body = json!({ "agentId": "maya", "projectId": "demo", "query": "horario" });
    let search = reqwest::Client::new()
        .post(format!("{}/api/rag/search", server.address))
        .header("x-n8n-secret", "un secreto que nadie guarda")
        .json(&body);
    assert_eq!(search.send().await.expect("an answer").status(), 401);

    let log = home.log();
    for told in [
        "signed in from 127.0.0.1",
        "a password was wrong",
        "too many passwords were wrong",
        "a wrong shared secret was presented from 127.0.0.1",
    ] {
        assert!(log.contains(told), "{told}: {log}");
    }
    for secret in [
        PASSWORD,
        "adivinanza-",
        "un secreto que nadie guarda",
        EMAIL,
    ] {
        assert!(!log.contains(secret), "{secret}: {log}");
    }
}
