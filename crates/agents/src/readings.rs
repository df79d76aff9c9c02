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

    /// How surely the message attacks the agent, if it was read.
    #[must_use]
    pub fn attack(&self, message: &str) -> Option<f32> {
        self.of(message).map(|reading| reading.attack)
    }
}

impl FromIterator<(String, Arc<Reading>)> for MessageReadings {
    fn from_iter<I: IntoIterator<Item = (String, Arc<Reading>)>>(readings: I) -> Self {
        Self(readings.into_iter().collect())
    }
}
