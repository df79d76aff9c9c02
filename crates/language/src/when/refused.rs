//! Days that are named to be left out, and the one that is wanted in the place of such a day: "que no sea hoy", "no
//! este viernes, el siguiente".

use super::Day;
use super::day::weekday;
use super::place::Place;
use crate::token::Kind;
use jiff::ToSpan as _;

/// What may stand between a refusal and its day.
const BETWEEN: &[&str] = &[
    "el", "la", "este", "esta", "the", "this", "on", "para", "for", "dia", "mismo",
];
/// How the same weekday of the week behind is called.
const NEXT_ONE: &[&[&str]] = &[
    &["el", "otro"],
    &["el", "siguiente"],
    &["el", "proximo"],
    &["el", "que", "sigue"],
    &["el", "que", "viene"],
    &["el", "de", "despues"],
    &["el", "de", "la", "otra"],
    &["el", "de", "la", "siguiente"],
    &["el", "de", "la", "proxima"],
    &["el", "de", "la", "que", "viene"],
    &["the", "next"],
    &["the", "following"],
    &["the", "one", "after"],
    &["next", "one"],
];
/// What says behind a day that it does not suit.
const CANNOT: &[&[&str]] = &[
    &["no"],
    &["ya", "no"],
    &["no", "puedo"],
    &["ya", "no", "puedo"],
    &["no", "se", "puede"],
    &["no", "me", "queda"],
    &["no", "me", "queda", "bien"],
    &["no", "me", "viene", "bien"],
];

impl Place<'_> {
    /// Whether the day here, which took so many tokens, shall not be. "No el viernes" may well want that day: it
    /// takes more than a no before it.
    pub(super) fn is_refused(self, taken: usize) -> bool {
        let mut by = 1;
        while self.was(by, BETWEEN) {
            by += 1;
        }
        let not = self.was(by, &["not"]) && !self.was(by + 1, &["why", "if", "or"]);
        let shall_not = self.was(by, &["sea", "fuera"]) && self.was(by + 1, &["no"]);
        let but_no = self.was(by, &["no"]) && self.was(by + 1, &["pero"]);
        // "Al menos hoy" and "más o menos mañana" except nothing.
        let except = self.was(by, &["menos", "excepto", "salvo", "except"])
            && !self.was(by + 1, &["al", "lo", "o"]);
        not || shall_not || but_no || except || self.cannot_be(taken.max(1))
    }

    /// "Hoy no", "mañana no puedo", and nothing behind it. "¿Hoy no?" asks.
    fn cannot_be(self, taken: usize) -> bool {
        CANNOT.iter().any(|words| {
            let behind = Self {
                at: self.at + taken,
                ..self
            };
            let end = taken + words.len();
            let ends = match self.ahead(end).map(|token| &token.kind) {
                None | Some(Kind::Break) => true,
                Some(Kind::Sign(sign)) => *sign != '?',
                Some(_) => false,
            };
            behind.says(words) && ends
        })
    }

    /// The weekday one week behind the one that is refused here.
    pub(super) fn next_one(self) -> Option<(Day, usize)> {
        let mut at = 0;
        let refused = self.is(0, &["no", "not"]);
        if refused {
            at += 1;
            while self.is(at, BETWEEN) || self.is(at, &["que", "sea"]) {
                at += 1;
            }
        }
        let this = at > 0 && self.is(at - 1, &["este", "this"]) || self.was(1, &["este", "this"]);
        let named = weekday(self.ahead(at)?.word()?)?;
        at += 1;
        let this_week = self.is(at, &["de", "of"])
            && self.is(at + 1, &["esta", "this"])
            && self.is(at + 2, &["semana", "week"]);
        at += if this_week { 3 } else { 0 };
        if !refused {
            at += usize::from(self.is(at, &["no", "not"]));
            if !self.was_at(at, &["no", "not"]) {
                return None;
            }
        }
        while [',', ';', '.'].iter().any(|sign| self.sign(at, *sign))
            || self.is(at, &["sino", "but", "mejor", "pero", "para"])
        {
            at += 1;
        }
        let here = Self {
            at: self.at + at,
            ..self
        };
        let said = NEXT_ONE.iter().find(|words| here.says(words))?;
        at += said.len();
        let next = self.ahead(at).and_then(|token| token.word());
        // "No el viernes, el próximo lunes" is a Monday.
        let other = next.and_then(weekday).is_some_and(|day| day != named);
        if other || self.is(at, &["dia", "mes", "day", "month"]) {
            return None;
        }
        let goes_on = next.and_then(weekday).is_some() || self.is(at, &["one", "semana", "week"]);
        at += usize::from(goes_on);
        let today = self.today.weekday();
        let days = match i64::from(today.until(named)) {
            _ if this_week => {
                let ahead = named.to_monday_zero_offset() - today.to_monday_zero_offset();
                i64::from(ahead) + 7
            }
            0 if !this => 14,
            ahead => ahead + 7,
        };
        Some((Day::On(self.today.checked_add(days.days()).ok()?), at))
    }

    /// Whether the word before one so far ahead is one of these.
    fn was_at(self, by: usize, words: &[&str]) -> bool {
        by > 0 && self.is(by - 1, words)
    }
}
