//! A model across the network: asked until it begins to answer, refuses, or no attempt is left.

use super::flow::{Flow, Patience};
use super::protocol::{Ask, Wire};
use super::quirks::Quirks;
use super::refusal;
use crate::breaker::Permit;
use crate::network::{Endpoint, Fault, Guard, Opened, Outcome, Retry, Then};
use async_trait::async_trait;
use bytes::Bytes;
use futures::StreamExt;
use futures::stream::unfold;
use quipu_core::chat::{ChatError, ChatEvent, ChatRequest, ModelConfig, RefusalKind, Usage};
use quipu_core::ports::{ChatModel, ChatStream};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// What is sent at most, pictures included.
const MOST_REQUEST_BYTES: usize = 32 * 1024 * 1024;

/// What is known of one tenant's model and server, whoever asks it next.
pub(super) struct Health {
    pub(super) guard: Guard,
    pub(super) quirks: Quirks,
}

pub(super) struct RemoteModel {
    pub(super) name: String,
    pub(super) config: ModelConfig,
    pub(super) wire: Box<dyn Wire>,
    pub(super) endpoint: Arc<Endpoint>,
    pub(super) health: Arc<Health>,
    pub(super) retry: Retry,
    pub(super) patience: Patience,
    /// How long a whole answer may take.
    pub(super) timeout: Duration,
}

/// Why there is no answer yet, and what is done about it.
struct Failure {
    error: ChatError,
    outcome: Outcome,
    again: Again,
}

enum Again {
    Never,
    /// Something was learned that makes the next attempt another one.
    AtOnce,
    After(Option<Duration>),
}

impl Failure {
    fn of(error: ChatError) -> Self {
        let (outcome, again) = match &error {
            ChatError::Transient { retry_after, .. } => {
                (Outcome::Transient, Again::After(*retry_after))
            }
            ChatError::Permanent { .. } => (Outcome::Permanent, Again::Never),
        };
        Self {
            error,
            outcome,
            again,
        }
    }

    fn late(patience: Duration) -> Self {
        Self {
            error: ChatError::transient(format!("no answer within {patience:?}")),
            outcome: Outcome::TimedOut,
            again: Again::Never,
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::of(match fault.then {
            Then::GiveUp => ChatError::permanent(RefusalKind::BadRequest, fault.why),
            Then::Retry(_) | Then::TimedOut | Then::Rest => ChatError::transient(fault.why),
        })
    }
}

#[async_trait]
impl ChatModel for RemoteModel {
    fn name(&self) -> &str {
        &self.name
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatStream, ChatError> {
        let began = Instant::now();
        let deadline = began + self.timeout;
        let begin_within = request.begin_within.unwrap_or(self.timeout);
        let begin_within = begin_within.min(self.timeout);
        let guard = &self.health.guard;
        let mut body = self.body(request)?;
        let mut failures = 0;
        loop {
            let mut permit = guard
                .enter()
                .map_err(|fault| ChatError::transient(fault.why))?;
            let attempt = self.begin(body.clone(), began, begin_within);
            let failure = match attempt.await {
                Ok((first, flow)) => {
                    guard.answered(&mut permit);
                    self.measure("quipu_model_first_event_seconds", began.elapsed());
                    return Ok(Running {
                        flow,
                        first: Some(first),
                        permit,
                        deadline,
                        began,
                        provider: self.config.provider.as_str(),
                        timeout: self.timeout,
                        health: self.health.clone(),
                        endpoint: self.endpoint.clone(),
                    }
                    .stream());
                }
                Err(failure) => failure,
            };
            guard.leave(permit, failure.outcome);
            let wait = match failure.again {
                Again::Never => None,
                Again::AtOnce => {
                    body = self.body(request)?;
                    Some(Duration::ZERO)
                }
                Again::After(asked) => {
                    failures += 1;
                    let until = began + begin_within;
                    let left = until.saturating_duration_since(Instant::now());
                    self.retry.wait_within(asked, failures, left)
                }
            };
            let Some(wait) = wait else {
                self.measure("quipu_model_call_seconds", began.elapsed());
                return Err(discreet(&self.endpoint, failure.error));
            };
            tokio::time::sleep(wait).await;
        }
    }
}

impl RemoteModel {
    /// The request as it is sent.
    fn body(&self, request: &ChatRequest) -> Result<Bytes, ChatError> {
        let most = self.config.max_tokens;
        let body = self.wire.body(&Ask {
            model: self.config.model.trim(),
            temperature: request.temperature.or(self.config.temperature),
            max_tokens: request.max_tokens.map_or(most, |tokens| tokens.min(most)),
            context_tokens: self.config.context_tokens,
            quirks: &self.health.quirks,
            request,
        });
        let body =
            body.map_err(|e| ChatError::permanent(RefusalKind::BadRequest, e.to_string()))?;
        if body.len() > MOST_REQUEST_BYTES {
            let why = format!("a request of {} bytes", body.len());
            return Err(ChatError::permanent(RefusalKind::TooLong, why));
        }
        Ok(body.into())
    }

    /// One attempt, up to the first event, which has to be there so long after the model was first
    /// asked.
    async fn begin(
        &self,
        body: Bytes,
        asked: Instant,
        within: Duration,
    ) -> Result<(ChatEvent, Flow), Failure> {
        let answer = async {
            let first = Instant::now() + self.patience.first;
            let opened = timeout_at(first, self.endpoint.open(body)).await;
            let incoming = match opened.map_err(|_| Failure::late(self.patience.first))?? {
                Opened::Answer(incoming) => incoming,
                Opened::Refused(refused) => {
                    let mut failure = Failure::of(refusal::of_status(&refused));
                    if self.health.quirks.learn(refused.status, &refused.body) {
                        failure.again = Again::AtOnce;
                    }
                    return Err(failure);
                }
            };
            let mut flow = Flow::new(incoming, self.wire.as_ref(), self.patience);
            match flow.next().await {
                Ok(Some(event)) => Ok((event, flow)),
                Ok(None) => Err(Failure::of(ChatError::transient("nothing was answered"))),
                Err(error) => Err(Failure::of(error)),
            }
        };
        timeout_at(asked + within, answer)
            .await
            .unwrap_or_else(|_| Err(Failure::late(within)))
    }

    fn measure(&self, name: &'static str, took: Duration) {
        metrics::histogram!(name, "provider" => self.config.provider.as_str()).record(took);
    }
}

/// An answer that has begun.
struct Running {
    flow: Flow,
    first: Option<ChatEvent>,
    permit: Permit,
    deadline: Instant,
    began: Instant,
    provider: &'static str,
    timeout: Duration,
    health: Arc<Health>,
    endpoint: Arc<Endpoint>,
}

impl Running {
    /// The events, up to the last one or an error. Dropped before that, it ends the call without
    /// saying anything about the provider.
    fn stream(self) -> ChatStream {
        unfold(Some(self), |running| async {
            let mut running = running?;
            let event = running.next().await;
            let goes_on = !matches!(event, Err(_) | Ok(ChatEvent::Finished { .. }));
            if goes_on {
                return Some((event, Some(running)));
            }
            let event = running.end(event);
            Some((event, None))
        })
        .boxed()
    }

    async fn next(&mut self) -> Result<ChatEvent, ChatError> {
        if let Some(first) = self.first.take() {
            return Ok(first);
        }
        match timeout_at(self.deadline, self.flow.next()).await {
            Ok(Ok(Some(event))) => Ok(event),
            Ok(Ok(None)) => Err(ChatError::transient("the answer ended before its end")),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(Failure::late(self.timeout).error),
        }
    }

    fn end(self, event: Result<ChatEvent, ChatError>) -> Result<ChatEvent, ChatError> {
        let outcome = match &event {
            Ok(_) => Outcome::Ok,
            Err(_) if Instant::now() >= self.deadline => Outcome::TimedOut,
            Err(ChatError::Transient { .. }) => Outcome::Transient,
            Err(ChatError::Permanent { .. }) => Outcome::Permanent,
        };
        self.health.guard.leave(self.permit, outcome);
        let provider = self.provider;
        metrics::histogram!("quipu_model_call_seconds", "provider" => provider)
            .record(self.began.elapsed());
        if let Ok(ChatEvent::Finished { usage, .. }) = &event {
            count_tokens(provider, usage);
        }
        event.map_err(|error| discreet(&self.endpoint, error))
    }
}

fn count_tokens(provider: &'static str, usage: &Usage) {
    for (kind, tokens) in [
        ("input", usage.input_tokens),
        ("cached_input", usage.cached_input_tokens),
        ("output", usage.output_tokens),
    ] {
        metrics::counter!("quipu_model_tokens_total", "provider" => provider, "kind" => kind)
            .increment(tokens);
    }
}

/// The error without the key, should a server have sent it back under the name of an error.
fn discreet(endpoint: &Endpoint, error: ChatError) -> ChatError {
    if !endpoint.is_secret(error.why()) {
        return error;
    }
    let told = "an error that names the key".to_owned();
    match error {
        ChatError::Transient { retry_after, .. } => ChatError::Transient {
            why: told,
            retry_after,
        },
        ChatError::Permanent { kind, .. } => ChatError::permanent(kind, told),
    }
}

#[cfg(test)]
mod tests;
