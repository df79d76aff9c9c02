//! What the customer said, read by the taught reader before the agent answers.

use crate::App;
use quipu_agents::MessageReadings;
use quipu_core::chat::ChatMessage;
use quipu_core::memo::Memo;
use quipu_core::ports::MessageReader;
use quipu_core::reading::Reading;
use quipu_core::text;
use std::fmt;
use std::sync::Arc;

/// How much of what the agent said before is read, in bytes: nothing that taught the reader was longer, and behind a
/// long list it takes a call for a person for a yes.
const LONGEST_ASKED: usize = 110;
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

/// The end of what the agent said, where it asks: whatever it listed before that is no question, and readers take long
/// lists for what is spoken of.
fn asked_last(text: &str) -> &str {
    let sentences: Vec<&str> = text::sentences(text).collect();
    let mut from = text.len();
    for sentence in sentences.iter().rev() {
        let at = sentence.as_ptr().addr() - text.as_ptr().addr();
        if text.len() - at > LONGEST_ASKED && from < text.len() {
            break;
        }
        from = at;
    }
    &text[from..]
}

/// What the reader makes of everything that the customer said.
pub(super) async fn read(app: &App, messages: &[ChatMessage]) -> MessageReadings {
    let mut readings = Vec::new();
    let mut before = "";
    for message in messages {
        match message {
            ChatMessage::Assistant { text, .. } => before = asked_last(text),
            ChatMessage::User { text, .. } if !text.trim().is_empty() => {
                let said = quipu_core::text::without_drawl(text);
                let reading = app.read_messages.read(before, &said).await;
                readings.extend(reading.map(|reading| (text.clone(), reading)));
            }
            _ => {}
        }
    }
    readings.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::asked_last;

    #[test]
    fn the_end_of_what_was_said_is_what_is_answered() {
        let list =
            "Guacamole crudo: aguacate y cilantro. Verde cocida: tomatillo y serrano. ".repeat(4);
        let said = format!("{list}¿Lo confirmo entonces?");
        let asked = asked_last(&said);
        assert!(
            asked.ends_with("¿Lo confirmo entonces?") && asked.len() <= 110,
            "{asked}"
        );
        assert_eq!(asked_last("¿A qué hora?"), "¿A qué hora?");
        assert_eq!(asked_last(""), "");
        let one = "a".repeat(500);
        assert_eq!(asked_last(&one), one);
    }
}
