//! The ways in which the server can fail, by what is done next.

use quipu_core::{Error, ErrorCode};
use std::fmt;

/// The longest excerpt of an answer that goes to the log, in characters.
const LONGEST_EXCERPT: usize = 200;

#[derive(Debug)]
pub(super) enum Fault {
    /// The server could not be reached, took too long or had too much to do.
    Unavailable(String),
    /// The server understood and said no; it will say so again.
    Refused(u16, String),
    /// There is no such collection.
    Missing(String),
    /// What came back makes no sense.
    Garbled(String),
    /// What came back is more than is read.
    TooLong(String),
    /// The partition was changed by somebody else meanwhile. It is to be looked at again.
    Changed,
    /// What the server holds of a partition is not what was written.
    Damaged(String),
    /// The change log could not be read.
    Log(Error),
}

pub(super) type Outcome<T> = Result<T, Fault>;

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(why) => write!(f, "Qdrant does not answer: {why}"),
            Self::Refused(status, why) => write!(f, "Qdrant refuses with status {status}: {why}"),
            Self::Missing(what) => write!(f, "Qdrant has no {what}"),
            Self::Garbled(why) => write!(f, "Qdrant answers what makes no sense: {why}"),
            Self::TooLong(why) => write!(f, "Qdrant answers too much: {why}"),
            Self::Changed => f.write_str("the partition changes faster than it can be read"),
            Self::Damaged(what) => write!(f, "Qdrant does not hold what was written: {what}"),
            Self::Log(error) => error.fmt(f),
        }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Log(error) => error,
            other => Error::new(ErrorCode::SearchUnavailable).caused_by(other.to_string()),
        }
    }
}

/// The beginning of an answer for the log, on one line and without the key should it be in there.
pub(super) fn excerpt(body: &[u8], key: Option<&str>) -> String {
    let mut text = String::from_utf8_lossy(body).into_owned();
    if let Some(key) = key.filter(|key| !key.is_empty()) {
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
        let body = format!("clave\nsecreta {}", "ñ".repeat(500));
        let found = excerpt(body.as_bytes(), Some("secreta"));
        assert!(found.starts_with("clave ******* ñ"), "{found}");
        assert_eq!(found.chars().count(), LONGEST_EXCERPT);
        assert_eq!(excerpt(b"\xffabc", Some("")), "\u{fffd}abc");
    }
}
