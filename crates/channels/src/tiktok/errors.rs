//! What `TikTok`'s codes mean.

use super::fields::whole;
use crate::failure::{FailureKind, SendFailure};
use quipu_core::language::Language;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The codes of faults on `TikTok`'s side, of which only some are written down.
const THEIR_FAULTS: std::ops::Range<i64> = 50_000..60_000;

#[derive(Deserialize)]
struct ErrorFile {
    errors: Vec<ErrorEntry>,
}

#[derive(Deserialize)]
struct ErrorEntry {
    code: i64,
    kind: KindWord,
    es: String,
    en: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KindWord {
    Transient,
    Throttled,
    WindowClosed,
    Unreachable,
    Account,
    Rejected,
}

static ERRORS: LazyLock<BTreeMap<i64, ErrorEntry>> = LazyLock::new(|| {
    let file: ErrorFile = toml::from_str(include_str!("../../data/tiktok_errors.toml"))
        .expect("a test reads the file, which is a part of the program");
    let entries = file.errors.into_iter();
    entries.map(|entry| (entry.code, entry)).collect()
});

impl From<KindWord> for FailureKind {
    fn from(word: KindWord) -> Self {
        match word {
            KindWord::Transient => Self::Transient,
            KindWord::Throttled => Self::Throttled,
            KindWord::WindowClosed => Self::WindowClosed,
            KindWord::Unreachable => Self::Unreachable,
            KindWord::Account => Self::Account,
            KindWord::Rejected => Self::Rejected,
        }
    }
}

/// What an answer of `TikTok` that is no success says. Most come with status 200 and a code.
#[must_use]
pub fn failure(status: u16, retry_after: Option<u64>, body: &Value) -> SendFailure {
    let code = whole(&body["code"]).filter(|code| *code != 0);
    // What TikTok writes beside the code may repeat what was asked for, so it is not passed on.
    let (kind, reason) = match code {
        Some(code) => (
            kind_of_code(code).unwrap_or_else(|| kind_of_status(status, true)),
            "TikTok refused the request".to_owned(),
        ),
        None => (
            kind_of_status(status, false),
            format!("TikTok answered with status {status} and without a code"),
        ),
    };
    SendFailure {
        retry_after_seconds: retry_after,
        ..SendFailure::new(kind, code, reason)
    }
}

fn kind_of_code(code: i64) -> Option<FailureKind> {
    match ERRORS.get(&code) {
        Some(entry) => Some(entry.kind.into()),
        None => THEIR_FAULTS
            .contains(&code)
            .then_some(FailureKind::Transient),
    }
}

const fn kind_of_status(status: u16, said_no: bool) -> FailureKind {
    match status {
        401 | 403 => FailureKind::Account,
        429 => FailureKind::Throttled,
        // What stood between may have passed the request on.
        200..=299 | 502 | 504 if !said_no => FailureKind::Unknown,
        408 | 425 | 500..=599 => FailureKind::Transient,
        _ => FailureKind::Rejected,
    }
}

/// What the owner of a business can do about a code, where something is known about it.
#[must_use]
pub fn explain(code: i64, language: Language) -> Option<&'static str> {
    let entry = ERRORS.get(&code)?;
    Some(match language {
        Language::Es => &entry.es,
        Language::En => &entry.en,
    })
}
