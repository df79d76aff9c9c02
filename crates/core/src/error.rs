//! One error type and one table of codes for the whole product.

mod code;
mod noun;

pub use code::ErrorCode;

use crate::Timestamp;
use crate::language::Language;
use noun::noun;
use serde_json::{Map, Value};
use std::fmt;

pub type Result<T, E = Error> = std::result::Result<T, E>;

type Source = Box<dyn std::error::Error + Send + Sync>;

/// An error on its way to a person or a program.
///
/// Details are public; the source is for the log only.
pub struct Error(Box<Inner>);

struct Inner {
    code: ErrorCode,
    details: Map<String, Value>,
    /// Fillings that differ by language: (name, es, en). They never appear in the details.
    texts: Vec<(&'static str, String, String)>,
    /// What is wrong with each of the `fields` of the details: (es, en).
    field_texts: Vec<(String, String)>,
    source: Option<Source>,
}

impl Error {
    #[must_use]
    pub fn new(code: ErrorCode) -> Self {
        Self(Box::new(Inner {
            code,
            details: Map::new(),
            texts: Vec::new(),
            field_texts: Vec::new(),
            source: None,
        }))
    }

    #[must_use]
    pub fn not_found(resource: &'static str) -> Self {
        Self::new(ErrorCode::NotFound)
            .with("resource", resource)
            .with_noun("resource_name", resource)
    }

    #[must_use]
    pub fn already_exists(resource: &'static str, field: &'static str) -> Self {
        Self::new(ErrorCode::AlreadyExists)
            .with("resource", resource)
            .with("field", field)
            .with_noun("resource_name", resource)
            .with_noun("field_name", field)
    }

    /// Something that should not happen. The source is logged, the answer says nothing of it.
    pub fn internal(source: impl Into<Source>) -> Self {
        Self::new(ErrorCode::Internal).caused_by(source)
    }

    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.0.details.insert(name.to_owned(), value.into());
        self
    }

    /// A filling for the message that is written in each language.
    #[must_use]
    pub fn with_texts(mut self, name: &'static str, es: String, en: String) -> Self {
        self.0.texts.push((name, es, en));
        self
    }

    /// What is wrong with each of the `fields`, in their order and in each language.
    #[must_use]
    pub fn with_field_texts(mut self, texts: Vec<(String, String)>) -> Self {
        self.0.field_texts = texts;
        self
    }

    fn with_noun(self, name: &'static str, thing: &'static str) -> Self {
        let (es, en) = noun(thing);
        self.with_texts(name, es.to_owned(), en.to_owned())
    }

    /// Tells the client when to come back.
    #[must_use]
    pub fn retry_after(self, seconds: u64) -> Self {
        self.with("retry_after_seconds", seconds.max(1))
    }

    #[must_use]
    pub fn retry_at(self, now: Timestamp, at: Timestamp) -> Self {
        let seconds = u64::try_from(at.as_second() - now.as_second()).unwrap_or(0);
        self.retry_after(seconds)
    }

    /// The same with other names for the fields that are wrong, for whoever calls them differently.
    #[must_use]
    pub fn with_fields_renamed(mut self, names: &[(&str, &str)]) -> Self {
        let renamed = |name: &str| {
            let known = names.iter().find(|(from, _)| *from == name);
            known.map(|(_, to)| (*to).to_owned())
        };
        let rename = |value: &mut Value| {
            if let Some(name) = value.as_str().and_then(renamed) {
                *value = Value::String(name);
            }
        };
        for place in ["field", "about"] {
            self.0.details.get_mut(place).map(rename);
        }
        let fields = self.0.details.get_mut("fields");
        for field in fields.and_then(Value::as_array_mut).into_iter().flatten() {
            field.get_mut("field").map(rename);
        }
        // Each problem begins with the name of its field.
        let told = |text: &str| {
            let each = text.split("; ").map(|problem| {
                let (name, rest) = problem.split_once(' ').unwrap_or((problem, ""));
                renamed(name).map_or_else(|| problem.to_owned(), |name| format!("{name} {rest}"))
            });
            each.collect::<Vec<_>>().join("; ")
        };
        for (name, es, en) in &mut self.0.texts {
            if *name == "problems" {
                (*es, *en) = (told(es), told(en));
            }
        }
        self
    }

    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Source>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    #[must_use]
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    #[must_use]
    pub fn status(&self) -> u16 {
        self.0.code.status()
    }

    #[must_use]
    pub fn details(&self) -> &Map<String, Value> {
        &self.0.details
    }

    /// The details for a person, in whose language each field says what is wrong with it.
    #[must_use]
    pub fn told_details(&self, language: Language) -> Map<String, Value> {
        let mut details = self.0.details.clone();
        let fields = details.get_mut("fields").and_then(Value::as_array_mut);
        let told = fields.into_iter().flatten().zip(&self.0.field_texts);
        for (field, (es, en)) in told {
            let text = match language {
                Language::Es => es,
                Language::En => en,
            };
            if let Some(field) = field.as_object_mut() {
                field.insert("message".to_owned(), Value::from(text.as_str()));
            }
        }
        details
    }

    #[must_use]
    pub fn retry_after_seconds(&self) -> Option<u64> {
        self.0
            .details
            .get("retry_after_seconds")
            .and_then(Value::as_u64)
    }

    /// The sentence for a person.
    #[must_use]
    pub fn message(&self, language: Language) -> String {
        let mut text = self.0.code.template(language).to_owned();
        for (name, es, en) in &self.0.texts {
            let filling = if language == Language::Es { es } else { en };
            text = text.replace(&format!("{{{name}}}"), filling);
        }
        for (name, value) in &self.0.details {
            let filling = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            text = text.replace(&format!("{{{name}}}"), &filling);
        }
        text
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.code, self.message(Language::En))?;
        if let Some(source) = &self.0.source {
            write!(f, " ({source})")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|s| s as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn codes_are_unique_and_statuses_are_errors() {
        let codes: HashSet<_> = ErrorCode::ALL.iter().map(|c| c.as_str()).collect();
        assert_eq!(codes.len(), ErrorCode::ALL.len());
        for code in ErrorCode::ALL {
            assert!((400..600).contains(&code.status()), "{code}");
        }
    }

    #[test]
    fn fields_may_be_called_differently() {
        let mut checks = crate::validate::Checks::new();
        checks.problem("start", crate::validate::Problem::InThePast);
        checks.range("party", 0, 1, 10);
        checks.line("started", "", 10);
        let error = checks.finish().unwrap_err();
        let error = error.with_fields_renamed(&[("start", "time"), ("party", "party_size")]);
        let named: Vec<_> = error.details()["fields"]
            .as_array()
            .unwrap()
            .iter()
            .collect();
        let named: Vec<_> = named.iter().map(|field| &field["field"]).collect();
        assert_eq!(named, ["time", "party_size", "started"]);
        let told = error.message(Language::En);
        assert!(
            told.contains("time is in the past; party_size must be"),
            "{told}"
        );
        assert!(told.contains("; started must not"), "{told}");
    }

    #[test]
    fn messages_are_filled_in_both_languages_and_hide_the_source() {
        let error = Error::new(ErrorCode::PlanLimitReached)
            .with("plan", "free")
            .with_texts("limit_name", "agentes".to_owned(), "agents".to_owned())
            .with("value", 1)
            .caused_by("sqlx: password=hunter2");
        assert_eq!(
            error.message(Language::Es),
            "El plan free tiene un máximo de 1 agentes. Elimina algo o cambia de plan."
        );
        assert!(!error.message(Language::En).contains("hunter2"));
    }
}
