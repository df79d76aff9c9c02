//! What was bought.

mod quantity;

use super::ReceiptItem;
use super::amounts::Amount;
use super::labels::Kind;
use super::lines::{self, Line, Piece};
use crate::money::Money;
use quantity::{Quantity, is_measure};
use std::ops::Range;

/// How sure a name and an amount on one line make an item.
const ONE_LINE: f32 = 0.6;
/// How sure they do on two.
const TWO_LINES: f32 = 0.45;
/// What is added when quantity and unit price make the amount.
const MULTIPLIES: f32 = 0.2;
/// What is taken off for letters that had to be read as digits, and for an amount before the name.
const REPAIRED: f32 = 0.15;
const REVERSED: f32 = 0.15;

const MAX_DESCRIPTION: usize = 120;
/// As long a number at the beginning of a line is a code of the shop.
const CODE_DIGITS: usize = 5;

pub(super) struct FoundItem {
    pub(super) item: ReceiptItem,
    /// Whether it stands above the sums of the ticket.
    pub(super) above_sums: bool,
}

/// How a line with an amount is laid out.
struct Layout<'a> {
    /// The pieces of the name, among which a quantity may come first.
    name: Range<usize>,
    amount: &'a Amount,
    unit_price: Option<Money>,
    /// A number right before the unit price.
    count: Option<Quantity>,
    reversed: bool,
}

pub(super) fn read(lines: &[Line]) -> Vec<FoundItem> {
    let is_sum = |line: &Line| {
        let kind = line.label.map(|label| label.kind);
        matches!(kind, Some(Kind::Total | Kind::Subtotal)) && !line.amounts.is_empty()
    };
    let sums_at = lines.iter().position(is_sum).unwrap_or(lines.len());
    let mut items = Vec::new();
    // How many lines of names stand directly above, how far above a column of amounts its names
    // are, and the quantity that the last line told.
    let (mut names, mut distance, mut told) = (0, 0, None);
    for (at, line) in lines.iter().enumerate() {
        if line.label.is_some() || line.taken {
            (names, distance, told) = (0, 0, None);
            continue;
        }
        let Some(layout) = layout(line) else {
            names = if line.is_only_words() { names + 1 } else { 0 };
            distance = 0;
            continue;
        };
        let found = if has_name(line, &layout) {
            (names, distance) = (0, 0);
            item(line, &layout, told.take())
        } else if let Some(pair) = only_unit_price(line, &layout) {
            told = Some(pair);
            None
        } else {
            if distance == 0 {
                let column = lines[at..].iter().take_while(|line| line.is_only_amounts());
                distance = Some(column.count().max(1))
                    .filter(|count| *count <= names)
                    .unwrap_or(0);
            }
            names = 0;
            let above = distance.checked_sub(1);
            let above = above.and_then(|nth| lines[..at].iter().rev().nth(nth));
            above.and_then(|above| below(above, line, &layout))
        };
        let above_sums = at < sums_at;
        items.extend(found.map(|item| FoundItem { item, above_sums }));
    }
    items
}

fn has_name(line: &Line, layout: &Layout<'_>) -> bool {
    let pieces = &line.pieces[layout.name.clone()];
    let name = pieces.iter().filter(|piece| !is_measure(&piece.written));
    name.map(|piece| lines::letters(&piece.written))
        .sum::<usize>()
        > 1
}

/// Where the name of a line ends and its numbers begin.
fn layout(line: &Line) -> Option<Layout<'_>> {
    let amount = line.prices().last()?;
    let pieces = &line.pieces;
    let behind = &pieces[amount.pieces.end() + 1..];
    // The category of a tax may follow.
    if behind.iter().any(|piece| piece.written.chars().count() > 2) {
        let alone = line.prices().count() == 1 && *amount.pieces.start() == 0;
        return alone.then(|| Layout {
            name: amount.pieces.end() + 1..pieces.len(),
            amount,
            unit_price: None,
            count: None,
            reversed: true,
        });
    }
    let mut end = *amount.pieces.start();
    let mut unit_price = None;
    let mut count = None;
    let skipped = |end: usize| quantity::without_units(pieces, end);
    let before = |end: usize| {
        line.amounts
            .iter()
            .find(|amount| *amount.pieces.end() + 1 == end)
    };
    if let Some(unit) = before(skipped(end)).filter(|unit| unit.is_price()) {
        (unit_price, end) = (Some(unit.money), *unit.pieces.start());
    }
    // A number before it is a quantity when it multiplies to the amount, or when a sign says so.
    let number = skipped(end).checked_sub(1).map(|at| (at, &pieces[at]));
    if let Some((at, piece)) = number {
        let read = Quantity::read(&piece.written);
        let multiplies =
            |quantity: &Quantity| unit_price.is_some_and(|unit| quantity.makes(unit, amount.money));
        let signed = quantity::has_sign(piece) || quantity::sign_between(pieces, at, amount);
        if let Some(quantity) = read.filter(|read| multiplies(read) || (read.sure && signed)) {
            (count, end) = (Some(quantity), at);
        }
    }
    if count.is_some() || unit_price.is_some() {
        end = skipped(end);
    }
    Some(Layout {
        name: 0..end,
        amount,
        unit_price,
        count,
        reversed: false,
    })
}

fn item(line: &Line, layout: &Layout<'_>, told: Option<(u32, Money)>) -> Option<ReceiptItem> {
    let amount = layout.amount.money;
    let mut name = without_codes(&line.pieces, layout.name.clone());
    let mut quantity = layout.count.map(|count| count.number);
    let leading = leading(line, &name, layout);
    if let Some((count, rest)) = leading.filter(|_| quantity.is_none()) {
        quantity = Some(count);
        name = without_codes(&line.pieces, rest);
    }
    let makes = |count: u32, unit: Money| unit.times(count) == Ok(amount);
    if let Some((count, unit)) = told.filter(|(count, unit)| makes(*count, *unit)) {
        return Some(finished(line, name, Some(count), layout, Some(unit)));
    }
    Some(finished(line, name, quantity, layout, layout.unit_price))
        .filter(|item| lines::letters(&item.description) > 1)
}

/// The quantity that a line begins with, and the pieces behind it.
fn leading(line: &Line, name: &Range<usize>, layout: &Layout<'_>) -> Option<(u32, Range<usize>)> {
    let mut pieces = line.pieces.get(name.clone())?.iter();
    let count = Quantity::read(&pieces.next()?.written)?;
    let is_right = match layout.unit_price {
        Some(unit) => count.makes(unit, layout.amount.money),
        None => count.is_plausible_before(&pieces.next()?.written),
    };
    let start = quantity::after_units(&line.pieces, name.start + 1);
    (is_right && start < name.end).then_some((count.number, start..name.end))
}

/// The pieces of a name without the codes of the shop at its beginning.
fn without_codes(pieces: &[Piece], name: Range<usize>) -> Range<usize> {
    let is_code = |piece: &Piece| {
        let digits = piece.written.trim_start_matches('#');
        digits.len() >= CODE_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let codes = pieces[name.clone()]
        .iter()
        .take_while(|piece| is_code(piece));
    name.start + codes.count()..name.end
}

fn finished(
    line: &Line,
    name: Range<usize>,
    quantity: Option<u32>,
    layout: &Layout<'_>,
    unit: Option<Money>,
) -> ReceiptItem {
    let pieces = &line.pieces[name];
    let description = match (pieces.first(), pieces.last()) {
        (Some(first), Some(last)) => description(&line.text[first.start..last.end]),
        _ => String::new(),
    };
    let base = if layout.reversed {
        ONE_LINE - REVERSED
    } else {
        ONE_LINE
    };
    made(description, quantity, layout, unit, base)
}

fn made(
    description: String,
    quantity: Option<u32>,
    layout: &Layout<'_>,
    unit: Option<Money>,
    base: f32,
) -> ReceiptItem {
    let amount = layout.amount.money;
    let multiplies = quantity
        .zip(unit)
        .is_some_and(|(count, unit)| unit.times(count) == Ok(amount));
    let more = if multiplies { MULTIPLIES } else { 0.0 };
    let less = if layout.amount.repaired {
        REPAIRED
    } else {
        0.0
    };
    ReceiptItem {
        description,
        quantity,
        amount,
        confidence: (base + more - less).clamp(0.0, 1.0),
    }
}

/// The item whose name stands on another line than its numbers.
fn below(named: &Line, line: &Line, layout: &Layout<'_>) -> Option<ReceiptItem> {
    if !named.is_only_words() {
        return None;
    }
    let name = without_codes(&named.pieces, 0..named.pieces.len());
    let first = named.pieces.get(name.start)?;
    let description = description(&named.text[first.start..]);
    let leading = leading(line, &layout.name, layout).map(|(count, _)| count);
    let alone = || {
        let only = line.pieces.get(layout.name.clone())?.first()?;
        let count = Quantity::read(&only.written)?;
        let unit = layout.unit_price?;
        count
            .makes(unit, layout.amount.money)
            .then_some(count.number)
    };
    let quantity = layout
        .count
        .map(|count| count.number)
        .or(leading)
        .or_else(alone);
    let item = made(description, quantity, layout, layout.unit_price, TWO_LINES);
    (lines::letters(&item.description) > 1).then_some(item)
}

/// A line that says only how many there are at which price, as `2 x 18.00` above the name.
fn only_unit_price(line: &Line, layout: &Layout<'_>) -> Option<(u32, Money)> {
    let count = layout.count.filter(|_| layout.unit_price.is_none())?;
    (line.prices().count() == 1).then_some((count.number, layout.amount.money))
}

/// A name without the dots and signs that lead to its amount.
fn description(text: &str) -> String {
    let is_dirt = |c: char| !c.is_alphanumeric() && !matches!(c, ')' | '%' | '"' | '+');
    let trimmed = text.trim_matches(is_dirt);
    let kept: String = trimmed.chars().take(MAX_DESCRIPTION).collect();
    kept.trim_end().to_owned()
}
