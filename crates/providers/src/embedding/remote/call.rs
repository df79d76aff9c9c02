//! One call: send the texts, read what comes back, and believe none of it unchecked.

use super::clients::{Clients, unreachable};
use super::fault::{Fault, Then, excerpt};
use super::protocol::Protocol;
use super::retry::retry_after;
use super::target::Target;
use super::{EmbeddingSettings, Order};
use crate::embedding::vectors;
use quipu_core::ports::Purpose;
use reqwest::header::{AUTHORIZATION, HeaderValue};
use reqwest::{Client, Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// What an answer may hold besides its numbers.
const SLACK_BYTES: usize = 1024 * 1024;
/// A number in the longest spelling that servers use, with white space around it.
const BYTES_PER_NUMBER: usize = 32;
/// What is read of an answer that says what is wrong.
const MOST_ERROR_BYTES: usize = 64 * 1024;

pub(super) struct Answer {
    pub(super) vectors: Vec<Vec<f32>>,
    pub(super) tokens: Option<u64>,
}

pub(super) struct Call {
    name: String,
    dimensions: usize,
    protocol: Protocol,
    target: Target,
    key: Option<SecretString>,
    clients: Arc<Clients>,
    passage_timeout: Duration,
    question_timeout: Duration,
}

impl Call {
    pub(super) fn new(order: Order, settings: &EmbeddingSettings, clients: Arc<Clients>) -> Self {
        Self {
            name: order.name,
            dimensions: order.dimensions,
            protocol: order.protocol,
            target: order.target,
            key: order.key,
            clients,
            passage_timeout: settings.passage_timeout,
            question_timeout: settings.question_timeout,
        }
    }

    pub(super) async fn make(&self, texts: &[&str], purpose: Purpose) -> Result<Answer, Fault> {
        let patience = match purpose {
            Purpose::Passage => self.passage_timeout,
            Purpose::Question => self.question_timeout,
        };
        // Making the client is no fault of the server's.
        let client = self.clients.of(self.target.trust).await?;
        let began = Instant::now();
        let answer = timeout(patience, self.exchange(client, texts, purpose))
            .await
            .unwrap_or_else(|_| {
                Err(Fault {
                    then: Then::TimedOut,
                    why: format!("no whole answer within {patience:?}"),
                })
            });
        let purpose = match purpose {
            Purpose::Passage => "passage",
            Purpose::Question => "question",
        };
        metrics::histogram!("quipu_embedding_call_seconds", "purpose" => purpose)
            .record(began.elapsed());
        answer
    }

    async fn exchange(
        &self,
        client: &Client,
        texts: &[&str],
        purpose: Purpose,
    ) -> Result<Answer, Fault> {
        let body = self
            .protocol
            .body(&self.name, self.dimensions, texts, purpose);
        let mut request = client.post(self.target.url.clone()).json(&body);
        if let Some(key) = &self.key {
            request = request.header(AUTHORIZATION, bearer(key)?);
        }
        let response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        if !status.is_success() {
            return Err(self.refused(status, response).await);
        }
        let numbers = texts.len() * self.dimensions;
        let most = SLACK_BYTES + numbers * BYTES_PER_NUMBER;
        let (body, whole) = read(response, most).await?;
        if !whole {
            return Err(Fault::lasting(format!(
                "an answer of more than {most} bytes"
            )));
        }
        self.understand(body, texts.len()).await
    }

    /// Reads the vectors out of an answer, beside the tasks that wait for the network: a large
    /// one takes a while.
    async fn understand(&self, body: Vec<u8>, count: usize) -> Result<Answer, Fault> {
        let (protocol, dimensions) = (self.protocol, self.dimensions);
        let work = move || {
            let answer = protocol.read(&body).and_then(|read| {
                Ok(Answer {
                    vectors: vectors::checked(read.vectors, count, dimensions)?,
                    tokens: read.tokens,
                })
            });
            answer.map_err(|why| (why, body))
        };
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|e| Fault::passing(e.to_string()))?
            .map_err(|(why, body)| Fault::lasting(format!("{why}, in {:?}", self.excerpt(&body))))
    }

    async fn refused(&self, status: StatusCode, response: Response) -> Fault {
        let after = retry_after(response.headers());
        let then = match status.as_u16() {
            408 | 409 | 429 | 500..=599 => Then::Retry(after),
            _ => Then::GiveUp,
        };
        // Why it was refused is good to know, but not having it changes nothing.
        let said = match read(response, MOST_ERROR_BYTES).await {
            Ok((body, _)) => self.excerpt(&body),
            Err(_) => String::new(),
        };
        let why = format!("status {}, {said:?}", status.as_u16());
        Fault { then, why }
    }

    fn excerpt(&self, body: &[u8]) -> String {
        let key = self.key.as_ref().map(ExposeSecret::expose_secret);
        excerpt(body, key.map(str::trim))
    }
}

fn bearer(key: &SecretString) -> Result<HeaderValue, Fault> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose_secret().trim()))
        .map_err(|_| Fault::lasting("the key has characters that no key has"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// At most so many bytes of an answer, and whether that is all of it.
async fn read(mut response: Response, most: usize) -> Result<(Vec<u8>, bool), Fault> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(unreachable)? {
        let room = most - body.len();
        if piece.len() > room {
            body.extend_from_slice(&piece[..room]);
            return Ok((body, false));
        }
        body.extend_from_slice(&piece);
    }
    Ok((body, true))
}
