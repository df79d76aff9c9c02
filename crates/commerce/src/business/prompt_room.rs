//! How much of what a business has to say stands in every prompt.

use quipu_core::{Error, ErrorCode, Result};
use uuid::Uuid;

/// How many instructions stand in every prompt.
pub const MOST_IN_PROMPT: usize = 5;
/// How many tokens they have together.
pub const MOST_PROMPT_TOKENS: u32 = 300;

/// One of the places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromptPlace {
    /// From one to [`MOST_IN_PROMPT`].
    pub place: u8,
    pub instruction: Uuid,
    pub tokens: u32,
}

/// The places and who has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptRoom(Vec<PromptPlace>);

impl PromptRoom {
    #[must_use]
    pub fn new(taken: Vec<PromptPlace>) -> Self {
        Self(taken)
    }

    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    #[must_use]
    pub fn tokens(&self) -> u32 {
        self.0.iter().map(|place| place.tokens).sum()
    }

    #[must_use]
    pub fn tokens_left(&self) -> u32 {
        MOST_PROMPT_TOKENS.saturating_sub(self.tokens())
    }

    /// Whether anything at all can still be added.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.count() < MOST_IN_PROMPT && self.tokens_left() > 0
    }

    #[must_use]
    pub fn holds(&self, instruction: Uuid) -> bool {
        self.0.iter().any(|place| place.instruction == instruction)
    }

    /// Gives an instruction a place, or its place the new size of it.
    ///
    /// # Errors
    /// `PROMPT_FULL` or `PROMPT_TOKENS_EXCEEDED`, with the limit and what there is.
    pub fn take(&mut self, instruction: Uuid, tokens: u32) -> Result<PromptPlace> {
        let tokens = tokens.max(1);
        let before = self.0.iter().position(|at| at.instruction == instruction);
        let others = self.tokens() - before.map_or(0, |at| self.0[at].tokens);
        let number = match before {
            Some(at) => self.0[at].place,
            None => self.free_place().ok_or_else(|| {
                Error::new(ErrorCode::PromptFull)
                    .with("limit", MOST_IN_PROMPT)
                    .with("count", self.count())
                    .with("tokens", self.tokens())
            })?,
        };
        if others.saturating_add(tokens) > MOST_PROMPT_TOKENS {
            return Err(Error::new(ErrorCode::PromptTokensExceeded)
                .with("limit", MOST_PROMPT_TOKENS)
                .with("count", self.count() - usize::from(before.is_some()))
                .with("tokens", others)
                .with("needed", tokens));
        }
        let place = PromptPlace {
            place: number,
            instruction,
            tokens,
        };
        match before {
            Some(at) => self.0[at] = place,
            None => self.0.push(place),
        }
        Ok(place)
    }

    /// Whether there was a place to give back.
    pub fn release(&mut self, instruction: Uuid) -> bool {
        let before = self.0.len();
        self.0.retain(|place| place.instruction != instruction);
        self.0.len() < before
    }

    fn free_place(&self) -> Option<u8> {
        let most = u8::try_from(MOST_IN_PROMPT).unwrap_or(u8::MAX);
        (1..=most).find(|number| self.0.iter().all(|place| place.place != *number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    #[test]
    fn there_are_five_places_and_a_freed_one_is_taken_again() {
        let mut room = PromptRoom::default();
        for number in 1..=5 {
            let place = room.take(id(number), 10).unwrap();
            assert_eq!(u128::from(place.place), number);
        }
        assert!(!room.has_room());
        let full = room.take(id(6), 10).unwrap_err();
        assert_eq!(full.code(), ErrorCode::PromptFull);
        let (limit, count) = (&full.details()["limit"], &full.details()["count"]);
        assert_eq!(
            (limit, count, &full.details()["tokens"]),
            (&5.into(), &5.into(), &50.into())
        );
        // Whoever has a place may change what stands there.
        assert_eq!(room.take(id(3), 20).unwrap().place, 3);
        assert!(room.release(id(3)) && !room.release(id(3)));
        assert_eq!(room.take(id(6), 10).unwrap().place, 3);
    }

    #[test]
    fn the_tokens_of_all_are_counted_together() {
        let mut room = PromptRoom::default();
        room.take(id(1), 200).unwrap();
        let long = room.take(id(2), 101).unwrap_err();
        assert_eq!(long.code(), ErrorCode::PromptTokensExceeded);
        assert_eq!(long.details()["needed"], 101);
        assert_eq!(long.details()["tokens"], 200);
        assert_eq!((room.count(), room.tokens()), (1, 200));
        room.take(id(2), 100).unwrap();
        assert!(!room.has_room());
        // It makes way for itself.
        assert!(room.take(id(1), 201).is_err());
        room.take(id(1), 150).unwrap();
        assert_eq!(room.tokens_left(), 50);
    }
}
