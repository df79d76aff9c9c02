//! What an answer claims besides figures: that something was done, that a time can be had, that there is an
//! offer, and who works there.
//!
//! A claim is read clause by clause. A question, a condition, an offer to do something and the opposite of a
//! claim are none: only what is told as a fact needs its source.

mod clause;
pub(super) mod deeds;
pub(super) mod offers;
pub(super) mod people;
#[cfg(test)]
mod tests;
pub(super) mod vocabulary;

pub use deeds::{Deed, Doing, Thing};

use super::Fact;
use super::token::Token;
use clause::Clauses;

/// What a sentence claims. None of it is held against anything yet.
#[derive(Debug, Default)]
pub(super) struct Claims {
    pub(super) deeds: Vec<Deed>,
    /// A time can be had, on a day that the sentence names.
    pub(super) slot: bool,
    pub(super) offer: Option<offers::Offer>,
    pub(super) people: Vec<people::Somebody>,
}

impl Claims {
    pub(super) fn read(tokens: &[Token]) -> Self {
        let clauses = Clauses::of(tokens);
        Self {
            deeds: deeds::read(&clauses),
            slot: offers::promises_time(&clauses),
            offer: offers::Offer::claimed(&clauses),
            people: people::read(&clauses),
        }
    }
}

impl From<Deed> for Fact {
    fn from(deed: Deed) -> Self {
        Self::Deed(deed)
    }
}
