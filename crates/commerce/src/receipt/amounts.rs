//! Amounts as tickets print them and scanners misread them.

use super::lines::{Piece, digit_of};
use crate::money::{Currency, Money};
use quipu_core::text;
use std::ops::RangeInclusive;

/// What is taken for part of a number at most; no amount is longer.
const MAX_CHARS: usize = 40;

/// How an amount is written, which says how likely it is money at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `120.50`
    Decimals,
    /// `$120`
    Marked,
    /// `1,500`
    Thousands,
    /// `120`, which may be a quantity or anything else.
    Plain,
}

#[derive(Clone, Debug)]
pub(super) struct Amount {
    /// The pieces of the line that it is made of.
    pub(super) pieces: RangeInclusive<usize>,
    pub(super) money: Money,
    pub(super) form: Form,
    /// Whether letters had to be read as digits, or parts put together.
    pub(super) repaired: bool,
}

impl Amount {
    pub(super) fn is_price(&self) -> bool {
        self.form != Form::Plain
    }
}

/// The amounts of a line, from left to right.
pub(super) fn find(pieces: &[Piece], currency: Currency) -> Vec<Amount> {
    let mut amounts = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        match read_at(pieces, at, currency) {
            Some(amount) => {
                at = amount.pieces.end() + 1;
                amounts.push(amount);
            }
            None => at += 1,
        }
    }
    amounts
}

/// The amount that begins at this piece: alone, behind a mark that stands by itself, or torn in
/// two at its decimals.
fn read_at(pieces: &[Piece], at: usize, currency: Currency) -> Option<Amount> {
    let written = |at: usize| pieces.get(at).map(|piece| piece.written.as_str());
    let first = written(at)?;
    let is_foreign = |written: &str| is_foreign_mark(written, currency);
    if at.checked_sub(1).and_then(written).is_some_and(is_foreign) {
        return None;
    }
    let is_other = |last: usize| {
        written(last + 1).is_some_and(|next| next.starts_with('%') || is_foreign(next))
    };
    let read = |last: usize, joined: &str, torn: bool| {
        let read = read_one(joined, currency).filter(|_| !is_other(last))?;
        Some((last, read, torn))
    };
    let next = written(at + 1);
    let marked = next
        .filter(|_| is_mark(first, currency))
        .and_then(|next| read(at + 1, &format!("{first}{next}"), false));
    let torn = || {
        let next = next.filter(|next| is_torn(first, next))?;
        let whole = read(at + 1, &format!("{first}{next}"), true)?;
        (whole.1.form == Form::Decimals).then_some(whole)
    };
    let (mut last, read, torn) = marked.or_else(torn).or_else(|| read(at, first, false))?;
    let mut form = read.form;
    if written(last + 1).is_some_and(|next| is_mark(next, currency)) {
        last += 1;
        if form == Form::Plain {
            form = Form::Marked;
        }
    }
    Some(Amount {
        pieces: at..=last,
        money: read.money,
        form,
        repaired: read.repaired || torn,
    })
}

fn is_mark(written: &str, currency: Currency) -> bool {
    currency.marks().contains(&text::fold(written).as_str())
}

/// Whether the piece says that the number beside it is of another currency. Names of currencies
/// that are words of other things as well, such as "sol", say nothing.
fn is_foreign_mark(written: &str, currency: Currency) -> bool {
    let folded = text::fold(written);
    let has_sign = folded.contains(|c: char| !c.is_alphanumeric() && c != '.');
    let is_name = ["usd", "dolares", "dolar", "eur", "euros"].contains(&folded.as_str());
    let known = || {
        Currency::ALL
            .iter()
            .any(|other| other.marks().contains(&folded.as_str()))
    };
    (has_sign || is_name) && !is_mark(written, currency) && known()
}

/// Whether two pieces are one number with a space at its decimals: `12. 50` or `12 .50`.
fn is_torn(first: &str, next: &str) -> bool {
    let is_sign = |c: char| matches!(c, '.' | ',');
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    let begins_so = next.starts_with(is_sign) && !first.ends_with(is_sign);
    let ends_so = first.ends_with(is_sign) && !next.starts_with(is_sign);
    (begins_so || ends_so) && has_digit(first) && has_digit(next)
}

struct Read {
    money: Money,
    form: Form,
    repaired: bool,
}

fn read_one(written: &str, currency: Currency) -> Option<Read> {
    if written.len() > MAX_CHARS || written.contains('%') {
        return None;
    }
    let bare = written.trim_matches(['*', '_', '~', '"', '\'', '#']);
    let (negative, bare) = without_sign(bare);
    let (mut marked, body) = without_marks(bare, currency)?;
    let (negative_inside, body) = without_sign(body);
    let mut repaired = false;
    let mut body = body;
    // A scanner takes the sign of the peso for the letter that it looks like.
    let rest = body.strip_prefix('S').unwrap_or_default();
    if !marked && currency.marks().contains(&"$") && rest.starts_with(|c: char| c.is_ascii_digit())
    {
        (marked, repaired, body) = (true, true, rest);
    }
    let body = without_category(body, currency);
    if !marked && !body.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (digits, replaced) = digits(body)?;
    repaired |= replaced;
    let form = form(&digits, marked, currency);
    if repaired && matches!(form, Form::Plain | Form::Thousands) {
        return None;
    }
    let money = Money::parse(&for_reader(digits, currency), currency).ok()?;
    let negative = negative || negative_inside;
    Some(Read {
        money: Money::new(if negative { -money.minor } else { money.minor }, currency),
        form,
        repaired,
    })
}

/// A sign before the amount, or behind it as some tills print it.
fn without_sign(text: &str) -> (bool, &str) {
    let is_minus = |c: char| matches!(c, '-' | '\u{2212}');
    let inner = text
        .strip_prefix(is_minus)
        .or_else(|| text.strip_suffix(is_minus));
    inner.map_or((false, text), |inner| (true, inner))
}

/// The text without the marks of the currency at its sides, and whether there was one; nothing
/// when there is a sign that is not of the currency.
fn without_marks(text: &str, currency: Currency) -> Option<(bool, &str)> {
    let folded = text::fold(text);
    if folded.len() != text.len() {
        // A letter with an accent is in no amount; the euro and its like keep their length.
        return None;
    }
    // "Euros" begins with "eur", whose rest would look like digits.
    let longest = |at_side: &dyn Fn(&str) -> bool| {
        let marks = currency.marks().iter().filter(|mark| at_side(mark));
        marks.map(|mark| mark.len()).max().unwrap_or(0)
    };
    // A single letter may be a misread digit, and behind the number the category of a tax.
    let is_digit = text.starts_with(|c: char| c.is_alphabetic() && digit_of(c).is_some());
    let start = longest(&|mark| folded.starts_with(mark) && !(is_digit && mark.len() == 1));
    let rest = &folded[start..];
    let end = longest(&|mark| rest.ends_with(mark) && !is_letter(mark));
    let body = text.get(start..text.len() - end)?;
    Some((start + end > 0, body))
}

fn is_letter(mark: &str) -> bool {
    mark.len() == 1 && mark.starts_with(char::is_alphabetic)
}

/// The amount without the letter behind it that tells the category of its tax: `18.00T`.
fn without_category(body: &str, currency: Currency) -> &str {
    let decimals = currency.decimals() as usize;
    let Some(sign) = body.rfind(['.', ',']).filter(|_| decimals > 0) else {
        return body;
    };
    let mut behind = body[sign + 1..].char_indices().skip(decimals);
    match (behind.next(), behind.next()) {
        (Some((at, category)), None) if category.is_alphabetic() || category == '*' => {
            &body[..=sign + at]
        }
        _ => body,
    }
}

/// The text with digits in the place of letters, and whether there were any; nothing when it has
/// something else.
fn digits(body: &str) -> Option<(String, bool)> {
    let mut repaired = false;
    let digits = body.chars().map(|character| match character {
        '.' | ',' | '\'' => Some(character),
        _ => {
            let digit = digit_of(character)?;
            repaired |= digit != character;
            Some(digit)
        }
    });
    let digits: String = digits.collect::<Option<_>>()?;
    Some((digits, repaired))
}

fn form(digits: &str, marked: bool, currency: Currency) -> Form {
    let behind = digits.rfind(['.', ',']).map(|at| digits.len() - at - 1);
    match behind {
        Some(count) if count > 0 && count == currency.decimals() as usize => Form::Decimals,
        _ if marked => Form::Marked,
        Some(3) => Form::Thousands,
        _ => Form::Plain,
    }
}

/// Colombian tills print thousands with a comma as often as with a point. Nobody there writes
/// three decimals, so what is doubtful elsewhere is not on their tickets.
fn for_reader(digits: String, currency: Currency) -> String {
    let groups: Vec<&str> = digits.split(',').collect();
    let thousands = groups.len() > 1 && groups.iter().skip(1).all(|group| group.len() == 3);
    if currency == Currency::Cop && thousands && !digits.contains('.') {
        return digits.replace(',', ".");
    }
    digits
}
