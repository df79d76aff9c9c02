//! A stand-in for n8n: it remembers what it receives, and answers what it is told to.

use crate::outgoing::json_response;
use crate::server::MOST_BODY_BYTES;
use crate::state::{SimulatorState, push, remembered};
use axum::body::{Body, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

const MOST_RECEIVED: usize = 500;
const MOST_ANSWERS: usize = 100;
pub(crate) const MOST_DELAY_MILLISECONDS: u64 = 120_000;

/// Something that arrived.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct N8nReceived {
    pub account_id: String,
    pub at: i64,
    /// Names in small letters.
    pub headers: BTreeMap<String, String>,
    /// Word by word, since a signature is over the bytes. Cut where it is longer than anybody reads.
    pub raw_body: String,
    /// `null` where it is no JSON.
    pub body: Value,
}

/// What is answered from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct N8nAnswer {
    #[serde(default = "ok")]
    pub status: u16,
    #[serde(default)]
    pub body: Value,
    #[serde(default)]
    pub delay_milliseconds: u64,
}

const fn ok() -> u16 {
    200
}

#[derive(Default)]
pub(crate) struct N8nRecords {
    received: VecDeque<N8nReceived>,
    answers: HashMap<String, N8nAnswer>,
}

impl Default for N8nAnswer {
    fn default() -> Self {
        Self {
            status: ok(),
            body: json!({ "ok": true }),
            delay_milliseconds: 0,
        }
    }
}

impl N8nRecords {
    pub(crate) fn received(&self, account_id: &str) -> Vec<N8nReceived> {
        let received = self.received.iter();
        received
            .filter(|received| received.account_id == account_id)
            .cloned()
            .collect()
    }

    /// `None` takes back what was told before.
    pub(crate) fn answer_with(&mut self, account_id: &str, answer: Option<N8nAnswer>) {
        match answer {
            None => {
                self.answers.remove(account_id);
            }
            Some(answer)
                if self.answers.len() < MOST_ANSWERS || self.answers.contains_key(account_id) =>
            {
                self.answers.insert(account_id.to_owned(), answer);
            }
            Some(_) => {}
        }
    }
}

pub(crate) async fn receive(
    State(state): State<Arc<SimulatorState>>,
    Path(account_id): Path<String>,
    request: Request,
) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let Ok(bytes) = to_bytes(body, MOST_BODY_BYTES).await else {
        return json_response(
            413,
            &json!({ "code": 413, "message": "request entity too large" }),
            None,
        );
    };
    let account_id: String = account_id.chars().take(200).collect();
    let headers = parts.headers.iter().filter_map(|(name, value)| {
        Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
    });
    let parsed: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let shown = &bytes[..bytes.len().min(crate::state::MOST_LOGGED_BYTES)];
    let received = N8nReceived {
        account_id: account_id.clone(),
        at: state.clock.now(),
        headers: headers.collect(),
        raw_body: String::from_utf8_lossy(shown).into_owned(),
        body: remembered(&parsed, bytes.len()),
    };
    let answer = state.edit(|records| {
        push(&mut records.n8n.received, received, MOST_RECEIVED);
        records
            .n8n
            .answers
            .get(&account_id)
            .cloned()
            .unwrap_or_default()
    });
    let delay = answer.delay_milliseconds.min(MOST_DELAY_MILLISECONDS);
    if delay > 0 {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(delay)) => {}
            () = state.queues.stop.cancelled() => {}
        }
    }
    json_response(answer.status, &answer.body, None)
}
