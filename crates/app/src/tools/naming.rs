//! Finding what a model names, and telling it what it could have named.

use quipu_commerce::business::{CatalogueItem, Item, Named, OtherNames, by_name};
use quipu_core::{Error, ErrorCode, Result};
use serde_json::json;

/// How many names a model is offered in the place of one that fits nothing.
pub(super) const MOST_NAMES: usize = 20;

/// The thing that a name fits. A name that fits none or several is answered with those that are
/// like it, or else with those there are, for the model to choose or to ask.
pub(super) fn named<'a, T: CatalogueItem>(
    name: &str,
    field: &str,
    items: &'a [Item<T>],
    other_names: impl Fn(&T) -> OtherNames,
) -> Result<&'a Item<T>> {
    let names = |items: &[&Item<T>]| -> Vec<String> {
        let names = items.iter().map(|item| item.data.name().to_owned());
        names.take(MOST_NAMES).collect()
    };
    match by_name(name, items, other_names) {
        Named::One(item) => Ok(item),
        Named::Several(several) => {
            let similar = names(&several);
            Err(ambiguous(field, &similar, "ambiguous").with("similar", json!(similar)))
        }
        Named::None(near) => {
            let error = Error::not_found(T::KIND.as_str()).with("field", field);
            if near.is_empty() {
                let all = items.iter().map(|item| item.data.name().to_owned());
                return Err(allowing(error, all.collect()).with(
                    "hint",
                    "nothing is called like that; use a name there is, or ask the customer",
                ));
            }
            Err(error.with("similar", json!(names(&near))).with(
                "hint",
                "these are only similar; ask the customer whether one of them is meant",
            ))
        }
    }
}

/// Tells a model which values there are, as far as a list of them is of any use.
pub(super) fn allowing(error: Error, mut all: Vec<String>) -> Error {
    let count = all.len();
    all.truncate(MOST_NAMES);
    let error = error.with("allowed", json!(all));
    if count > MOST_NAMES {
        // Whoever reads the list must not take it for everything there is.
        return error.with("allowed_more", count - MOST_NAMES);
    }
    error
}

/// Asks a model to say which of several it means, all of which are told.
pub(super) fn choose(field: &str, mut allowed: Vec<String>, why: &str) -> Error {
    allowed.truncate(MOST_NAMES);
    ambiguous(field, &allowed, why).with("allowed", json!(allowed))
}

fn ambiguous(field: &str, names: &[String], why: &str) -> Error {
    let list = names.join(", ");
    let es = format!("{field} puede ser varias cosas: {list}");
    let en = format!("{field} can mean several things: {list}");
    wrong(field, es, en)
        .with("reason", why)
        .with("hint", "ask the customer which one is meant")
}

/// An argument that does not do, and why.
pub(super) fn wrong(field: &str, es: String, en: String) -> Error {
    Error::new(ErrorCode::InvalidArguments)
        .with_texts("problems", es, en)
        .with("field", field)
        .with("fields", json!([{ "field": field }]))
}
