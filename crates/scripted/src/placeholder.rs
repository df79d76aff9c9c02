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
    replaced(text, "tool", escaped, |path| of_tool(path, &results))
}

/// Replaces every `{{NAME.path}}` by what a value holds there, as [`fill`] does with tools. Of an
/// instant such as `2026-03-11T17:00`, `.date` and `.time` are its parts.
#[must_use]
pub fn fill_from(text: &str, name: &str, value: &Value, escaped: bool) -> String {
    replaced(text, name, escaped, |path| at(path, value))
}

fn replaced(
    text: &str,
    name: &str,
    escaped: bool,
    found: impl Fn(&str) -> Option<Value>,
) -> String {
    let opening = format!("{{{{{name}.");
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(&opening) {
        filled.push_str(before);
        let Some((path, behind)) = after.split_once("}}") else {
            filled.push_str(&opening);
            rest = after;
            continue;
        };
        match found(path) {
            Some(Value::String(text)) if escaped => {
                let quoted = Value::String(text).to_string();
                filled.push_str(&quoted[1..quoted.len() - 1]);
            }
            Some(Value::String(text)) => filled.push_str(&text),
            Some(value) => filled.push_str(&value.to_string()),
            None => {
                filled.push_str(&opening);
                filled.push_str(path);
                filled.push_str("}}");
            }
        }
        rest = behind;
    }
    filled.push_str(rest);
    filled
}

fn of_tool(path: &str, results: &[(String, Value)]) -> Option<Value> {
    let (name, path) = path.split_once('.').unwrap_or((path, ""));
    let (_, result) = results.iter().rev().find(|(tool, _)| tool == name)?;
    at(path, result)
}

/// What lies at a path: names and numbers between points, and `[field=value]` for the first entry
/// of a list whose field has that value, as in `slots[time=09:30].slot_id`.
fn at(path: &str, value: &Value) -> Option<Value> {
    let mut value = value;
    for step in steps(path) {
        value = match step {
            Step::Into(name) => match value {
                Value::Array(all) => all.get(name.parse::<usize>().ok()?)?,
                // Nothing lies inside a text, so that this is the last step.
                Value::String(instant) => return part_of(instant, name),
                value => value.get(name)?,
            },
            Step::With(field, wanted) => value.as_array()?.iter().find(|one| {
                let written = one[field].to_string();
                written.trim_matches('"') == wanted
            })?,
        };
    }
    Some(value.clone())
}

fn part_of(instant: &str, part: &str) -> Option<Value> {
    let (date, time) = instant.split_once('T')?;
    match part {
        "date" => Some(date.into()),
        "time" => Some(time.into()),
        _ => None,
    }
}

enum Step<'a> {
    Into(&'a str),
    With(&'a str, &'a str),
}

fn steps(path: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        rest = rest.trim_start_matches('.');
        if let Some((inside, behind)) = rest
            .strip_prefix('[')
            .and_then(|inside| inside.split_once(']'))
            && let Some((field, wanted)) = inside.split_once('=')
        {
            steps.push(Step::With(field, wanted));
            rest = behind;
            continue;
        }
        let end = rest
            .char_indices()
            .skip(1)
            .find(|(_, c)| matches!(c, '.' | '['));
        let end = end.map_or(rest.len(), |(at, _)| at);
        let (name, behind) = rest.split_at(end);
        steps.push(Step::Into(name));
        rest = behind;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn entries_of_lists_are_found_by_place_and_by_what_they_hold() {
        let results = [
            ("find".to_owned(), json!({ "slots": [] })),
            (
                "find".to_owned(),
                json!({ "slots": [
                    { "time": "09:30", "id": "a", "seats": 2 },
                    { "time": "16:00", "id": "b", "seats": 4 },
                ], "zone": "x.y" }),
            ),
        ];
        let at = |path: &str| of_tool(path, &results);
        assert_eq!(at("find.slots.1.id"), Some(json!("b")));
        assert_eq!(at("find.slots[time=16:00].id"), Some(json!("b")));
        assert_eq!(at("find.slots[seats=2].time"), Some(json!("09:30")));
        assert_eq!(at("find.zone"), Some(json!("x.y")));
        assert_eq!(at("find.slots[time=10:00].id"), None);
        assert_eq!(at("find.slots.7.id"), None);
        assert_eq!(at("other.zone"), None);
        assert_eq!(at("find").unwrap()["zone"], "x.y");
    }
    #[test]
    fn texts_are_filled_from_a_value_and_inside_out() {
        let value = json!({ "visit": { "start": "2026-03-11T17:00", "name": "Ana \"la\" Sol" } });
        let filled = |text: &str, escaped| fill_from(text, "scene", &value, escaped);
        assert_eq!(filled("{{scene.visit.start.date}}", false), "2026-03-11");
        assert_eq!(
            filled("slots[time={{scene.visit.start.time}}]", false),
            "slots[time=17:00]"
        );
        assert_eq!(
            filled(
                "{{tool.find.slots[time={{scene.visit.start.time}}].id}}",
                false
            ),
            "{{tool.find.slots[time=17:00].id}}"
        );
        let quoted = r#""Ana \"la\" Sol""#;
        assert_eq!(filled("\"{{scene.visit.name}}\"", true), quoted);
        for open in [
            "{{scene.visit.name.date}}",
            "{{scene.visit.end}}",
            "{{scene.",
        ] {
            assert_eq!(filled(open, false), open);
        }
    }
}
