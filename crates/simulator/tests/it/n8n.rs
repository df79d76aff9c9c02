//! n8n.

use crate::business::{Business, told};
use quipu_simulator::{N8nAnswer, SimulatedChannel};
use serde_json::json;
use std::time::{Duration, Instant};

#[tokio::test]
async fn what_arrives_is_remembered_and_answered_as_told() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let url = business.url("n8n/flow-1");
    let post = async || {
        let request = business
            .http
            .post(&url)
            .header("x-quipu-secret", "s")
            .json(&json!({ "n": 1 }));
        told(request.send().await.unwrap()).await
    };
    assert_eq!(post().await, (200, json!({ "ok": true })));
    let received = business.simulator.n8n_received("flow-1");
    assert_eq!(received.len(), 1);
    assert_eq!(received[0].body, json!({ "n": 1 }));
    assert_eq!(received[0].raw_body, r#"{"n":1}"#);
    assert_eq!(received[0].headers["x-quipu-secret"], "s");
    assert!(business.simulator.n8n_received("flow-2").is_empty());

    let answer = N8nAnswer {
        status: 503,
        body: json!({ "message": "busy" }),
        delay_milliseconds: 200,
    };
    business.simulator.n8n_answers("flow-1", Some(answer));
    let began = Instant::now();
    assert_eq!(post().await, (503, json!({ "message": "busy" })));
    assert!(began.elapsed() >= Duration::from_millis(200));
    business.simulator.n8n_answers("flow-1", None);
    assert_eq!(post().await.0, 200);
    assert_eq!(business.simulator.n8n_received("flow-1").len(), 3);
}

#[tokio::test]
async fn nothing_larger_than_six_megabytes_is_taken() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let body = vec![b' '; 6 * 1024 * 1024 + 1];
    for path in ["n8n/flow-1", "v26.0/1/messages"] {
        let response = business
            .http
            .post(business.url(path))
            .body(body.clone())
            .send()
            .await;
        assert_eq!(response.unwrap().status().as_u16(), 413);
    }
    assert!(business.simulator.n8n_received("flow-1").is_empty());
}

#[tokio::test]
async fn a_long_wait_does_not_hold_up_the_end() {
    let business = Business::open(SimulatedChannel::Whatsapp).await;
    let answer = N8nAnswer {
        delay_milliseconds: 100_000,
        ..N8nAnswer::default()
    };
    business.simulator.n8n_answers("flow-1", Some(answer));
    let (http, url) = (business.http.clone(), business.url("n8n/flow-1"));
    let waiting = tokio::spawn(async move { http.post(url).send().await });
    while business.simulator.n8n_received("flow-1").is_empty() {
        tokio::task::yield_now().await;
    }
    let began = Instant::now();
    business.simulator.stop().await;
    assert!(began.elapsed() < Duration::from_secs(5));
    // Whether it still had its answer depends on how fast the line was closed.
    let _ = waiting.await.unwrap();
}
