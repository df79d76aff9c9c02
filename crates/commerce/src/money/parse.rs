//! Amounts as people and files write them.

use super::currency::{Currency, DecimalSign};
use super::{Money, MoneyProblem};
use quipu_core::text;

/// No amount takes more than this to write.
const MAX_CHARS: usize = 64;
/// More digits than any amount that fits.
const MAX_DIGITS: usize = 20;

pub(super) fn parse(text: &str, currency: Currency) -> Result<Money, MoneyProblem> {
    if text.chars().count() > MAX_CHARS {
        return Err(MoneyProblem::NotAnAmount);
    }
    let folded = text::fold(text);
    let (negative, rest) = without_sign(folded.trim());
    let rest = without_mark(rest, currency, Side::Start)?;
    let (negative_inside, rest) = without_sign(rest);
    if negative && negative_inside {
        return Err(MoneyProblem::NotAnAmount);
    }
    let rest = without_mark(rest, currency, Side::End)?;
    let magnitude = Number::read(without_flourish(rest))?.minor(currency)?;
    let minor = if negative || negative_inside {
        0_i64.checked_sub_unsigned(magnitude)
    } else {
        i64::try_from(magnitude).ok()
    };
    let minor = minor.ok_or(MoneyProblem::TooLarge)?;
    Ok(Money::new(minor, currency))
}

fn without_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text),
    }
}

/// What stands behind a whole price on many boards: `120.-`, `120,-`, or the end of a sentence.
fn without_flourish(text: &str) -> &str {
    let bare = text
        .strip_suffix(".-")
        .or_else(|| text.strip_suffix(",-"))
        .or_else(|| text.strip_suffix('.'));
    bare.unwrap_or(text).trim_end()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Start,
    End,
}

/// Takes the sign, code or name of a currency away from one side of the text.
fn without_mark(text: &str, expected: Currency, side: Side) -> Result<&str, MoneyProblem> {
    let mut longest: Option<(&str, &str)> = None;
    for mark in Currency::ALL.iter().flat_map(|currency| currency.marks()) {
        let rest = match side {
            Side::Start => text.strip_prefix(mark),
            Side::End => text.strip_suffix(mark),
        };
        let Some(rest) = rest.filter(|rest| stands_alone(mark, rest, side)) else {
            continue;
        };
        if longest.is_none_or(|(known, _)| known.len() < mark.len()) {
            longest = Some((mark, rest));
        }
    }
    match longest {
        Some((mark, _)) if !expected.marks().contains(&mark) => {
            Err(MoneyProblem::OtherCurrency { expected })
        }
        Some((_, rest)) => Ok(rest.trim()),
        None => Ok(text),
    }
}

/// Whether the mark is not merely a part of a longer word.
fn stands_alone(mark: &str, rest: &str, side: Side) -> bool {
    let (edge, beyond) = match side {
        Side::Start => (mark.chars().next_back(), rest.chars().next()),
        Side::End => (mark.chars().next(), rest.chars().next_back()),
    };
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    !(is_letter(edge) && is_letter(beyond))
}

/// The digits of a number, and what stands between them.
struct Number<'a> {
    groups: Vec<&'a str>,
    /// One fewer than groups.
    separators: Vec<char>,
}

impl<'a> Number<'a> {
    fn read(text: &'a str) -> Result<Self, MoneyProblem> {
        let mut number = Self {
            groups: Vec::new(),
            separators: Vec::new(),
        };
        let mut rest = text;
        loop {
            let end = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            let (group, behind) = rest.split_at(end);
            number.groups.push(group);
            let mut behind = behind.chars();
            let Some(separator) = behind.next() else {
                break;
            };
            number.separators.push(separator_of(separator)?);
            rest = behind.as_str();
        }
        let digits: usize = number.groups.iter().map(|group| group.len()).sum();
        // Only the first group may be empty, as in `.50`.
        let complete = number.groups.iter().skip(1).all(|group| !group.is_empty());
        if digits == 0 || !complete {
            return Err(MoneyProblem::NotAnAmount);
        }
        if digits > MAX_DIGITS {
            return Err(MoneyProblem::TooLarge);
        }
        Ok(number)
    }

    fn minor(&self, currency: Currency) -> Result<u64, MoneyProblem> {
        let (units, decimals) = self.split(currency)?;
        let wanted = currency.decimals() as usize;
        let (kept, beyond) = decimals.split_at(decimals.len().min(wanted));
        if beyond.bytes().any(|digit| digit != b'0') {
            let decimals = currency.decimals();
            return Err(MoneyProblem::TooPrecise { decimals });
        }
        let digits = format!("{units}{kept:0<wanted$}");
        digits.parse().map_err(|_| MoneyProblem::TooLarge)
    }

    /// The digits before and behind the sign of the decimals.
    fn split(&self, currency: Currency) -> Result<(String, &'a str), MoneyProblem> {
        let groups = self.groups.as_slice();
        let (Some(last), Some((last_sign, signs))) = (groups.last(), self.separators.split_last())
        else {
            return Ok((groups.concat(), ""));
        };
        let before = &groups[..groups.len() - 1];
        let can_be_decimal = matches!(last_sign, '.' | ',');
        let Some(first_sign) = signs.first() else {
            return match (self.is_thousands(), last.len()) {
                (true, _) if !can_be_decimal => Ok((groups.concat(), "")),
                (true, _) if separates_thousands(*last_sign, currency) => Ok((groups.concat(), "")),
                (true, _) => Err(MoneyProblem::Ambiguous),
                (false, 1 | 2) if can_be_decimal => Ok((before.concat(), last)),
                (false, _) if can_be_decimal => Err(MoneyProblem::TooPrecise {
                    decimals: currency.decimals(),
                }),
                (false, _) => Err(MoneyProblem::NotAnAmount),
            };
        };
        if signs.iter().any(|sign| sign != first_sign) {
            return Err(MoneyProblem::NotAnAmount);
        }
        if last_sign == first_sign {
            return if self.is_thousands() {
                Ok((groups.concat(), ""))
            } else {
                Err(MoneyProblem::NotAnAmount)
            };
        }
        if !are_thousands(before) || !can_be_decimal {
            return Err(MoneyProblem::NotAnAmount);
        }
        match last.len() {
            1 | 2 => Ok((before.concat(), last)),
            // Peru writes one and a half million as 1'500,000.
            3 => Err(MoneyProblem::Ambiguous),
            _ => Err(MoneyProblem::TooPrecise {
                decimals: currency.decimals(),
            }),
        }
    }

    fn is_thousands(&self) -> bool {
        are_thousands(&self.groups)
    }
}

/// Whether the groups are those of a number written in thousands, such as 12 and 500.
fn are_thousands(groups: &[&str]) -> bool {
    let Some((first, rest)) = groups.split_first() else {
        return false;
    };
    (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && rest.iter().all(|group| group.len() == 3)
}

/// Whether three digits behind this sign are thousands for everybody who uses the currency: a
/// currency without decimals has nothing else that they could be.
fn separates_thousands(sign: char, currency: Currency) -> bool {
    let thousands = match currency.decimal_sign() {
        DecimalSign::Point => ',',
        DecimalSign::Comma => '.',
    };
    sign == thousands || currency.decimals() == 0
}

/// What may stand between groups of digits; all kinds of space and of apostrophe are one.
fn separator_of(sign: char) -> Result<char, MoneyProblem> {
    match sign {
        '.' | ',' => Ok(sign),
        '\'' | '\u{2019}' | '\u{b4}' => Ok('\''),
        ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' => Ok(' '),
        _ => Err(MoneyProblem::NotAnAmount),
    }
}
