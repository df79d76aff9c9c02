//! Why a channel did not take a message.

use std::fmt;

/// What is to be done about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// The next attempt may go well.
    Transient,
    /// Too much at once, for the whole account: everybody waits.
    Throttled,
    /// Too much at once for this customer: the others go on.
    PairThrottled,
    /// The customer wrote too long ago; only a template reaches them.
    WindowClosed,
    /// This customer cannot be reached, or wants nothing of this kind.
    Unreachable,
    /// The key is not good any more, or may not do this: nothing goes out until somebody mends it.
    Account,
    /// The template is not there, is paused, or is filled in wrongly.
    Template,
    /// The message itself is refused; the same one is refused again.
    Rejected,
    /// Nobody knows whether it arrived: the connection broke after it was sent.
    Unknown,
}

/// What a channel said when it did not take a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendFailure {
    pub kind: FailureKind,
    /// The channel's own code, where it gave one.
    pub code: Option<i64>,
    /// In English, for logs; nothing that was written to the customer stands in it.
    pub reason: String,
    /// How long the channel asks to be left alone.
    pub retry_after_seconds: Option<u64>,
}

impl SendFailure {
    #[must_use]
    pub fn new(kind: FailureKind, code: Option<i64>, reason: impl Into<String>) -> Self {
        Self {
            kind,
            code,
            reason: reason.into(),
            retry_after_seconds: None,
        }
    }

    /// Whether the same message may be sent again.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        matches!(
            self.kind,
            FailureKind::Transient | FailureKind::Throttled | FailureKind::PairThrottled
        )
    }
}

impl fmt::Display for SendFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(f, "{} ({code})", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for SendFailure {}
