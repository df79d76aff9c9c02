//! Fields of what WhatsApp delivers, with bounds.

use quipu_core::Timestamp;
use serde_json::Value;

/// Why an item is refused. Nothing that a customer wrote stands in it.
pub(super) type Reason = &'static str;

const LONGEST_ID: usize = 200;
const LONGEST_NAME: usize = 100;
const LONGEST_TEXT: usize = 20_000;
const LONGEST_WORD: usize = 60;

/// Text that is there and not empty.
pub(super) fn filled<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str().filter(|text| !text.is_empty())
}

/// An id, which some fields have as a number.
///
/// One that is too long is refused and not cut, since another thing may begin alike.
pub(super) fn id(value: &Value, key: &str) -> Result<Option<String>, Reason> {
    let id = match value.get(key) {
        Some(Value::String(text)) if !text.is_empty() => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => return Ok(None),
    };
    if id.chars().count() > LONGEST_ID {
        return Err("an id is longer than 200 characters");
    }
    Ok(Some(id))
}

/// The item's own id.
pub(super) fn own_id(value: &Value) -> Result<String, Reason> {
    id(value, "id")?.ok_or("its id is not there")
}

/// A number in digits with its country code. Anything else is nobody's number.
pub(super) fn phone(value: &Value, key: &str) -> Option<String> {
    let text = filled(value, key)?.trim();
    let digits = text.strip_prefix('+').unwrap_or(text);
    let is_number =
        (5..=20).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.to_owned())
}

/// What somebody wrote. It is whole or refused.
pub(super) fn text(value: &Value, key: &str) -> Result<Option<String>, Reason> {
    match filled(value, key) {
        Some(text) if text.chars().count() > LONGEST_TEXT => {
            Err("a text is longer than 20,000 characters")
        }
        text => Ok(text.map(str::to_owned)),
    }
}

/// A name, shortened where it is very long.
pub(super) fn name(value: &Value, key: &str) -> Option<String> {
    let name = filled(value, key)?.trim();
    let shortened: String = name.chars().take(LONGEST_NAME).collect();
    (!shortened.is_empty()).then_some(shortened)
}

/// A moment in seconds, which most fields have as text.
pub(super) fn moment(value: &Value) -> Result<Timestamp, Reason> {
    let seconds = match value.get("timestamp") {
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(number) => number.as_i64(),
        None => None,
    };
    seconds
        .and_then(|seconds| Timestamp::from_second(seconds).ok())
        .ok_or("its time is not there or is no time")
}

/// A word of the protocol, fit for logs and tables.
pub(super) fn word(text: &str) -> &str {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if (1..=LONGEST_WORD).contains(&text.len()) && text.bytes().all(is_plain) {
        text
    } else {
        "unknown"
    }
}

/// Data that is kept as the channel tells it, where it is no longer than a text may be.
pub(super) fn data(value: &Value) -> Result<Value, Reason> {
    if value.to_string().len() > LONGEST_TEXT {
        return Err("its data is longer than 20,000 bytes");
    }
    Ok(value.clone())
}
