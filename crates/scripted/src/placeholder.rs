//! Fills what a script leaves open from what tools returned.

use super::asked::Asked;
use serde_json::Value;

/// Replaces every `{{tool.NAME.path}}` by what the last result of the tool holds there. What is
/// not there stays as it is written, so that a test sees it. `escaped` is for texts inside JSON.
pub(super) fn fill(text: &str, asked: &Asked, escaped: bool) -> String {
    if !text.contains("{{tool.") {
        return text.to_owned();
    }
    let results = asked.tool_results();
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{tool.") {
        filled.push_str(before);
        let Some((path, behind)) = after.split_once("}}") else {
            filled.push_str("{{tool.");
            rest = after;
            continue;
        };
        match found(path, &results) {
            Some(Value::String(text)) if escaped => {
                let quoted = Value::String(text.clone()).to_string();
                filled.push_str(&quoted[1..quoted.len() - 1]);
            }
            Some(Value::String(text)) => filled.push_str(text),
            Some(value) => filled.push_str(&value.to_string()),
            None => {
                filled.push_str("{{tool.");
                filled.push_str(path);
                filled.push_str("}}");
            }
        }
        rest = behind;
    }
    filled.push_str(rest);
    filled
}

fn found<'a>(path: &str, results: &'a [(String, Value)]) -> Option<&'a Value> {
    let (name, pointer) = path.split_once('.').unwrap_or((path, ""));
    let (_, value) = results.iter().rev().find(|(tool, _)| tool == name)?;
    if pointer.is_empty() {
        return Some(value);
    }
    value.pointer(&format!("/{}", pointer.replace('.', "/")))
}
