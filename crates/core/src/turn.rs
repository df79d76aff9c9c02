//! What happened in a turn, step by step, for a person to read afterwards, and what people made of it.

mod measures;
mod series;

pub use measures::{
    AgentStatistics, Comparison, RetrievalSums, Share, TurnSums, VariantMeasures, Verdict,
};

pub use series::{
    HandoffWait, SeriesPoint, SeriesStretch, StatisticsSeries, StretchSums, ToolStatistics, ToolUse,
};

use crate::agent::{Intent, Specialist};
use crate::chat::Usage;
use crate::lead::words;
use crate::retrieval::Citation;
use crate::{AgentId, ConversationId, LeadId, Timestamp, TurnId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Where the prompt of an answer came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PromptSource {
    /// No prompt: nothing but the product itself answered.
    #[default]
    None,
    /// The five sections, and tools for everything else.
    Minimal,
    /// Everything the business has, in the prompt.
    Legacy,
}

impl PromptSource {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Minimal => "minimal",
            Self::Legacy => "legacy",
        }
    }
}

words! {
    /// Why an answer is less than it could have been.
    DegradedReason {
        /// A model of the agent cannot be used as it is set: a key or an address is missing or refused.
        ModelMisconfigured = "model_misconfigured",
        /// No model answered, or an answer broke off.
        ModelFailed = "model_failed",
        /// The models took longer than anybody waits.
        ModelTooLate = "model_too_late",
        /// What the model said could not be sent.
        ModelUnusable = "model_unusable",
        /// Something could not be searched.
        SearchIncomplete = "search_incomplete",
        /// Something could not be looked up.
        LookupFailed = "lookup_failed",
    }
}

/// One step of a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Step {
    /// `guard`, `supervisor`, `router`, `search`, `model`, `tool`, `check`, `hand_off`, `fallback`,
    /// `misconfigured` (a model that cannot be used, and why) or `unreceived` (nobody was there for the
    /// answer any more).
    #[schema(example = "tool")]
    pub name: String,
    /// When it began, in microseconds since the turn did.
    pub at_us: u64,
    pub took_us: u64,
    /// What it was about; it depends on the step.
    #[schema(value_type = Object)]
    pub details: Value,
}

/// The steps of a turn and what they took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Trace {
    pub steps: Vec<Step>,
    pub prompt_source: PromptSource,
    /// The tokens of the stable part of the prompt.
    pub prompt_tokens: u32,
    pub usage: Usage,
    /// How often a model was asked.
    pub model_calls: u32,
    pub tool_calls: u32,
    pub elapsed_us: u64,
    /// Why the answer is less than it could have been, where it is.
    #[serde(default)]
    pub degraded_reason: Option<DegradedReason>,
    /// What the answer was taken from.
    #[serde(default)]
    pub citations: Vec<Citation>,
}

impl Trace {
    /// Whether something that is known was found for the answer, before it was begun or by the tool
    /// that searches.
    #[must_use]
    pub fn used_knowledge(&self) -> bool {
        self.steps.iter().any(|step| match step.name.as_str() {
            "search" => step.details["passages"].as_u64() > Some(0),
            "tool" => {
                step.details["tool"] == "search_knowledge_base" && step.details["error"].is_null()
            }
            _ => false,
        })
    }
}

/// A turn to keep.
#[derive(Clone, Debug)]
pub struct NewTurn {
    pub id: TurnId,
    pub agent_id: AgentId,
    pub conversation_id: Option<ConversationId>,
    pub lead_id: Option<LeadId>,
    /// The person whose private matter it is, such as one whose own knowledge was read: nobody else
    /// sees the turn.
    pub owner: Option<UserId>,
    pub actor: String,
    pub variant: Option<String>,
    pub intent: Intent,
    pub specialist: Specialist,
    pub responder: String,
    pub grounded: bool,
    pub degraded: bool,
    pub escalated: bool,
    pub cost: Option<i64>,
    pub question: String,
    pub answer: String,
    pub trace: Trace,
}

/// A turn as it was kept, without its steps.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct TurnSummary {
    pub id: TurnId,
    pub agent_id: AgentId,
    pub conversation_id: Option<ConversationId>,
    pub lead_id: Option<LeadId>,
    /// On whose behalf, as the audit log calls them.
    pub actor: String,
    /// Which of two ways to be was tried out, where two are compared.
    pub variant: Option<String>,
    #[schema(example = "pricing")]
    pub intent: String,
    #[schema(example = "pricing")]
    pub specialist: String,
    /// Who answered, such as `openai/gpt-4.1-mini` or `builtin`.
    pub responder: String,
    #[schema(example = "minimal")]
    pub prompt_source: String,
    pub grounded: bool,
    pub degraded: bool,
    /// The conversation was handed to a person.
    pub escalated: bool,
    pub model_calls: u32,
    pub tool_calls: u32,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// In millionths of a dollar, where the price of the model is known.
    pub cost_micros: Option<i64>,
    pub elapsed_ms: f64,
    pub question: String,
    pub answer: String,
    pub created_at: Timestamp,
}

/// A turn as it was kept, with its steps.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct TurnDetails {
    #[serde(flatten)]
    pub summary: TurnSummary,
    pub trace: Trace,
    pub feedback: Vec<Feedback>,
}

/// What somebody made of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Feedback {
    /// Who: a person of the business, or the customer.
    pub author: String,
    pub helpful: bool,
    pub reason: Option<String>,
    pub updated_at: Timestamp,
}
