//! Reading what a model sends to a tool.

use super::Tool;
use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use quipu_core::{Error, ErrorCode, Result};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::LazyLock;

/// What a model sent, after its shape was checked.
#[derive(Clone, Debug)]
pub struct Arguments(Value);

/// How many problems are told at once.
const MOST_PROBLEMS: usize = 10;
/// How many values a model is offered in the place of a wrong one.
const MOST_ALLOWED: usize = 50;

static VALIDATORS: LazyLock<HashMap<&'static str, Validator>> = LazyLock::new(|| {
    let made = super::ALL.iter().map(|tool| {
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .build(&tool.parameters())
            .expect("the schema of a tool");
        (tool.name, validator)
    });
    made.collect()
});

/// Checks arguments against the schema of a tool. Fields that are null count as left out, because
/// models write both.
///
/// # Errors
/// `INVALID_ARGUMENTS` with everything that is wrong: where, what was expected, and which values are
/// allowed.
pub fn read(tool: &Tool, arguments: Value) -> Result<Arguments> {
    let arguments = match arguments {
        Value::Null => json!({}),
        other => without_nulls(other),
    };
    let Some(validator) = VALIDATORS.get(tool.name) else {
        return Err(Error::new(ErrorCode::UnknownTool));
    };
    let problems: Vec<Told> = validator
        .iter_errors(&arguments)
        .take(MOST_PROBLEMS)
        .map(|error| tell(&error))
        .collect();
    if problems.is_empty() {
        return Ok(Arguments(arguments));
    }
    Err(refused(tool, &problems))
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

struct Told {
    field: String,
    es: String,
    en: String,
    allowed: Option<Vec<Value>>,
}

fn refused(tool: &Tool, problems: &[Told]) -> Error {
    let list = |text: fn(&Told) -> &str| {
        let each = problems.iter().map(|problem| match problem.field.as_str() {
            "" => text(problem).to_owned(),
            field => format!("{field} {}", text(problem)),
        });
        each.collect::<Vec<_>>().join("; ")
    };
    let fields: Vec<Value> = problems
        .iter()
        .map(|problem| match &problem.allowed {
            Some(allowed) => json!({ "field": problem.field, "allowed": allowed }),
            None => json!({ "field": problem.field }),
        })
        .collect();
    let schema = tool.parameters();
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

fn tell(error: &ValidationError<'_>) -> Told {
    let path = error.instance_path().to_string();
    let field = path.trim_start_matches('/').replace('/', ".");
    let (es, en, allowed) = match error.kind() {
        ValidationErrorKind::Enum { options } => {
            let options = options.as_array().cloned().unwrap_or_default();
            (
                "no es uno de los valores admitidos".to_owned(),
                "is not one of the allowed values".to_owned(),
                Some(options.into_iter().take(MOST_ALLOWED).collect()),
            )
        }
        ValidationErrorKind::Required { property } => {
            let property = property.as_str().unwrap_or_default();
            (
                format!("falta {property}"),
                format!("{property} is missing"),
                None,
            )
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let names = unexpected.join(", ");
            (
                format!("no admite {names}"),
                format!("does not take {names}"),
                None,
            )
        }
        ValidationErrorKind::Type { .. } => (
            "es de otro tipo que el esperado".to_owned(),
            error.to_string().chars().take(200).collect(),
            None,
        ),
        ValidationErrorKind::Format { format } => (
            format!("no tiene el formato {format}"),
            format!("is not of the format {format}"),
            None,
        ),
        ValidationErrorKind::Pattern { pattern } => (
            format!("no tiene la forma {pattern}"),
            format!("is not of the form {pattern}"),
            None,
        ),
        _ => {
            let text: String = error.to_string().chars().take(200).collect();
            ("está fuera de los límites".to_owned(), text, None)
        }
    };
    Told {
        field,
        es,
        en,
        allowed,
    }
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
