//! What is ordered along with something else: "3 tacos con una coca".

use super::drafts::Reader;
use super::manners::is_wish;
use super::matching::Found;
use super::options::choices_in;
use super::pieces::Piece;
use super::quantity;

impl Reader<'_, '_, '_> {
    /// Cuts a piece where "con" brings something of the menu with a number of its own. What is a
    /// choice of the thing before it, or a part of its name, stays with that thing, and what the menu
    /// does not have says how the thing is wanted.
    pub(super) fn alongside(&self, piece: &Piece) -> Option<(Piece, Piece)> {
        let words = &piece.words;
        let word = |at: &usize| self.utterance.word(*at);
        let brings = |at: &usize| matches!(word(&words[*at]), "con" | "with");
        (0..words.len()).filter(brings).find_map(|at| {
            let behind = &words[at + 1..];
            let said: Vec<&str> = behind.iter().map(word).collect();
            let counted = quantity::read(&said).filter(|it| !it.trailing && it.quantity.is_ok())?;
            let rest = &behind[counted.words..];
            if rest.is_empty() || is_wish(&said) {
                return None;
            }
            let before = self.attempt(&words[..at]);
            let spans = at > 0 && self.attempt(words).name > at;
            let attempt = self.attempt(rest);
            if spans || attempt.found == Found::Nothing {
                return None;
            }
            if let Found::One(entry) = before.found {
                let named = self.utterance.words(&rest[..attempt.name]);
                let (chosen, left) = choices_in(&self.index.entries[entry], &named);
                if left.is_empty() && !chosen.is_empty() {
                    return None;
                }
            }
            let mut first = piece.clone();
            first.words.truncate(at);
            first.colon = false;
            let second = Piece {
                quantity: Some(counted.quantity),
                words: rest.to_vec(),
                number: behind.first().copied(),
                colon: piece.colon,
                ..Piece::default()
            };
            Some((first, second))
        })
    }
}
