//! What two configurations of an agent differ in, field by field and, in long texts, line by line.

use super::AgentConfiguration;
use crate::lead::words;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use similar::{ChangeTag, TextDiff};
use utoipa::ToSchema;

/// A text of one line and this length is read at a glance.
const LONGEST_GLANCE: usize = 80;
/// Texts of more lines are not compared line by line: it takes time with the square of them.
const MOST_LINES: usize = 2_000;

words! {
    /// What became of a line.
    LineChange {
        Same = "same",
        Added = "added",
        Removed = "removed",
    }
}

/// A line of a text, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LineDifference {
    pub change: LineChange,
    pub text: String,
}

/// A field that is not the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FieldDifference {
    #[schema(example = "settings.max_words")]
    pub path: String,
    /// As it was; null where there was nothing.
    pub before: Value,
    /// As it is; null where there is nothing.
    pub after: Value,
    /// Both as one text, line by line, where it is a long one.
    pub lines: Vec<LineDifference>,
}

/// What is not the same in two configurations.
///
/// # Errors
/// When one of them cannot be written down.
pub fn difference(
    before: &AgentConfiguration,
    after: &AgentConfiguration,
) -> Result<Vec<FieldDifference>> {
    let mut found = Vec::new();
    compare("", &plain(before)?, &plain(after)?, &mut found);
    Ok(found)
}

/// A configuration as it is written in an answer: there, a number of single precision is as short as
/// it was typed.
fn plain(configuration: &AgentConfiguration) -> Result<Value> {
    let text = serde_json::to_string(configuration).map_err(Error::internal)?;
    serde_json::from_str(&text).map_err(Error::internal)
}

fn compare(path: &str, before: &Value, after: &Value, found: &mut Vec<FieldDifference>) {
    if before == after {
        return;
    }
    let nothing = Map::new();
    let (old, new) = match (before, after) {
        (Value::Object(old), Value::Object(new)) => (old, new),
        // What is set as a whole is told by its parts.
        (Value::Object(old), Value::Null) => (old, &nothing),
        (Value::Null, Value::Object(new)) => (&nothing, new),
        _ => {
            found.push(FieldDifference {
                path: path.to_owned(),
                before: before.clone(),
                after: after.clone(),
                lines: lines(before, after),
            });
            return;
        }
    };
    let gone = old.keys().filter(|name| !new.contains_key(*name));
    for name in new.keys().chain(gone) {
        let part = if path.is_empty() {
            name.clone()
        } else {
            format!("{path}.{name}")
        };
        let of = |all: &Map<String, Value>| all.get(name).cloned().unwrap_or_default();
        compare(&part, &of(old), &of(new), found);
    }
}

fn lines(before: &Value, after: &Value) -> Vec<LineDifference> {
    let (Some(old), Some(new)) = (text(before), text(after)) else {
        return Vec::new();
    };
    let long = |text: &str| text.contains('\n') || text.chars().count() > LONGEST_GLANCE;
    if !long(old) && !long(new) {
        return Vec::new();
    }
    line_difference(old, new)
}

/// Two texts as one, line by line.
#[must_use]
pub fn line_difference(old: &str, new: &str) -> Vec<LineDifference> {
    if old.lines().count() + new.lines().count() > MOST_LINES {
        let all = |text: &str, change| {
            let lines = text.lines().map(|line| told(change, line));
            lines.collect::<Vec<_>>()
        };
        return [all(old, LineChange::Removed), all(new, LineChange::Added)].concat();
    }
    let difference = TextDiff::from_lines(old, new);
    let changes = difference.iter_all_changes().map(|line| {
        let change = match line.tag() {
            ChangeTag::Equal => LineChange::Same,
            ChangeTag::Delete => LineChange::Removed,
            ChangeTag::Insert => LineChange::Added,
        };
        told(change, line.value())
    });
    changes.collect()
}

/// The text of a field, where it is one or where there is none.
fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        Value::Null => Some(""),
        _ => None,
    }
}

fn told(change: LineChange, line: &str) -> LineDifference {
    let text = line.trim_end_matches(['\r', '\n']).to_owned();
    LineDifference { change, text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{AgentSettings, Vertical};
    use crate::language::Language;
    use serde_json::json;

    fn configuration(settings: Value) -> AgentConfiguration {
        AgentConfiguration {
            name: "Maya".to_owned(),
            company_name: "Sonrisa".to_owned(),
            vertical: Vertical::Dental,
            language: Language::Es,
            allows_personal_corpus: false,
            settings: serde_json::from_value::<AgentSettings>(settings).unwrap(),
        }
    }

    fn told_of(before: Value, after: Value) -> Vec<FieldDifference> {
        difference(&configuration(before), &configuration(after)).unwrap()
    }

    #[test]
    fn what_is_the_same_is_no_difference() {
        assert!(told_of(json!({}), json!({})).is_empty());
    }

    #[test]
    fn numbers_are_told_as_they_were_typed() {
        let found = told_of(json!({}), json!({ "similarity_threshold": 0.55 }));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path, "settings.similarity_threshold");
        assert_eq!(
            (&found[0].before, &found[0].after),
            (&json!(0.7), &json!(0.55))
        );
        assert!(found[0].lines.is_empty());
    }

    #[test]
    fn what_is_set_as_a_whole_is_told_by_its_parts() {
        let model = json!({ "provider": "openai", "model": "gpt-4.1-mini" });
        let found = told_of(json!({}), json!({ "fallback_model": model }));
        let paths: Vec<&str> = found.iter().map(|field| field.path.as_str()).collect();
        assert!(
            paths.contains(&"settings.fallback_model.provider"),
            "{paths:?}"
        );
        assert!(
            paths.contains(&"settings.fallback_model.model"),
            "{paths:?}"
        );
        assert!(found.iter().all(|field| field.before == Value::Null));
    }

    #[test]
    fn long_texts_are_told_line_by_line() {
        let old = "Saluda.\nSé breve.\nDespídete.";
        let new = "Saluda.\nSé muy breve.\nDespídete.";
        let text = |text: &str| json!({ "system_instructions": text });
        let found = told_of(text(old), text(new));
        let told: Vec<(LineChange, &str)> = found[0]
            .lines
            .iter()
            .map(|line| (line.change, line.text.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                (LineChange::Same, "Saluda."),
                (LineChange::Removed, "Sé breve."),
                (LineChange::Added, "Sé muy breve."),
                (LineChange::Same, "Despídete."),
            ]
        );
        let found = told_of(json!({}), text(old));
        let added = |line: &LineDifference| line.change == LineChange::Added;
        assert_eq!(
            (found[0].lines.len(), found[0].lines.iter().all(added)),
            (3, true)
        );
        let many = |word: &str| text(&format!("{word}\n").repeat(1_500));
        let found = told_of(many("a"), many("b"));
        assert_eq!(found[0].lines.len(), 3_000);
    }
}
