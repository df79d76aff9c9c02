//! How many of a thing: in digits or words, in Spanish and English.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most of one thing that a line takes. Whoever wants more talks to a person.
pub const MAX_QUANTITY: u32 = 99;

/// Why a number cannot be a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuantityProblem {
    /// Zero or less.
    NotPositive,
    /// More than [`MAX_QUANTITY`].
    TooMany,
    /// Half of something.
    NotWhole,
}

/// A quantity of the right size.
///
/// # Errors
/// When there is no such quantity.
pub(super) fn checked(number: i64) -> Result<u32, QuantityProblem> {
    if number < 1 {
        return Err(QuantityProblem::NotPositive);
    }
    let number = u32::try_from(number).ok().filter(|n| *n <= MAX_QUANTITY);
    number.ok_or(QuantityProblem::TooMany)
}

/// A number at the beginning of some words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) quantity: Result<u32, QuantityProblem>,
    /// How many words it takes.
    pub(super) words: usize,
    /// Written as "x3", which counts what stands before it.
    pub(super) trailing: bool,
    /// Written in digits and nothing else, which may also be a part of a name.
    pub(super) bare: bool,
    /// Said to come on top of what was said before: "otros 3", "3 más".
    pub(super) more: bool,
}

/// Reads the number that the words begin with: "dos", "2x", "x3", "media docena", "un par",
/// "treinta y dos", "two dozen", "otros 3", "3 más".
pub(super) fn read(words: &[&str]) -> Option<Counted> {
    let mut counted = number(words)?;
    let behind = words.get(counted.words..).unwrap_or_default();
    // "3 más 2 quesadillas" joins two things.
    if let ["mas" | "more", rest @ ..] = behind
        && !counted.trailing
        && number(rest).is_none()
    {
        counted.words += 1;
        counted.bare = false;
        counted.more = true;
    }
    Some(counted)
}

fn number(words: &[&str]) -> Option<Counted> {
    let counted = |quantity, words| Counted {
        quantity,
        words,
        trailing: false,
        bare: false,
        more: false,
    };
    match words {
        ["x", number, ..] if number.starts_with(|c: char| c.is_ascii_digit()) => {
            return Some(Counted {
                trailing: true,
                ..counted(digits(number)?.and_then(checked), 2)
            });
        }
        ["media", "docena", ..] | ["half", "dozen", ..] => return Some(counted(Ok(6), 2)),
        ["half", "a", "dozen", ..] => return Some(counted(Ok(6), 3)),
        ["otros" | "otras" | "another", rest @ ..] => {
            let counts = number(rest).filter(|more| !more.trailing);
            let (quantity, read) = match (counts, words[0]) {
                (Some(more), _) => (more.quantity, more.words + 1),
                (None, "another") => (Ok(1), 1),
                (None, _) => return None,
            };
            return Some(Counted {
                more: true,
                ..counted(quantity, read)
            });
        }
        ["otro" | "otra", ..] => {
            return Some(Counted {
                more: true,
                ..counted(Ok(1), 1)
            });
        }
        _ => {}
    }
    if let Some((quantity, more)) = pack(1, words) {
        return Some(counted(quantity, more));
    }
    if let Some(more) = and_a_half(words) {
        return Some(counted(Err(QuantityProblem::NotWhole), more));
    }
    let (number, mut read) = match words {
        [first, ..] if first.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
            match digits(first)? {
                Ok(number) => (number, 1),
                Err(problem) => return Some(counted(Err(problem), 1)),
            }
        }
        _ => spelled(words)?,
    };
    let bare = words
        .first()
        .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    if let Some(more) = and_a_half(&words[read..]) {
        return Some(counted(Err(QuantityProblem::NotWhole), read + more));
    }
    if words.get(read) == Some(&"x") {
        return Some(counted(checked(number), read + 1));
    }
    if let Some((quantity, more)) = pack(number, &words[read..]) {
        read += more;
        return Some(counted(quantity, read));
    }
    Some(Counted {
        bare,
        ..counted(checked(number), read)
    })
}

/// How many words say that it is a half more: "kilo y medio", and behind a number "y medio" and "1/2".
/// Taking the half for a thing of its own would bring another amount than was asked for.
fn and_a_half(words: &[&str]) -> Option<usize> {
    match words {
        [unit, "y", "medio" | "media", ..] if is_measure(unit) => Some(3),
        ["y", "medio" | "media", next, ..] if is_measure(next) => Some(2),
        ["1/2" | "1/4" | "3/4", ..] => Some(1),
        [unit, "and", "a", "half", ..] if is_measure(unit) => Some(4),
        _ => None,
    }
}

fn is_measure(word: &str) -> bool {
    let word = word.strip_suffix('s').unwrap_or(word);
    matches!(
        word,
        "kilo" | "kg" | "kilogramo" | "litro" | "libra" | "pound" | "liter"
    )
}

/// Dozens and pairs.
fn pack(count: i64, words: &[&str]) -> Option<(Result<u32, QuantityProblem>, usize)> {
    let times = |size: i64, more: i64| checked(count.saturating_mul(size).saturating_add(more));
    match words {
        ["docena" | "docenas", "y", "media", ..] => Some((times(12, 6), 3)),
        ["docena" | "docenas" | "dozen" | "dozens", ..] => Some((times(12, 0), 1)),
        ["par" | "pares" | "couple" | "pair" | "pairs", ..] => Some((times(2, 0), 1)),
        _ => None,
    }
}

/// A number in digits. One that is too long to be read is too large as well.
fn digits(word: &str) -> Option<Result<i64, QuantityProblem>> {
    let unsigned = word.strip_prefix('-').unwrap_or(word);
    let separator = unsigned.find(['.', '/']);
    let (whole, rest) = unsigned.split_at(separator.unwrap_or(unsigned.len()));
    if whole.is_empty() || !whole.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let zeros = |digits: &str| digits.bytes().all(|b| b == b'0');
    if word.starts_with('-') {
        return Some(Err(QuantityProblem::NotPositive));
    }
    if rest.starts_with('/') || !zeros(rest.trim_start_matches('.')) {
        return Some(Err(QuantityProblem::NotWhole));
    }
    Some(Ok(whole.parse().unwrap_or(i64::MAX)))
}

/// A number in words, and how many they are.
fn spelled(words: &[&str]) -> Option<(i64, usize)> {
    let first = words.first()?;
    let Some(tens) = tens(first) else {
        return small(first).map(|number| (number, 1));
    };
    let ones = |word: Option<&&str>| {
        let number = small(word?)?;
        (1..10).contains(&number).then_some(number)
    };
    match (words.get(1), words.get(2)) {
        (Some(&"y"), third) if ones(third).is_some() => Some((tens + ones(third).unwrap_or(0), 3)),
        // Spanish needs its "y": "veinte una" are two numbers.
        (second, _) if first.ends_with("ty") && ones(second).is_some() => {
            Some((tens + ones(second).unwrap_or(0), 2))
        }
        _ => Some((tens, 1)),
    }
}

fn tens(word: &str) -> Option<i64> {
    Some(match word {
        "twenty" => 20,
        "treinta" | "thirty" => 30,
        "cuarenta" | "forty" => 40,
        "cincuenta" | "fifty" => 50,
        "sesenta" | "sixty" => 60,
        "setenta" | "seventy" => 70,
        "ochenta" | "eighty" => 80,
        "noventa" | "ninety" => 90,
        _ => return None,
    })
}

fn small(word: &str) -> Option<i64> {
    Some(match word {
        "cero" | "zero" => 0,
        "un" | "uno" | "una" | "one" => 1,
        "dos" | "two" => 2,
        "tres" | "three" => 3,
        "cuatro" | "four" => 4,
        "cinco" | "five" => 5,
        "seis" | "six" => 6,
        "siete" | "seven" => 7,
        "ocho" | "eight" => 8,
        "nueve" | "nine" => 9,
        "diez" | "ten" => 10,
        "once" | "eleven" => 11,
        "doce" | "twelve" => 12,
        "trece" | "thirteen" => 13,
        "catorce" | "fourteen" => 14,
        "quince" | "fifteen" => 15,
        "dieciseis" | "sixteen" => 16,
        "diecisiete" | "seventeen" => 17,
        "dieciocho" | "eighteen" => 18,
        "diecinueve" | "nineteen" => 19,
        "veinte" => 20,
        "veintiun" | "veintiuno" | "veintiuna" => 21,
        "veintidos" => 22,
        "veintitres" => 23,
        "veinticuatro" => 24,
        "veinticinco" => 25,
        "veintiseis" => 26,
        "veintisiete" => 27,
        "veintiocho" => 28,
        "veintinueve" => 29,
        "cien" | "ciento" | "hundred" => 100,
        "mil" | "thousand" => 1000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantity(text: &str) -> Option<(Result<u32, QuantityProblem>, usize)> {
        let words: Vec<&str> = text.split(' ').collect();
        read(&words).map(|counted| (counted.quantity, counted.words))
    }

    #[test]
    fn numbers_are_read_in_both_languages() {
        for (text, number, words) in [
            ("dos tacos", 2, 1),
            ("una coca", 1, 1),
            ("2 x coca", 2, 2),
            ("x 3", 3, 2),
            ("media docena de tacos", 6, 2),
            ("docena de tacos", 12, 1),
            ("una docena y media", 18, 4),
            ("dos docenas", 24, 2),
            ("un par de tacos", 2, 2),
            ("treinta y dos tacos", 32, 3),
            ("treinta y tacos", 30, 1),
            ("veinte una", 20, 1),
            ("twenty two tacos", 22, 2),
            ("two dozen", 24, 2),
            ("half a dozen", 6, 3),
            ("otros dos tacos", 2, 2),
            ("otra coca", 1, 1),
            ("99 tacos", 99, 1),
            ("2.0 tacos", 2, 1),
        ] {
            assert_eq!(quantity(text), Some((Ok(number), words)), "{text}");
        }
        for text in ["tacos", "media orden", "x", "dosis", "", "otros tacos"] {
            assert_eq!(quantity(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_quantity_says_why() {
        for (text, problem) in [
            ("0 tacos", QuantityProblem::NotPositive),
            ("cero tacos", QuantityProblem::NotPositive),
            ("-2 tacos", QuantityProblem::NotPositive),
            ("100 tacos", QuantityProblem::TooMany),
            ("mil tacos", QuantityProblem::TooMany),
            ("99999999999999999999999 tacos", QuantityProblem::TooMany),
            ("9999999999999999999 docenas", QuantityProblem::TooMany),
            ("2.5 tacos", QuantityProblem::NotWhole),
            ("1/2 taco", QuantityProblem::NotWhole),
            ("kilo y medio de pastor", QuantityProblem::NotWhole),
            ("2 kilos y medio de pastor", QuantityProblem::NotWhole),
            ("dos y medio kilos de pastor", QuantityProblem::NotWhole),
            ("1 1/2 kilo de pastor", QuantityProblem::NotWhole),
        ] {
            assert_eq!(quantity(text).unwrap().0, Err(problem), "{text}");
        }
    }
}
