//! Putting together what the rules found, what the model guesses and what the conversation was
//! about.

mod answers;

use super::Reason;
use super::context::Context;
use super::model::{self, Guess, INTENTS};
use super::phrase::Message;
use super::rules::{Found, Meaning};
use super::words::Pause;
use quipu_core::agent::Intent;

/// What each further rule for the same intent counts, compared with the one before it.
const FURTHER: f32 = 0.5;
/// What is left of a rule for something that the customer says not to want.
const REFUSED: f32 = 0.1;
/// How many words behind "no quiero" are what is not wanted.
const REFUSAL_REACH: usize = 4;
/// How strongly the guess of the model counts beside the rules.
const GUESS: f32 = 1.3;
/// The least that the model may think of an intent: it cannot rule out what a rule names.
const LEAST_GUESS: f32 = 0.01;
/// A rule of this weight settles what it speaks for.
const CERTAIN: f32 = 5.0;
/// How far an intent stands above those it takes precedence over.
const AHEAD: f32 = 2.0;
/// What a message that is nothing but a greeting counts, and what any other loses.
const ONLY_GREETING: f32 = 8.0;
/// What a greeting counts that goes on without naming anything: "hola, ¿hablo con el taller?".
const GREETING_FIRST: f32 = 3.0;
/// More words than this are no longer part of a greeting.
const GREETING_WORDS: usize = 8;
/// A rule of this weight is about something by itself.
const CLEAR: f32 = 3.0;
/// What counts for being named first, since people begin with what matters most to them.
const NAMED_FIRST: f32 = 1.5;
/// How flat certainty is: the scores of two rules of weight three are no proof.
const FLATNESS: f32 = 1.5;

/// Everything that is known about a message.
pub(super) struct Evidence<'a> {
    pub(super) message: &'a Message<'a>,
    pub(super) found: &'a [Found],
    pub(super) guessed: &'a Guess,
    pub(super) affirms: Option<bool>,
    pub(super) context: &'a Context,
}

/// What comes of it.
pub(super) struct Weighed {
    pub(super) ranked: Vec<(Intent, f32)>,
    pub(super) asks_human: bool,
    pub(super) reasons: Vec<Reason>,
}

/// The score of each intent, by its place in [`Intent::ALL`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scores([f32; INTENTS]);

impl Scores {
    fn of(&self, intent: Intent) -> f32 {
        self.0[place(intent)]
    }

    fn at(&mut self, intent: Intent) -> &mut f32 {
        &mut self.0[place(intent)]
    }

    /// Lifts an intent above another.
    fn put_before(&mut self, intent: Intent, other: Intent) {
        let least = self.of(other) + AHEAD;
        let score = self.at(intent);
        *score = score.max(least);
    }
}

pub(super) fn weigh(evidence: &Evidence<'_>) -> Weighed {
    let mut reasons = Vec::new();
    let ruled = by_rules(evidence, &mut reasons);
    let mut scores = ruled;
    let refused = |intent| {
        reasons
            .iter()
            .any(|reason: &Reason| reason.intent == intent && reason.weight == 0.0)
    };
    for (&intent, guessed) in Intent::ALL.iter().zip(evidence.guessed) {
        let guess = if refused(intent) { 0.0 } else { *guessed };
        *scores.at(intent) += GUESS * guess.max(LEAST_GUESS).ln();
    }
    if let Some(first) = named_first(evidence) {
        *scores.at(first) += NAMED_FIRST;
    }
    answers::weigh(evidence, &ruled, &mut scores);
    take_precedence(evidence, &ruled, &mut scores);
    let shares = model::shares(&scores.0.map(|score| score / FLATNESS));
    let mut ranked: Vec<(Intent, f32)> = Intent::ALL.iter().copied().zip(shares).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let first = ranked[0].0;
    reasons.sort_by_key(|reason| reason.intent != first);
    Weighed {
        ranked,
        asks_human: ruled.of(Intent::Escalation) >= CERTAIN,
        reasons,
    }
}

/// Adds up the rules for each intent: the strongest in full, each further one half of the one
/// before, and none for words that a stronger rule for the same intent has spoken for.
fn by_rules(evidence: &Evidence<'_>, reasons: &mut Vec<Reason>) -> Scores {
    let mut scores = Scores::default();
    let mut order: Vec<&Found> = evidence.found.iter().collect();
    order.sort_by(|a, b| {
        let by_weight = b.weight.total_cmp(&a.weight);
        by_weight.then((b.last - b.first).cmp(&(a.last - a.first)))
    });
    let mut spoken_for: Vec<(Intent, usize, usize)> = Vec::new();
    let mut further = [1.0_f32; INTENTS];
    for found in order {
        let Meaning::Intent(intent) = found.meaning else {
            continue;
        };
        let covered = spoken_for.iter().any(|(other, first, last)| {
            *other == intent && *first <= found.first && found.last <= *last
        });
        if covered && found.weight > 0.0 {
            continue;
        }
        spoken_for.push((intent, found.first, found.last));
        let weight = if found.weight < 0.0 {
            found.weight
        } else if is_refused(evidence, intent, found) {
            // It stays as a reason without weight, so that the model is not heard for it either.
            *scores.at(intent) += found.weight * REFUSED;
            0.0
        } else {
            let part = &mut further[place(intent)];
            let weight = found.weight * *part;
            *part *= FURTHER;
            weight
        };
        *scores.at(intent) += weight;
        reasons.push(Reason {
            intent,
            phrase: found.written,
            weight,
        });
    }
    scores
}

/// Whether a message says that this is what it does not want. Nobody refuses an emergency, and what
/// names the refusal itself ("ya no quiero la cita") is not refused by it.
fn is_refused(evidence: &Evidence<'_>, intent: Intent, found: &Found) -> bool {
    let can_be = matches!(
        intent,
        Intent::Booking | Intent::Ordering | Intent::Pricing | Intent::Loyalty | Intent::Escalation
    );
    can_be
        && evidence.found.iter().any(|refusal| {
            refusal.meaning == Meaning::Refusal
                && refusal.last < found.first
                && found.first - refusal.last <= REFUSAL_REACH
                && evidence.message.words[refusal.last + 1..=found.first]
                    .iter()
                    .all(|word| word.pause == Pause::None)
        })
}

/// The intent that is clearly named before any other.
fn named_first(evidence: &Evidence<'_>) -> Option<Intent> {
    let clear = evidence
        .found
        .iter()
        .filter_map(|found| match found.meaning {
            Meaning::Intent(Intent::Greeting | Intent::General) => None,
            Meaning::Intent(intent)
                if found.weight >= CLEAR && !is_refused(evidence, intent, found) =>
            {
                Some((found.first, intent))
            }
            _ => None,
        });
    clear
        .min_by_key(|(first, _)| *first)
        .map(|(_, intent)| intent)
}

/// How much a message is a greeting: wholly, as far as it is understood, or not at all.
fn greeting(evidence: &Evidence<'_>, ruled: &Scores) -> f32 {
    let words = evidence.message.words.len();
    let (first, end) = evidence.message.content;
    let greets = ruled.of(Intent::Greeting) > ruled.of(Intent::General);
    let opens = evidence
        .found
        .iter()
        .any(|found| found.first == 0 && found.meaning == Meaning::Intent(Intent::Greeting));
    let names_something = Intent::ALL
        .iter()
        .any(|&other| other != Intent::Greeting && ruled.of(other) > CLEAR / 2.0);
    if first >= end && words > 0 {
        if greets { ONLY_GREETING } else { 0.0 }
    } else if greets && opens && words <= GREETING_WORDS && !names_something {
        GREETING_FIRST
    } else {
        -ONLY_GREETING
    }
}

/// Danger goes before everything, and a person who is asked for before the rest. Points go before
/// prices and orders. A greeting is only one where nothing else is said.
fn take_precedence(evidence: &Evidence<'_>, ruled: &Scores, scores: &mut Scores) {
    *scores.at(Intent::Greeting) += greeting(evidence, ruled);
    if evidence.message.words.is_empty() {
        // Laughter, dots and the like are all that was there.
        *scores.at(Intent::General) += ONLY_GREETING;
    }
    if ruled.of(Intent::Loyalty) >= CERTAIN {
        for other in [Intent::Pricing, Intent::Ordering, Intent::Faq] {
            scores.put_before(Intent::Loyalty, other);
        }
    }
    for certain in [Intent::Escalation, Intent::Urgent] {
        if ruled.of(certain) >= CERTAIN {
            for other in Intent::ALL.iter().filter(|other| **other != certain) {
                scores.put_before(certain, *other);
            }
        }
    }
}

pub(super) fn place(intent: Intent) -> usize {
    let found = Intent::ALL.iter().position(|other| *other == intent);
    found.unwrap_or_default()
}
