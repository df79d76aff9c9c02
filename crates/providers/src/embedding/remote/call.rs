//! One call: send the texts, read what comes back, and believe none of it unchecked.

use super::protocol::Protocol;
use super::{EmbeddingSettings, Order};
use crate::embedding::vectors;
use crate::network::{Clients, Endpoint, Fault};
use quipu_core::ports::Purpose;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What an answer may hold besides its numbers.
const SLACK_BYTES: usize = 1024 * 1024;
/// A number in the longest spelling that servers use, with white space around it.
const BYTES_PER_NUMBER: usize = 32;

pub(super) struct Answer {
    pub(super) vectors: Vec<Vec<f32>>,
    pub(super) tokens: Option<u64>,
}

pub(super) struct Call {
    name: String,
    dimensions: usize,
    protocol: Protocol,
    endpoint: Endpoint,
    passage_timeout: Duration,
    question_timeout: Duration,
}

impl Call {
    pub(super) fn new(order: Order, settings: &EmbeddingSettings, clients: Arc<Clients>) -> Self {
        Self {
            name: order.name,
            dimensions: order.dimensions,
            protocol: order.protocol,
            endpoint: Endpoint::new(order.target, order.key, clients),
            passage_timeout: settings.passage_timeout,
            question_timeout: settings.question_timeout,
        }
    }

    pub(super) async fn make(&self, texts: &[&str], purpose: Purpose) -> Result<Answer, Fault> {
        let (label, patience) = match purpose {
            Purpose::Passage => ("passage", self.passage_timeout),
            Purpose::Question => ("question", self.question_timeout),
        };
        let (protocol, count, dimensions) = (self.protocol, texts.len(), self.dimensions);
        let body = protocol.body(&self.name, dimensions, texts, purpose);
        let most_bytes = SLACK_BYTES + count * dimensions * BYTES_PER_NUMBER;
        let understand = move |body: &[u8]| {
            let read = protocol.read(body)?;
            Ok(Answer {
                vectors: vectors::checked(read.vectors, count, dimensions)?,
                tokens: read.tokens,
            })
        };
        let began = Instant::now();
        let answer = self.endpoint.ask(&body, most_bytes, patience, understand);
        let answer = answer.await;
        metrics::histogram!("quipu_embedding_call_seconds", "purpose" => label)
            .record(began.elapsed());
        answer
    }
}
