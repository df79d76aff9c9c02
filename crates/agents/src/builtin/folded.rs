//! Texts made comparable.

use quipu_core::text::fold;

/// A text without accents, capitals, signs and emoji, with one space between its words.
pub(super) fn folded(text: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c } else { ' ' };
    let text: String = fold(text).chars().map(plain).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether one of these phrases stands in a folded text as whole words.
pub(super) fn says(text: &str, phrases: &[&str]) -> bool {
    let text = format!(" {text} ");
    phrases
        .iter()
        .any(|phrase| text.contains(&format!(" {phrase} ")))
}

/// Whether a word of a folded text begins with one of these.
pub(super) fn begins(text: &str, starts: &[&str]) -> bool {
    text.split(' ')
        .any(|word| starts.iter().any(|start| word.starts_with(start)))
}

/// The text of a JSON field, unless it is missing or empty.
pub(super) fn field<'a>(value: &'a serde_json::Value, name: &str) -> Option<&'a str> {
    value[name]
        .as_str()
        .map(str::trim)
        .filter(|text| !text.is_empty())
}

/// The objects of a JSON list.
pub(super) fn items<'a>(value: &'a serde_json::Value, name: &str) -> &'a [serde_json::Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}
