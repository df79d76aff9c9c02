//! Single fields of what `TikTok` delivers, within bounds.

use crate::inbound::RefusedItem;
use quipu_core::Timestamp;
use serde_json::Value;

pub(super) const LONGEST_ID: usize = 200;
pub(super) const LONGEST_TEXT: usize = 20_000;
pub(super) const LONGEST_NAME: usize = 100;
const LONGEST_URL: usize = 2_048;

pub(super) fn refused(path: impl Into<String>, reason: &str) -> RefusedItem {
    RefusedItem {
        path: path.into(),
        reason: reason.to_owned(),
    }
}

/// An id that has to be there.
pub(super) fn id(holder: &Value, place: &str, key: &str) -> Result<String, RefusedItem> {
    id_if_any(holder, place, key)?
        .ok_or_else(|| refused(format!("{place}.{key}"), "it is not there"))
}

/// An id that may be missing. Some of them come as numbers that no floating-point number holds.
pub(super) fn id_if_any(
    holder: &Value,
    place: &str,
    key: &str,
) -> Result<Option<String>, RefusedItem> {
    let id = match &holder[key] {
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_i64() || number.is_u64() => number.to_string(),
        _ => return Ok(None),
    };
    if id.chars().count() > LONGEST_ID {
        return Err(refused(format!("{place}.{key}"), "it is too long"));
    }
    Ok(Some(id).filter(|id| !id.is_empty()))
}

/// The beginning of a text, as much of it as is kept of names.
pub(super) fn name(value: &Value) -> Option<String> {
    let name: String = value.as_str()?.trim().chars().take(LONGEST_NAME).collect();
    Some(name).filter(|name| !name.is_empty())
}

/// An address of a file or of a page.
pub(super) fn url(value: &Value) -> Option<String> {
    let url = value.as_str()?.trim();
    let is_one = url.len() <= LONGEST_URL && url.starts_with("https://");
    is_one.then(|| url.to_owned())
}

pub(super) fn millisecond(value: &Value) -> Option<Timestamp> {
    Timestamp::from_millisecond(positive(value)?).ok()
}

pub(super) fn second(value: &Value) -> Option<Timestamp> {
    Timestamp::from_second(positive(value)?).ok()
}

/// A whole number, which is sometimes written as a text.
pub(super) fn whole(value: &Value) -> Option<i64> {
    value
        .as_i64()
        .or_else(|| value.as_str().and_then(|text| text.trim().parse().ok()))
}

fn positive(value: &Value) -> Option<i64> {
    whole(value).filter(|number| *number > 0)
}
