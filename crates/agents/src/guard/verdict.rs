//! What the guard says of a text.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// From this score on a message that nobody read is refused.
const BLOCK: u32 = 8;
/// From this score on a message that nobody read is answered with care.
const SOFTEN: u32 = 5;
/// A message that the reader is so sure of is refused, whatever the rules say.
const SURELY: f32 = 0.5;
/// From this score on, the reader's odds added, a message is refused that any rule holds for.
const READ_BLOCK: f32 = 7.0;
/// The same, for answering with care.
const READ_SOFTEN: f32 = 4.0;
/// What the reader is surest of, so that its odds stay numbers.
const SUREST: f32 = 0.999;

/// What to do with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Answer as always.
    Allow,
    /// Answer, but let no tool write anything, and tell the model to be careful.
    Soften,
    /// Do not answer.
    Block,
}

/// What somebody tries to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Setting the rules of the agent aside.
    Override,
    /// Reading its instructions or its keys.
    PromptLeak,
    /// Having it play somebody without rules.
    Roleplay,
    /// Speaking as the system, the assistant or a tool.
    FakeSystem,
    /// Reading what belongs to other people.
    OtherPeople,
    /// Reaching into another business.
    OtherTenant,
    /// Changing prices, points or records without right.
    Records,
    /// Using tools for harm, or beyond what is one's own.
    ToolAbuse,
    /// Claiming an authority that nobody checked.
    Authority,
    /// Hiding instructions in a document, a field or an encoding.
    Smuggling,
    /// Asking for help to hurt somebody.
    Harm,
    /// A text whose very form is that of an attack.
    Structure,
    /// An attack in words that no rule names.
    Unlisted,
}

impl Kind {
    /// Whether it says something of a document. Prices, people and managers are what documents are
    /// about; what only a customer could ask for is no attack there.
    pub(super) fn concerns_passages(self) -> bool {
        !matches!(
            self,
            Self::Records
                | Self::OtherPeople
                | Self::OtherTenant
                | Self::Authority
                | Self::ToolAbuse
        )
    }

    /// Reads the name that the tables use.
    pub(super) fn parse(name: &str) -> Option<Self> {
        serde_json::from_value(serde_json::Value::String(name.replace(' ', "_"))).ok()
    }
}

/// Why a text is not let through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The rule, as the tables name it.
    pub rule: &'static str,
    pub kind: Kind,
    /// The words that the rule holds for, as they read once every disguise is taken off.
    pub excerpt: String,
}

/// What the guard says of a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    pub action: Action,
    /// What the rules say.
    pub score: u32,
    /// How surely the reader takes it for an attack, if it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attack: Option<f32>,
    pub reasons: Vec<Reason>,
}

/// What the guard says of a piece of a document or the result of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PassageVerdict {
    /// Whether it speaks to the assistant instead of about the business.
    pub suspicious: bool,
    pub score: u32,
    pub reasons: Vec<Reason>,
    /// The bytes of the sentences that do, in order, so that they can be left out.
    pub sentences: Vec<Range<usize>>,
}

impl PassageVerdict {
    /// The passage without the sentences that speak to the assistant.
    #[must_use]
    pub fn cleaned(&self, passage: &str) -> String {
        let mut out = String::with_capacity(passage.len());
        let mut from = 0;
        for sentence in &self.sentences {
            out.push_str(passage.get(from..sentence.start).unwrap_or_default());
            from = sentence.end;
        }
        out.push_str(passage.get(from..).unwrap_or_default());
        out
    }
}

/// A rule that holds, before the reasons are put together.
#[derive(Clone, Debug)]
pub(super) struct Hit {
    pub(super) weight: u32,
    pub(super) reason: Reason,
}

/// The strongest rule of each kind counts whole, the second of the same kind half.
pub(super) fn score(hits: &[Hit]) -> u32 {
    let mut weights: Vec<(Kind, u32)> = hits
        .iter()
        .map(|hit| (hit.reason.kind, hit.weight))
        .collect();
    weights.sort_unstable_by(|a, b| b.cmp(a));
    let mut total = 0;
    let mut rank = 0;
    let mut previous = None;
    for (kind, weight) in weights {
        rank = if previous == Some(kind) { rank + 1 } else { 0 };
        previous = Some(kind);
        total += match rank {
            0 => weight,
            1 => weight / 2,
            _ => 0,
        };
    }
    total
}

impl Verdict {
    pub(super) fn of(hits: Vec<Hit>, attack: Option<f32>) -> Self {
        let score = score(&hits);
        let action = action(score, attack);
        let mut reasons: Vec<Reason> = hits.into_iter().map(|hit| hit.reason).collect();
        if attack.is_some_and(|attack| attack >= SURELY) {
            reasons.push(Reason {
                rule: "taken for an attack by the reader",
                kind: Kind::Unlisted,
                excerpt: String::new(),
            });
        }
        Self {
            action,
            score,
            attack,
            reasons,
        }
    }
}

/// What a score asks for, weighed with what the reader says.
pub(super) fn action(score: u32, attack: Option<f32>) -> Action {
    match (attack, score) {
        (Some(attack), _) => read_action(score, attack),
        (None, BLOCK..) => Action::Block,
        (None, SOFTEN..) => Action::Soften,
        (None, _) => Action::Allow,
    }
}

/// The reader knows what customers write, the rules what attacks are made of: either may be wrong alone.
fn read_action(score: u32, attack: f32) -> Action {
    if attack >= SURELY {
        return Action::Block;
    }
    if score == 0 {
        return Action::Allow;
    }
    let attack = attack.clamp(1.0 - SUREST, SUREST);
    let odds = (attack / (1.0 - attack)).ln();
    // Scores are small whole numbers.
    let sum = f32::from(u16::try_from(score).unwrap_or(u16::MAX)) + odds;
    if sum >= READ_BLOCK {
        Action::Block
    } else if sum >= READ_SOFTEN {
        Action::Soften
    } else {
        Action::Allow
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reader_and_rules_are_weighed_together() {
        // One of them alone, when it is sure.
        assert_eq!(read_action(0, 0.95), Action::Block);
        assert_eq!(read_action(14, 0.02), Action::Block);
        // Words of an attack in a message that reads like any other.
        assert_eq!(read_action(10, 0.02), Action::Soften);
        assert_eq!(read_action(6, 0.02), Action::Allow);
        // Neither is sure, but both say so.
        assert_eq!(read_action(8, 0.4), Action::Block);
        assert_eq!(read_action(5, 0.4), Action::Soften);
        assert_eq!(read_action(0, 0.4), Action::Allow);
        assert_eq!(read_action(3, 0.0), Action::Allow);
        assert_eq!(read_action(0, 1.0), Action::Block);
    }
}
