//! Why an order is not taken, and what is asked back, in both languages.

use quipu_commerce::business::{Branch, Item};
use quipu_commerce::money::{Money, MoneyProblem};
use quipu_commerce::ordering::{Line, ZoneMatch};
use quipu_core::language::Language;
use quipu_core::{Error, ErrorCode};
use serde_json::{Value, json};

/// The order cannot be taken as it is.
pub(super) fn refused(reason: &'static str, es: String, en: String) -> Error {
    Error::new(ErrorCode::OrderRefused)
        .with("reason", reason)
        .with_texts("reason_text", es, en)
}

/// Something has to be asked back before the order can be taken.
pub(super) fn unclear(about: &'static str, es: String, en: String) -> Error {
    Error::new(ErrorCode::OrderUnclear)
        .with("about", about)
        .with("questions", json!({ "es": es, "en": en }))
        .with_texts("question", es, en)
}

/// What has to be asked about the lines that were not understood; nothing when all were.
pub(super) fn unclear_lines(lines: &[Line]) -> Option<Error> {
    if lines.is_empty() {
        let (es, en) = ("¿Qué desea pedir?", "What would you like to order?");
        return Some(unclear("items", es.to_owned(), en.to_owned()));
    }
    let asked = |language| {
        let questions = lines.iter().filter_map(|line| line.question(language));
        questions.collect::<Vec<_>>().join(" ")
    };
    let (es, en) = (asked(Language::Es), asked(Language::En));
    (!es.is_empty()).then(|| unclear("items", es, en).with("lines", json!(lines)))
}

pub(super) fn unclear_zone(found: &ZoneMatch<'_>, zones: Vec<Value>) -> Option<Error> {
    let (es, en) = (found.question(Language::Es)?, found.question(Language::En)?);
    Some(unclear("delivery_address", es, en).with("zones", zones))
}

pub(super) fn unclear_branch(branches: &[Item<Branch>]) -> Error {
    let names: Vec<&str> = branches
        .iter()
        .map(|item| item.data.name.as_str())
        .collect();
    let listed: Vec<Value> = branches
        .iter()
        .map(|item| json!({ "id": item.id, "name": item.data.name }))
        .collect();
    let names = names.join(", ");
    unclear(
        "branch_id",
        format!("¿En qué sucursal? Tenemos {names}."),
        format!("At which branch? We have {names}."),
    )
    .with("branches", listed)
}

pub(super) fn below_minimum(minimum: Money, missing: Money, zone: Option<&str>) -> Error {
    let sums = |language| (minimum.format(language), missing.format(language));
    let (least, lacks) = sums(Language::Es);
    let place = zone.map_or_else(String::new, |zone| format!(" para {zone}"));
    let es = format!("el pedido mínimo{place} es de {least} y faltan {lacks}");
    let (least, lacks) = sums(Language::En);
    let place = zone.map_or_else(String::new, |zone| format!(" for {zone}"));
    let en = format!("the smallest order{place} is {least}, and {lacks} are missing");
    refused("minimum", es, en)
        .with("minimum", json!(minimum))
        .with("missing", json!(missing))
}

/// Prices that do not add up, such as those of two currencies.
#[expect(clippy::needless_pass_by_value, reason = "it is mapped over errors")]
pub(super) fn unpayable(problem: MoneyProblem) -> Error {
    let text = |language| problem.text(language);
    let es = format!("el importe {}", text(Language::Es));
    let en = format!("the amount {}", text(Language::En));
    refused(problem.code(), es, en)
}
