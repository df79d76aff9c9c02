//! Taking out of a text what tells who somebody is.

use crate::text::{fold, word_positions};

const ADDRESS: &str = "[correo]";
const NUMBER: &str = "[número]";
const NAME: &str = "[nombre]";

/// A number with so many digits is that of a telephone, a card or a person.
const FEWEST_DIGITS: usize = 7;
/// Shorter words of a name are too often words of the language.
const SHORTEST_NAME: usize = 3;

/// The text without e-mail addresses, without numbers that are as long as those of telephones, and
/// without the name of the customer where that is known. Prices and dates stay.
#[must_use]
pub fn without_personal_data(text: &str, customer: Option<&str>) -> String {
    let text = without_addresses(text);
    let text = without_numbers(&text);
    match customer {
        Some(name) => without_name(&text, name),
        None => text,
    }
}

fn without_addresses(text: &str) -> String {
    let local = |c: char| c.is_alphanumeric() || "._%+-".contains(c);
    let domain = |c: char| c.is_alphanumeric() || ".-".contains(c);
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let before = &rest[..at];
        let start = before.trim_end_matches(local).len();
        let after = &rest[at + 1..];
        let length = after.len() - after.trim_start_matches(domain).len();
        let host = after[..length].trim_end_matches(['.', '-']);
        if start < at && host.contains('.') {
            kept.push_str(&before[..start]);
            kept.push_str(ADDRESS);
            rest = &after[host.len()..];
        } else {
            kept.push_str(&rest[..=at]);
            rest = after;
        }
    }
    kept.push_str(rest);
    kept
}

/// Replaces stretches of digits, with at most two signs between them, that are long enough.
fn without_numbers(text: &str) -> String {
    let signs: Vec<(usize, char)> = text.char_indices().collect();
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    while at < signs.len() {
        let (start, first) = signs[at];
        let begins =
            first.is_ascii_digit() || (matches!(first, '+' | '(') && digit(&signs, at + 1));
        if !begins {
            kept.push(first);
            at += 1;
            continue;
        }
        let end = stretch(&signs, at);
        let until = signs.get(end).map_or(text.len(), |(byte, _)| *byte);
        let number = &text[start..until];
        let digits = number.chars().filter(char::is_ascii_digit).count();
        let harmless = is_date(number) || is_amount(number, &text[..start], &text[until..]);
        if digits >= FEWEST_DIGITS && !harmless {
            kept.push_str(NUMBER);
        } else {
            kept.push_str(number);
        }
        at = end;
    }
    kept
}

fn digit(signs: &[(usize, char)], at: usize) -> bool {
    signs.get(at).is_some_and(|(_, c)| c.is_ascii_digit())
}

/// Where a stretch that begins at `at` ends: behind its last digit.
fn stretch(signs: &[(usize, char)], at: usize) -> usize {
    let (mut next, mut end) = (at, at + 1);
    let mut between = 0;
    while let Some((_, c)) = signs.get(next) {
        if c.is_ascii_digit() {
            between = 0;
            end = next + 1;
        } else if next > at {
            between += 1;
            if between > 2 || !" .-()".contains(*c) {
                break;
            }
        }
        next += 1;
    }
    end
}

/// A day such as 2026-11-20 or 20.11.2026.
fn is_date(number: &str) -> bool {
    let parts: Vec<&str> = number.split(['-', '.']).collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let plain = parts
        .iter()
        .all(|part| part.bytes().all(|b| b.is_ascii_digit()));
    plain && matches!(lengths.as_slice(), [4, 1 | 2, 1 | 2] | [1 | 2, 1 | 2, 4])
}

/// A sum of money: written in groups of three or plainly, beside its currency.
fn is_amount(number: &str, before: &str, after: &str) -> bool {
    const CURRENCIES: &[&str] = &[
        "pesos",
        "peso",
        "soles",
        "sol",
        "euros",
        "euro",
        "dolares",
        "dolar",
        "guaranies",
        "colones",
        "quetzales",
        "bolivianos",
        "cop",
        "clp",
        "mxn",
        "ars",
        "pen",
        "eur",
        "usd",
        "pyg",
        "crc",
    ];
    if number.contains([' ', '-', '+', '(']) {
        return false;
    }
    let sign = before.trim_end().ends_with(['$', '€', '₡', '₲', '/']);
    let after = after.trim_start();
    let word = crate::text::words(after).next().map(fold);
    let named = word.is_some_and(|word| CURRENCIES.contains(&word.as_str()));
    sign || after.starts_with('€') || named
}

/// Replaces the words of somebody's name where they are written as names are.
fn without_name(text: &str, name: &str) -> String {
    let name: Vec<String> = crate::text::words(name)
        .filter(|word| word.chars().count() >= SHORTEST_NAME)
        .map(fold)
        .collect();
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for (at, word) in word_positions(text) {
        let written = word.starts_with(char::is_uppercase);
        if written && name.contains(&fold(word)) {
            kept.push_str(&text[from..at]);
            // A name of several words is one name.
            if kept.trim_end().ends_with(NAME) && text[from..at].trim().is_empty() {
                kept.truncate(kept.trim_end().len());
            } else {
                kept.push_str(NAME);
            }
            from = at + word.len();
        }
    }
    kept.push_str(&text[from..]);
    kept
}
