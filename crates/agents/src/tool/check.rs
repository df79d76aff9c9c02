//! Reading what a model sends to a tool.

use super::Tool;
use super::told::{Told, tell};
use jsonschema::Validator;
use quipu_core::{Error, ErrorCode, Result};
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value, json};
use std::collections::HashMap;
use std::sync::LazyLock;

/// What a model sent, after its shape was checked.
#[derive(Clone, Debug)]
pub struct Arguments(Value);

/// How many problems are told at once.
const MOST_PROBLEMS: usize = 10;

/// A schema and what checks by it.
struct Checker {
    schema: Value,
    validator: Validator,
}

static CHECKERS: LazyLock<HashMap<&'static str, Checker>> = LazyLock::new(|| {
    let made = super::ALL.iter().map(|tool| {
        let schema = tool.parameters();
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .build(&schema)
            .expect("the schema of a tool");
        (tool.name, Checker { schema, validator })
    });
    made.collect()
});

/// Checks arguments against the schema of a tool. Fields that are null count as left out, and a whole
/// number may be written as a text, because models write both.
///
/// # Errors
/// `INVALID_ARGUMENTS` with everything that is wrong: where, what was expected, and which values are
/// allowed.
pub fn read(tool: &Tool, arguments: Value) -> Result<Arguments> {
    let mut arguments = match arguments {
        Value::Null => json!({}),
        other => without_nulls(other),
    };
    let Some(checker) = CHECKERS.get(tool.name) else {
        return Err(Error::new(ErrorCode::UnknownTool));
    };
    read_numbers(&checker.schema, &mut arguments);
    let errors = checker.validator.iter_errors(&arguments);
    let problems: Vec<Told> = errors
        .take(MOST_PROBLEMS)
        .flat_map(|error| tell(&error))
        .take(MOST_PROBLEMS)
        .collect();
    if problems.is_empty() {
        return Ok(Arguments(arguments));
    }
    Err(refused(&checker.schema, &problems))
}

impl Arguments {
    /// The arguments as the type that the schema was made from.
    ///
    /// # Errors
    /// `INVALID_ARGUMENTS` for what a schema cannot say, such as a day that does not exist.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_value(self.0.clone()).map_err(|error| {
            let reason: String = error.to_string().chars().take(200).collect();
            Error::new(ErrorCode::InvalidArguments).with("problems", reason)
        })
    }

    #[must_use]
    pub const fn value(&self) -> &Value {
        &self.0
    }
}

fn refused(schema: &Value, problems: &[Told]) -> Error {
    let list = |text: fn(&Told) -> &str| {
        let each: Vec<&str> = problems.iter().map(text).collect();
        each.join("; ")
    };
    let fields: Vec<Value> = problems
        .iter()
        .map(|problem| match &problem.allowed {
            Some(allowed) => json!({ "field": problem.field, "allowed": allowed }),
            None => json!({ "field": problem.field }),
        })
        .collect();
    let names: Vec<&String> = schema["properties"]
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .collect();
    let mut error = Error::new(ErrorCode::InvalidArguments)
        .with_texts(
            "problems",
            list(|problem| &problem.es),
            list(|problem| &problem.en),
        )
        .with("fields", fields)
        .with("takes", json!(names))
        .with("requires", schema["required"].clone());
    if let Some(allowed) = problems.iter().find_map(|problem| problem.allowed.clone()) {
        error = error.with("allowed", allowed);
    }
    error
}

/// Reads whole numbers that were written as a text or with an empty fraction, wherever the schema
/// wants one.
fn read_numbers(schema: &Value, value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                read_numbers(&schema["properties"][name.as_str()], value);
            }
        }
        Value::Array(items) => {
            for item in items {
                read_numbers(&schema["items"], item);
            }
        }
        other if schema["type"] == "integer" => {
            let number = match other {
                Value::String(text) => text.trim().parse().ok(),
                Value::Number(number) => whole(number),
                _ => None,
            };
            if let Some(number) = number {
                *other = Value::from(number);
            }
        }
        _ => {}
    }
}

/// `3.0` is 3.
fn whole(number: &Number) -> Option<i64> {
    let text = number.to_string();
    text.strip_suffix(".0").unwrap_or(&text).parse().ok()
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name, without_nulls(value)))
            .collect(),
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        other => other,
    }
}
