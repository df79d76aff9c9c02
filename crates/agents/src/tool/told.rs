//! What a model is told about arguments that do not fit, in both languages.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value;

/// The patterns of arguments that have a better name than what they are made of.
const TIME: &str = "^([01]?[0-9]|2[0-3]):[0-5][0-9]$";
const POSTAL_CODE: &str = "^[0-9]{5}$";
/// How many values a model is offered in the place of a wrong one.
const MOST_ALLOWED: usize = 50;
/// How much is repeated of a name that a model made up.
const LONGEST_NAME: usize = 80;
/// What the arguments as a whole are called.
const WHOLE: &str = "arguments";

/// One thing that is wrong.
pub(super) struct Told {
    /// Where, never empty.
    pub(super) field: String,
    pub(super) es: String,
    pub(super) en: String,
    pub(super) allowed: Option<Vec<Value>>,
}

pub(super) fn tell(error: &ValidationError<'_>) -> Vec<Told> {
    let path = error.instance_path().to_string();
    let path = path.trim_start_matches('/').replace('/', ".");
    let inside = |name: &str| {
        let name: String = name.chars().take(LONGEST_NAME).collect();
        match path.as_str() {
            "" => name,
            path => format!("{path}.{name}"),
        }
    };
    match error.kind() {
        Kind::Required { property } => {
            let field = inside(property.as_str().unwrap_or(WHOLE));
            let (es, en) = (format!("falta {field}"), format!("{field} is missing"));
            vec![told(field, es, en)]
        }
        Kind::AdditionalProperties { unexpected } => {
            let fields = unexpected.iter().map(|name| inside(name));
            let each = fields.map(|field| {
                let es = format!("no se admite {field}");
                let en = format!("{field} is not taken");
                told(field, es, en)
            });
            each.collect()
        }
        kind => {
            let field = if path.is_empty() { WHOLE } else { &path };
            let (es, en) = wrong(kind, error);
            let mut problem = told(
                field.to_owned(),
                format!("{field} {es}"),
                format!("{field} {en}"),
            );
            if let Kind::Enum { options } = kind {
                let options = options.as_array().into_iter().flatten();
                problem.allowed = Some(options.take(MOST_ALLOWED).cloned().collect());
            }
            vec![problem]
        }
    }
}

fn told(field: String, es: String, en: String) -> Told {
    Told {
        field,
        es,
        en,
        allowed: None,
    }
}

/// What is wrong with a value.
fn wrong(kind: &Kind, error: &ValidationError<'_>) -> (String, String) {
    match kind {
        Kind::Enum { .. } => both(
            "no es uno de los valores admitidos",
            "is not one of the allowed values",
        ),
        Kind::Type { kind } => {
            let (es, en) = match kind {
                TypeKind::Single(one) => expected(&one.to_string()),
                TypeKind::Multiple(_) => ("de otro tipo", "of another type"),
            };
            (format!("debe ser {es}"), format!("must be {en}"))
        }
        Kind::Format { format } if format == "date" => both(
            "no es una fecha que exista, como 2026-11-20",
            "is not a date that exists, such as 2026-11-20",
        ),
        Kind::Format { format } if format == "uuid" => both(
            "no es un id como los que dan las herramientas",
            "is not an id as tools give them",
        ),
        Kind::Pattern { pattern } if pattern == TIME => both(
            "no es una hora entre 00:00 y 23:59, como 09:30",
            "is not a time between 00:00 and 23:59 such as 09:30",
        ),
        Kind::Pattern { pattern } if pattern == POSTAL_CODE => both(
            "no es un código postal de 5 dígitos",
            "is not a postal code of 5 digits",
        ),
        Kind::Minimum { limit } => at_least(&limit.to_string()),
        Kind::Maximum { limit } => (
            format!("debe ser como máximo {limit}"),
            format!("must be at most {limit}"),
        ),
        Kind::MinLength { limit: 1 } | Kind::MinItems { limit: 1 } => {
            both("no puede estar vacío", "must not be empty")
        }
        Kind::MinLength { limit } => (
            format!("necesita al menos {limit} caracteres"),
            format!("needs at least {limit} characters"),
        ),
        Kind::MaxLength { limit } => (
            format!("admite como máximo {limit} caracteres"),
            format!("takes at most {limit} characters"),
        ),
        Kind::MaxItems { limit } => (
            format!("admite como máximo {limit} elementos"),
            format!("takes at most {limit} items"),
        ),
        _ => {
            let text: String = error.to_string().chars().take(200).collect();
            ("no es válido".to_owned(), format!("is not valid: {text}"))
        }
    }
}

fn both(es: &str, en: &str) -> (String, String) {
    (es.to_owned(), en.to_owned())
}

fn at_least(limit: &str) -> (String, String) {
    (
        format!("debe ser al menos {limit}"),
        format!("must be at least {limit}"),
    )
}

/// What a type of JSON is called.
fn expected(kind: &str) -> (&'static str, &'static str) {
    match kind {
        "integer" => ("un número entero", "a whole number"),
        "number" => ("un número", "a number"),
        "string" => ("un texto", "a text"),
        "boolean" => ("true o false", "true or false"),
        "array" => ("una lista", "a list"),
        "object" => ("un objeto", "an object"),
        _ => ("de otro tipo", "of another type"),
    }
}
