//! Careful reading of single fields, with bounds.

use crate::signature::hmac_sha256;
use quipu_core::Timestamp;
use serde_json::Value;

pub(super) const LONGEST_ID: usize = 200;
const LONGEST_TEXT: usize = 20_000;
/// What a button gives back. Graph takes no longer one.
const LONGEST_PAYLOAD: usize = 1_000;
const LONGEST_URL: usize = 4_096;
/// Times before this one, in 1973, are in seconds: the tests of the dashboard write them so.
const FIRST_MILLISECOND: i64 = 100_000_000_000;

/// Why an item is refused: in English, without anything that a customer wrote.
pub(super) type Refusal = &'static str;

/// A member of an object, unless it is null. Libraries that pass deliveries on, such as Bottender,
/// write the names in camel case.
pub(super) fn get<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    let object = value.as_object()?;
    let found = object
        .get(name)
        .or_else(|| object.get(&in_camel_case(name)));
    found.filter(|found| !found.is_null())
}

fn in_camel_case(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    let mut raised = false;
    for sign in name.chars() {
        if sign == '_' {
            raised = true;
        } else {
            camel.push(if raised {
                sign.to_ascii_uppercase()
            } else {
                sign
            });
            raised = false;
        }
    }
    camel
}

pub(super) fn flag(value: &Value, name: &str) -> bool {
    get(value, name).and_then(Value::as_bool) == Some(true)
}

/// An id, which is text or a number.
pub(super) fn id(value: &Value, name: &str) -> Result<Option<String>, Refusal> {
    let id = match get(value, name) {
        Some(Value::String(id)) => id.clone(),
        Some(Value::Number(id)) if !id.is_f64() => id.to_string(),
        _ => return Ok(None),
    };
    if id.chars().count() > LONGEST_ID {
        return Err("an id is too long");
    }
    Ok(Some(id).filter(|id| !id.is_empty()))
}

/// Text with something in it.
pub(super) fn text(value: &Value, name: &str) -> Result<Option<String>, Refusal> {
    bounded(value, name, LONGEST_TEXT, "a text is too long")
}

pub(super) fn payload(value: &Value, name: &str) -> Result<Option<String>, Refusal> {
    bounded(value, name, LONGEST_PAYLOAD, "a payload is too long")
}

pub(super) fn address(value: &Value, name: &str) -> Result<Option<String>, Refusal> {
    bounded(value, name, LONGEST_URL, "an address is too long")
}

fn bounded(
    value: &Value,
    name: &str,
    longest: usize,
    too_long: Refusal,
) -> Result<Option<String>, Refusal> {
    let Some(text) = get(value, name).and_then(Value::as_str) else {
        return Ok(None);
    };
    if text.chars().count() > longest {
        return Err(too_long);
    }
    Ok(Some(text.to_owned()).filter(|text| !text.trim().is_empty()))
}

/// A moment, which is a number or text.
pub(super) fn moment(value: &Value, name: &str) -> Result<Option<Timestamp>, Refusal> {
    let Some(said) = get(value, name) else {
        return Ok(None);
    };
    let number = match said {
        Value::String(said) => said.trim().parse().ok(),
        said => said.as_i64(),
    };
    let read = number.and_then(|number: i64| {
        if number < FIRST_MILLISECOND {
            Timestamp::from_second(number).ok()
        } else {
            Timestamp::from_millisecond(number).ok()
        }
    });
    read.map(Some).ok_or("a time is no time")
}

/// A word of the platform, such as the type of an attachment: `None` for anything that is no such
/// word, because it may go into a log.
pub(super) fn word(value: &Value, name: &str) -> Option<String> {
    let word = get(value, name)?.as_str()?;
    let is_word = !word.is_empty()
        && word.len() <= 40
        && word
            .bytes()
            .all(|sign| sign.is_ascii_lowercase() || sign == b'_');
    is_word.then(|| word.to_owned())
}

/// An id for something that has none of its own. The same delivery gives the same one again.
pub(super) fn derived(kind: &str, parts: &[&str]) -> String {
    let lengths = parts.iter().map(|part| format!("{}:{part}", part.len()));
    let joined: String = lengths.collect();
    let digest = hmac_sha256(kind.as_bytes(), &[joined.as_bytes()]);
    format!("{kind}.{}", hex::encode(&digest[..16]))
}
