//! Rehearsals: conversations that are played again with an agent, without effects, beside what was said
//! before.

mod expected;
mod judging;
mod script;

pub use expected::{ExpectationKind, FailedExpectation, StepExpectations};
pub use judging::{differs, judge, says_unknown};
pub use script::{NewRehearsalScript, RehearsalScript, ScriptStep, check_script};

use crate::agent::Agent;
use crate::lead::words;
use crate::{
    AgentId, ConversationId, RehearsalResultId, RehearsalRunId, RehearsalScriptId, Timestamp,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How many scripts an agent has at most.
pub const MOST_SCRIPTS: u64 = 200;
/// How many messages of a customer are played of a script or a conversation.
pub const MOST_STEPS: usize = 20;
/// How long one of them is at most.
pub const LONGEST_STEP: usize = 2_000;
/// How many conversations of customers are played in one rehearsal.
pub const MOST_CONVERSATIONS: u64 = 100;
/// How many rehearsals of an agent are kept.
pub const MOST_RUNS: u64 = 50;
/// How long they are kept.
pub const KEPT_DAYS: i64 = 90;

words! {
    /// Which agent is rehearsed.
    RehearsalTarget {
        /// The one that answers customers.
        Live = "live",
        /// The one that waits to be published.
        Draft = "draft",
        /// One that was published before.
        Version = "version",
    }
}

words! {
    RehearsalState {
        /// It waits for its turn.
        Queued = "queued",
        Running = "running",
        /// Everything was played.
        Done = "done",
        /// Somebody stopped it.
        Stopped = "stopped",
        /// It could not be played.
        Failed = "failed",
    }
}

impl RehearsalState {
    /// Whether nothing more will come of it.
    #[must_use]
    pub const fn has_ended(self) -> bool {
        matches!(self, Self::Done | Self::Stopped | Self::Failed)
    }
}

words! {
    /// What a rehearsed answer is, beside the one before it. Whether a change is good is for a person to
    /// say.
    RehearsalVerdict {
        Same = "same",
        Changed = "changed",
        Better = "better",
        Worse = "worse",
    }
}

/// What a rehearsal plays, one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RehearsalPiece {
    Script(RehearsalScriptId),
    Conversation(ConversationId),
}

/// A rehearsal, as people see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RehearsalRun {
    pub id: RehearsalRunId,
    pub agent_id: AgentId,
    pub target: RehearsalTarget,
    /// The number of the version, where one was rehearsed.
    pub version: Option<u32>,
    pub state: RehearsalState,
    /// How many scripts it plays.
    pub scripts: u32,
    /// How many conversations of customers it plays.
    pub conversations: u32,
    /// How many of both were played.
    pub played: u32,
    /// How many messages were answered.
    pub answers: u32,
    /// How many answers differ from those before.
    pub changed: u32,
    /// How many answers are not as expected.
    pub failed: u32,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// In millionths of a dollar, as far as the prices of the models are known.
    pub cost_micros: i64,
    /// The period of the conversations, where some are played.
    pub from: Option<Timestamp>,
    pub to: Option<Timestamp>,
    /// Who began it, as the audit log calls them.
    pub made_by: String,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
}

/// A rehearsal with what it plays, and with whom.
#[derive(Clone, Debug)]
pub struct RehearsalPlan {
    pub run: RehearsalRun,
    /// The agent as it was when the rehearsal was ordered.
    pub subject: Agent,
    pub pieces: Vec<RehearsalPiece>,
}

/// A rehearsal to keep.
#[derive(Clone, Debug)]
pub struct NewRehearsalRun {
    pub subject: Agent,
    /// What tells this configuration of the agent from others.
    pub subject_hash: String,
    pub target: RehearsalTarget,
    pub version: Option<u32>,
    pub pieces: Vec<RehearsalPiece>,
    pub from: Option<Timestamp>,
    pub to: Option<Timestamp>,
    pub made_by: String,
}

/// What playing a piece came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RehearsalSums {
    pub answers: u32,
    pub changed: u32,
    pub failed: u32,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cost_micros: i64,
}

/// A tool that was called for an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RehearsedCall {
    #[schema(example = "create_appointment")]
    pub tool: String,
    /// Whether it is one that changes something. In a rehearsal the change was undone.
    pub writes: bool,
    /// Why it was refused, as a code.
    pub error: Option<String>,
}

/// An answer, with what it was taken from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RehearsedAnswer {
    pub text: String,
    /// A person answered, and not the agent.
    #[serde(default)]
    pub by_person: bool,
    #[serde(default)]
    pub tools: Vec<RehearsedCall>,
    /// The titles of what was cited.
    #[serde(default)]
    pub citations: Vec<String>,
    /// The conversation was handed to a person.
    #[serde(default)]
    pub escalated: bool,
    /// Something failed, so that the answer is less than it could have been.
    #[serde(default)]
    pub degraded: bool,
}

impl RehearsedAnswer {
    /// The changes that were made, or would have been.
    pub fn changes(&self) -> impl Iterator<Item = &str> {
        let done = |call: &&RehearsedCall| call.writes && call.error.is_none();
        self.tools
            .iter()
            .filter(done)
            .map(|call| call.tool.as_str())
    }
}

/// One message of a rehearsal and its answers, before and now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RehearsalResult {
    pub id: RehearsalResultId,
    pub run_id: RehearsalRunId,
    pub script_id: Option<RehearsalScriptId>,
    pub conversation_id: Option<ConversationId>,
    /// The name of the script, or of the customer.
    pub title: Option<String>,
    /// Which message it is, from 1.
    pub step: u32,
    pub question: String,
    /// What was said in the conversation; for a script, what the live agent says or said last. Nothing
    /// where nobody answered.
    pub before: Option<RehearsedAnswer>,
    pub after: RehearsedAnswer,
    /// How many expectations there were.
    pub expected: u32,
    pub failed: Vec<FailedExpectation>,
    pub verdict: RehearsalVerdict,
    pub elapsed_ms: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// In millionths of a dollar, where the price of the model is known.
    pub cost_micros: Option<i64>,
    pub created_at: Timestamp,
}

/// A result to keep.
#[derive(Clone, Debug)]
pub struct NewRehearsalResult {
    pub piece: RehearsalPiece,
    /// Whose words were played, by whichever piece.
    pub conversation: Option<ConversationId>,
    pub title: Option<String>,
    pub step: u32,
    pub question: String,
    pub before: Option<RehearsedAnswer>,
    pub after: RehearsedAnswer,
    pub expected: u32,
    pub failed: Vec<FailedExpectation>,
    pub elapsed_ms: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cost_micros: Option<i64>,
}

impl NewRehearsalResult {
    /// Whether the answer is another one than before.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        let before = self.before.as_ref();
        before.is_some_and(|before| differs(before, &self.after))
    }
}

words! {
    /// Which results are wanted.
    ResultFilter {
        /// Those that differ from the answer before.
        Changed = "changed",
        /// Those that are not as expected.
        Failed = "failed",
    }
}
