//! A bare number that is preferred while a table is settled: "mejor 7" may be as many people as an hour.

use super::super::folded::{folded, says};
use super::super::lists::{Words, list};
use super::wish::Wish;
use crate::facts::token::cut;
use crate::supervisor::Awaiting;
use std::sync::LazyLock;

const DATA: &str = include_str!("../../../data/builtin/number.txt");
static PREFERS: Words = LazyLock::new(|| list(DATA, "prefers"));
static COUNTS: Words = LazyLock::new(|| list(DATA, "counts"));
static BESIDE: Words = LazyLock::new(|| list(DATA, "beside"));
static PEOPLE: Words = LazyLock::new(|| list(DATA, "people"));
static HOUR: Words = LazyLock::new(|| list(DATA, "hour"));
/// No clock goes further, and nobody calls the hours of the afternoon thirteen and more here.
const LAST_HOUR: u16 = 12;

/// What a bare number means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    People(u16),
    Hour(u16),
    /// Either of them, so that it has to be asked.
    Unclear(u16),
}

/// The number that a text prefers when it says nothing else: "mejor 7", "no, mejor siete".
pub(in super::super) fn preferred(text: &str) -> Option<u16> {
    let words = folded(text);
    if text.contains('?') || !says(&words, &PREFERS) && !says(&words, &COUNTS) {
        return None;
    }
    let numbers = numbers_in(&words);
    let [number] = numbers.as_slice() else {
        return None;
    };
    let beside = |word: &str| BESIDE.contains(&word) || says(word, &PREFERS);
    let words = words.split(' ').filter(|word| !beside(word));
    (words.count() == 1 && *number > 0).then_some(*number)
}

fn numbers_in(words: &str) -> Vec<u16> {
    let tokens = cut(words);
    let numbers = tokens.iter().filter_map(|token| {
        let number = token.number().filter(|number| number % 100 == 0)?;
        u16::try_from(number / 100).ok()
    });
    numbers.collect()
}

/// What a number says of a table, given what is known of it and what was asked.
pub(super) fn meant(text: &str, wish: &Wish, awaiting: Option<Awaiting>) -> Option<Number> {
    let (party, words) = (wish.party?, folded(text));
    if let Some(number) = wish.unclear {
        // "A las 9" is another hour than the one that may have been meant.
        let other = numbers_in(&words).iter().any(|other| *other != number);
        return if other {
            None
        } else if says(&words, &PEOPLE) {
            Some(Number::People(number))
        } else if says(&words, &HOUR) {
            Some(Number::Hour(number))
        } else {
            // "7" says again what was not clear.
            let same = words == number.to_string() || preferred(text) == Some(number);
            same.then_some(Number::Unclear(number))
        };
    }
    if matches!(awaiting, Some(Awaiting::Time | Awaiting::PartySize)) {
        return None;
    }
    let number = preferred(text)?;
    let hour = wish.when.time.map(|time| time.minute / 60 % LAST_HOUR);
    let people = says(&words, &COUNTS) || number > LAST_HOUR;
    Some(match hour {
        Some(_) if number == party && !people => Number::Hour(number),
        Some(hour) if !people && number % LAST_HOUR != hour => Number::Unclear(number),
        _ => Number::People(number),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::when::When;
    use quipu_core::language::Language;

    #[test]
    fn a_number_that_is_preferred_stands_alone() {
        for (text, number) in [
            ("mejor 7", Some(7)),
            ("no, mejor siete por favor", Some(7)),
            ("que sean 7", Some(7)),
            ("make it 7", Some(7)),
            ("mejor 7 tacos", None),
            ("mejor a las 7", None),
            ("mejor el 7", None),
            ("mejor 7 u 8", None),
            ("7", None),
        ] {
            assert_eq!(preferred(text), number, "{text}");
        }
    }

    #[test]
    fn it_is_asked_about_where_it_may_be_both() {
        let now = "2026-06-12T15:30[America/Mexico_City]".parse().unwrap();
        let read = |text: &str| When::read(text, Language::Es, &now, None);
        let timed = Wish {
            when: read("el sábado a las 8"),
            party: Some(5),
            unclear: None,
        };
        let confirms = Some(Awaiting::Confirmation);
        for (text, number) in [
            ("mejor 7", Number::Unclear(7)),
            ("que sean 7", Number::People(7)),
            ("mejor 15", Number::People(15)),
            ("mejor 8", Number::People(8)),
            ("mejor 5", Number::Hour(5)),
        ] {
            assert_eq!(meant(text, &timed, confirms), Some(number), "{text}");
        }
        let unclear = Wish {
            unclear: Some(7),
            ..timed
        };
        for (text, number) in [
            ("personas", Number::People(7)),
            ("la hora", Number::Hour(7)),
            ("a las 7", Number::Hour(7)),
            ("7", Number::Unclear(7)),
        ] {
            assert_eq!(meant(text, &unclear, None), Some(number), "{text}");
        }
        for text in ["a las 9", "somos 8", "7 personas a las 9"] {
            assert_eq!(meant(text, &unclear, None), None, "{text}");
        }
        let untimed = Wish {
            when: When::default(),
            ..timed
        };
        assert_eq!(
            meant("mejor 7", &untimed, Some(Awaiting::Day)),
            Some(Number::People(7))
        );
    }
}
