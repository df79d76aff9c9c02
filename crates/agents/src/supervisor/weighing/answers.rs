//! Messages that mean something only after what was said before: answers to what the agent asked,
//! and questions that leave out what they are about.

use super::{CERTAIN, CLEAR, Evidence, Scores};
use crate::supervisor::context::{Awaiting, Form};
use crate::supervisor::rules::Meaning;
use quipu_core::agent::Intent;

/// What an answer to the agent's question counts.
const ANSWER: f32 = 10.0;
/// What counts for going on with the same thing: "¿y el sábado?".
const GOES_ON: f32 = 8.0;
/// More words than this name more than one thing.
const NAMING_WORDS: usize = 10;
/// A question that leaves out what it is about is short.
const ELLIPTIC_WORDS: usize = 7;

pub(super) fn weigh(evidence: &Evidence<'_>, ruled: &Scores, scores: &mut Scores) {
    if let Some(awaiting) = evidence.context.awaiting {
        let owner = owner(awaiting, evidence.context.last_intent);
        if is_answer(awaiting, evidence, ruled, owner) {
            *scores.at(owner) += ANSWER;
        }
        return;
    }
    let words = &evidence.message.words;
    if let Some(last) = evidence.context.last_intent
        && words.len() <= ELLIPTIC_WORDS
        && words
            .first()
            .is_some_and(|word| GOING_ON.contains(&word.text.as_str()))
        && !named_otherwise(ruled, last, CLEAR)
    {
        *scores.at(last) += GOES_ON;
    }
}

/// What a question begins with that goes on with the last one.
const GOING_ON: &[&str] = &["y", "e", "and", "or", "o", "pero", "entonces"];

/// What an answer belongs to: what the conversation was about, where that asks questions at all.
fn owner(awaiting: Awaiting, last: Option<Intent>) -> Intent {
    match last {
        Some(
            last @ (Intent::Booking
            | Intent::Ordering
            | Intent::Loyalty
            | Intent::Urgent
            | Intent::Escalation),
        ) => last,
        _ => awaiting.belongs_to(),
    }
}

fn is_answer(awaiting: Awaiting, evidence: &Evidence<'_>, ruled: &Scores, owner: Intent) -> bool {
    if evidence.affirms.is_some() && !named_otherwise(ruled, owner, CLEAR) {
        return true;
    }
    let words = evidence.message.words;
    let asks = words.iter().any(|word| word.text == "?");
    match awaiting.form() {
        Form::YesOrNo => false,
        Form::When => tells_when(evidence) && !named_otherwise(ruled, owner, CERTAIN),
        Form::Name => !asks && words.len() <= NAMING_WORDS && !named_otherwise(ruled, owner, CLEAR),
        Form::Free => !asks && !named_otherwise(ruled, owner, CERTAIN),
    }
}

/// Whether the rules name something else. A greeting and thanks go along with any answer.
fn named_otherwise(ruled: &Scores, owner: Intent, least: f32) -> bool {
    Intent::ALL.iter().any(|&other| {
        other != owner
            && !matches!(other, Intent::Greeting | Intent::General)
            && ruled.of(other) >= least
            && ruled.of(other) > ruled.of(owner)
    })
}

/// Whether a message names a day, an hour or another number.
fn tells_when(evidence: &Evidence<'_>) -> bool {
    let found = evidence.found.iter();
    found
        .map(|found| found.meaning)
        .any(|meaning| meaning == Meaning::When)
}
