//! Several models behind one another: whoever answers first is the answer.

use async_trait::async_trait;
use futures::StreamExt;
use futures::stream::once;
use quipu_core::chat::{
    ChatAnswer, ChatError, ChatEvent, ChatRequest, RefusalKind, Skipped, gather,
};
use quipu_core::ports::{ChatModel, ChatStream};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How much longer than its share a model is waited for, which says by itself when it is late.
const GRACE: Duration = Duration::from_millis(250);

/// Asks models in order until one begins to answer. A refusal is an answer: what one provider will
/// not speak about is not offered to the next. Each has half of the time that is left and the last
/// one all of it, so that whoever stands behind a model that hangs is still reached.
pub struct Chain {
    name: String,
    models: Vec<Arc<dyn ChatModel>>,
    patience: Duration,
}

impl Chain {
    /// `patience` is how long all of them together may take to begin, or for a whole answer to
    /// finish.
    #[must_use]
    pub fn new(models: Vec<Arc<dyn ChatModel>>, patience: Duration) -> Self {
        let names: Vec<&str> = models.iter().map(|model| model.name()).collect();
        Self {
            name: names.join(" > "),
            models,
            patience,
        }
    }

    /// A whole answer. Where nobody has seen the first half of an answer yet, the next model can
    /// still be asked when the second half does not come.
    ///
    /// # Errors
    /// When none of the models answers.
    pub async fn answer(&self, request: &ChatRequest) -> Result<ChatAnswer, ChatError> {
        let whole = |model: Arc<dyn ChatModel>, share: Duration| async move {
            let stream = model.chat(&hurried(request, share)).await?;
            let mut answer = gather(stream).await?;
            answer.model.get_or_insert_with(|| model.name().to_owned());
            Ok(answer)
        };
        let (_, mut skipped, mut answer) = self.first(request, whole).await?;
        skipped.append(&mut answer.skipped);
        answer.skipped = skipped;
        Ok(answer)
    }

    /// The first that succeeds, with those before it that did not.
    async fn first<T, F>(
        &self,
        request: &ChatRequest,
        ask: impl Fn(Arc<dyn ChatModel>, Duration) -> F,
    ) -> Result<(&str, Vec<Skipped>, T), ChatError>
    where
        F: Future<Output = Result<T, ChatError>>,
    {
        let patience = request.begin_within.unwrap_or(self.patience);
        let deadline = Instant::now() + patience.min(self.patience);
        let mut skipped = Vec::new();
        for (at, model) in self.models.iter().enumerate() {
            let left = deadline.saturating_duration_since(Instant::now());
            let is_last = at + 1 == self.models.len();
            let share = if is_last { left } else { left / 2 };
            // A model that is late says so itself, which its breaker has to hear; this is for one
            // that does not.
            let given_up = Instant::now() + share + GRACE.min(left.saturating_sub(share));
            let error = match timeout_at(given_up, ask(model.clone(), share)).await {
                Ok(Ok(answer)) => return Ok((model.name(), skipped, answer)),
                Ok(Err(error)) => error,
                Err(_) => ChatError::transient(format!("no answer within {share:?}")),
            };
            let refused = error.kind() == Some(RefusalKind::Refused);
            skipped.push(Skipped {
                model: model.name().to_owned(),
                error,
            });
            if refused || Instant::now() >= deadline {
                break;
            }
        }
        Err(failed(&skipped))
    }
}

#[async_trait]
impl ChatModel for Chain {
    fn name(&self) -> &str {
        &self.name
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatStream, ChatError> {
        let ask = |model: Arc<dyn ChatModel>, share: Duration| async move {
            model.chat(&hurried(request, share)).await
        };
        let (name, skipped, stream) = self.first(request, ask).await?;
        let answering = ChatEvent::Answering {
            model: name.to_owned(),
            skipped,
        };
        Ok(once(async { Ok(answering) }).chain(stream).boxed())
    }
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Chain").field(&self.name).finish()
    }
}

/// The request for a model that has only a share of the time.
fn hurried(request: &ChatRequest, share: Duration) -> ChatRequest {
    let within = request.begin_within.map_or(share, |most| most.min(share));
    ChatRequest {
        begin_within: Some(within),
        ..request.clone()
    }
}

/// What is told when nobody answered: all reasons, and that it may pass where one of them may.
fn failed(skipped: &[Skipped]) -> ChatError {
    let reasons: Vec<String> = skipped
        .iter()
        .map(|skipped| format!("{}: {}", skipped.model, skipped.error))
        .collect();
    let why = reasons.join("; ");
    let last = skipped.last().and_then(|skipped| skipped.error.kind());
    if last == Some(RefusalKind::Refused) {
        return ChatError::permanent(RefusalKind::Refused, why);
    }
    let mut passes = false;
    let mut soonest: Option<Duration> = None;
    for skipped in skipped {
        if let ChatError::Transient { retry_after, .. } = skipped.error {
            passes = true;
            soonest = match (soonest, retry_after) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
    }
    if passes {
        return ChatError::Transient {
            why,
            retry_after: soonest,
        };
    }
    let first = skipped.first().and_then(|skipped| skipped.error.kind());
    match first {
        Some(kind) => ChatError::permanent(kind, why),
        None => ChatError::permanent(RefusalKind::UnknownModel, "there is no model to ask"),
    }
}

#[cfg(test)]
mod tests;
