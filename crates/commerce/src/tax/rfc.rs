//! The tax number of Mexico: letters of the name, a date, and three characters of which the last
//! is a check digit.

use super::RfcProblem;
use jiff::civil::Date;
use quipu_core::language::Language;
use serde::{Deserialize, Serialize};
use std::fmt;
use utoipa::ToSchema;

/// Longer texts are not looked at: a tax number has 13 characters, written with a few spaces or
/// hyphens between them.
const MAX_CHARS: usize = 40;
/// The place of a character is its value in the check digit.
const ALPHABET: &str = "0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ";

/// Sales to the public at large.
const PUBLIC: &str = "XAXX010101000";
/// Customers abroad.
const FOREIGN: &str = "XEXX010101000";

/// Who a tax number or a regime is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Person {
    /// A human being: persona física.
    Natural,
    /// A company or another body: persona moral.
    Legal,
}

/// Whose tax number it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RfcKind {
    Natural,
    Legal,
    /// The one for sales to the public at large, XAXX010101000.
    GenericPublic,
    /// The one for customers abroad, XEXX010101000.
    GenericForeign,
}

/// A tax number of the right form.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, ToSchema)]
pub struct Rfc {
    /// In capitals, without spaces and hyphens.
    #[schema(example = "EKU9003173C9")]
    pub value: String,
    pub kind: RfcKind,
    /// Whether the last character agrees with the others. Numbers are said to be in use for which
    /// it does not, so it is a reason to ask again and not to refuse.
    pub check_digit_matches: bool,
}

impl Rfc {
    /// Reads a tax number, in capitals or not, with or without spaces and hyphens.
    ///
    /// # Errors
    /// When the form is wrong. A wrong check digit alone is told by
    /// [`check_digit_matches`](Self::check_digit_matches).
    pub fn parse(text: &str) -> Result<Self, RfcProblem> {
        if text.chars().count() > MAX_CHARS {
            return Err(RfcProblem::Length);
        }
        let value: Vec<char> = text
            .chars()
            .filter(|c| !c.is_whitespace() && !matches!(c, '-' | '\u{2010}'..='\u{2015}' | '.'))
            .flat_map(char::to_uppercase)
            .collect();
        let letters = match value.len() {
            12 => 3,
            13 => 4,
            _ => return Err(RfcProblem::Length),
        };
        let (name, rest) = value.split_at(letters);
        let (date, homoclave) = rest.split_at(6);
        let is_letter = |c: &char| c.is_ascii_uppercase() || matches!(c, 'Ñ' | '&');
        if !name.iter().all(is_letter) {
            return Err(RfcProblem::Letters);
        }
        if !is_date(date) {
            return Err(RfcProblem::Date);
        }
        let [first, second, digit] = homoclave else {
            return Err(RfcProblem::Homoclave);
        };
        let is_part = |c: &char| c.is_ascii_uppercase() || c.is_ascii_digit();
        if !is_part(first) || !is_part(second) || !(digit.is_ascii_digit() || *digit == 'A') {
            return Err(RfcProblem::Homoclave);
        }
        let text: String = value.iter().collect();
        let kind = match (text.as_str(), letters) {
            (PUBLIC, _) => RfcKind::GenericPublic,
            (FOREIGN, _) => RfcKind::GenericForeign,
            (_, 3) => RfcKind::Legal,
            _ => RfcKind::Natural,
        };
        let generic = matches!(kind, RfcKind::GenericPublic | RfcKind::GenericForeign);
        Ok(Self {
            check_digit_matches: generic || check_digit(&value) == Some(*digit),
            value: text,
            kind,
        })
    }

    /// Who the number is for. The generic ones are used like those of natural persons.
    #[must_use]
    pub const fn person(&self) -> Person {
        match self.kind {
            RfcKind::Legal => Person::Legal,
            RfcKind::Natural | RfcKind::GenericPublic | RfcKind::GenericForeign => Person::Natural,
        }
    }

    /// What to ask when the check digit does not agree.
    #[must_use]
    pub fn warning(&self, language: Language) -> Option<String> {
        if self.check_digit_matches {
            return None;
        }
        let value = &self.value;
        Some(match language {
            Language::Es => format!(
                "La cifra de control de {value} no coincide. ¿Puede confirmar que está bien escrito?"
            ),
            Language::En => format!(
                "The check digit of {value} does not match. Can you confirm that it is right?"
            ),
        })
    }
}

impl fmt::Display for Rfc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.value)
    }
}

/// Whether six characters are a year without its century, a month and a day. 1900 was no leap year
/// and 2000 was one, so both centuries are tried.
fn is_date(digits: &[char]) -> bool {
    let number = |pair: &[char]| {
        let [tens, ones] = pair else {
            return None;
        };
        let value = tens.to_digit(10)? * 10 + ones.to_digit(10)?;
        i8::try_from(value).ok()
    };
    let mut pairs = digits.chunks(2).map(number);
    let (Some(Some(year)), Some(Some(month)), Some(Some(day))) =
        (pairs.next(), pairs.next(), pairs.next())
    else {
        return false;
    };
    [1900, 2000]
        .into_iter()
        .any(|century| Date::new(century + i16::from(year), month, day).is_ok())
}

/// The check digit that the characters before it ask for. A company's number counts as if a space
/// stood before it.
fn check_digit(value: &[char]) -> Option<char> {
    let (_, before) = value.split_last()?;
    let padding = 12_usize.checked_sub(before.len())?;
    let characters = std::iter::repeat_n(' ', padding).chain(before.iter().copied());
    let mut sum = 0;
    for (weight, character) in (2..=13_u32).rev().zip(characters) {
        let worth = ALPHABET.chars().position(|known| known == character)?;
        sum += u32::try_from(worth).ok()? * weight;
    }
    match 11 - sum % 11 {
        11 => Some('0'),
        10 => Some('A'),
        digit => char::from_digit(digit, 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Rfc {
        Rfc::parse(text).unwrap_or_else(|problem| panic!("{text}: {problem:?}"))
    }

    #[test]
    fn numbers_that_circulate_for_tests_are_right() {
        for (text, kind) in [
            ("EKU9003173C9", RfcKind::Legal),
            ("H&E951128469", RfcKind::Legal),
            ("IIA040805DZ4", RfcKind::Legal),
            ("CACX7605101P8", RfcKind::Natural),
            ("FUNK671228PH6", RfcKind::Natural),
            ("XAXX010101000", RfcKind::GenericPublic),
            ("XEXX010101000", RfcKind::GenericForeign),
        ] {
            let rfc = read(text);
            assert_eq!((rfc.kind, rfc.check_digit_matches), (kind, true), "{text}");
            assert_eq!(rfc.warning(Language::Es), None);
        }
    }

    #[test]
    fn it_may_be_written_loosely() {
        assert_eq!(read(" eku-900317-3c9 ").value, "EKU9003173C9");
        assert_eq!(read("ñix920918i34").value, "ÑIX920918I34");
    }

    #[test]
    fn a_wrong_check_digit_is_told_and_not_refused() {
        let rfc = read("EKU9003173C8");
        assert!(!rfc.check_digit_matches);
        assert!(rfc.warning(Language::Es).unwrap().contains("EKU9003173C8"));
        assert!(rfc.warning(Language::En).unwrap().contains("check digit"));
    }

    #[test]
    fn a_wrong_form_is_refused_with_its_reason() {
        for (text, problem) in [
            ("", RfcProblem::Length),
            ("EKU9003173C", RfcProblem::Length),
            ("EKU9003173C99X", RfcProblem::Length),
            ("E1U9003173C9", RfcProblem::Letters),
            ("EKUX9003173C", RfcProblem::Date),
            ("EKU9013173C9", RfcProblem::Date),
            ("EKU9002303C9", RfcProblem::Date),
            ("EKU900317.3CB", RfcProblem::Homoclave),
            ("EKU900317ÑC9", RfcProblem::Homoclave),
        ] {
            assert_eq!(Rfc::parse(text), Err(problem), "{text}");
            assert_ne!(problem.text(Language::Es), problem.text(Language::En));
        }
        assert!(Rfc::parse("EKU0002293C9").is_ok(), "2000 was a leap year");
        assert_eq!(Rfc::parse("EKU0102293C9"), Err(RfcProblem::Date));
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(text in "\\PC*") {
            let _ = Rfc::parse(&text);
        }

        #[test]
        fn one_wrong_digit_of_the_date_is_noticed(at in 4_usize..10, other in 0_u8..10) {
            let mut digits: Vec<char> = "CACX7605101P8".chars().collect();
            let other = char::from(b'0' + other);
            prop_assume!(digits[at] != other);
            digits[at] = other;
            let text: String = digits.into_iter().collect();
            prop_assert!(Rfc::parse(&text).is_ok_and(|rfc| !rfc.check_digit_matches)
                || Rfc::parse(&text).is_err());
        }
    }
}
