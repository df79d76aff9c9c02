//! The lines of a ticket, cut into pieces, with the amounts that stand in them.

use super::amounts::{self, Amount};
use super::labels::{self, Label};
use super::{MAX_CHARS, MAX_LINE_CHARS, MAX_LINES};
use crate::money::Currency;
use quipu_core::text;

/// A piece of a line between spaces and signs that separate.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Where it stands in the line, in bytes.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) written: String,
    /// What is left of it when characters that scanners confuse are one.
    pub(super) shape: String,
}

#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) pieces: Vec<Piece>,
    pub(super) amounts: Vec<Amount>,
    pub(super) label: Option<Label>,
    /// Whether the amounts are not on the line itself but in a column beside it.
    pub(super) paired: bool,
    /// Whether another line has taken the amounts of this one.
    pub(super) taken: bool,
}

impl Line {
    fn new(text: &str, currency: Currency) -> Self {
        let pieces = pieces(text);
        let amounts = amounts::find(&pieces, currency);
        let label = labels::label(&pieces, &amounts);
        Self {
            text: text.to_owned(),
            pieces,
            amounts,
            label,
            paired: false,
            taken: false,
        }
    }

    /// The amounts that are written as money, and not merely as a number.
    pub(super) fn prices(&self) -> impl Iterator<Item = &Amount> {
        self.amounts.iter().filter(|amount| amount.is_price())
    }

    /// The pieces that belong to no amount.
    pub(super) fn words(&self) -> impl Iterator<Item = &Piece> {
        words(&self.pieces, &self.amounts)
    }

    /// Whether the line consists of amounts, as in a column that was torn off.
    pub(super) fn is_only_amounts(&self) -> bool {
        self.label.is_none()
            && self.prices().next().is_some()
            && self.words().all(|piece| letters(&piece.written) < 2)
    }

    /// Whether the line has words, and neither a label nor money.
    pub(super) fn is_only_words(&self) -> bool {
        self.label.is_none() && self.prices().next().is_none() && letters(&self.text) > 2
    }
}

/// The lines of a text that have something in them.
pub(super) fn read(text: &str, currency: Currency) -> Vec<Line> {
    let text: String = text.chars().take(MAX_CHARS).collect();
    text.split(['\n', '\r', '\u{c}'])
        .map(cleaned)
        .filter(|line| !line.is_empty())
        .take(MAX_LINES)
        .map(|line| Line::new(&line, currency))
        .collect()
}

/// The line with single spaces and without control characters.
fn cleaned(line: &str) -> String {
    let visible = line.replace(char::is_control, " ");
    let spaced = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    let kept: String = spaced.chars().take(MAX_LINE_CHARS).collect();
    kept.trim_end().to_owned()
}

/// The pieces that belong to no amount.
pub(super) fn words<'a>(
    pieces: &'a [Piece],
    amounts: &'a [Amount],
) -> impl Iterator<Item = &'a Piece> {
    let outside = |at: usize| !amounts.iter().any(|amount| amount.pieces.contains(&at));
    let numbered = pieces.iter().enumerate();
    numbered.filter_map(move |(at, piece)| outside(at).then_some(piece))
}

pub(super) fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphabetic()).count()
}

fn pieces(line: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, character) in line.char_indices() {
        // `TOTAL$116.00` is two things, `US$` and `MX$` are one.
        let word_ends = character == '$' && letters(&line[start..at]) > 2;
        if is_separator(character) || word_ends {
            push(&mut pieces, line, start, at);
            start = at + if word_ends { 0 } else { character.len_utf8() };
        }
    }
    push(&mut pieces, line, start, line.len());
    pieces
}

fn is_separator(character: char) -> bool {
    character.is_whitespace() || matches!(character, ':' | ';' | '=' | '(' | ')' | '[' | ']')
}

fn push(pieces: &mut Vec<Piece>, line: &str, start: usize, end: usize) {
    let written = &line[start..end];
    if !written.is_empty() {
        pieces.push(Piece {
            start,
            end,
            written: written.to_owned(),
            shape: shape(written),
        });
    }
}

/// A word without accents and signs, in which characters that scanners confuse are one: `T0TA1`
/// has the shape of `total`.
pub(super) fn shape(word: &str) -> String {
    text::fold(word)
        .chars()
        .filter_map(|c| match c {
            '0' => Some('o'),
            '1' | 'i' | '|' | '!' => Some('l'),
            '5' => Some('s'),
            '8' => Some('b'),
            'ñ' => Some('n'),
            c if c.is_alphanumeric() => Some(c),
            _ => None,
        })
        .collect()
}

/// The digit that a scanner may have taken for this character.
pub(super) fn digit_of(character: char) -> Option<char> {
    match character {
        '0'..='9' => Some(character),
        'O' | 'o' => Some('0'),
        'I' | 'i' | 'l' | '|' | '!' => Some('1'),
        'S' | 's' => Some('5'),
        'B' => Some('8'),
        _ => None,
    }
}
