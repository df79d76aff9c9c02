//! A thing of the catalogue in words: amounts as customers read them, and names in place of ids.

use quipu_commerce::business::CatalogueItem;
use quipu_commerce::money::Money;
use quipu_core::language::Language;
use serde_json::{Map, Value};
use std::collections::HashMap;
use uuid::Uuid;

/// What says nothing about a thing to whoever speaks of it.
const UNTOLD: [&str; 6] = [
    "active",
    "position",
    "image_url",
    "tags",
    "name",
    "capacity",
];

/// All that a thing says, on one line behind its name.
pub(super) fn in_words<T: CatalogueItem>(
    item: &T,
    names: &HashMap<Uuid, String>,
    language: Language,
) -> String {
    let data = serde_json::to_value(item).unwrap_or_default();
    let fields = data.as_object().map(|fields| told(fields, names, language));
    match fields.as_deref().unwrap_or_default() {
        [] => item.name().to_owned(),
        fields => format!("{}: {}", item.name(), fields.join("; ")),
    }
}

fn told(
    fields: &Map<String, Value>,
    names: &HashMap<Uuid, String>,
    language: Language,
) -> Vec<String> {
    let said = fields
        .iter()
        .filter(|(name, _)| !UNTOLD.contains(&name.as_str()));
    let said = said.filter_map(|(name, value)| {
        let value = value_in_words(value, names, language)?;
        Some(match name.strip_suffix("_minutes") {
            Some(name) => format!("{} {value} min", spaced(name)),
            None => format!("{} {value}", spaced(name)),
        })
    });
    said.collect()
}

/// A value in words, unless it says nothing.
fn value_in_words(
    value: &Value,
    names: &HashMap<Uuid, String>,
    language: Language,
) -> Option<String> {
    if let Ok(amount) = serde_json::from_value::<Money>(value.clone()) {
        return Some(amount.format(language));
    }
    match value {
        Value::Null | Value::Bool(false) => None,
        Value::Bool(true) => Some(
            if language == Language::Es {
                "sí"
            } else {
                "yes"
            }
            .to_owned(),
        ),
        Value::Number(number) => Some(number.to_string()).filter(|number| number != "0"),
        Value::String(text) => match Uuid::try_parse(text) {
            // Whoever is not there any more has no name.
            Ok(id) => names.get(&id).cloned(),
            Err(_) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        },
        Value::Array(values) => {
            let values = values.iter();
            let said = values.filter_map(|value| value_in_words(value, names, language));
            Some(said.collect::<Vec<_>>().join(", ")).filter(|text| !text.is_empty())
        }
        Value::Object(fields) => {
            let mut said = told(fields, names, language);
            // What has a name of its own is known by it.
            said.splice(
                ..0,
                fields
                    .get("name")
                    .and_then(Value::as_str)
                    .map(str::to_owned),
            );
            (!said.is_empty()).then(|| format!("({})", said.join("; ")))
        }
    }
}

fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use quipu_commerce::business::{DeliveryZone, Service};
    use serde_json::json;

    #[test]
    fn prices_are_written_as_customers_read_them() {
        let id = Uuid::now_v7();
        let service: Service = serde_json::from_value(json!({
            "name": "Limpieza dental",
            "price_min": { "amount": 12_000, "currency": "PEN" },
            "promotion": { "text": "De regreso", "price": { "amount": 9_950, "currency": "PEN" } },
            "duration_minutes": 45,
            "staff": [id, Uuid::now_v7()],
        }))
        .unwrap();
        let names = HashMap::from([(id, "Dra. Salas".to_owned())]);
        let words = in_words(&service, &names, Language::Es);
        assert!(words.starts_with("Limpieza dental: "), "{words}");
        for said in [
            "price min S/ 120;",
            "price S/ 99.50",
            "duration 45 min",
            "staff Dra. Salas",
        ] {
            assert!(words.contains(said), "{said}: {words}");
        }
        assert!(
            !words.contains("12000") && !words.contains("null"),
            "{words}"
        );
    }

    #[test]
    fn what_is_all_name_is_its_name() {
        let zone: DeliveryZone = serde_json::from_value(json!({
            "name": "Roma Norte", "fee": { "amount": 3_000, "currency": "MXN" },
        }))
        .unwrap();
        let words = in_words(&zone, &HashMap::new(), Language::Es);
        assert!(words.starts_with("Roma Norte: fee $30"), "{words}");
    }
}
