//! What a script expects of an answer.

use crate::lead::words;
use crate::validate::{Checks, Problem, under};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const MOST_TEXTS: usize = 10;
const LONGEST_TEXT: usize = 200;

/// What an answer must be like. What is left out is not looked at.
#[expect(clippy::struct_excessive_bools, reason = "each is a demand of its own")]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StepExpectations {
    /// Texts that stand in the answer, whatever their case and accents.
    #[schema(max_items = 10, example = json!(["45 minutos"]))]
    pub must_contain: Vec<String>,
    /// Texts that do not stand in it.
    #[schema(max_items = 10)]
    pub must_not_contain: Vec<String>,
    /// Tools that are called and not refused.
    #[schema(max_items = 10, example = json!(["get_available_slots"]))]
    pub must_call: Vec<String>,
    /// No tool that changes something is called.
    pub must_not_write: bool,
    /// The answer cites where it was taken from.
    pub must_cite: bool,
    /// The conversation is handed to a person.
    pub must_hand_over: bool,
    /// The answer says that the agent does not know.
    pub must_not_know: bool,
}

impl StepExpectations {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        let flags = [
            self.must_not_write,
            self.must_cite,
            self.must_hand_over,
            self.must_not_know,
        ];
        self.must_contain.len()
            + self.must_not_contain.len()
            + self.must_call.len()
            + flags.into_iter().filter(|flag| *flag).count()
    }

    pub(super) fn check(&self, field: &str, tools: &[&str], checks: &mut Checks) {
        for (name, texts) in [
            ("must_contain", &self.must_contain),
            ("must_not_contain", &self.must_not_contain),
            ("must_call", &self.must_call),
        ] {
            let field = under(field, name);
            if texts.len() > MOST_TEXTS {
                checks.problem(&field, Problem::TooMany { max: MOST_TEXTS });
            }
            for (i, text) in texts.iter().enumerate().take(MOST_TEXTS) {
                let field = format!("{field}[{i}]");
                if name != "must_call" {
                    checks.text(&field, text, LONGEST_TEXT);
                } else if !tools.contains(&text.as_str()) {
                    let allowed = tools.join(", ");
                    checks.problem(&field, Problem::Unknown { allowed });
                }
            }
        }
    }
}

words! {
    /// What was expected.
    ExpectationKind {
        MustContain = "must_contain",
        MustNotContain = "must_not_contain",
        MustCall = "must_call",
        MustNotWrite = "must_not_write",
        MustCite = "must_cite",
        MustHandOver = "must_hand_over",
        MustNotKnow = "must_not_know",
    }
}

/// Something that was expected and is not so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FailedExpectation {
    pub kind: ExpectationKind,
    /// The text or the tool it is about.
    pub about: Option<String>,
}
