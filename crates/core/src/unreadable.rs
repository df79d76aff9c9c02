//! What serde finds wrong with JSON, said to people in their language.
//!
//! Serde speaks English and of Rust. The few things it says are read here and said anew; what it
//! says besides stays as it is in English and becomes a general sentence in Spanish.

mod place;

use crate::{Error, ErrorCode};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// How much of a reason is told: it may quote what was sent.
const LONGEST: usize = 200;

/// `INVALID_JSON` with the reason in both languages.
#[must_use]
pub fn unreadable(error: &serde_json::Error) -> Error {
    let (es, en) = reason(error);
    Error::new(ErrorCode::InvalidJson)
        .with("reason", en.clone())
        .with_texts("reason", es, en)
}

/// The same for a text that is at hand, so that the field can be named.
#[must_use]
pub fn unreadable_in(json: &[u8], error: &serde_json::Error) -> Error {
    naming(place::field_at(json, error.line(), error.column()), error)
}

/// Reads a value into what it should be.
///
/// # Errors
/// `INVALID_JSON`, which names the field where it can.
pub fn read<T: DeserializeOwned>(value: Value) -> crate::Result<T> {
    // A value does not know where its parts stand; its text does.
    let text = value.to_string();
    serde_json::from_value(value).map_err(|error| {
        let placed = serde_json::from_str::<T>(&text).err();
        let field = placed
            .and_then(|placed| place::field_at(text.as_bytes(), placed.line(), placed.column()));
        naming(field, &error)
    })
}

fn naming(field: Option<String>, error: &serde_json::Error) -> Error {
    let (es, en) = reason(error);
    // What serde says of a field that is missing or unknown names it already.
    let nameless = ["invalid", "unknown variant"];
    let nameless = nameless.iter().any(|begins| en.starts_with(begins));
    let Some(field) = field.filter(|_| error.is_data() && nameless) else {
        return unreadable(error);
    };
    let (es, en) = (format!("{field}: {es}"), format!("{field}: {en}"));
    Error::new(ErrorCode::InvalidJson)
        .with("field", field)
        .with("reason", en.clone())
        .with_texts("reason", es, en)
}

/// What is wrong, in Spanish and English.
#[must_use]
pub fn reason(error: &serde_json::Error) -> (String, String) {
    let english: String = error.to_string().chars().take(LONGEST).collect();
    let (line, column) = (error.line(), error.column());
    if error.is_syntax() || error.is_eof() {
        let spanish = format!("el JSON está mal escrito en la línea {line}, columna {column}");
        return (spanish, english);
    }
    // What is no text but a value has no lines.
    let place = match line {
        0 => String::new(),
        line => format!(" (línea {line}, columna {column})"),
    };
    (spanish(&english, &place), english)
}

/// What serde says, in Spanish, with the place where it is wrong.
#[must_use]
pub fn spanish(english: &str, place: &str) -> String {
    let quoted = |prefix: &str| {
        let rest = english.strip_prefix(prefix)?.strip_prefix('`')?;
        rest.split_once('`')
    };
    if let Some((name, _)) = quoted("missing field ") {
        return format!("falta el campo {name}");
    }
    if let Some((name, _)) = quoted("duplicate field ") {
        return format!("el campo {name} está repetido");
    }
    if let Some((name, rest)) = quoted("unknown field ") {
        return format!("el campo {name} no se conoce{}", allowed(rest));
    }
    if let Some((name, rest)) = quoted("unknown variant ") {
        return format!("el valor {name} no se conoce{}", allowed(rest));
    }
    let wrong = ["invalid type: ", "invalid value: "];
    let wrong = wrong.iter().find_map(|prefix| english.strip_prefix(prefix));
    let Some((_, expected)) = wrong.and_then(|rest| rest.rsplit_once(", expected ")) else {
        return format!("hay un valor que no tiene la forma esperada{place}");
    };
    match kind(expected) {
        Some(kind) => format!("hay un valor que no sirve: se espera {kind}{place}"),
        None => format!("hay un valor que no es del tipo esperado{place}"),
    }
}

/// The names that serde offers, as they stand in the API.
fn allowed(rest: &str) -> String {
    let names: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
    if names.is_empty() {
        return String::new();
    }
    format!("; se admiten: {}", names.join(", "))
}

/// What serde calls the kinds of values.
fn kind(expected: &str) -> Option<&'static str> {
    let name = expected.split(" at line ").next().unwrap_or(expected);
    Some(match name {
        "a string" | "a borrowed string" => "un texto",
        "a boolean" => "true o false",
        "a sequence" => "una lista",
        "a map" => "un objeto",
        "u8" => "un número entero de 0 a 255",
        "u16" => "un número entero de 0 a 65535",
        "u32" | "u64" | "usize" => "un número entero que no sea negativo",
        "i8" | "i16" | "i32" | "i64" => "un número entero",
        "f32" | "f64" => "un número",
        name if name.starts_with("struct ") => "un objeto",
        name if name.contains("UUID") => "un identificador",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use serde::Deserialize;
    use serde_json::{Value, json};

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Faq {
        #[serde(rename = "question")]
        _question: String,
        #[serde(rename = "answer")]
        _answer: String,
        #[serde(default, rename = "tags")]
        _tags: Vec<String>,
        #[serde(default, rename = "active")]
        _active: bool,
    }

    fn spanish_of(value: Value) -> String {
        let error = serde_json::from_value::<Faq>(value).unwrap_err();
        unreadable(&error).message(Language::Es)
    }

    #[test]
    fn reasons_are_told_in_spanish() {
        let says = |value: Value, words: &str| {
            let text = spanish_of(value);
            assert!(text.contains(words), "{text}");
            for english in ["field", "expected", "invalid type", "missing"] {
                assert!(!text.contains(english), "{text}");
            }
        };
        says(json!({ "question": "¿?" }), "falta el campo answer");
        says(
            json!({ "x": 1 }),
            "el campo x no se conoce; se admiten: question, answer, tags, active",
        );
        says(json!({ "question": 1 }), "se espera un texto");
        says(
            json!({ "question": "a", "answer": "b", "tags": "c" }),
            "una lista",
        );
        says(
            json!({ "question": "a", "answer": "b", "active": 3 }),
            "true o false",
        );
        let error = read::<Faq>(json!({ "question": "a", "answer": "b", "tags": ["c", 5] }));
        let error = error.unwrap_err();
        assert_eq!(error.details()["field"], "tags[1]");
        let es = error.message(Language::Es);
        assert!(
            es.contains("tags[1]: hay un valor que no sirve: se espera un texto"),
            "{es}"
        );
        let cut = serde_json::from_str::<Faq>("{\"question\": ").unwrap_err();
        let (es, en) = reason(&cut);
        assert!(
            es.starts_with("el JSON está mal escrito en la línea 1"),
            "{es}"
        );
        assert!(en.contains("EOF"), "{en}");
    }
}
