//! What was bought.

mod layout;
mod quantity;

use super::ReceiptItem;
use super::labels::Kind;
use super::lines::{self, Line};
use crate::money::Money;
use layout::Layout;
use std::ops::Range;

/// How sure a name and an amount on one line make an item.
const ONE_LINE: f32 = 0.6;
/// How sure they do on two.
const TWO_LINES: f32 = 0.45;
/// What is added when quantity and unit price make the amount.
const MULTIPLIES: f32 = 0.2;
/// What is taken off for letters that had to be read as digits, for an amount before the name, and
/// for one that is not printed but follows from the price of a piece.
const REPAIRED: f32 = 0.15;
const REVERSED: f32 = 0.15;
const RECKONED: f32 = 0.15;

const MAX_DESCRIPTION: usize = 120;

pub(super) struct FoundItem {
    pub(super) item: ReceiptItem,
    /// Whether it stands above the sums of the ticket.
    pub(super) above_sums: bool,
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
        let Some(layout) = Layout::of(line) else {
            names = if line.is_only_words() { names + 1 } else { 0 };
            distance = 0;
            continue;
        };
        let found = if layout.has_name(line) {
            (names, distance) = (0, 0);
            Some(item(line, layout, told.take()))
        } else if layout.only_unit {
            told = layout.quantity.zip(layout.unit_price);
            None
        } else {
            if distance == 0 {
                let column = lines[at..].iter().take_while(|line| line.is_only_amounts());
                let column = column.count().max(1);
                distance = if column <= names { column } else { 0 };
            }
            names = 0;
            let above = distance.checked_sub(1);
            let above = above.and_then(|nth| lines[..at].iter().rev().nth(nth));
            above.and_then(|above| below(above, layout))
        };
        let found = found.filter(|item| lines::letters(&item.description) > 1);
        let above_sums = at < sums_at;
        items.extend(found.map(|item| FoundItem { item, above_sums }));
    }
    items
}

/// The item of a line that has name and amount. The line above may have told how many there are
/// at which price, which counts when it makes the amount.
fn item(line: &Line, mut layout: Layout, told: Option<(u32, Money)>) -> ReceiptItem {
    let told = told.filter(|(count, unit)| unit.times(*count) == Ok(layout.money));
    if let Some((count, unit)) = told {
        (layout.quantity, layout.unit_price) = (Some(count), Some(unit));
    }
    let base = if layout.reversed {
        ONE_LINE - REVERSED
    } else {
        ONE_LINE
    };
    made(description(line, layout.name.clone()), &layout, base)
}

/// The item whose name stands on another line than its numbers.
fn below(named: &Line, mut layout: Layout) -> Option<ReceiptItem> {
    if !named.is_only_words() {
        return None;
    }
    let (count, name) = layout::name_alone(named);
    layout.quantity = layout.quantity.or(count);
    Some(made(description(named, name), &layout, TWO_LINES))
}

fn made(description: String, layout: &Layout, base: f32) -> ReceiptItem {
    let mut confidence = base;
    for (is_so, worth) in [
        (layout.multiplies(), MULTIPLIES),
        (layout.repaired, -REPAIRED),
        (layout.only_unit, -RECKONED),
    ] {
        confidence += if is_so { worth } else { 0.0 };
    }
    ReceiptItem {
        description,
        quantity: layout.quantity,
        amount: layout.money,
        confidence: confidence.clamp(0.0, 1.0),
    }
}

/// A name without the dots and signs that lead to its amount.
fn description(line: &Line, name: Range<usize>) -> String {
    let pieces = &line.pieces[name];
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
        return String::new();
    };
    let is_dirt = |c: char| !c.is_alphanumeric() && !matches!(c, ')' | '%' | '"' | '+');
    let trimmed = line.text[first.start..last.end].trim_matches(is_dirt);
    let kept: String = trimmed.chars().take(MAX_DESCRIPTION).collect();
    kept.trim_end().to_owned()
}
