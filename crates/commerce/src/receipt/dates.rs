//! The day of the sale.

use super::Field;
use super::lines::{Line, digit_of, shape};
use jiff::civil::Date;
use quipu_core::text;

/// How sure a date is with the word for it on its line, and without.
const LABELLED: f32 = 0.95;
const ALONE: f32 = 0.8;
/// What is taken off for a year of two digits, for letters that had to be read as digits, for a
/// month before its day, and for other dates on the ticket.
const SHORT_YEAR: f32 = 0.05;
const REPAIRED: f32 = 0.15;
const MONTH_FIRST: f32 = 0.2;
const CONTRADICTED: f32 = 0.2;

const MONTHS: [&[&str]; 12] = [
    &["enero", "ene", "january", "jan"],
    &["febrero", "feb", "february"],
    &["marzo", "mar", "mzo", "march"],
    &["abril", "abr", "april", "apr"],
    &["mayo", "may"],
    &["junio", "jun", "june"],
    &["julio", "jul", "july"],
    &["agosto", "ago", "august", "aug"],
    &["septiembre", "setiembre", "sep", "sept", "set", "september"],
    &["octubre", "oct", "october"],
    &["noviembre", "nov", "november"],
    &["diciembre", "dic", "december", "dec"],
];

/// Words beside the date of a sale.
const OF_SALE: &[&str] = &["fecha", "emision", "expedicion", "fec", "f.emision", "date"];
/// Words beside dates that are not that of the sale.
const OF_OTHERS: &[&str] = &[
    "vence",
    "vencimiento",
    "vigencia",
    "caducidad",
    "caduca",
    "resolucion",
    "hasta",
    "valido",
    "valida",
    "vigente",
    "res",
    "autorizada",
    "desde",
    "nacimiento",
    "garantia",
    "antes",
    "facturar",
    "facture",
    "facturacion",
];

struct Found {
    date: Date,
    less: f32,
}

pub(super) fn find(lines: &[Line]) -> Option<Field<Date>> {
    let has = |line: &Line, words: &[&str]| {
        line.pieces
            .iter()
            .any(|piece| words.iter().any(|word| shape(word) == piece.shape))
    };
    let mut best: Option<Field<Date>> = None;
    let mut others = false;
    let mut label_above = false;
    for line in lines {
        let labelled = has(line, OF_SALE);
        if has(line, OF_OTHERS) {
            label_above = false;
            continue;
        }
        for found in on_line(&line.text) {
            let base = if labelled || label_above {
                LABELLED
            } else {
                ALONE
            };
            let confidence = base - found.less;
            others |= best.as_ref().is_some_and(|known| known.value != found.date);
            if best
                .as_ref()
                .is_none_or(|known| confidence > known.confidence)
            {
                best = Some(Field::new(found.date, confidence));
            }
        }
        label_above = labelled;
    }
    let mut best = best?;
    // The word for it decides between several dates.
    if others && best.confidence <= ALONE {
        best.confidence -= CONTRADICTED;
    }
    Some(best)
}

fn on_line(line: &str) -> Vec<Found> {
    let folded = text::fold(&without_gaps(line));
    let parts: Vec<&str> = folded
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '[' | ']'))
        .map(|part| part.trim_matches(|c: char| !c.is_alphanumeric() && c != '|'))
        .filter(|part| !part.is_empty())
        .collect();
    let single = parts.iter().filter_map(|part| numeric(part));
    let mut found: Vec<Found> = single.collect();
    let small = |part: &&&str| !matches!(**part, "de" | "del");
    let words: Vec<&str> = parts.iter().filter(small).copied().collect();
    found.extend(words.windows(3).filter_map(|three| match three {
        [first, second, third] => spelled(first, second, third),
        _ => None,
    }));
    found
}

/// The line without spaces around the signs of a date, which scanners add.
fn without_gaps(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let beside = out.ends_with('/') || characters.peek() == Some(&'/');
        if !(character == ' ' && beside) {
            out.push(character);
        }
    }
    out
}

/// A date in one part: `12/03/2026`, `2026-03-12`, `12-mar-26`, `12mar2026`.
fn numeric(part: &str) -> Option<Found> {
    // A label or a time may be glued to it.
    let part = part
        .split(':')
        .find(|part| part.contains(|c: char| c.is_ascii_digit()))?;
    let sign = part.chars().find(|c| matches!(c, '/' | '-' | '.'));
    let Some(sign) = sign else {
        let start = part.find(char::is_alphabetic)?;
        let (day, rest) = part.split_at(start);
        let (month, year) = rest.split_at(rest.find(|c: char| !c.is_alphabetic())?);
        return spelled(day, month, year);
    };
    let mut pieces = part.split(sign);
    let (first, second, third) = (pieces.next()?, pieces.next()?, pieces.next()?);
    if pieces.next().is_some() {
        return None;
    }
    // An instant goes on behind the day: `2026-03-12T14:35`.
    let third = third.split('t').next()?;
    if month(second).is_some() {
        return spelled(first, second, third);
    }
    let (a, b, c) = (
        Number::read(first)?,
        Number::read(second)?,
        Number::read(third)?,
    );
    let repaired = [&a, &b, &c].iter().any(|number| number.repaired);
    let less = if repaired { REPAIRED } else { 0.0 };
    if a.digits == 4 {
        return dated(&a, b.value, c.value, less);
    }
    let day_first = dated(&c, b.value, a.value, less);
    day_first.or_else(|| dated(&c, a.value, b.value, less + MONTH_FIRST))
}

/// A date with the name of its month: `12 marzo 2026`, `marzo 12 2026`.
fn spelled(first: &str, second: &str, third: &str) -> Option<Found> {
    let year = Number::read(third)?;
    let (name, day) = match (month(first), month(second)) {
        (_, Some(name)) => (name, Number::read(first)?),
        (Some(name), None) => (name, Number::read(second)?),
        (None, None) => return None,
    };
    let less = if day.repaired || year.repaired {
        REPAIRED
    } else {
        0.0
    };
    dated(&year, name, day.value, less)
}

fn month(name: &str) -> Option<i16> {
    // A name that is all digits has the shape of none.
    let written = shape(name);
    let is = |names: &[&str]| names.iter().any(|known| shape(known) == written);
    let at = MONTHS.iter().position(|names| is(names))?;
    i16::try_from(at + 1).ok()
}

fn dated(year: &Number, month: i16, day: i16, less: f32) -> Option<Found> {
    let (full, short) = match year.digits {
        4 => (year.value, 0.0),
        2 => (2000 + year.value, SHORT_YEAR),
        _ => return None,
    };
    // Shops that hand in tickets of other centuries are scanners that misread.
    if !(2000..2100).contains(&full) {
        return None;
    }
    let date = Date::new(full, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    Some(Found {
        date,
        less: less + short,
    })
}

struct Number {
    value: i16,
    digits: usize,
    repaired: bool,
}

impl Number {
    fn read(text: &str) -> Option<Self> {
        if !(1..=4).contains(&text.chars().count()) || !text.contains(|c: char| c.is_ascii_digit())
        {
            return None;
        }
        let digits: String = text.chars().map(digit_of).collect::<Option<_>>()?;
        Some(Self {
            value: digits.parse().ok()?,
            digits: digits.len(),
            repaired: digits != text,
        })
    }
}
