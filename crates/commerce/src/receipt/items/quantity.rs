//! How many of something were bought.

use crate::money::Money;
use crate::receipt::lines::{Piece, digit_of};

/// More than this is a code, a weight or the size of a bottle.
const MAX: u32 = 999;
/// More than this is not believed without a unit price that says so too.
const MAX_ALONE: u32 = 99;

/// Words that make a number before them a size or part of a name: "7 UP", "3 leches".
const NAMES: &[&str] = &[
    "up", "leches", "quesos", "carnes", "en", "ml", "lt", "l", "g", "gr", "grs", "kg", "kgs", "oz",
    "cm", "mm", "mts", "x",
];

/// What may stand between a quantity, a unit price and a name.
const UNITS: &[&str] = &[
    "x", "*", "@", "a", "c/u", "cu", "pz", "pza", "pzas", "pieza", "piezas", "pzs", "und", "unds",
    "un", "ud", "uds", "u", "unid", "unidad", "unidades",
];

/// What things are weighed in.
const MEASURES: &[&str] = &[
    "kg", "kgs", "kilo", "kilos", "g", "gr", "grs", "lt", "lts", "l", "lb",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quantity {
    pub(super) number: u32,
    /// Whether it is written in digits, without letters that look like them.
    sure: bool,
}

impl Quantity {
    /// A whole number as tickets print quantities: `2`, `2x`, `x2`, `2.00`, `2.000`.
    pub(super) fn read(written: &str) -> Option<Self> {
        let bare = written.trim_matches(['x', 'X', '*']);
        let (whole, rest) = bare.split_once(['.', ',']).unwrap_or((bare, "0"));
        let zeros = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte == b'0');
        if whole.len() > 4 || rest.len() > 3 || !zeros(rest) {
            return None;
        }
        let digits: String = whole.chars().map(digit_of).collect::<Option<_>>()?;
        let number = digits.parse().ok()?;
        (1..=MAX).contains(&number).then_some(Self {
            number,
            sure: digits == whole,
        })
    }

    /// Whether so many at this price cost the amount.
    pub(super) fn makes(self, unit: Money, amount: Money) -> bool {
        unit.times(self.number) == Ok(amount)
    }

    /// Whether it is believed without a unit price that says so too.
    pub(super) fn is_small(self) -> bool {
        self.sure && self.number <= MAX_ALONE
    }

    /// Whether it can be a quantity by nothing but its place before this word.
    pub(super) fn is_plausible_before(self, word: &str) -> bool {
        let word = word.to_lowercase();
        let is_name = NAMES.contains(&word.as_str());
        self.is_small() && !is_name && word.starts_with(char::is_alphabetic)
    }
}

fn is_unit(written: &str) -> bool {
    let bare = written.to_lowercase();
    UNITS.contains(&bare.trim_end_matches('.'))
}

/// Whether the word says in what something is counted or weighed, and not what it is.
pub(super) fn is_measure(written: &str) -> bool {
    let bare = written.to_lowercase();
    // The price of a kilo is written `€/kg`.
    let bare = bare.trim_matches(|c: char| !c.is_alphanumeric());
    is_unit(written) || MEASURES.contains(&bare)
}

/// Where the pieces before this one end when signs and units are left out.
pub(super) fn without_units(pieces: &[Piece], end: usize) -> usize {
    let before = pieces[..end].iter().rev();
    end - before.take_while(|piece| is_unit(&piece.written)).count()
}

/// Where the name begins behind signs and units.
pub(super) fn after_units(pieces: &[Piece], start: usize) -> usize {
    let behind = pieces[start..].iter();
    start + behind.take_while(|piece| is_unit(&piece.written)).count()
}

/// Whether the number is written with the sign of a quantity, as `x2`.
pub(super) fn has_sign(piece: &Piece) -> bool {
    piece.written.starts_with(['x', 'X']) || piece.written.ends_with(['x', 'X'])
}

/// Whether the piece is a sign of multiplication.
pub(super) fn is_sign(piece: Option<&Piece>) -> bool {
    piece.is_some_and(|piece| matches!(piece.written.as_str(), "x" | "X" | "@" | "*"))
}
