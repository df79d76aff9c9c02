//! The number of a ticket.

mod key;

pub use key::folio_key;

use super::Field;
use super::lines::{Line, Piece, digit_of, letters, shape};
use crate::tax::Rfc;

const MAX_FOLIO: usize = 40;

/// Words before the number of a ticket, the surest first.
const LABELS: &[(f32, &str)] = &[
    (0.95, "folio"),
    (0.9, "ticket tiket tkt nota boleta factura remision"),
    (0.8, "recibo comprobante consecutivo documento"),
    (0.6, "orden pedido transaccion trans tran operacion comanda"),
];
/// Words that make a number after them a folio only together with "number": "No. de venta".
const WITH_NUMBER: &str = "venta compra";
/// What may stand between the label and the number.
const BETWEEN: &str = "no num numero nro n de del la venta ventas compra electronica electronico \
                       simplificada equivalente pos interno fac serie ticket nota";
const NUMBER: &str = "no num numero nro n";
/// The number under which a ticket can be invoiced is another one, but one of its own too.
const FOR_INVOICE: &str = "para facturar facturacion fiscal web";

/// What is taken off when the number stands on the next line, when letters had to be read as
/// digits, and when it is the number for the invoice.
const BELOW: f32 = 0.15;
const REPAIRED: f32 = 0.2;
const OTHER_NUMBER: f32 = 0.25;
/// A shorter number after a word that also stands in sentences must be the end of its line.
const SHORT_DIGITS: usize = 3;

pub(super) fn find(lines: &[Line]) -> Option<Field<String>> {
    let mut best: Option<Field<String>> = None;
    for (at, line) in lines.iter().enumerate() {
        let here = labels(line).filter_map(|label| beside(line, &label));
        let next = lines.get(at + 1);
        let below = labels(line).filter_map(|label| below(line, next?, &label));
        for found in here.chain(below) {
            if best
                .as_ref()
                .is_none_or(|known| found.confidence > known.confidence)
            {
                best = Some(found);
            }
        }
    }
    best
}

fn is_one_of(piece: &Piece, words: &str) -> bool {
    words
        .split_whitespace()
        .any(|word| shape(word) == piece.shape)
}

struct FolioLabel {
    /// Which piece of the line it is.
    at: usize,
    confidence: f32,
    /// Whether the number can follow without anything that says so.
    strong: bool,
}

fn labels(line: &Line) -> impl Iterator<Item = FolioLabel> {
    let pieces = line.pieces.iter().enumerate();
    pieces.filter_map(|(at, piece)| {
        let known = LABELS.iter().find(|(_, words)| is_one_of(piece, words));
        if let Some((confidence, words)) = known {
            return Some(FolioLabel {
                at,
                confidence: *confidence,
                strong: *words == "folio",
            });
        }
        let mut before = line.pieces[..at].iter().rev().take(2);
        let numbered =
            is_one_of(piece, WITH_NUMBER) && before.any(|piece| is_one_of(piece, NUMBER));
        numbered.then_some(FolioLabel {
            at,
            confidence: 0.9,
            strong: true,
        })
    })
}

/// The number behind its label on the same line.
fn beside(line: &Line, label: &FolioLabel) -> Option<Field<String>> {
    let pieces = &line.pieces;
    let mut at = label.at + 1;
    let mut confidence = label.confidence;
    let mut numbered = label.strong;
    while let Some(piece) = pieces.get(at) {
        let sign = piece.shape.is_empty() || piece.written.starts_with('#');
        let bare = letters(&piece.written) == piece.shape.chars().count();
        if bare && is_one_of(piece, FOR_INVOICE) {
            confidence = label.confidence - OTHER_NUMBER;
        } else if !((bare && is_one_of(piece, BETWEEN)) || piece.shape.is_empty()) {
            break;
        }
        numbered |= sign || is_one_of(piece, NUMBER);
        at += 1;
    }
    let (value, last, repaired) = number_at(pieces, at)?;
    let colon = pieces.get(at).is_some_and(|piece| {
        let between = line.text.get(pieces[label.at].end..piece.start);
        between.is_some_and(|between| between.contains([':', '#']))
    });
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let ends = last + 1 == pieces.len();
    if digits < SHORT_DIGITS && !(label.strong || ends) {
        return None;
    }
    // In a sentence, "ticket" is followed by other words.
    if !(numbered || colon || ends || label.at == 0) {
        return None;
    }
    let less = if repaired { REPAIRED } else { 0.0 };
    Some(Field::new(value, confidence - less))
}

/// The number below its label: on a line that begins with it, or in the same column.
fn below(line: &Line, next: &Line, label: &FolioLabel) -> Option<Field<String>> {
    let words_behind = &line.pieces[label.at + 1..];
    let ends = words_behind
        .iter()
        .all(|piece| piece.shape.is_empty() || is_one_of(piece, BETWEEN));
    let is_heading = |piece: &Piece| !piece.written.contains(|c: char| c.is_ascii_digit());
    let column = line.pieces.len() == next.pieces.len() && line.pieces.iter().all(is_heading);
    let at = match (column, ends) {
        (true, _) => label.at,
        (false, true) => 0,
        (false, false) => return None,
    };
    let (value, last, repaired) = number_at(&next.pieces, at)?;
    if !column && last + 1 != next.pieces.len() {
        return None;
    }
    let less = if repaired { REPAIRED } else { 0.0 };
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let sure = digits >= SHORT_DIGITS || label.strong;
    sure.then(|| Field::new(value, label.confidence - BELOW - less))
}

/// The number that begins at this piece, with the series of letters before it, the last piece that
/// belongs to it, and whether letters were read as digits.
fn number_at(pieces: &[Piece], at: usize) -> Option<(String, usize, bool)> {
    let first = trimmed(pieces.get(at)?);
    let next = pieces.get(at + 1).map(trimmed).and_then(number);
    let next = next.filter(|(next, _)| next.len() >= SHORT_DIGITS && is_digits(next));
    let is_series = (1..=4).contains(&first.len())
        && first.starts_with(|c: char| c.is_ascii_uppercase())
        && first
            .bytes()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    if let Some((next, repaired)) = next.filter(|_| is_series) {
        return Some((format!("{first} {next}"), at + 1, repaired));
    }
    let (number, repaired) = number(first)?;
    Some((number, at, repaired))
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn trimmed(piece: &Piece) -> &str {
    piece.written.trim_matches(|c: char| !c.is_alphanumeric())
}

/// A folio, if the text can be one: not a date, an amount, a tax number or a word.
fn number(text: &str) -> Option<(String, bool)> {
    let count = |is: fn(&char) -> bool| text.chars().filter(is).count();
    let signs = text.chars().filter(|c| !c.is_alphanumeric());
    let only_dashes = signs.clone().all(|c| matches!(c, '-' | '/' | '_'));
    let is_date = text.split(['/', '-']).count() == 3
        && text.len() <= 11
        && count(|c| matches!(c, '/' | '-')) == 2
        && text
            .split(['/', '-'])
            .all(|part| part.len() <= 4 && !part.is_empty());
    let digits = count(char::is_ascii_digit);
    let fits = text.is_ascii() && text.len() <= MAX_FOLIO && digits > 0;
    if !fits || !only_dashes || is_date || Rfc::parse(text).is_ok() {
        return None;
    }
    // A number with a unit is no folio: `30dias`.
    if digits < 3 && count(char::is_ascii_lowercase) > 1 {
        return None;
    }
    let is_like_zero_or_one = |c: char| matches!(c, 'O' | 'o' | 'l' | 'I' | '|');
    let dirty = text.chars().any(is_like_zero_or_one)
        && text
            .chars()
            .all(|c| c.is_ascii_digit() || is_like_zero_or_one(c) || c == '-')
        && digits * 2 > text.len();
    if dirty {
        let clean = text.chars().map(|c| digit_of(c).unwrap_or(c));
        return Some((clean.collect(), true));
    }
    Some((text.to_owned(), false))
}
