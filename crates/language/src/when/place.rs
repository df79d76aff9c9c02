//! A token and what is around it.

use super::Asked;
use crate::token::{Kind, Token};
use jiff::civil::Date;
use quipu_core::language::Language;

#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) at: usize,
    pub(super) language: Language,
    pub(super) today: Date,
    pub(super) asked: Option<Asked>,
}

impl<'a> Place<'a> {
    pub(super) fn ahead(self, by: usize) -> Option<&'a Token> {
        self.tokens.get(self.at + by)
    }

    pub(super) fn behind(self, by: usize) -> Option<&'a Token> {
        self.at.checked_sub(by).and_then(|at| self.tokens.get(at))
    }

    /// Whether the word so far ahead is one of these.
    pub(super) fn is(self, by: usize, words: &[&str]) -> bool {
        self.ahead(by).is_some_and(|token| token.is_one_of(words))
    }

    pub(super) fn was(self, by: usize, words: &[&str]) -> bool {
        self.behind(by).is_some_and(|token| token.is_one_of(words))
    }

    pub(super) fn sign(self, by: usize, sign: char) -> bool {
        self.ahead(by).is_some_and(|token| token.is_sign(sign))
    }

    /// Whether these words come one after the other.
    pub(super) fn says(self, words: &[&str]) -> bool {
        let each = words.iter().enumerate();
        each.fold(true, |said, (by, word)| said && self.is(by, &[word]))
    }

    /// The whole number so far ahead, written with at most four digits or in words.
    pub(super) fn whole(self, by: usize) -> Option<u16> {
        let token = self.ahead(by)?;
        let number = token.number()?;
        let whole = u16::try_from(number / 100).ok()?;
        (number % 100 == 0 && token.digits <= 4).then_some(whole)
    }

    /// Whether nothing but signs stands between the place and the ends of the text.
    pub(super) fn alone(self) -> bool {
        let silent = |token: &Token| matches!(token.kind, Kind::Sign(_) | Kind::Break);
        self.tokens[..self.at].iter().all(silent) && self.tokens[self.at + 1..].iter().all(silent)
    }
}
