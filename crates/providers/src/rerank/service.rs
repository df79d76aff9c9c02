//! Services that speak Cohere's protocol.

use super::beginning;
use super::settings::RerankSettings;
use crate::network::{Clients, Endpoint, Guard, Retry, Target};
use async_trait::async_trait;
use quipu_core::ports::{Purpose, RerankError, Reranked, Reranker};
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use url::Url;

/// What comes behind the base address.
pub(super) const PATH: &str = "rerank";
/// What is sent of a passage and of a question. Services cut what their model cannot read.
const MOST_PASSAGE_BYTES: usize = 8 * 1024;
const MOST_QUESTION_BYTES: usize = 2 * 1024;
/// How many questions one reranker asks at the same time.
const CALLS_AT_ONCE: usize = 16;
/// What an answer may hold besides its results, and one result besides its passage.
const SLACK_BYTES: usize = 64 * 1024;
const BYTES_PER_RESULT: usize = 512;
/// Some services send the passages back, with every letter spelled in six bytes at worst.
const BYTES_PER_BYTE: usize = 6;
/// A probability may leave its range by what is rounded.
const ROUNDING: f64 = 1e-3;

/// What one reranker asks for, and of whom.
pub(super) struct Order {
    /// What the service calls the model.
    pub(super) name: String,
    pub(super) target: Target,
    pub(super) key: Option<SecretString>,
}

pub(super) struct ServiceReranker {
    model: String,
    name: String,
    endpoint: Endpoint,
    timeout: Duration,
    retry: Retry,
    guard: Arc<Guard>,
    calls: Semaphore,
}

impl ServiceReranker {
    pub(super) fn new(
        order: Order,
        settings: &RerankSettings,
        clients: Arc<Clients>,
        guard: Arc<Guard>,
    ) -> Self {
        Self {
            model: format!("cohere/{}", order.name),
            name: order.name,
            endpoint: Endpoint::new(order.target, order.key, clients).discreet(),
            timeout: settings.timeout,
            retry: Retry::new(settings.retry),
            guard,
            calls: Semaphore::new(CALLS_AT_ONCE),
        }
    }

    /// Asks until it is answered, refused, or no attempt is left.
    async fn ask(&self, question: &str, passages: &[&str]) -> Result<Vec<f32>, RerankError> {
        let _turn = self
            .calls
            .acquire()
            .await
            .map_err(|e| RerankError::Transient(e.to_string()))?;
        let count = passages.len();
        let body = json!({
            "model": self.name,
            "query": beginning(question, MOST_QUESTION_BYTES),
            "documents": passages,
            "top_n": count,
        });
        let sent: usize = passages.iter().map(|passage| passage.len()).sum();
        let most_bytes = SLACK_BYTES + count * BYTES_PER_RESULT + sent * BYTES_PER_BYTE;
        let mut failures = 0;
        loop {
            let began = Instant::now();
            let understand = move |body: &[u8]| relevances(body, count);
            let call = self
                .endpoint
                .ask(&body, most_bytes, self.timeout, understand);
            let result = self.guard.run(call).await;
            metrics::histogram!("quipu_rerank_call_seconds").record(began.elapsed());
            let fault = match result {
                Ok(found) => return Ok(found),
                Err(fault) => fault,
            };
            failures += 1;
            match self.retry.wait(&fault, failures, Purpose::Question) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(fault.into()),
            }
        }
    }
}

#[async_trait]
impl Reranker for ServiceReranker {
    fn model(&self) -> &str {
        &self.model
    }

    async fn rerank(&self, question: &str, passages: &[String]) -> Result<Reranked, RerankError> {
        let cut = passages
            .iter()
            .map(|passage| beginning(passage, MOST_PASSAGE_BYTES));
        // Services refuse a whole call for a passage without a word in it, which answers nothing
        // anyway.
        let (places, asked): (Vec<usize>, Vec<&str>) = cut
            .enumerate()
            .filter(|(_, passage)| !passage.is_empty())
            .unzip();
        let mut all = vec![0.0; passages.len()];
        if !asked.is_empty() {
            let found = self.ask(question, &asked).await?;
            for (place, relevance) in places.into_iter().zip(found) {
                all[place] = relevance;
            }
        }
        Ok(Reranked::Relevances(all))
    }
}

/// The base address behind which [`PATH`] is put, for the address that somebody named: a server
/// without a path is asked as Cohere's own is, and nobody is punished for naming the whole address.
pub(super) fn base(address: &str) -> String {
    let Ok(mut url) = Url::parse(address.trim()) else {
        return address.to_owned();
    };
    let path = url.path().trim_matches('/').to_owned();
    // What is no address of a server is refused by whoever takes it.
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty();
        if path.is_empty() {
            segments.push("v2");
        } else if path.rsplit('/').next() == Some(PATH) {
            segments.pop();
        }
    }
    url.into()
}

#[derive(Deserialize)]
struct Answer {
    results: Vec<Judged>,
}

#[derive(Deserialize)]
struct Judged {
    index: usize,
    relevance_score: f64,
}

/// The relevance of each passage, in the order in which they were sent.
fn relevances(body: &[u8], count: usize) -> Result<Vec<f32>, String> {
    let answer: Answer = serde_json::from_slice(body).map_err(|e| e.to_string())?;
    let mut placed: Vec<Option<f32>> = vec![None; count];
    for Judged {
        index,
        relevance_score: score,
    } in answer.results
    {
        // Some servers answer with the bare numbers of their model, which are no probabilities.
        if !(-ROUNDING..=1.0 + ROUNDING).contains(&score) {
            return Err(format!("a relevance of {score}, not between 0 and 1"));
        }
        let place = placed
            .get_mut(index)
            .ok_or_else(|| format!("a result with the index {index}"))?;
        #[expect(clippy::cast_possible_truncation, reason = "it lies between 0 and 1")]
        if place.replace(score.clamp(0.0, 1.0) as f32).is_some() {
            return Err(format!("two results with the index {index}"));
        }
    }
    let found: Vec<f32> = placed.into_iter().flatten().collect();
    if found.len() != count {
        return Err(format!("{} results for {count} passages", found.len()));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_where_their_index_says() {
        let answer = br#"{"id": "x", "results": [
            {"index": 1, "relevance_score": 0.9, "document": {"text": "b"}},
            {"index": 0, "relevance_score": 1.0000001}, {"index": 2, "relevance_score": 0}],
            "meta": {"billed_units": {"search_units": 1}}}"#;
        assert_eq!(relevances(answer, 3), Ok(vec![1.0, 0.9, 0.0]));
        assert_eq!(relevances(br#"{"results": []}"#, 0), Ok(vec![]));
    }

    #[test]
    fn what_is_no_judgement_is_refused() {
        let result = |index: &str, score: &str| {
            format!(r#"{{"index": {index}, "relevance_score": {score}}}"#)
        };
        let answer = |results: &[String]| format!(r#"{{"results": [{}]}}"#, results.join(","));
        let right = result("0", "0.5");
        assert!(relevances(answer(&[right.clone(), result("1", "0.5")]).as_bytes(), 2).is_ok());
        for wrong in [
            answer(std::slice::from_ref(&right)),
            answer(&[right.clone(), right.clone()]),
            answer(&[right.clone(), right.clone(), result("1", "0.5")]),
            answer(&[right.clone(), result("2", "0.5")]),
            answer(&[right.clone(), result("-1", "0.5")]),
            answer(&[right.clone(), result("1.5", "0.5")]),
            answer(&[right.clone(), result("18446744073709551616", "0.5")]),
            answer(&[right.clone(), result("1", "NaN")]),
            answer(&[right.clone(), result("1", "null")]),
            answer(&[right.clone(), result("1", "\"0.5\"")]),
            answer(&[right.clone(), result("1", "1e400")]),
            answer(&[right.clone(), result("1", "7.25")]),
            answer(&[right.clone(), result("1", "-3.5")]),
            answer(&[right, r#"{"index": 1}"#.to_owned()]),
            r#"{"data": []}"#.to_owned(),
            "[]".to_owned(),
            "<html>".to_owned(),
            String::new(),
        ] {
            assert!(relevances(wrong.as_bytes(), 2).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_address_is_understood_in_every_usual_spelling() {
        for (address, expected) in [
            ("https://api.cohere.com", "https://api.cohere.com/v2"),
            (" https://api.cohere.com/ ", "https://api.cohere.com/v2"),
            ("https://api.jina.ai/v1", "https://api.jina.ai/v1"),
            ("https://api.jina.ai/v1/", "https://api.jina.ai/v1"),
            ("https://api.jina.ai/v1/rerank", "https://api.jina.ai/v1"),
            ("http://a.example/rerank/", "http://a.example/"),
            ("http://a.example:4000?x=1", "http://a.example:4000/v2?x=1"),
            ("http://a.example/reranker", "http://a.example/reranker"),
            ("a.example", "a.example"),
            ("data:text/plain,hola", "data:text/plain,hola"),
        ] {
            assert_eq!(base(address), expected, "{address}");
        }
    }
}
