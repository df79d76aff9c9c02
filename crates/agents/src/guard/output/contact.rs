//! Addresses and telephone numbers in what is said.

use super::LeakKind;
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

/// A number with fewer digits is a price, a time or a door; one with more is a folio.
const PHONE_DIGITS: std::ops::RangeInclusive<usize> = 8..=15;
/// What stays the same of a number however its country and area are written.
const COMPARED_DIGITS: usize = 8;

static EMAIL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+").expect("it is tested"));
static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\+?\(?\d[\d\s().\-\u{a0}]{5,}\d").expect("it is tested"));
/// Dates, and amounts with points between the thousands.
static NO_PHONE: LazyLock<Regex> = LazyLock::new(|| {
    let dates = r"\d{1,2}[-./ ]\d{1,2}[-./ ]\d{2,4}|\d{4}[-./]\d{1,2}[-./]\d{1,2}(?:\s.*)?";
    Regex::new(&format!(
        r"^(?:{dates}|\d{{1,3}}(?:\.\d{{3}})+|\d+\.\d{{1,2}})$"
    ))
    .expect("it is tested")
});

/// The addresses and numbers that may be told.
#[derive(Debug, Default)]
pub(super) struct Contacts {
    emails: HashSet<String>,
    numbers: HashSet<String>,
}

impl Contacts {
    pub(super) fn in_texts(texts: &[&str]) -> Self {
        let mut found = Self::default();
        for text in texts {
            found.emails.extend(
                EMAIL
                    .find_iter(text)
                    .map(|email| email.as_str().to_lowercase()),
            );
            found.numbers.extend(numbers(text));
        }
        found
    }

    /// The first kind of contact in a sentence that is none of these.
    pub(super) fn foreign(&self, sentence: &str) -> Option<LeakKind> {
        let mut emails = EMAIL
            .find_iter(sentence)
            .map(|email| email.as_str().to_lowercase());
        if emails.any(|email| !self.emails.contains(email.trim_end_matches('.'))) {
            return Some(LeakKind::Email);
        }
        let foreign = numbers(sentence).any(|number| !self.numbers.contains(&number));
        foreign.then_some(LeakKind::Phone)
    }
}

/// The last digits of whatever may be a telephone number.
fn numbers(text: &str) -> impl Iterator<Item = String> + '_ {
    NUMBER.find_iter(text).filter_map(move |number| {
        let written = number.as_str().trim();
        let money = text[..number.start()]
            .trim_end()
            .ends_with(['$', '€', '#', '/']);
        if money || NO_PHONE.is_match(written) {
            return None;
        }
        let digits: String = written.chars().filter(char::is_ascii_digit).collect();
        let count = digits.len();
        PHONE_DIGITS
            .contains(&count)
            .then(|| digits[count - COMPARED_DIGITS..].to_owned())
    })
}
