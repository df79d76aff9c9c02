//! What a model answers, piece by piece, and how it fails.

use crate::{Error, ErrorCode};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::AddAssign;
use std::time::Duration;
use utoipa::ToSchema;

/// One piece of an answer. The last one is `Finished`; a stream that ends without it was cut off,
/// and says so with an error.
#[derive(Clone, Debug, PartialEq)]
pub enum ChatEvent {
    /// Who answers, where several could. Nothing comes before it.
    Answering {
        model: String,
        /// Those that came before it and did not answer.
        skipped: Vec<Skipped>,
    },
    TextDelta(String),
    /// A whole call, once all of its arguments are there.
    ToolCall(ToolCall),
    Finished {
        reason: FinishReason,
        usage: Usage,
    },
}

/// A model that did not answer, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    pub model: String,
    pub error: ChatError,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// What the result is to name. Never empty.
    pub id: String,
    pub name: String,
    /// What the model wrote for arguments, which is meant to be a JSON object and need not be.
    pub arguments: String,
    /// What the provider wants to see again when the call is sent back to it. Others ignore it.
    pub signature: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishReason {
    /// The answer is complete.
    Stop,
    /// The results of the calls are waited for.
    ToolCalls,
    /// No more tokens were allowed: the answer breaks off.
    Length,
}

/// What an answer took, in tokens as the provider counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Usage {
    /// All that was read, the remembered part included.
    pub input_tokens: u64,
    /// The part of it that the provider remembered from an earlier request.
    pub cached_input_tokens: u64,
    /// The part of it that was put into memory for the next one. Only some providers charge for it.
    pub cache_write_tokens: u64,
    /// All that was written, what the model thought included.
    pub output_tokens: u64,
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        let Self {
            input_tokens,
            cached_input_tokens,
            cache_write_tokens,
            output_tokens,
        } = other;
        self.input_tokens = self.input_tokens.saturating_add(input_tokens);
        self.cached_input_tokens = self.cached_input_tokens.saturating_add(cached_input_tokens);
        self.cache_write_tokens = self.cache_write_tokens.saturating_add(cache_write_tokens);
        self.output_tokens = self.output_tokens.saturating_add(output_tokens);
    }
}

/// How a model failed, by what to do about it. The texts are for the log: they hold no key and
/// nothing of what was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChatError {
    /// Worth trying again later, or elsewhere.
    Transient {
        why: String,
        /// When the provider wants to be asked again, where it said so.
        retry_after: Option<Duration>,
    },
    /// The same request will fail again here.
    Permanent { kind: RefusalKind, why: String },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RefusalKind {
    /// The key is missing, wrong, or not allowed to do this.
    BadKey,
    /// Nobody pays for the account any more.
    NoCredit,
    /// The provider does not take the request as it is.
    BadRequest,
    /// More was sent than the model can read.
    TooLong,
    /// The model or its provider will not speak about this.
    Refused,
    /// There is no such model, or nothing at all at the address.
    UnknownModel,
    /// What came back is more than any answer may be.
    BadAnswer,
}

impl RefusalKind {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BadKey => "bad_key",
            Self::NoCredit => "no_credit",
            Self::BadRequest => "bad_request",
            Self::TooLong => "too_long",
            Self::Refused => "refused",
            Self::UnknownModel => "unknown_model",
            Self::BadAnswer => "bad_answer",
        }
    }
}

impl ChatError {
    #[must_use]
    pub fn transient(why: impl Into<String>) -> Self {
        Self::Transient {
            why: why.into(),
            retry_after: None,
        }
    }

    #[must_use]
    pub fn permanent(kind: RefusalKind, why: impl Into<String>) -> Self {
        Self::Permanent {
            kind,
            why: why.into(),
        }
    }

    #[must_use]
    pub const fn kind(&self) -> Option<RefusalKind> {
        match self {
            Self::Transient { .. } => None,
            Self::Permanent { kind, .. } => Some(*kind),
        }
    }

    #[must_use]
    pub fn why(&self) -> &str {
        match self {
            Self::Transient { why, .. } | Self::Permanent { why, .. } => why,
        }
    }
}

impl fmt::Display for ChatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transient { why, .. } => f.write_str(why),
            Self::Permanent { kind, why } => write!(f, "{}: {why}", kind.as_str()),
        }
    }
}

impl std::error::Error for ChatError {}

impl From<ChatError> for Error {
    fn from(error: ChatError) -> Self {
        let code = match &error {
            ChatError::Transient { .. } => ErrorCode::ModelUnavailable,
            ChatError::Permanent { .. } => ErrorCode::ModelRefused,
        };
        Self::new(code).caused_by(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usages_add_up() {
        let mut all = Usage::default();
        for _ in 0..2 {
            all += Usage {
                input_tokens: 5,
                cached_input_tokens: 3,
                cache_write_tokens: 1,
                output_tokens: u64::MAX,
            };
        }
        assert_eq!((all.input_tokens, all.cached_input_tokens), (10, 6));
        assert_eq!((all.cache_write_tokens, all.output_tokens), (2, u64::MAX));
    }

    #[test]
    fn failures_become_codes_that_people_can_act_on() {
        let code = |error: ChatError| Error::from(error).code();
        assert_eq!(
            code(ChatError::transient("503")),
            ErrorCode::ModelUnavailable
        );
        let refused = ChatError::permanent(RefusalKind::BadKey, "401");
        assert_eq!(refused.to_string(), "bad_key: 401");
        assert_eq!(refused.kind(), Some(RefusalKind::BadKey));
        assert_eq!(code(refused), ErrorCode::ModelRefused);
    }
}
