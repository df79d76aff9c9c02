//! Models that answer over the network.

mod batches;
mod call;
mod protocol;

use super::settings::EmbeddingSettings;
use crate::network::{Clients, Guard, Retry, Target};
use async_trait::async_trait;
use batches::Limits;
use call::{Answer, Call};
use futures::future::try_join_all;
pub(super) use protocol::Protocol;
use quipu_core::ports::{EmbedError, Embedded, Embedder, Purpose};
use secrecy::SecretString;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// How many questions one embedder asks at the same time.
const QUESTIONS_AT_ONCE: usize = 16;

/// What one embedder asks for, and of whom.
pub(super) struct Order {
    /// The name under which the vectors are kept.
    pub(super) model: String,
    /// What the provider calls the model.
    pub(super) name: String,
    pub(super) dimensions: usize,
    pub(super) batch_size: usize,
    pub(super) concurrent_batches: usize,
    pub(super) protocol: Protocol,
    pub(super) target: Target,
    pub(super) key: Option<SecretString>,
}

pub(super) struct RemoteEmbedder {
    model: String,
    dimensions: usize,
    limits: Limits,
    call: Call,
    retry: Retry,
    guard: Arc<Guard>,
    /// Questions do not wait behind documents.
    passages: Semaphore,
    questions: Semaphore,
}

impl RemoteEmbedder {
    pub(super) fn new(
        order: Order,
        settings: &EmbeddingSettings,
        clients: Arc<Clients>,
        guard: Arc<Guard>,
    ) -> Self {
        let limits = Limits::new(order.protocol, order.batch_size, order.dimensions);
        Self {
            model: order.model.clone(),
            dimensions: order.dimensions,
            limits,
            passages: Semaphore::new(order.concurrent_batches.max(1)),
            questions: Semaphore::new(QUESTIONS_AT_ONCE),
            call: Call::new(order, settings, clients),
            retry: Retry::new(settings.retry),
            guard,
        }
    }

    /// Asks for one batch until it is answered, refused, or no attempt is left.
    async fn batch(&self, texts: &[&str], purpose: Purpose) -> Result<Answer, EmbedError> {
        let lane = match purpose {
            Purpose::Passage => &self.passages,
            Purpose::Question => &self.questions,
        };
        // It is kept while waiting between attempts: a provider that has too much to do is not
        // helped by the next batch.
        let _turn = lane
            .acquire()
            .await
            .map_err(|e| EmbedError::Transient(e.to_string()))?;
        let mut failures = 0;
        loop {
            let fault = match self.guard.run(self.call.make(texts, purpose)).await {
                Ok(answer) => return Ok(answer),
                Err(fault) => fault,
            };
            failures += 1;
            match self.retry.wait(&fault, failures, purpose) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(fault.into()),
            }
        }
    }
}

#[async_trait]
impl Embedder for RemoteEmbedder {
    fn model(&self) -> &str {
        &self.model
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Embedded, EmbedError> {
        // Providers refuse a whole batch for a text without a word in it, which has the zero
        // vector anyway.
        let asked: Vec<(usize, &str)> = texts
            .iter()
            .enumerate()
            .filter(|(_, text)| !text.trim().is_empty())
            .map(|(at, text)| (at, text.as_str()))
            .collect();
        let words: Vec<&str> = asked.iter().map(|(_, text)| *text).collect();
        let batches = self.limits.split(&words);
        let answers = batches.into_iter().map(|batch| self.batch(batch, purpose));
        let answers = try_join_all(answers).await?;
        let tokens = answers.iter().map(|answer| answer.tokens).sum();
        let mut vectors = vec![vec![0.0; self.dimensions]; texts.len()];
        let found = answers.into_iter().flat_map(|answer| answer.vectors);
        for ((at, _), vector) in asked.into_iter().zip(found) {
            vectors[at] = vector;
        }
        Ok(Embedded { vectors, tokens })
    }
}
