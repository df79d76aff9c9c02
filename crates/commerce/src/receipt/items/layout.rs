//! Where the name of a line ends and its numbers begin.

use super::quantity::{self, Quantity};
use crate::money::Money;
use crate::receipt::amounts::Amount;
use crate::receipt::lines::{Line, Piece, letters};
use std::ops::Range;

/// As long a number before a name is a code of the shop; behind it, a longer one.
const CODE_DIGITS: usize = 5;
const LATER_CODE_DIGITS: usize = 8;

/// Words before a price that make it that of one piece, wherever the amount may be.
const UNIT_PRICE: &[&str] = &["precio", "preclo", "pu", "punlt", "unltarlo"];

/// How a line with an amount is laid out.
pub(super) struct Layout {
    /// The pieces of the name, without quantity and codes.
    pub(super) name: Range<usize>,
    pub(super) money: Money,
    pub(super) unit_price: Option<Money>,
    pub(super) quantity: Option<u32>,
    pub(super) repaired: bool,
    /// Whether the amount comes before the name.
    pub(super) reversed: bool,
    /// Whether the line tells the price of one piece only, and how many there are.
    pub(super) only_unit: bool,
}

impl Layout {
    pub(super) fn of(line: &Line) -> Option<Self> {
        let amount = line.prices().last()?;
        let pieces = &line.pieces;
        let behind = &pieces[amount.pieces.end() + 1..];
        // The category of a tax may follow.
        if behind.iter().any(|piece| piece.written.chars().count() > 2) {
            let alone = line.prices().count() == 1 && *amount.pieces.start() == 0;
            let name = amount.pieces.end() + 1..pieces.len();
            return alone.then(|| Self {
                reversed: true,
                ..Self::new(name, amount)
            });
        }
        let mut layout = Self::new(0..*amount.pieces.start(), amount);
        let before = pieces[..layout.name.end].last();
        if before.is_some_and(|piece| UNIT_PRICE.contains(&piece.shape.as_str())) {
            return None;
        }
        layout.take_numbers_behind(line);
        layout.name = without_codes(pieces, layout.name.clone());
        if layout.quantity.is_none() {
            layout.take_numbers_before(line);
            layout.name = without_codes(pieces, layout.name.clone());
        }
        Some(layout)
    }

    fn new(name: Range<usize>, amount: &Amount) -> Self {
        Self {
            name,
            money: amount.money,
            unit_price: None,
            quantity: None,
            repaired: amount.repaired,
            reversed: false,
            only_unit: false,
        }
    }

    /// Takes unit price and quantity from between the name and the amount. A number is a quantity
    /// there when it multiplies to the amount, or when a sign says so.
    fn take_numbers_behind(&mut self, line: &Line) {
        let pieces = &line.pieces;
        let skipped = |end: usize| quantity::without_units(pieces, end);
        let unit = price_ending_at(line, skipped(self.name.end));
        if let Some(unit) = unit {
            self.unit_price = Some(unit.money);
            self.name.end = *unit.pieces.start();
        }
        let end = skipped(self.name.end);
        let Some((at, piece)) = end.checked_sub(1).map(|at| (at, &pieces[at])) else {
            return;
        };
        let Some(count) = Quantity::read(&piece.written) else {
            return;
        };
        let times = unit.is_none() && quantity::is_sign(pieces.get(at + 1));
        let glued = count.is_small() && quantity::has_sign(piece) && !times;
        if self.makes(count) || glued {
            self.quantity = Some(count.number);
            self.name.end = skipped(at);
        } else if times && count.is_small() {
            let Ok(whole) = self.money.times(count.number) else {
                return;
            };
            (self.unit_price, self.money) = (Some(self.money), whole);
            self.quantity = Some(count.number);
            self.name.end = skipped(at);
            self.only_unit = true;
        }
    }

    /// Takes the quantity from before the name, and the unit price where it follows.
    fn take_numbers_before(&mut self, line: &Line) {
        let pieces = &line.pieces;
        let mut own = pieces[self.name.clone()].iter();
        let Some(count) = own.next().and_then(|first| Quantity::read(&first.written)) else {
            return;
        };
        let start = quantity::after_units(pieces, self.name.start + 1).min(self.name.end);
        let unit = line
            .prices()
            .find(|price| *price.pieces.start() == start && *price.pieces.end() < self.name.end);
        if let Some(unit) = unit.filter(|unit| count.makes(unit.money, self.money)) {
            self.unit_price = Some(unit.money);
            self.quantity = Some(count.number);
            self.name.start = unit.pieces.end() + 1;
            return;
        }
        let is_right = match self.unit_price {
            Some(_) => self.makes(count),
            None => own
                .next()
                .is_some_and(|next| count.is_plausible_before(&next.written)),
        };
        if is_right {
            self.quantity = Some(count.number);
            self.name.start = start;
        }
    }

    fn makes(&self, count: Quantity) -> bool {
        self.unit_price
            .is_some_and(|unit| count.makes(unit, self.money))
    }

    /// Whether quantity and unit price make the amount by what is printed.
    pub(super) fn multiplies(&self) -> bool {
        let pair = self.quantity.zip(self.unit_price);
        !self.only_unit && pair.is_some_and(|(count, unit)| unit.times(count) == Ok(self.money))
    }

    pub(super) fn has_name(&self, line: &Line) -> bool {
        let pieces = line.pieces[self.name.clone()].iter();
        let name = pieces.filter(|piece| !quantity::is_measure(&piece.written));
        name.map(|piece| letters(&piece.written)).sum::<usize>() > 1
    }
}

fn price_ending_at(line: &Line, end: usize) -> Option<&Amount> {
    let mut prices = line.prices();
    prices.find(|amount| *amount.pieces.end() + 1 == end)
}

/// The quantity and the pieces of a name that stands on a line of its own.
pub(super) fn name_alone(line: &Line) -> (Option<u32>, Range<usize>) {
    let pieces = &line.pieces;
    let name = without_codes(pieces, 0..pieces.len());
    let mut own = pieces[name.clone()].iter();
    let count = own.next().and_then(|first| Quantity::read(&first.written));
    let next = own.next();
    let plausible =
        |count: &Quantity| next.is_some_and(|next| count.is_plausible_before(&next.written));
    match count.filter(plausible) {
        Some(count) => (Some(count.number), name.start + 1..name.end),
        None => (None, name),
    }
}

/// The pieces of a name without the codes of the shop around it.
fn without_codes(pieces: &[Piece], name: Range<usize>) -> Range<usize> {
    let is_code = |piece: &Piece, least: usize| {
        let digits = piece.written.trim_start_matches('#');
        digits.len() >= least && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut name = name;
    while !name.is_empty() && is_code(&pieces[name.start], CODE_DIGITS) {
        name.start += 1;
    }
    while !name.is_empty() && is_code(&pieces[name.end - 1], LATER_CODE_DIGITS) {
        name.end -= 1;
    }
    name
}
