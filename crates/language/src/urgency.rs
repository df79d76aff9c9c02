//! How soon somebody who writes to a dental clinic should be seen, without asking a model.
//!
//! A message is cut into words, the words are read as findings (a sign, a part of the body, how
//! strong, how long, which way it goes, who it happens to, and whether it is denied), and rules
//! over the findings each give a level. The highest level wins. Phrases and rules are data
//! (`data/urgency.txt`), so that a dentist can read and extend them.
//!
//! This is the common sense of a reception desk and not clinical advice, and it errs on the safe
//! side: a message that mentions pain and is not understood any further is
//! [`Moderate`](Level::Moderate), one that names no symptom and asks for nothing known is
//! [`Minor`](Level::Minor), and a denial counts only where it is certain what it denies.

mod advice;
mod findings;
mod negation;
mod numbers;
mod phrase;
mod rules;
mod table;
#[cfg(test)]
mod tests;
mod words;

use findings::Findings;
use quipu_core::language::Language;
use serde::{Deserialize, Serialize};
use table::Table;
use utoipa::ToSchema;

/// How much of a message is read. Somebody who writes more has said it by then.
const MAX_CHARS: usize = 4000;
/// How many symptoms of a list are read.
const MAX_SYMPTOMS: usize = 50;

/// How soon somebody should be seen. It travels as a number from 1 to 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Level {
    /// Routine or cosmetic: whenever it suits.
    Routine = 1,
    /// Minor, with no pain or a fleeting one: in the next weeks.
    Minor = 2,
    /// Moderate and under control: within one to three days.
    Moderate = 3,
    /// Severe pain, acute infection, trauma, or a patient at risk: the same day.
    Urgent = 4,
    /// A danger to life or to a tooth that can still be saved: now, or a hospital.
    Emergency = 5,
}

impl Level {
    /// Whether a person of the clinic should take over.
    #[must_use]
    pub fn should_escalate(self) -> bool {
        self >= Self::Urgent
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> Self {
        level as Self
    }
}

impl TryFrom<u8> for Level {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        Ok(match number {
            1 => Self::Routine,
            2 => Self::Minor,
            3 => Self::Moderate,
            4 => Self::Urgent,
            5 => Self::Emergency,
            other => return Err(format!("there is no level {other}, only 1 to 5")),
        })
    }
}

/// What the rules make of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Assessment {
    #[schema(value_type = u8, minimum = 1, maximum = 5)]
    pub level: Level,
    /// What to do now, in the language that was asked for.
    pub recommendation: String,
    /// Whether a person of the clinic should take over: from level 4 on.
    pub should_escalate: bool,
    /// The rules that spoke, the gravest first. Empty when nothing was understood.
    pub reasons: Vec<Reason>,
}

/// One rule that spoke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Reason {
    /// The name of the rule, as it stands in the table.
    pub rule: String,
    /// The level the rule stands for here.
    #[schema(value_type = u8, minimum = 1, maximum = 5)]
    pub level: Level,
    /// The words of the message that it spoke for, without accents and capitals.
    pub found: Vec<String>,
}

/// Assesses a message in the words of the patient, Spanish or English or a mixture. The language
/// is that of the recommendation only. What goes beyond 4000 characters is not read.
#[must_use]
pub fn assess(text: &str, language: Language) -> Assessment {
    let table = Table::get();
    let start: String = text.chars().take(MAX_CHARS).collect();
    let findings = Findings::read(&start, table);
    let verdict = rules::judge(&findings, table);
    Assessment {
        level: verdict.level,
        recommendation: advice::recommendation(verdict.level, &verdict.reasons, language),
        should_escalate: verdict.level.should_escalate(),
        reasons: verdict.reasons,
    }
}

/// Assesses a list of symptoms, each in the words of whoever noted it. They belong to one patient,
/// and none of them denies another. What says nothing by itself may be the rest of a sentence that
/// was cut into several, as in "sangrado", "no para", and is read with the one before it where that
/// is graver. Beyond the fiftieth they are not read.
#[must_use]
pub fn assess_symptoms<S: AsRef<str>>(symptoms: &[S], language: Language) -> Assessment {
    let listed: Vec<&str> = symptoms
        .iter()
        .take(MAX_SYMPTOMS)
        .map(AsRef::as_ref)
        .collect();
    let apart = assess(&listed.join("\n"), language);
    let mut sentences = String::new();
    for symptom in listed {
        let goes_on = assess(symptom, language).reasons.is_empty();
        sentences.push(if goes_on { ' ' } else { '\n' });
        sentences.push_str(symptom);
    }
    let together = assess(&sentences, language);
    if together.level > apart.level {
        together
    } else {
        apart
    }
}
