//! How a conversation with a model ends, and why it gave no answer.

use crate::facts::Fact;
use crate::turn::reply::Held;
use quipu_core::chat::{ChatError, ToolCall};
use quipu_core::turn::DegradedReason;
use serde_json::{Value, json};

/// How a conversation with a model ended.
#[derive(Debug)]
pub(in crate::turn) enum Ending {
    /// The answer is complete.
    Complete,
    /// The model calls tools of whoever asked, who is to send what came of it.
    ForClient(Vec<ToolCall>),
    /// There is no answer, or only the beginning of one.
    Failed(Failure),
}

/// Why a model gave no answer that can be sent.
#[derive(Debug)]
pub(in crate::turn) enum Failure {
    Model(ChatError),
    /// It said nothing, twice.
    Empty,
    /// It stated what nobody looked up, or told what is not to be told, twice.
    Held(Held),
    /// It called tools without end.
    Endless,
    Deadline,
}

impl Failure {
    pub(in crate::turn) const fn reason(&self) -> DegradedReason {
        match self {
            Self::Model(_) => DegradedReason::ModelFailed,
            Self::Deadline => DegradedReason::ModelTooLate,
            Self::Empty | Self::Held(_) | Self::Endless => DegradedReason::ModelUnusable,
        }
    }

    pub(in crate::turn) fn describe(&self) -> Value {
        match self {
            Self::Model(error) => json!({ "why": "model", "error": error.to_string() }),
            Self::Empty => json!({ "why": "empty" }),
            Self::Held(held) => json!({ "why": "held", "about": describe_held(held) }),
            Self::Endless => json!({ "why": "endless" }),
            Self::Deadline => json!({ "why": "deadline" }),
        }
    }
}

pub(super) fn describe_held(held: &Held) -> Vec<String> {
    match held {
        Held::Unsupported(facts) => facts.iter().map(Fact::describe).collect(),
        Held::Leaking(leaks) => leaks.clone(),
    }
}
