//! More of what was said before: "3 tacos al pastor y otros 3".

use super::drafts::{Draft, Reader};
use super::matching::Found;
use super::pieces::Piece;
use super::quantity;

impl Reader<'_, '_, '_> {
    /// Adds a number that stands alone to the only thing that was ordered. Where there are several,
    /// nobody can tell which one it adds to, and that is asked.
    pub(super) fn more_of_the_same(&mut self, piece: &Piece) {
        let Some(more) = piece.quantity.filter(|_| !self.drafts.is_empty()) else {
            return;
        };
        if let Some(last) = self.only_thing() {
            let sum = match (last.quantity.unwrap_or(Ok(1)), more) {
                (Ok(before), Ok(more)) => quantity::checked(i64::from(before) + i64::from(more)),
                (Err(problem), _) | (_, Err(problem)) => Err(problem),
            };
            last.quantity = Some(sum);
            return;
        }
        let found = match self.things() {
            things if things.is_empty() => Found::Nothing,
            things => Found::Several(things),
        };
        self.drafts.push(Draft {
            quantity: Some(more),
            name: piece.number.into_iter().collect(),
            found,
            ..Draft::default()
        });
    }

    /// Takes "y otros 3 sin cebolla" for three more of the only thing that was ordered.
    pub(super) fn more_in_another_way(&mut self, piece: &Piece) -> bool {
        if !piece.more || piece.of || !self.is_wish(&piece.words) {
            return false;
        }
        let quantity = piece.quantity;
        let Some(last) = self.only_thing() else {
            return false;
        };
        let more = Draft {
            quantity,
            kind_of: last.kind_of.clone(),
            name: last.name.clone(),
            tails: vec![piece.words.clone()],
            found: last.found.clone(),
            ..Draft::default()
        };
        self.drafts.push(more);
        true
    }

    /// The last line when all of them are about the same thing.
    fn only_thing(&mut self) -> Option<&mut Draft> {
        let standing = self.drafts.iter_mut().filter(|draft| !draft.withdrawn);
        let mut standing = standing.filter(|draft| draft.heads.is_none()).rev();
        let last = standing.next()?;
        standing
            .all(|draft| draft.found == last.found && last.found != Found::Nothing)
            .then_some(last)
    }

    /// Everything of the menu that was named, each thing once.
    fn things(&self) -> Vec<usize> {
        let mut things = Vec::new();
        for draft in self.drafts.iter().filter(|draft| !draft.withdrawn) {
            match &draft.found {
                Found::One(entry) => things.push(*entry),
                Found::Several(entries) => things.extend(entries),
                Found::Nothing => {}
            }
        }
        things.sort_unstable();
        things.dedup();
        things
    }
}
