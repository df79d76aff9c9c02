//! Some of what was ordered wanted in another way: "3 tacos, uno sin cebolla", "2 normales y 1 sin cebolla".

use super::drafts::{Draft, Reader};
use super::manners::is_without;
use super::matching::Found;
use super::pieces::Piece;

/// Words for those that were spoken of.
const THOSE: &[&str] = &[
    "ellos", "ellas", "esos", "esas", "estos", "estas", "them", "those",
];
/// Ways that are none: as the menu has it.
const PLAIN: &[&str] = &[
    "normal",
    "normales",
    "completo",
    "completos",
    "completa",
    "completas",
    "regular",
    "regulares",
    "plain",
];
const HALF: &str = "mitad";
const WITH: &str = "con";

impl Reader<'_, '_, '_> {
    /// Whether a piece says how some of the last thing are wanted. They become lines of their own then.
    pub(super) fn is_share(&mut self, piece: &Piece) -> bool {
        let Some(last) = self.drafts.last() else {
            return false;
        };
        if piece.more && last.share_of.is_none() {
            return false;
        }
        let at = last.share_of.unwrap_or(self.drafts.len() - 1);
        let base = &self.drafts[at];
        let (Found::One(_), Some(Ok(all))) = (&base.found, base.quantity) else {
            return false;
        };
        let mut words = piece.words.as_slice();
        let word = |words: &[usize]| words.first().map(|at| self.utterance.word(*at));
        let mut quantity = piece.quantity.and_then(Result::ok);
        if quantity.is_none() && word(words) == Some(HALF) {
            quantity = Some(all / 2);
            words = &words[1..];
        }
        if word(words).is_some_and(|word| THOSE.contains(&word)) {
            words = &words[1..];
        }
        let is_plain = |at: &usize| PLAIN.contains(&self.utterance.word(*at));
        let plain = !words.is_empty() && words.iter().all(is_plain);
        if !plain && word(words).is_some_and(|word| PLAIN.contains(&word)) {
            words = &words[1..];
        }
        // "2 con cebolla y 1 sin" are without what the others are with.
        let others = last.tails.last().map_or(&[][..], Vec::as_slice);
        let without = matches!(words, [only] if is_without(self.utterance.word(*only)))
            && word(others) == Some(WITH);
        let Some(quantity) = quantity.filter(|quantity| (1..=all).contains(quantity)) else {
            return false;
        };
        if !plain && !without && !self.is_wish(words) {
            return false;
        }
        let tails = if plain {
            Vec::new()
        } else {
            vec![words.to_vec()]
        };
        let share = Draft {
            quantity: Some(Ok(quantity)),
            kind_of: base.kind_of.clone(),
            name: base.name.clone(),
            found: base.found.clone(),
            tails,
            share_of: Some(at),
            ..Draft::default()
        };
        self.drafts.push(share);
        true
    }

    /// Takes the shares out of what they are shares of. What was said to be wanted in some way is not shared out, and
    /// what is said of others comes to it: "2 con todo y 1 sin cebolla" are three.
    pub(super) fn share_out(&mut self) {
        for at in 0..self.drafts.len() {
            let shares = self
                .drafts
                .iter()
                .filter(|draft| draft.share_of == Some(at));
            let taken: u32 = shares.filter_map(|draft| draft.quantity?.ok()).sum();
            let base = &mut self.drafts[at];
            let plain = base.tails.iter().all(Vec::is_empty);
            let Some(Ok(all)) = base.quantity.filter(|_| plain && taken > 0) else {
                continue;
            };
            if let Some(left) = all.checked_sub(taken) {
                base.quantity = Some(Ok(left));
                base.withdrawn = left == 0;
            }
        }
    }
}
