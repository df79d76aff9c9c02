//! What is said to put right what was said before: "mejor 2", "no, que sean 3", "make it two".

use super::drafts::{Draft, Reader};
use super::manners::is_filler;
use super::matching::Found;
use super::pieces::Piece;
use super::quantity;

/// What a piece does to what was said before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Correction {
    #[default]
    Nothing,
    /// It says how many of the same there should be.
    Number,
    /// It says what there should be in the place of the last thing.
    Thing,
}

/// What a word says about the piece that it opens.
pub(super) fn correction(word: &str) -> Correction {
    match word {
        "mejor" | "rather" | "instead" => Correction::Thing,
        "sea" | "sean" | "digo" | "perdon" | "perdona" | "perdone" | "disculpa" | "disculpe"
        | "corrijo" | "actually" | "make" | "sorry" => Correction::Number,
        _ => Correction::Nothing,
    }
}

/// Whether a "no" takes back what was said, rather than saying how something is wanted as in "no
/// picante": it stands alone, or goes on like a correction.
pub(super) fn takes_back(ahead: &[&str]) -> bool {
    match ahead {
        ["no"] | ["no", "no" | "que", ..] => true,
        ["no", next, ..] => correction(next) != Correction::Nothing,
        _ => false,
    }
}

/// Whether another number for what is being named begins here: "2 quesadillas mejor 3".
pub(super) fn begins_in_the_middle(ahead: &[&str]) -> bool {
    let opens = ahead.first().is_some_and(|word| {
        correction(word) != Correction::Nothing || takes_back(ahead) && ahead.len() > 1
    });
    let opening = ahead
        .iter()
        .take_while(|word| is_filler(word) || **word == "no")
        .count();
    opens && quantity::read(&ahead[opening..]).is_some()
}

impl Reader<'_, '_, '_> {
    /// A number alone that corrects the one before.
    pub(super) fn correct_number(&mut self, piece: &Piece) {
        let last = self.drafts.last_mut();
        if let (Some(last), Some(quantity)) = (last, piece.quantity) {
            last.quantity = Some(quantity);
        }
    }

    /// Withdraws what the last thing stands in the place of: the same thing, wherever it was said,
    /// or what was said right before it. How the same thing is wanted still counts, unless that was
    /// said anew.
    pub(super) fn correct_thing(&mut self, correction: Correction) {
        let Some((last, before)) = self.drafts.split_last_mut() else {
            return;
        };
        let standing = |draft: &&mut Draft| !draft.withdrawn;
        if last.found == Found::Nothing || correction == Correction::Nothing {
            return;
        }
        let mut same = before.iter_mut().rev().filter(standing);
        if let Some(same) = same.find(|draft| draft.found == last.found) {
            same.withdrawn = true;
            if last.tails.iter().all(Vec::is_empty) {
                last.tails = std::mem::take(&mut same.tails);
            }
        } else if correction == Correction::Thing
            && let Some(other) = before.iter_mut().rev().find(standing)
        {
            other.withdrawn = true;
        }
    }
}
