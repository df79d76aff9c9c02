//! What the customer said, read by the taught reader before the agent answers.

use crate::App;
use quipu_agents::MessageReadings;
use quipu_core::chat::ChatMessage;
use quipu_core::memo::Memo;
use quipu_core::ports::MessageReader;
use quipu_core::reading::Reading;
use std::fmt;
use std::sync::Arc;

/// Messages of running conversations, a few hundred bytes each.
const MOST_KEPT: usize = 10_000;

/// A reader, and what it made of messages that come again turn after turn.
pub struct ReadMessages {
    reader: Arc<dyn MessageReader>,
    kept: Memo<Arc<Reading>>,
}

impl fmt::Debug for ReadMessages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadMessages").finish_non_exhaustive()
    }
}

impl ReadMessages {
    #[must_use]
    pub fn new(reader: Arc<dyn MessageReader>) -> Self {
        Self {
            reader,
            kept: Memo::new(MOST_KEPT),
        }
    }

    /// What was read of a message that answers these words of the agent. A reader that fails is done
    /// without: the rules judge as they did before there was one.
    async fn read(&self, before: &str, message: &str) -> Option<Arc<Reading>> {
        if let Some(known) = self.kept.get(&(before, message)) {
            return Some(known);
        }
        match self.reader.read(before, message).await {
            Ok(reading) => {
                let reading = Arc::new(reading);
                self.kept.insert(&(before, message), Arc::clone(&reading));
                Some(reading)
            }
            Err(error) => {
                tracing::warn!(%error, "a message was not read");
                None
            }
        }
    }
}

/// What the reader makes of everything that the customer said.
pub(super) async fn read(app: &App, messages: &[ChatMessage]) -> MessageReadings {
    let mut readings = Vec::new();
    let mut before = "";
    for message in messages {
        match message {
            ChatMessage::Assistant { text, .. } => before = text,
            ChatMessage::User { text, .. } if !text.trim().is_empty() => {
                let reading = app.read_messages.read(before, text).await;
                readings.extend(reading.map(|reading| (text.clone(), reading)));
            }
            _ => {}
        }
    }
    readings.into_iter().collect()
}
