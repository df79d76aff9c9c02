//! How old customers say that they are. It is no number of things, and some things are not sold to
//! everybody.

use super::super::folded::{folded, says};
use super::super::lists::{Words, list};
use std::ops::Range;
use std::sync::LazyLock;

/// The age of grown-ups.
const OF_AGE: u32 = 18;
/// The ages that somebody who writes may have.
const LIKELY: Range<u32> = 5..110;
const DATA: &str = include_str!("../../../data/builtin/ages.txt");
static MINORS: Words = LazyLock::new(|| list(DATA, "minors"));
/// What follows an age in Spanish, where "tengo 15" may count other things: "tengo 15 puntos".
static GOES_ON: Words = LazyLock::new(|| list(DATA, "goes_on"));
static YEARS: Words = LazyLock::new(|| list(DATA, "years"));
/// What follows a number in English that is no age: "I'm 15 minutes away".
static COUNTED: Words = LazyLock::new(|| list(DATA, "counted"));

/// An age, and the words that tell it.
struct Age {
    years: u32,
    words: Range<usize>,
}

/// Whether the customers say of themselves that they are under age: "tengo 16", "soy menor de edad".
pub(super) fn is_under_age(text: &str) -> bool {
    let told = says(&folded(text), &MINORS);
    told || ages(text).iter().any(|age| age.years < OF_AGE)
}

/// A text without how old the customer is.
pub(super) fn without_age(text: &str) -> String {
    let ages = ages(text);
    if ages.is_empty() {
        return text.to_owned();
    }
    let words = text.split_whitespace().enumerate();
    let kept = words.filter(|(at, _)| !ages.iter().any(|age| age.words.contains(at)));
    kept.map(|(_, word)| word).collect::<Vec<_>>().join(" ")
}

fn ages(text: &str) -> Vec<Age> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let plain: Vec<String> = words.iter().map(|word| folded(word)).collect();
    let age = |at: usize| {
        let years: u32 = plain[at].parse().ok()?;
        let next = plain.get(at + 1).map_or("", String::as_str);
        let ends = next.is_empty() || words[at].ends_with([',', '.', ';', '!']);
        let counts = match plain[at - 1].as_str() {
            "tengo" | "cumpli" => ends || YEARS.contains(&next) || GOES_ON.contains(&next),
            "i m" | "im" | "am" => ends || !COUNTED.contains(&next),
            _ => false,
        };
        let from = at
            - if plain[at - 1] == "am" && at > 1 {
                2
            } else {
                1
            };
        let old = plain.get(at + 2).is_some_and(|word| word == "old");
        let to = at + 1 + usize::from(YEARS.contains(&next)) * (1 + usize::from(old));
        let words = from..to;
        (counts && LIKELY.contains(&years)).then_some(Age { years, words })
    };
    (1..words.len()).filter_map(age).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_under_age_says_so_of_themselves() {
        for text in [
            "tengo 16, quiero 2 cervezas",
            "tengo 17 años",
            "tengo 16 puedo pedir una chela",
            "I'm 16",
            "i'm 17 can i get a beer",
            "im 17 can i get 1 michelada",
            "I am 15 years old",
            "soy menor de edad",
        ] {
            assert!(is_under_age(text), "{text}");
        }
        for text in [
            "tengo 2 hijos",
            "tengo 15 puntos",
            "tengo 21 años",
            "una para mi hija de 12 años",
            "somos 6",
            "I'm 15 minutes away",
        ] {
            assert!(!is_under_age(text), "{text}");
        }
    }

    #[test]
    fn an_age_is_no_number_of_things() {
        for (text, left) in [
            ("i'm 17 can i get a beer", "can i get a beer"),
            ("tengo 16 años y quiero 2 tacos", "y quiero 2 tacos"),
            ("I am 15 years old, 2 tacos", "2 tacos"),
            ("6 tacos\ny 2 aguas", "6 tacos\ny 2 aguas"),
        ] {
            assert_eq!(without_age(text), left, "{text}");
        }
    }
}
