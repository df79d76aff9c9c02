//! Answers that are none.

use crate::server::{KEY, Server, Step, embedder, permanent};
use quipu_core::embedding::EmbeddingProvider;
use quipu_core::ports::Purpose;
use serde_json::json;

async fn refused(body: impl Into<String>) -> String {
    let server = Server::open(&[Step::Body(body.into())]).await;
    let why = permanent(server.passages(&["uno", "dos"]).await);
    assert_eq!(server.requests(), 1, "it is not asked again");
    why
}

#[tokio::test]
async fn what_is_not_the_wanted_vectors_is_refused() {
    let right = json!({"index": 0, "embedding": [1, 0]});
    for data in [
        json!([]),
        // Half a batch.
        json!([right]),
        json!([right, {"index": 1, "embedding": [1, 0]}, {"index": 2, "embedding": [1, 0]}]),
        json!([right, right]),
        json!([right, {"index": 7, "embedding": [1, 0]}]),
        json!([right, {"index": 1, "embedding": [1]}]),
        json!([right, {"index": 1, "embedding": [1, 0, 0]}]),
        json!([right, {"index": 1, "embedding": []}]),
        json!([right, {"index": 1, "embedding": [1, null]}]),
        json!([right, {"index": 1, "embedding": [1, "NaN"]}]),
        json!([right, {"index": 1, "embedding": [1, 1e300]}]),
        json!([right, {"index": 1, "embedding": null}]),
        json!([right, {"index": 1}]),
    ] {
        refused(json!({ "data": data }).to_string()).await;
    }
    for text in [
        "",
        "null",
        "[]",
        "{}",
        r#"{"data": null}"#,
        r#"{"data": [{"index": 0, "embedding": [NaN, 0]}, {"index": 1, "embedding": [1, 0]}]}"#,
        r#"{"data": [{"index": 0, "embedding": [1e999, 0]}, {"index": 1, "embedding": [1, 0]}]}"#,
        r#"{"data": [{"index": 0, "embedding": [1, 0]}, {"index": 1, "embedding": [1, "#,
    ] {
        refused(text).await;
    }
}

#[tokio::test]
async fn zero_vectors_are_taken_as_they_are() {
    let body = json!({"data": [{"embedding": [0, 0]}, {"embedding": [0, -0.5]}]});
    let server = Server::open(&[Step::Body(body.to_string())]).await;
    let embedded = server.passages(&["uno", "dos"]).await.unwrap();
    assert_eq!(embedded.vectors, [[0.0, 0.0], [0.0, -1.0]]);
    assert_eq!(embedded.tokens, None);
}

#[tokio::test]
async fn the_log_has_the_beginning_of_garbage_without_the_key() {
    let page = format!("<html>\n{KEY} no encontrado {}</html>", "ñ".repeat(1000));
    let why = refused(page).await;
    assert!(
        why.contains("<html>") && why.contains("no encontrado"),
        "{why}"
    );
    assert!(why.chars().filter(|c| *c == 'ñ').count() < 200, "{why}");
    assert!(why.chars().count() < 400, "{why}");
}

#[tokio::test]
async fn an_answer_without_end_is_cut_off() {
    let long = format!("{{\"data\": [{}", " ".repeat(1_100_000));
    let why = refused(long).await;
    assert!(why.contains("bytes"), "{why}");
}

#[tokio::test]
async fn a_wrong_answer_to_one_batch_fails_them_all() {
    let server = Server::open(&[Step::Right, Step::Body("{}".to_owned())]).await;
    let mut config = server.config(EmbeddingProvider::Custom);
    (config.batch_size, config.concurrent_batches) = (1, 1);
    let embedder = embedder(&server.settings(), &config);
    let texts = ["uno", "dos", "tres"].map(str::to_owned);
    permanent(embedder.embed(&texts, Purpose::Passage).await);
    assert_eq!(server.requests(), 2);
}
