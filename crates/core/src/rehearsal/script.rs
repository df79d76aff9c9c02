//! Conversations that a business writes to try its agents with.

use super::{LONGEST_STEP, MOST_STEPS, StepExpectations};
use crate::validate::{Checks, Problem};
use crate::{AgentId, ConversationId, RehearsalScriptId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const LONGEST_NAME: usize = 120;

/// A message of the customer, and what is expected of its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptStep {
    #[schema(
        min_length = 1,
        max_length = 2000,
        example = "¿Cuánto cuesta una limpieza?"
    )]
    pub message: String,
    #[serde(default)]
    pub expect: StepExpectations,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RehearsalScript {
    pub id: RehearsalScriptId,
    pub agent_id: AgentId,
    pub name: String,
    pub steps: Vec<ScriptStep>,
    /// Whose words it was made of, and with which it is deleted.
    pub conversation_id: Option<ConversationId>,
    /// Who wrote it, as the audit log calls them.
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl RehearsalScript {
    /// Whether there is an answer that it can find wrong.
    #[must_use]
    pub fn expects_something(&self) -> bool {
        self.steps.iter().any(|step| step.expect.count() > 0)
    }
}

/// A script to keep.
#[derive(Clone, Debug)]
pub struct NewRehearsalScript {
    pub agent_id: AgentId,
    pub name: String,
    pub steps: Vec<ScriptStep>,
    pub conversation_id: Option<ConversationId>,
    pub created_by: String,
}

/// Checks a script, and returns its name without blanks around it. `tools` are those the agent has.
pub fn check_script(
    name: &str,
    steps: &[ScriptStep],
    tools: &[&str],
    checks: &mut Checks,
) -> String {
    let name = checks.line("name", name, LONGEST_NAME);
    if steps.is_empty() {
        checks.problem("steps", Problem::Empty);
    } else if steps.len() > MOST_STEPS {
        checks.problem("steps", Problem::TooMany { max: MOST_STEPS });
    }
    for (i, step) in steps.iter().enumerate().take(MOST_STEPS) {
        checks.text(&format!("steps[{i}].message"), &step.message, LONGEST_STEP);
        let field = format!("steps[{i}].expect");
        step.expect.check(&field, tools, checks);
    }
    name
}
