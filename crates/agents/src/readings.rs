//! What the reader made of a customer's messages.

use quipu_core::reading::Reading;
use std::collections::HashMap;
use std::sync::Arc;

/// Readings by the text that was read. Without any, rules alone judge and understand.
#[derive(Clone, Debug, Default)]
pub struct MessageReadings(HashMap<String, Arc<Reading>>);

impl MessageReadings {
    #[must_use]
    pub fn of(&self, message: &str) -> Option<&Reading> {
        self.0.get(message).map(AsRef::as_ref)
    }

    /// How surely the message attacks the agent, if that can be said.
    #[must_use]
    pub fn attack(&self, message: &str) -> Option<f32> {
        self.of(message)?.told_attack()
    }

    /// The same of several messages in a row. Nobody read them as one, so that each can be warned of and none
    /// spoken for.
    #[must_use]
    pub fn attack_of_row(&self, messages: &[&str]) -> Option<f32> {
        if let [message] = messages {
            return self.attack(message);
        }
        let readings = messages.iter().filter_map(|message| self.of(message));
        let warnings = readings.filter(|reading| reading.warns());
        warnings.map(|reading| reading.attack).reduce(f32::max)
    }
}

impl FromIterator<(String, Arc<Reading>)> for MessageReadings {
    fn from_iter<I: IntoIterator<Item = (String, Arc<Reading>)>>(readings: I) -> Self {
        Self(readings.into_iter().collect())
    }
}
