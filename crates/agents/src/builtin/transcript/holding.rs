//! Holding on to what is being settled: a message that has the form of the answer is the answer,
//! whatever else it may seem to be about.

use super::super::folded::{begins, says};
use super::super::person::{self, Expected};
use super::cues::{defers, moves};
use super::{Goal, State};
use crate::supervisor::{Awaiting, Reason, Understanding};
use crate::when::When;
use quipu_core::agent::{Intent, Vertical};

/// A rule of this weight names something by itself.
const CLEAR: f32 = 3.0;
/// More words than this are no bare name.
const BARE_NAME: usize = 4;
/// More words than this do more than point at what was offered.
const POINTING: usize = 8;

/// How people point at one of those offered, and which: counted from the first, or the last.
const POINTS_AT: &[(&[&str], Pick)] = &[
    (
        &[
            "primera",
            "primero",
            "primer",
            "first",
            "la 1",
            "mas temprano",
            "mas temprana",
            "earliest",
            "mas pronto",
            "mas cercana",
            "mas cercano",
            "soonest",
        ],
        Pick::At(0),
    ),
    (&["segunda", "segundo", "second", "la 2"], Pick::At(1)),
    (
        &["tercera", "tercero", "tercer", "third", "la 3"],
        Pick::At(2),
    ),
    (&["cuarta", "cuarto", "fourth", "la 4"], Pick::At(3)),
    (
        &[
            "ultima",
            "ultimo",
            "last",
            "la mas tarde",
            "el mas tarde",
            "lo mas tarde",
            "latest",
        ],
        Pick::Last,
    ),
    (
        &[
            "cualquiera",
            "cualquier",
            "any",
            "anyone",
            "any of them",
            "either",
            "whichever",
            "la que sea",
            "el que sea",
            "me da igual",
            "da igual",
            "me da lo mismo",
            "da lo mismo",
            "la que quieras",
            "la que quiera",
            "la que gustes",
            "la que guste",
            "doesn t matter",
        ],
        Pick::Any,
    ),
];

/// Which of those offered is pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Pick {
    At(usize),
    Last,
    /// Whichever there is.
    Any,
}

/// What a folded message points at among those offered, if it points at one.
pub(in super::super) fn picks(words: &str) -> Option<Pick> {
    // "A las 5 y cuarto" is an hour, "cualquier otro día" none of those offered, and "es mi primera vez"
    // says who comes.
    let other = begins(words, &["otr", "other", "another"])
        || says(
            words,
            &["y cuarto", "primera vez", "first time", "primera cita"],
        );
    if other || words.split(' ').count() > POINTING {
        return None;
    }
    let found = POINTS_AT.iter().find(|(names, _)| says(words, names));
    found.map(|(_, pick)| *pick)
}

/// Whether the words of a rule stand in a message as they are, and were not read into a misspelling.
fn is_literal(reason: &Reason, words: &str) -> bool {
    let letters = |word: &&str| word.chars().all(|c| c.is_alphabetic() || c == '*');
    let phrase = reason.phrase.split(' ').filter(letters);
    let mut stems = phrase.map(|word| word.trim_end_matches('*'));
    stems.all(|stem| stem.is_empty() || begins(words, &[stem]))
}

impl State {
    /// Whether a message is what was asked for by its form alone: a name or a telephone where those were
    /// asked for, or one of the times that were offered.
    pub(super) fn holds(
        &self,
        text: &str,
        words: &str,
        when: &When,
        understood: &Understanding,
    ) -> bool {
        let takes_back = begins(words, &["cancel", "anul", "olvid", "deja"]) || moves(words);
        if self.goal.is_none() || text.contains('?') || takes_back || defers(words) {
            return false;
        }
        match self.awaiting {
            Some(Awaiting::Name | Awaiting::Phone) => self.names_customer(text, words, understood),
            Some(Awaiting::Time | Awaiting::Day) => {
                let books = matches!(self.goal, Some(Goal::Booking | Goal::Reschedule));
                let named = !when.is_empty() && !named_clearly(understood, words, Intent::Booking);
                books && (picks(words).is_some() || named)
            }
            _ => false,
        }
    }

    fn names_customer(&self, text: &str, words: &str, understood: &Understanding) -> bool {
        let reachable = person::phone(text).is_some() || person::email(text).is_some();
        let name = person::name(text, Expected::Asked, &[]);
        let bare = name.is_some() && words.split(' ').count() <= BARE_NAME;
        let owner = self.goal.map_or(Intent::Booking, Goal::intent);
        (reachable || bare) && !named_clearly(understood, words, owner)
    }

    /// Whether a business of this kind is asked for that. Nobody orders at a clinic by a guess: what sounds like
    /// it there is a name or a branch.
    pub(super) fn may_want(
        &self,
        vertical: Vertical,
        wanted: Goal,
        words: &str,
        understood: &Understanding,
    ) -> bool {
        let clinic = matches!(vertical, Vertical::Dental | Vertical::Medical);
        let orders = wanted == Goal::Order && self.goal != Some(Goal::Order);
        let mut reasons = understood.reasons.iter();
        let named =
            reasons.any(|reason| reason.intent == Intent::Ordering && reason.weight >= CLEAR);
        // A tooth that broke on a piece of bread names something to eat, and orders nothing.
        let asks = begins(
            words,
            &["pedi", "pido", "orden", "order", "encarg", "compr", "buy"],
        );
        !(clinic && orders) || named && asks
    }

    /// Whether another goal is only guessed at while an answer is awaited.
    pub(super) fn only_guesses(&self, wanted: Goal, understood: &Understanding) -> bool {
        let Some(goal) = self.goal.filter(|_| self.awaiting.is_some()) else {
            return false;
        };
        let begins_anew = matches!(wanted, Goal::Booking | Goal::Order);
        let mut reasons = understood.reasons.iter();
        let named =
            reasons.any(|reason| reason.intent == wanted.intent() && reason.weight >= CLEAR);
        begins_anew && wanted.intent() != goal.intent() && !named
    }
}

/// Whether a rule names another wish in the very words of the message.
fn named_clearly(understood: &Understanding, words: &str, owner: Intent) -> bool {
    understood.reasons.iter().any(|reason| {
        let wish = matches!(
            reason.intent,
            Intent::Booking
                | Intent::Ordering
                | Intent::Escalation
                | Intent::Urgent
                | Intent::Loyalty
                | Intent::Pricing
                | Intent::Location
        );
        wish && reason.intent != owner && reason.weight >= CLEAR && is_literal(reason, words)
    })
}
