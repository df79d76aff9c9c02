//! Invented tickets, as dirty as real ones.

mod abroad;
mod bounds;
mod dirty;
mod mexico;
mod parts;
mod twice;

use super::*;
use jiff::civil::date;

/// What a ticket is expected to say. What is not named is expected to be absent.
#[derive(Debug, Default, PartialEq)]
struct Says {
    issuer: Option<&'static str>,
    rfc: Option<&'static str>,
    folio: Option<&'static str>,
    date: Option<Date>,
    items: Vec<(&'static str, Option<u32>, i64)>,
    subtotal: Option<i64>,
    tax: Option<i64>,
    total: Option<i64>,
}

fn minor(field: Option<&Field<Money>>) -> Option<i64> {
    field.map(|field| field.value.minor)
}

fn check(text: &str, currency: Currency, says: &Says) -> Receipt {
    let receipt = read(text, currency);
    let items = receipt.items.iter();
    let items: Vec<_> = items
        .map(|item| (item.description.as_str(), item.quantity, item.amount.minor))
        .collect();
    let value = |field: &Option<Field<String>>| field.as_ref().map(|field| field.value.clone());
    let owned = |text: Option<&str>| text.map(str::to_owned);
    assert_eq!(items, says.items, "items");
    assert_eq!(minor(receipt.total.as_ref()), says.total, "total");
    assert_eq!(minor(receipt.subtotal.as_ref()), says.subtotal, "subtotal");
    assert_eq!(minor(receipt.tax.as_ref()), says.tax, "tax");
    assert_eq!(value(&receipt.rfc), owned(says.rfc), "rfc");
    assert_eq!(value(&receipt.folio), owned(says.folio), "folio");
    let day = receipt.date.as_ref().map(|date| date.value);
    assert_eq!(day, says.date, "date");
    assert_eq!(value(&receipt.issuer), owned(says.issuer), "issuer");
    receipt
}

fn sure<T>(field: Option<&Field<T>>) -> f32 {
    field.map_or(0.0, |field| field.confidence)
}
