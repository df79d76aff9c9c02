//! What stands in the cells of a table.

use super::columns::Cell;
use super::names::Names;
use super::report::Texts;
use quipu_commerce::business::ItemKind;
use quipu_commerce::money::{Currency, Money};
use quipu_core::language::Language;
use quipu_core::text::fold;
use serde_json::{Value, json};
use uuid::Uuid;

/// No number of a catalogue is larger; what fits better is checked with the thing itself.
const LARGEST_NUMBER: i64 = 65_535;

pub(super) fn read_cell(
    cell: Cell,
    text: &str,
    currency: Currency,
    names: &Names,
) -> Result<Value, Texts> {
    let both = |es: &str, en: &str| (es.to_owned(), en.to_owned());
    let parts = || {
        text.split(';')
            .map(str::trim)
            .filter(|part| !part.is_empty())
    };
    match cell {
        Cell::Text => Ok(json!(text)),
        Cell::List => Ok(json!(parts().collect::<Vec<_>>())),
        Cell::Amount => Money::parse(text, currency)
            .map(|money| json!(money))
            .map_err(|problem| (problem.text(Language::Es), problem.text(Language::En))),
        Cell::Number => match text.parse::<i64>() {
            Ok(number @ 0..=LARGEST_NUMBER) => Ok(json!(number)),
            Ok(_) => Err((
                format!("debe estar entre 0 y {LARGEST_NUMBER}"),
                format!("must be between 0 and {LARGEST_NUMBER}"),
            )),
            Err(_) => Err(both("no es un número entero", "is not a whole number")),
        },
        Cell::YesNo => match fold(text).as_str() {
            "si" | "s" | "yes" | "y" | "true" | "verdadero" | "1" | "x" => Ok(json!(true)),
            "no" | "n" | "false" | "falso" | "0" => Ok(json!(false)),
            _ => Err(both("debe ser sí o no", "must be yes or no")),
        },
        Cell::Date => text
            .parse::<jiff::civil::Date>()
            .map(|date| json!(date))
            .map_err(|_| {
                both(
                    "no es una fecha, como 2026-12-31",
                    "is not a date such as 2026-12-31",
                )
            }),
        Cell::Names(kind) => {
            let ids = parts().map(|name| named(names, kind, name));
            Ok(json!(ids.collect::<Result<Vec<_>, _>>()?))
        }
        Cell::Name(kind) => Ok(json!(named(names, kind, text)?)),
        Cell::OneOf(words) => {
            let is = |word: &str| fold(word) == fold(text);
            let found = words.iter().find(|(word, spanish)| is(word) || is(spanish));
            let (word, _) = found.ok_or_else(|| {
                let list = |which: fn(&(&'static str, &'static str)) -> &'static str| {
                    words.iter().map(which).collect::<Vec<_>>().join(", ")
                };
                (
                    format!("no se reconoce; valores admitidos: {}", list(|word| word.1)),
                    format!("is not known; allowed values: {}", list(|word| word.0)),
                )
            })?;
            Ok(json!(word))
        }
    }
}

fn named(names: &Names, kind: ItemKind, name: &str) -> Result<Uuid, Texts> {
    names.id(kind, name).ok_or_else(|| {
        (
            format!("no hay nada que se llame «{name}»"),
            format!("there is nothing called \"{name}\""),
        )
    })
}
