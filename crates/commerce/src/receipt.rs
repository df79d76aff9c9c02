//! What a shop ticket says, read from the text that a scanner or a PDF gave of it.
//!
//! Such a text is dirty: lines out of order, columns torn apart, letters in the place of digits.
//! What is read comes with how sure it is, from 0 to 1; sums that agree with each other, a check
//! digit that is right and a label beside its value make it surer. What nothing on the ticket
//! speaks for is left out: an empty field is asked for, a wrong one is believed.

mod amounts;
mod compare;
mod dates;
mod folio;
mod issuer;
mod items;
mod labels;
mod lines;
mod rfc;
mod sums;
#[cfg(test)]
mod tests;

pub use compare::{Compared, compare};
pub use folio::folio_key;

use crate::money::{Currency, Money};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How much of a text is read. A long ticket has a tenth of it.
const MAX_CHARS: usize = 20_000;
const MAX_LINES: usize = 500;
/// A till prints no more on a line, and a page in columns not much more.
const MAX_LINE_CHARS: usize = 400;
/// How many items are read.
pub const MAX_RECEIPT_ITEMS: usize = 200;

/// Something that was read, and how sure it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Field<T> {
    pub value: T,
    /// From 0 to 1.
    #[schema(minimum = 0, maximum = 1)]
    pub confidence: f32,
}

impl<T> Field<T> {
    fn new(value: T, confidence: f32) -> Self {
        Self {
            value,
            confidence: confidence.clamp(0.0, 1.0),
        }
    }
}

/// One line of what was bought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReceiptItem {
    pub description: String,
    /// Only where the ticket says it in whole pieces.
    pub quantity: Option<u32>,
    /// What the whole line costs, not one piece of it. Below zero where something is given back.
    pub amount: Money,
    /// From 0 to 1.
    #[schema(minimum = 0, maximum = 1)]
    pub confidence: f32,
}

/// What a ticket says about itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Receipt {
    pub issuer: Option<Field<String>>,
    /// The tax number of the issuer, never that of the customer.
    pub rfc: Option<Field<String>>,
    pub folio: Option<Field<String>>,
    pub date: Option<Field<Date>>,
    #[schema(max_items = 200)]
    pub items: Vec<ReceiptItem>,
    pub subtotal: Option<Field<Money>>,
    pub tax: Option<Field<Money>>,
    pub total: Option<Field<Money>>,
}

/// Reads a ticket whose amounts are of this currency.
#[must_use]
pub fn read(text: &str, currency: Currency) -> Receipt {
    let mut lines = lines::read(text, currency);
    labels::pair_columns(&mut lines);
    let sums = sums::read(&lines, items::read(&lines));
    let mut receipt = Receipt {
        issuer: None,
        rfc: rfc::find(&lines),
        folio: folio::find(&lines),
        date: dates::find(&lines),
        items: sums.items,
        subtotal: sums.subtotal,
        tax: sums.tax,
        total: sums.total,
    };
    receipt.issuer = issuer::find(&lines, &receipt);
    receipt
}
