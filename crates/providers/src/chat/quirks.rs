//! What a model turned out not to take. Providers drop parameters from one model to the next, and
//! say so only when they are used.

use std::sync::atomic::{AtomicBool, Ordering};

/// What is read of a refusal.
const MOST_CHARS: usize = 4_000;
/// How providers say that a parameter is not for this model.
const UNWANTED: &[&str] = &[
    "unsupported",
    "not support",
    "deprecated",
    "unrecognized",
    "unexpected",
    "unknown",
    "not permitted",
    "not allowed",
    "extra inputs",
];

#[derive(Debug, Default)]
pub(super) struct Quirks {
    /// The model decides its temperature itself.
    no_temperature: AtomicBool,
    /// The length of an answer is called `max_completion_tokens`.
    completion_tokens: AtomicBool,
    /// Usage is not asked for.
    no_usage: AtomicBool,
}

impl Quirks {
    pub(super) fn takes_temperature(&self) -> bool {
        !self.no_temperature.load(Ordering::Relaxed)
    }

    pub(super) fn wants_completion_tokens(&self) -> bool {
        self.completion_tokens.load(Ordering::Relaxed)
    }

    pub(super) fn tells_usage(&self) -> bool {
        !self.no_usage.load(Ordering::Relaxed)
    }

    /// Learns from a refusal; whether there was something new in it, so that asking once more
    /// makes sense.
    pub(super) fn learn(&self, status: u16, body: &[u8]) -> bool {
        if !matches!(status, 400 | 422) {
            return false;
        }
        let text: String = String::from_utf8_lossy(body)
            .chars()
            .take(MOST_CHARS)
            .collect();
        let text = text.to_lowercase();
        if !UNWANTED.iter().any(|words| text.contains(words)) {
            return false;
        }
        let is_new = |flag: &AtomicBool| !flag.swap(true, Ordering::Relaxed);
        let mut learned = false;
        if text.contains("max_tokens") && text.contains("max_completion_tokens") {
            learned |= is_new(&self.completion_tokens);
        }
        if text.contains("temperature") {
            learned |= is_new(&self.no_temperature);
        }
        if text.contains("stream_options") {
            learned |= is_new(&self.no_usage);
        }
        learned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_teaches_once() {
        let quirks = Quirks::default();
        let length = br#"{"error": {"message": "'max_tokens' is unsupported here, 'max_completion_tokens' is meant"}}"#;
        assert!(!quirks.wants_completion_tokens());
        assert!(quirks.learn(400, length));
        assert!(quirks.wants_completion_tokens());
        assert!(!quirks.learn(400, length));
        assert!(quirks.takes_temperature() && quirks.tells_usage());
        assert!(quirks.learn(400, b"`temperature` is deprecated for this model"));
        assert!(!quirks.takes_temperature());
        assert!(quirks.learn(422, b"stream_options: Extra inputs are not permitted"));
        assert!(!quirks.tells_usage());
    }

    #[test]
    fn other_refusals_teach_nothing() {
        let quirks = Quirks::default();
        for (status, body) in [
            (500, "temperature is unsupported"),
            (400, "the temperature must lie between 0 and 2"),
            (400, "unsupported picture"),
            (400, ""),
        ] {
            assert!(!quirks.learn(status, body.as_bytes()), "{body}");
        }
        assert!(quirks.takes_temperature());
    }
}
