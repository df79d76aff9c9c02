//! Single fields of what Vapi says, within bounds.

use super::{VoiceRole, VoiceWords};
use crate::inbound::RefusedItem;
use quipu_core::Timestamp;
use serde_json::Value;

pub(super) const LONGEST_ID: usize = 200;
const LONGEST_URL: usize = 2_048;
/// One thing that was said.
const LONGEST_WORDS: usize = 20_000;
/// Everything that was said in a call of several hours.
pub(super) const LONGEST_TRANSCRIPT: usize = 500_000;
/// More than is said in a call of several hours.
pub(super) const MOST_ITEMS: usize = 5_000;

pub(super) fn refused(path: impl Into<String>, reason: &str) -> RefusedItem {
    RefusedItem {
        path: path.into(),
        reason: reason.to_owned(),
    }
}

/// A short text that has to be there.
pub(super) fn word(value: &Value, path: &str) -> Result<String, RefusedItem> {
    word_if_any(value, path)?.ok_or_else(|| refused(path, "it is not there"))
}

pub(super) fn word_if_any(value: &Value, path: &str) -> Result<Option<String>, RefusedItem> {
    text(value, path, LONGEST_ID)
}

/// A text that is not empty. One that is too long is refused and not cut.
pub(super) fn text(value: &Value, path: &str, most: usize) -> Result<Option<String>, RefusedItem> {
    let Some(text) = value
        .as_str()
        .map(str::trim)
        .filter(|text| !text.is_empty())
    else {
        return Ok(None);
    };
    if text.chars().count() > most {
        return Err(refused(path, "it is too long"));
    }
    // A database keeps everything but this sign.
    Ok(Some(text.replace('\0', " ")))
}

pub(super) fn url(value: &Value) -> Option<String> {
    let url = value.as_str()?.trim();
    let is_one = url.len() <= LONGEST_URL && url.starts_with("https://");
    is_one.then(|| url.to_owned())
}

pub(super) fn moment(value: &Value) -> Option<Timestamp> {
    value.as_str()?.parse().ok()
}

/// A number of dollars or of seconds.
pub(super) fn amount(value: &Value) -> Option<f64> {
    value.as_f64().filter(|amount| (0.0..1e9).contains(amount))
}

/// Who speaks, as Vapi calls them or as OpenAI does. Nobody for instructions and tools.
pub(super) fn role(value: &Value) -> Option<VoiceRole> {
    match value.as_str()? {
        "user" => Some(VoiceRole::User),
        "assistant" | "bot" => Some(VoiceRole::Assistant),
        _ => None,
    }
}

/// What was said, from a list of Vapi (`message`) or of OpenAI (`content`).
pub(super) fn words(listed: &Value, path: &str) -> Result<VoiceWords, RefusedItem> {
    let listed = listed.as_array().map(Vec::as_slice).unwrap_or_default();
    if listed.len() > MOST_ITEMS {
        return Err(refused(path, "there are too many"));
    }
    let mut words = Vec::new();
    for (index, item) in listed.iter().enumerate() {
        let Some(role) = role(&item["role"]) else {
            continue;
        };
        let said = match &item["message"] {
            Value::Null => &item["content"],
            said => said,
        };
        let joined = parts(said);
        let path = format!("{path}[{index}]");
        if let Some(said) = text(joined.as_ref().unwrap_or(said), &path, LONGEST_WORDS)? {
            words.push((role, said));
        }
    }
    Ok(words)
}

/// The words of a content in parts.
fn parts(content: &Value) -> Option<Value> {
    let texts = content.as_array()?.iter();
    let texts: Vec<&str> = texts.filter_map(|part| part["text"].as_str()).collect();
    Some(Value::from(texts.join(" ")))
}
