//! Why Graph refuses something on these channels.

use crate::failure::{FailureKind, SendFailure};
use quipu_core::language::Language;
use serde::Deserialize;
use serde_json::Value;
use std::sync::LazyLock;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ErrorTable {
    error: Vec<KnownError>,
}

/// A code, or a code with the subcode that says more.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownError {
    code: i64,
    subcode: Option<i64>,
    kind: ErrorKind,
    es: String,
    en: String,
}

/// The kinds as the table writes them.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ErrorKind {
    Transient,
    Throttled,
    WindowClosed,
    Unreachable,
    Account,
    Rejected,
    Unknown,
}

static TABLE: LazyLock<Vec<KnownError>> = LazyLock::new(|| {
    let table: ErrorTable = toml::from_str(include_str!("../../data/pages_errors.toml"))
        .expect("a test reads the file, which is a part of the program");
    table.error
});

/// What an answer of Graph means. Its sentence is not kept, because it may repeat what was written.
#[must_use]
pub fn failure(status: u16, retry_after: Option<u64>, body: &Value) -> SendFailure {
    let error = body.get("error");
    let number = |name| {
        error
            .and_then(|error| error.get(name))
            .and_then(Value::as_i64)
    };
    let code = number("code");
    let known = code.and_then(|code| find(code, number("error_subcode")));
    let failure = if let Some(known) = known {
        let code = known.subcode.unwrap_or(known.code);
        SendFailure::new(known.kind.into(), Some(code), known.en.as_str())
    } else {
        let passes = error.and_then(|error| error.get("is_transient")) == Some(&Value::Bool(true));
        let reason = format!("the channel answered with {status}");
        SendFailure::new(by_status(status, passes), code, reason)
    };
    SendFailure {
        retry_after_seconds: retry_after,
        ..failure
    }
}

/// What somebody of the business can do about a code, which is the subcode where that says more.
#[must_use]
pub fn explain(code: i64, language: Language) -> Option<&'static str> {
    let known = TABLE
        .iter()
        .find(|known| known.subcode.unwrap_or(known.code) == code)?;
    Some(match language {
        Language::Es => &known.es,
        Language::En => &known.en,
    })
}

fn find(code: i64, subcode: Option<i64>) -> Option<&'static KnownError> {
    let find = |subcode: Option<i64>| {
        TABLE
            .iter()
            .find(|known| known.code == code && known.subcode == subcode)
    };
    find(subcode).or_else(|| find(None))
}

const fn by_status(status: u16, passes: bool) -> FailureKind {
    match status {
        429 => FailureKind::Throttled,
        500.. => FailureKind::Transient,
        401 => FailureKind::Account,
        _ if passes => FailureKind::Transient,
        _ => FailureKind::Rejected,
    }
}

impl From<ErrorKind> for FailureKind {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Transient => Self::Transient,
            ErrorKind::Throttled => Self::Throttled,
            ErrorKind::WindowClosed => Self::WindowClosed,
            ErrorKind::Unreachable => Self::Unreachable,
            ErrorKind::Account => Self::Account,
            ErrorKind::Rejected => Self::Rejected,
            ErrorKind::Unknown => Self::Unknown,
        }
    }
}
