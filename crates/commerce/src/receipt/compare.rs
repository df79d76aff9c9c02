//! Two readings of one ticket: one by text recognition, one by a model that sees.
//!
//! Each errs in its own way, so what both say is surer than what one says, and what they do not
//! agree on is doubtful whoever is right.

use super::{Field, Receipt, ReceiptItem, folio_key};
use quipu_core::text::{fold, words};

/// Nothing that was read off a picture is beyond doubt, however often it was read.
const MOST: f32 = 0.99;
/// How much of its sureness a reading takes from another that contradicts it.
const WEIGHT_OF_DOUBT: f32 = 0.5;
/// Of the number of the issuer, folio, date and total, a ticket says so many. A model that writes
/// about a picture instead of copying it says none of them.
const LEAST_FIELDS: usize = 2;

/// A ticket that was read twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    pub receipt: Receipt,
    /// The names of the fields on which the readings differ.
    pub doubted: Vec<&'static str>,
}

impl Receipt {
    /// Whether enough was read for it to be a ticket at all.
    #[must_use]
    pub fn is_ticket(&self) -> bool {
        let fields = [
            self.rfc.is_some(),
            self.folio.is_some(),
            self.date.is_some(),
            self.total.is_some(),
        ];
        fields.into_iter().filter(|known| *known).count() >= LEAST_FIELDS
    }
}

/// Weighs two readings of one ticket against each other, field by field. What only one of them has
/// is taken as it is; where they differ, the surer one is believed, and of two that are as sure the
/// one that was seen.
#[must_use]
pub fn compare(recognised: Receipt, seen: Receipt) -> Compared {
    let mut doubted = Vec::new();
    let (one, two) = (recognised, seen);
    let issuer = field(&mut doubted, "issuer", one.issuer, two.issuer, |a, b| {
        same_name(a, b)
    });
    let rfc = field(&mut doubted, "rfc", one.rfc, two.rfc, String::eq);
    let folio = field(&mut doubted, "folio", one.folio, two.folio, |a, b| {
        same_folio(a, b)
    });
    let date = field(&mut doubted, "date", one.date, two.date, PartialEq::eq);
    let items = items(&mut doubted, one.items, two.items);
    let subtotal = field(
        &mut doubted,
        "subtotal",
        one.subtotal,
        two.subtotal,
        PartialEq::eq,
    );
    let tax = field(&mut doubted, "tax", one.tax, two.tax, PartialEq::eq);
    let total = field(&mut doubted, "total", one.total, two.total, PartialEq::eq);
    let receipt = Receipt {
        issuer,
        rfc,
        folio,
        date,
        items,
        subtotal,
        tax,
        total,
    };
    Compared { receipt, doubted }
}

fn field<T>(
    doubted: &mut Vec<&'static str>,
    name: &'static str,
    recognised: Option<Field<T>>,
    seen: Option<Field<T>>,
    same: impl Fn(&T, &T) -> bool,
) -> Option<Field<T>> {
    let (recognised, seen) = match (recognised, seen) {
        (Some(recognised), Some(seen)) => (recognised, seen),
        (one, other) => return one.or(other),
    };
    let agree = same(&recognised.value, &seen.value);
    let (mut kept, other) = if recognised.confidence > seen.confidence {
        (recognised, seen)
    } else {
        (seen, recognised)
    };
    kept.confidence = if agree {
        agreed(kept.confidence, other.confidence)
    } else {
        doubted.push(name);
        contradicted(kept.confidence, other.confidence)
    };
    Some(kept)
}

/// The items of the surer reading. An item agrees with any of the other that costs as much: what a
/// line costs is what is added up, and its words are spelt in many ways.
fn items(
    doubted: &mut Vec<&'static str>,
    recognised: Vec<ReceiptItem>,
    seen: Vec<ReceiptItem>,
) -> Vec<ReceiptItem> {
    if recognised.is_empty() || seen.is_empty() {
        return if seen.is_empty() { recognised } else { seen };
    }
    let (mut kept, mut others) = if mean(&recognised) > mean(&seen) {
        (recognised, seen)
    } else {
        (seen, recognised)
    };
    let against = mean(&others);
    let mut differ = kept.len() != others.len();
    for item in &mut kept {
        let same = others.iter().position(|other| other.amount == item.amount);
        item.confidence = if let Some(other) = same.map(|at| others.swap_remove(at)) {
            agreed(item.confidence, other.confidence)
        } else {
            differ = true;
            contradicted(item.confidence, against)
        };
    }
    if differ {
        doubted.push("items");
    }
    kept
}

/// Two that agree are wrong only where both are.
fn agreed(one: f32, other: f32) -> f32 {
    let either = 1.0 - (1.0 - one) * (1.0 - other);
    either.min(MOST).max(one).max(other)
}

/// The surer the other one is, the more it takes away.
fn contradicted(kept: f32, other: f32) -> f32 {
    kept * (1.0 - WEIGHT_OF_DOUBT * other)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a ticket has two hundred items at most"
)]
fn mean(items: &[ReceiptItem]) -> f32 {
    let sum: f32 = items.iter().map(|item| item.confidence).sum();
    sum / items.len().max(1) as f32
}

/// Whether two names are one but for capitals, accents and signs.
fn same_name(one: &str, other: &str) -> bool {
    let letters = |name: &str| words(name).map(fold).collect::<String>();
    letters(one) == letters(other)
}

fn same_folio(one: &str, other: &str) -> bool {
    folio_key(one) == folio_key(other)
}
