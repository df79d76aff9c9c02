//! The ways a call can fail, by what is done next.

use quipu_core::ports::{EmbedError, RerankError};
use std::time::Duration;

/// The longest excerpt of an answer that goes to the log, in characters.
const LONGEST_EXCERPT: usize = 200;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) then: Then,
    /// For the log, without the key and without the address, which may hold one.
    pub(crate) why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// It may work soon; the server may have said when.
    Retry(Option<Duration>),
    /// It took all the time there was. It may work later, but not for this caller.
    TimedOut,
    /// The breaker is open.
    Rest,
    /// The same request will fail again.
    GiveUp,
}

impl Fault {
    pub(crate) fn passing(why: impl Into<String>) -> Self {
        Self {
            then: Then::Retry(None),
            why: why.into(),
        }
    }

    pub(crate) fn lasting(why: impl Into<String>) -> Self {
        Self {
            then: Then::GiveUp,
            why: why.into(),
        }
    }
}

impl From<Fault> for EmbedError {
    fn from(fault: Fault) -> Self {
        match fault.then {
            Then::GiveUp => Self::Permanent(fault.why),
            Then::Retry(_) | Then::TimedOut | Then::Rest => Self::Transient(fault.why),
        }
    }
}

impl From<Fault> for RerankError {
    fn from(fault: Fault) -> Self {
        EmbedError::from(fault).into()
    }
}

/// The beginning of an answer for the log, on one line and without the key should it be in there.
pub(super) fn excerpt(body: &[u8], key: Option<&str>) -> String {
    let mut text = String::from_utf8_lossy(body).into_owned();
    if let Some(key) = key.filter(|key| !key.is_empty()) {
        // As long as what it covers, so that nothing moves up from behind the end of the excerpt,
        // where only the beginning of a key may have been received.
        text = text.replace(key, &"*".repeat(key.chars().count()));
    }
    let line = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(LONGEST_EXCERPT);
    line.collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_short_and_hold_no_key() {
        let key = "sk-secreto";
        let body = format!("clave\n{key} {}", "ñ".repeat(500));
        let found = excerpt(body.as_bytes(), Some(key));
        assert!(found.starts_with("clave ********** ñ"), "{found}");
        assert_eq!(found.chars().count(), LONGEST_EXCERPT);
        assert_eq!(excerpt(b"\xff<html>\n", None), "\u{fffd}<html>");
        assert_eq!(excerpt(b"abc", Some("")), "abc");
    }
}
