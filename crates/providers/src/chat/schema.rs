//! The part of JSON schema that Gemini understands. It refuses a request for anything else.

use serde_json::{Map, Value};

/// How deep a schema is followed. Deeper, anything goes.
const MOST_LEVELS: usize = 8;

/// A schema of arguments as Gemini takes it; `None` where there are no arguments.
pub(super) fn for_gemini(schema: &Value) -> Option<Value> {
    let cleaned = clean(schema, schema, 0);
    let has_properties = cleaned["properties"]
        .as_object()
        .is_some_and(|properties| !properties.is_empty());
    has_properties.then_some(cleaned)
}

fn clean(schema: &Value, root: &Value, level: usize) -> Value {
    let mut clean_one = Map::new();
    let Some(schema) = resolved(schema, root).as_object() else {
        return Value::Object(clean_one);
    };
    if level >= MOST_LEVELS {
        return Value::Object(clean_one);
    }
    let nested = |value: &Value| clean(value, root, level + 1);
    set_type(schema, &mut clean_one);
    for (name, value) in schema {
        let kept = match (name.as_str(), value) {
            // Empty choices are refused, and only texts are choices.
            ("enum", Value::Array(choices)) => {
                let texts: Vec<Value> = choices.iter().filter(|c| c.is_string()).cloned().collect();
                (!texts.is_empty() && texts.len() == choices.len()).then_some(Value::Array(texts))
            }
            ("const", text @ Value::String(_)) => {
                clean_one.insert("enum".to_owned(), Value::Array(vec![text.clone()]));
                None
            }
            ("format", Value::String(format)) => {
                let known = ["date-time", "enum", "int32", "int64", "float", "double"];
                known.contains(&format.as_str()).then(|| value.clone())
            }
            ("properties", Value::Object(properties)) => {
                let properties = properties.iter();
                let properties = properties.map(|(name, value)| (name.clone(), nested(value)));
                Some(Value::Object(properties.collect()))
            }
            ("items", items) => Some(nested(items)),
            ("anyOf" | "oneOf", Value::Array(choices)) => {
                any_of(choices, root, level, &mut clean_one);
                None
            }
            ("allOf", Value::Array(parts)) => {
                // One part is how a reference with a description is written.
                if let [part] = parts.as_slice()
                    && let Value::Object(part) = nested(part)
                {
                    for (name, value) in part {
                        clean_one.entry(name).or_insert(value);
                    }
                }
                None
            }
            (
                "description" | "title" | "required" | "nullable" | "minimum" | "maximum"
                | "minItems" | "maxItems" | "minLength" | "maxLength" | "pattern",
                value,
            ) => Some(value.clone()),
            _ => None,
        };
        if let Some(kept) = kept {
            clean_one.insert(name.clone(), kept);
        }
    }
    keep_required(&mut clean_one);
    Value::Object(clean_one)
}

/// A type is one word; that nothing is allowed too is said beside it.
fn set_type(schema: &Map<String, Value>, clean: &mut Map<String, Value>) {
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ if schema.contains_key("properties") => vec!["object"],
        _ if schema.contains_key("enum") || schema.contains_key("const") => vec!["string"],
        _ => return,
    };
    if kinds.contains(&"null") {
        clean.insert("nullable".to_owned(), true.into());
    }
    if let Some(kind) = kinds.iter().find(|kind| **kind != "null") {
        clean.insert("type".to_owned(), (*kind).into());
    }
}

/// Of several choices nothing is one that is said beside the others; one that is left is no choice.
fn any_of(choices: &[Value], root: &Value, level: usize, clean_one: &mut Map<String, Value>) {
    let is_null = |choice: &&Value| choice["type"] == "null";
    if choices.iter().any(|choice| is_null(&choice)) {
        clean_one.insert("nullable".to_owned(), true.into());
    }
    let others: Vec<Value> = choices
        .iter()
        .filter(|choice| !is_null(choice))
        .map(|choice| clean(choice, root, level + 1))
        .collect();
    match others.as_slice() {
        [Value::Object(only)] => {
            for (name, value) in only {
                clean_one
                    .entry(name.clone())
                    .or_insert_with(|| value.clone());
            }
        }
        [] => {}
        _ => {
            clean_one.insert("anyOf".to_owned(), Value::Array(others));
        }
    }
}

/// What is required has to be there.
fn keep_required(clean: &mut Map<String, Value>) {
    let Some(Value::Array(required)) = clean.get("required").cloned() else {
        clean.remove("required");
        return;
    };
    let known = |name: &Value| {
        let properties = clean.get("properties");
        name.as_str()
            .is_some_and(|name| properties.is_some_and(|p| p.get(name).is_some()))
    };
    let required: Vec<Value> = required.into_iter().filter(known).collect();
    if required.is_empty() {
        clean.remove("required");
    } else {
        clean.insert("required".to_owned(), Value::Array(required));
    }
}

/// What a reference points at, inside the same schema.
fn resolved<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let pointer = schema["$ref"].as_str().and_then(|r| r.strip_prefix('#'));
    match pointer.and_then(|pointer| root.pointer(pointer)) {
        Some(found) => found,
        None => schema,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_gemini_refuses_is_left_out() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "additionalProperties": false,
            "required": ["when", "gone"],
            "properties": {
                "when": { "type": "string", "format": "date-time", "examples": ["x"] },
                "day": { "type": "string", "format": "date" },
                "note": { "type": ["string", "null"], "default": null, "maxLength": 9 },
                "size": { "anyOf": [{ "type": "integer", "minimum": 1, "exclusiveMaximum": 9 }, { "type": "null" }] },
                "kind": { "enum": ["a", "b"] },
                "fixed": { "const": "a" },
                "number": { "type": "integer", "enum": [1, 2] },
                "items": { "type": "array", "items": { "$ref": "#/$defs/Item" }, "uniqueItems": true },
                "either": { "oneOf": [{ "type": "string" }, { "type": "integer" }] },
            },
            "$defs": { "Item": { "type": "object", "properties": { "name": { "type": "string" } } } },
        });
        assert_eq!(
            for_gemini(&schema).unwrap(),
            json!({
                "type": "object",
                "required": ["when"],
                "properties": {
                    "when": { "type": "string", "format": "date-time" },
                    "day": { "type": "string" },
                    "note": { "type": "string", "nullable": true, "maxLength": 9 },
                    "size": { "type": "integer", "minimum": 1, "nullable": true },
                    "kind": { "type": "string", "enum": ["a", "b"] },
                    "fixed": { "type": "string", "enum": ["a"] },
                    "number": { "type": "integer" },
                    "items": { "type": "array", "items": {
                        "type": "object", "properties": { "name": { "type": "string" } } } },
                    "either": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
                },
            })
        );
    }

    #[test]
    fn no_arguments_are_no_schema() {
        for empty in [
            json!({ "type": "object", "properties": {}, "additionalProperties": false }),
            json!({ "type": "object" }),
            json!({}),
            json!(null),
        ] {
            assert_eq!(for_gemini(&empty), None, "{empty}");
        }
    }

    #[test]
    fn a_schema_that_holds_itself_ends() {
        let schema = json!({
            "type": "object",
            "properties": { "child": { "$ref": "#" }, "name": { "type": "string" } },
        });
        let cleaned = for_gemini(&schema).unwrap();
        assert_eq!(cleaned["properties"]["child"]["type"], "object");
        assert!(cleaned.to_string().len() < 10_000);
    }
}
