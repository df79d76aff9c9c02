//! Telephone numbers: one form for one person, whatever channels and people write.

mod table;
#[cfg(test)]
mod tests;

use table::{Entry, TABLE};

/// Nobody writes longer numbers, whatever is dialled before them.
const MOST_WRITTEN: usize = 24;
/// The longest number of the world, and the shortest with the code of its country.
const LONGEST: usize = 15;
const SHORTEST: usize = 8;

/// The number as digits with the code of its country, without a plus sign. `None` where it is none.
///
/// A national number is completed with `country`, two letters. Digits without a plus sign that can be a
/// number of that country are one, also where they could be one of another country with its code: what a
/// channel gives has its code always and is read without a country.
///
/// What comes out, read again without a country or with its own, stays what it is.
#[must_use]
pub fn normalise(text: &str, country: Option<&str>) -> Option<String> {
    let written = Written::read(text)?;
    if written.from_abroad {
        return international(&written.digits);
    }
    let home = country.and_then(|iso| TABLE.home(iso));
    let Some(home) = home else {
        return international(&written.digits);
    };
    let abroad = home
        .exit
        .iter()
        .find_map(|exit| written.digits.strip_prefix(exit.as_str()));
    if let Some(abroad) = abroad {
        return international(abroad);
    }
    home.completed(&written.digits)
        .or_else(|| international(&written.digits))
}

/// The country of a number with its code, as two letters.
#[must_use]
pub fn country_of(normalised: &str) -> Option<&'static str> {
    match TABLE.find(normalised)? {
        (Entry::Known(country), rest) => Some(country.iso_of(rest)),
        (Entry::Other(other), _) => Some(&other.iso),
    }
}

/// The number as people read it: `+51 987 654 321`. What is no number stays as it is.
#[must_use]
pub fn shown(normalised: &str) -> String {
    let digits = normalised.trim();
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return normalised.to_owned();
    }
    let (code, groups) = match TABLE.find(digits) {
        Some((Entry::Known(country), rest)) => (
            country.code.as_str(),
            country.grouped(rest).unwrap_or_else(|| in_threes(rest)),
        ),
        Some((Entry::Other(other), rest)) => (other.code.as_str(), in_threes(rest)),
        None => ("", in_threes(digits)),
    };
    let mut shown = format!("+{code}");
    for (i, group) in groups.iter().enumerate() {
        if i > 0 || !code.is_empty() {
            shown.push(' ');
        }
        shown.push_str(group);
    }
    shown
}

/// Whether two numbers with their codes are the same person's.
///
/// In Argentina no mobile has the area and number of another line, so that a number is the same person's
/// with the 9 of mobiles and without it.
#[must_use]
pub fn is_same_person(a: &str, b: &str) -> bool {
    let key = |number: &str| {
        let normalised = normalise(number, None)?;
        match normalised.strip_prefix("549") {
            Some(rest) => Some(format!("54{rest}")),
            None => Some(normalised),
        }
    };
    key(a).is_some_and(|a| key(b).is_some_and(|b| a == b))
}

/// What somebody wrote, without the signs that only make it readable.
struct Written {
    digits: String,
    /// It begins with a plus sign or 00, and so with the code of a country.
    from_abroad: bool,
}

impl Written {
    fn read(text: &str) -> Option<Self> {
        let text = without_scheme(text.trim());
        let mut digits = String::new();
        let mut from_abroad = false;
        for c in text.chars() {
            match c {
                '0'..='9' if digits.len() < MOST_WRITTEN => digits.push(c),
                '+' | '＋' if digits.is_empty() && !from_abroad => from_abroad = true,
                c if is_sign(c) => {}
                _ => return None,
            }
        }
        if let Some(rest) = digits.strip_prefix("00") {
            digits = rest.to_owned();
            from_abroad = true;
        }
        Some(Self {
            digits,
            from_abroad,
        })
    }
}

/// Addresses of numbers carry the name of what they are for.
fn without_scheme(text: &str) -> &str {
    let (scheme, number) = text.split_once(':').unwrap_or(("", text));
    let known = ["tel", "whatsapp"];
    if known.iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        number
    } else {
        text
    }
}

/// Whether a sign only makes a number readable, or is not seen at all.
fn is_sign(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '-' | '.' | '(' | ')' | '[' | ']' | '·' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2010}'..='\u{2015}'
                | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2212}' | '\u{feff}'
        )
}

/// Digits that begin with the code of a country.
fn international(digits: &str) -> Option<String> {
    if digits.starts_with('0') {
        return None;
    }
    match TABLE.find(digits)? {
        (Entry::Known(country), rest) => country.behind_code(rest),
        (Entry::Other(other), rest) => {
            // Some write the 0 of their country behind its code.
            let national = [Some(rest), rest.strip_prefix('0')]
                .into_iter()
                .flatten()
                .find(|rest| other.lengths.contains(&rest.len()))?;
            let whole = format!("{}{national}", other.code);
            (SHORTEST..=LONGEST).contains(&whole.len()).then_some(whole)
        }
    }
}

/// Groups of three digits; none has one alone.
fn in_threes(digits: &str) -> Vec<&str> {
    let mut groups = Vec::new();
    let mut rest = digits;
    while rest.len() > 4 {
        let (group, behind) = rest.split_at(3);
        groups.push(group);
        rest = behind;
    }
    if !rest.is_empty() {
        groups.push(rest);
    }
    groups
}
