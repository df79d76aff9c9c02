//! Finding what is stated in a text that was cut into tokens.

use super::token::{Kind, Token};
use super::words::{
    CURRENCY, ENDS_AS_PRICE, NOT_HOURS, OPENING, PLACE, POINTS, PRICE, PROMOTION, STREET, UNIT,
};
use super::{Fact, Time};

/// How a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// An answer: only what is told as a price is one.
    Answer,
    /// Evidence: every number that is not plainly something else may be a price.
    Evidence,
}

const CURRENCY_SIGNS: &[char] = &['$', '€', '£', '₲', '₡'];

/// What a text states.
pub(super) fn facts(tokens: &[Token], reading: Reading) -> Vec<Fact> {
    let mut found = Vec::new();
    let opening = tokens.iter().any(|token| token.is_a(OPENING));
    let place = tokens.iter().any(|token| token.is_a(PLACE));
    let shares = tokens
        .iter()
        .any(|token| token.is_a(PROMOTION) || token.is_sign('%'));
    let points = tokens.iter().any(|token| token.is_a(POINTS));
    let mut at = 0;
    while at < tokens.len() {
        let here = Place { tokens, at };
        if let Some((times, taken)) = here.times(reading, opening) {
            found.extend(times.into_iter().map(Fact::Time));
            at += taken;
            continue;
        }
        if let Some(number) = tokens[at].number() {
            if let Some(address) = here.address(place) {
                found.push(Fact::Address(address));
            } else if let Some((fact, plain)) = here.quantity(number, reading) {
                found.push(fact);
                // In a table of shares or points the number itself does not say what it is.
                if plain && shares {
                    found.push(Fact::Percent(number));
                }
                if plain && points {
                    found.push(Fact::Points(number));
                }
            }
        } else if tokens[at].is_one_of(&["mediodia", "noon"]) {
            found.push(Fact::Time(time(12 * 60, true)));
        } else if tokens[at].is_one_of(&["medianoche", "midnight"]) {
            found.push(Fact::Time(time(0, true)));
        }
        at += 1;
    }
    found
}

/// Where amounts of money are told as such, and which.
pub(super) fn money_at(tokens: &[Token]) -> Vec<(usize, i64)> {
    let numbers = (0..tokens.len()).filter_map(|at| Some((at, tokens[at].number()?)));
    let told = numbers.filter(|(at, number)| {
        let here = Place { tokens, at: *at };
        let money = |fact: (Fact, bool)| matches!(fact.0, Fact::Money(_));
        here.times(Reading::Answer, false).is_none()
            && here.quantity(*number, Reading::Answer).is_some_and(money)
    });
    told.collect()
}

const fn time(minute: u16, certain: bool) -> Time {
    Time { minute, certain }
}

/// A token and what is around it.
#[derive(Clone, Copy)]
struct Place<'a> {
    tokens: &'a [Token],
    at: usize,
}

impl<'a> Place<'a> {
    fn ahead(self, by: usize) -> Option<&'a Token> {
        self.tokens.get(self.at + by)
    }

    fn behind(self, by: usize) -> Option<&'a Token> {
        self.at.checked_sub(by).and_then(|at| self.tokens.get(at))
    }

    fn ahead_is_a(self, by: usize, kind: u16) -> bool {
        self.ahead(by).is_some_and(|token| token.is_a(kind))
    }

    fn behind_is_a(self, by: usize, kind: u16) -> bool {
        self.behind(by).is_some_and(|token| token.is_a(kind))
    }

    fn ahead_is(self, by: usize, words: &[&str]) -> bool {
        self.ahead(by).is_some_and(|token| token.is_one_of(words))
    }

    fn behind_is(self, by: usize, words: &[&str]) -> bool {
        self.behind(by).is_some_and(|token| token.is_one_of(words))
    }

    /// What a number that is no time counts, and whether it only may be that.
    fn quantity(self, number: i64, reading: Reading) -> Option<(Fact, bool)> {
        if self.ahead(1).is_some_and(|next| next.is_sign('%')) || self.says_percent() {
            return Some((Fact::Percent(number), false));
        }
        if self.ahead_is_a(1, POINTS) {
            return Some((Fact::Points(number), false));
        }
        let sign = |token: Option<&Token>| {
            token.is_some_and(
                |token| matches!(token.kind, Kind::Sign(sign) if CURRENCY_SIGNS.contains(&sign)),
            )
        };
        // "S/ 120" and "Bs. 50".
        let behind = self.behind(1);
        let of_peru = behind.is_some_and(|t| t.is_sign('/')) && self.behind_is(2, &["s"]);
        let of_bolivia = self.behind_is(1, &["bs"])
            || (behind.is_some_and(|t| t.is_sign('.')) && self.behind_is(2, &["bs", "q", "s"]));
        let told_as_money = sign(behind)
            || sign(self.ahead(1))
            || of_peru
            || of_bolivia
            || self.behind_is_a(1, CURRENCY)
            || self.ahead_is_a(1, CURRENCY)
            || (self.ahead_is(1, &["de"]) && self.ahead_is_a(2, CURRENCY));
        if told_as_money {
            return Some((Fact::Money(number), false));
        }
        let counts_something = self.ahead_is_a(1, UNIT);
        match reading {
            _ if counts_something => None,
            Reading::Evidence => Some((Fact::Money(number), true)),
            Reading::Answer => self.told_as_price().then_some((Fact::Money(number), false)),
        }
    }

    fn says_percent(self) -> bool {
        self.ahead_is(1, &["percent"])
            || (self.ahead_is(1, &["por"]) && self.ahead_is(2, &["ciento"]))
    }

    fn told_as_price(self) -> bool {
        for back in 1..=4 {
            let Some(token) = self.behind(back) else {
                break;
            };
            // What was told before the full stop of a sentence is told; one behind an abbreviation ends none.
            let word = self.behind(back + 1).and_then(Token::word);
            let long = word.is_some_and(|word| word.chars().count() > 3 && word != "aprox");
            if matches!(
                token.kind,
                Kind::Number(_) | Kind::Clock { .. } | Kind::Break
            ) || (token.is_sign('.') && long)
                || token.is_one_of(&["las", "la", "dura", "duran"])
            {
                return false;
            }
            if token.is_a(PRICE) {
                return true;
            }
        }
        let ends = self.ahead(1).is_none_or(|next| {
            matches!(
                next.kind,
                Kind::Sign('.' | ',' | '!' | ')' | ';' | '?') | Kind::Break
            ) || next.is_one_of(&["cada", "en", "por", "y", "each", "total"])
        });
        ends && self.behind_is_a(1, ENDS_AS_PRICE)
    }

    /// The times that begin here, and how many tokens they take.
    fn times(self, reading: Reading, opening: bool) -> Option<(Vec<Time>, usize)> {
        if let Kind::Clock {
            hour,
            minute,
            padded,
        } = self.tokens[self.at].kind
        {
            let (half, taken) = self.half_of_day(1);
            let certain = half.is_some() || hour > 12 || hour == 0 || (padded && hour < 10);
            return Some((vec![at_clock(hour, minute, half, certain)], 1 + taken));
        }
        let hour = self.hour(0)?;
        // "De 9 a 6", when it is about being open.
        let to = self.ahead_is(1, &["a", "to"]) || self.ahead(1).is_some_and(|t| t.is_sign('-'));
        if to
            && (opening || reading == Reading::Evidence)
            && let Some(until) = self.hour(2)
            && !self.ahead_is_a(3, NOT_HOURS)
        {
            let (half, taken) = self.half_of_day(3);
            let first = at_clock(hour, 0, None, hour > 12);
            let second = at_clock(until, 0, half, half.is_some() || until > 12);
            return Some((vec![first, second], 3 + taken));
        }
        let (half, taken) = self.half_of_day(1);
        if half.is_some() {
            return Some((vec![at_clock(hour, 0, half, true)], 1 + taken));
        }
        if self.ahead_is(1, &["hrs", "h"]) && reading == Reading::Evidence {
            return Some((vec![at_clock(hour, 0, None, hour > 12)], 2));
        }
        let asked = self.behind_is(1, &["las"])
            || (self.behind_is(1, &["la"]) && hour == 1)
            || self.ahead_is(1, &["oclock"])
            || (self.behind_is(1, &["at"]) && !self.ahead_is_a(1, UNIT));
        if !asked {
            return None;
        }
        let (minute, used) = self.minutes_after(1);
        let (half, taken) = self.half_of_day(1 + used);
        let hour_minute = i32::from(hour) * 60 + i32::from(minute);
        let whole = hour_minute.rem_euclid(24 * 60);
        let (hour, minute) = (
            u16::try_from(whole / 60).unwrap_or(0),
            u16::try_from(whole % 60).unwrap_or(0),
        );
        let certain = half.is_some() || hour > 12;
        Some((
            vec![at_clock(hour, minute, half, certain)],
            1 + used + taken,
        ))
    }

    /// "Y media", "y cuarto", "menos cuarto", "y veinte".
    fn minutes_after(self, by: usize) -> (i16, usize) {
        let sense = if self.ahead_is(by, &["y"]) {
            1
        } else if self.ahead_is(by, &["menos"]) {
            -1
        } else {
            return (0, 0);
        };
        if self.ahead_is(by + 1, &["media"]) {
            return (30 * sense, 2);
        }
        if self.ahead_is(by + 1, &["cuarto"]) {
            return (15 * sense, 2);
        }
        let number = self.ahead(by + 1).and_then(Token::number);
        let minutes = number.map(|number| number / 100).filter(|m| *m < 60);
        match minutes.and_then(|minutes| i16::try_from(minutes).ok()) {
            Some(minutes) if !self.ahead_is_a(by + 2, UNIT) => (minutes * sense, 2),
            _ => (0, 0),
        }
    }

    /// A whole number that can be an hour.
    fn hour(self, by: usize) -> Option<u16> {
        let token = self.ahead(by)?;
        if token.is_one_of(&["una"]) && (by > 0 || self.behind_is(1, &["la"])) {
            return Some(1);
        }
        let number = token.number()?;
        let hour = u16::try_from(number / 100).ok()?;
        (number % 100 == 0 && hour <= 24 && token.digits <= 2).then_some(hour % 24)
    }

    /// "a. m.", "pm", "de la tarde": whether it is after noon, and how many tokens say so.
    fn half_of_day(self, by: usize) -> (Option<bool>, usize) {
        let dots = |from: usize| self.ahead(from).is_some_and(|token| token.is_sign('.'));
        for (letter, after_noon) in [("a", false), ("p", true)] {
            if self.ahead_is(by, &[if after_noon { "pm" } else { "am" }]) {
                return (Some(after_noon), 1);
            }
            if self.ahead_is(by, &[letter]) && dots(by + 1) && self.ahead_is(by + 2, &["m"]) {
                return (Some(after_noon), 3 + usize::from(dots(by + 3)));
            }
        }
        let of_the = self.ahead_is(by, &["de"]) && self.ahead_is(by + 1, &["la"]);
        if of_the && self.ahead_is(by + 2, &["tarde", "noche"]) {
            return (Some(true), 3);
        }
        if of_the && self.ahead_is(by + 2, &["mañana", "manana", "madrugada"]) {
            return (Some(false), 3);
        }
        let in_the = self.ahead_is(by, &["in"]) && self.ahead_is(by + 1, &["the"]);
        if in_the && self.ahead_is(by + 2, &["afternoon", "evening"]) {
            return (Some(true), 3);
        }
        if in_the && self.ahead_is(by + 2, &["morning"]) {
            return (Some(false), 3);
        }
        let hours = usize::from(self.ahead_is(by, &["hrs", "h", "horas"]));
        (None, hours)
    }

    /// The street that this number belongs to.
    fn address(self, place: bool) -> Option<String> {
        if self.tokens[self.at].digits == 0 || self.tokens[self.at].digits > 5 {
            return None;
        }
        let number = self.tokens[self.at].number()? / 100;
        let mut back = 1;
        while self.behind(back).is_some_and(|token| {
            matches!(token.kind, Kind::Sign('#' | '.' | 'º' | '°' | ','))
                || token.is_one_of(&["no", "nro", "num", "numero", "n", "number"])
        }) {
            back += 1;
        }
        let name = self.behind(back)?;
        let last = name.word()?;
        let named = (0..5).any(|more| self.behind_is_a(back + more, STREET));
        let street = named && !name.is_a(UNIT);
        // "Thursday 12" is a day.
        let street_name = name.capital && !name.is_a(CURRENCY) && !name.is_a(OPENING);
        // "Tiene 60 puntos" counts something, and so does "Tiene 60 estrellas", whatever those are: its first word
        // has a capital because it is the first.
        let ends =
            |kind: &Kind| matches!(kind, Kind::Break | Kind::Sign('.' | '!' | '?' | '¡' | '¿'));
        let first = (self.behind(back + 1)).is_none_or(|token| ends(&token.kind));
        let several = (self.ahead(1)).is_some_and(|token| {
            !token.capital && token.word().is_some_and(|word| word.ends_with('s'))
        });
        let counts = self.ahead_is_a(1, UNIT | POINTS | CURRENCY) || (first && several);
        let told = place && street_name && !counts && last.chars().count() > 2;
        (street || told).then(|| format!("{last} {number}"))
    }
}

fn at_clock(hour: u16, minute: u16, after_noon: Option<bool>, certain: bool) -> Time {
    let hour = match after_noon {
        Some(true) if hour < 12 => hour + 12,
        Some(false) if hour == 12 => 0,
        _ => hour,
    };
    time(hour * 60 + minute, certain)
}
