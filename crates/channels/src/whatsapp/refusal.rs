//! What WhatsApp's error codes mean, for us and for people.

use crate::failure::{FailureKind, SendFailure};
use quipu_core::language::Language;
use serde::Deserialize;
use serde_json::Value;
use std::sync::LazyLock;

/// A code, or a range of codes, with what is done about it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Meaning {
    code: i64,
    /// The last of a range.
    until: Option<i64>,
    kind: Kind,
    es: String,
    en: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    error: Vec<Meaning>,
}

/// The kinds that a code can say. What it says is never unknown.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Transient,
    Throttled,
    PairThrottled,
    WindowClosed,
    Unreachable,
    Account,
    Template,
    Rejected,
}

static MEANINGS: LazyLock<Vec<Meaning>> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("../../data/whatsapp_errors.toml"))
        .expect("a test reads the file, which is a part of the program");
    table.error
});

/// What is to be done about an answer that is none of success.
///
/// The code decides. An answer whose code is not known here is told by its status. What WhatsApp writes
/// about it is left out, since it may repeat the key.
#[must_use]
pub fn failure(status: u16, retry_after: Option<u64>, body: &Value) -> SendFailure {
    let code = body.pointer("/error/code").and_then(Value::as_i64);
    let meaning = code.and_then(meaning);
    let kind = meaning.map_or_else(|| by_status(status), |meaning| meaning.kind.into());
    let reason = meaning.map_or_else(
        || format!("WhatsApp refused it with the status {status}"),
        |meaning| meaning.en.clone(),
    );
    SendFailure {
        retry_after_seconds: retry_after,
        ..SendFailure::new(kind, code, reason)
    }
}

/// What is to be done about a code, such as that of a message which failed after it was taken.
#[must_use]
pub fn kind(code: i64) -> Option<FailureKind> {
    meaning(code).map(|meaning| meaning.kind.into())
}

/// What a business can do about a code, where it is known.
#[must_use]
pub fn explain(code: i64, language: Language) -> Option<&'static str> {
    let meaning = meaning(code)?;
    Some(match language {
        Language::Es => &meaning.es,
        Language::En => &meaning.en,
    })
}

fn meaning(code: i64) -> Option<&'static Meaning> {
    let holds = |meaning: &&Meaning| (meaning.code..=meaning.last()).contains(&code);
    MEANINGS.iter().find(holds)
}

const fn by_status(status: u16) -> FailureKind {
    match status {
        401 => FailureKind::Account,
        429 => FailureKind::Throttled,
        500..=599 => FailureKind::Transient,
        _ => FailureKind::Rejected,
    }
}

impl Meaning {
    fn last(&self) -> i64 {
        self.until.unwrap_or(self.code)
    }
}

impl From<Kind> for FailureKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Transient => Self::Transient,
            Kind::Throttled => Self::Throttled,
            Kind::PairThrottled => Self::PairThrottled,
            Kind::WindowClosed => Self::WindowClosed,
            Kind::Unreachable => Self::Unreachable,
            Kind::Account => Self::Account,
            Kind::Template => Self::Template,
            Kind::Rejected => Self::Rejected,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refused(status: u16, code: i64) -> SendFailure {
        let error = json!({ "code": code, "message": "Malformed access token EAAG" });
        failure(status, None, &json!({ "error": error }))
    }

    #[test]
    fn every_entry_can_be_found_and_explains_itself() {
        for (index, entry) in MEANINGS.iter().enumerate() {
            let code = entry.code;
            assert!(code >= 0 && entry.last() >= code, "{code}");
            let is_reached =
                (code..=entry.last()).any(|code| std::ptr::eq(meaning(code).unwrap(), entry));
            assert!(is_reached, "{code} stands behind another");
            let before = &MEANINGS[..index];
            assert!(before.iter().all(|other| other.code != code), "{code}");
            for text in [&entry.es, &entry.en] {
                assert!(text.ends_with('.') && text.chars().count() < 200, "{code}");
                assert!(text.chars().next().unwrap().is_uppercase(), "{code}");
            }
            assert_ne!(entry.es, entry.en);
        }
    }

    #[test]
    fn the_code_decides_and_not_the_status() {
        let kinds = [
            (0, FailureKind::Account),
            (1, FailureKind::Transient),
            (4, FailureKind::Throttled),
            (100, FailureKind::Rejected),
            (190, FailureKind::Account),
            (200, FailureKind::Account),
            (299, FailureKind::Account),
            (368, FailureKind::Account),
            (80_007, FailureKind::Throttled),
            (130_429, FailureKind::Throttled),
            (131_000, FailureKind::Transient),
            (131_026, FailureKind::Unreachable),
            (131_042, FailureKind::Account),
            (131_047, FailureKind::WindowClosed),
            (131_048, FailureKind::Throttled),
            (131_049, FailureKind::Unreachable),
            (131_050, FailureKind::Unreachable),
            (131_056, FailureKind::PairThrottled),
            (131_062, FailureKind::Unreachable),
            (132_001, FailureKind::Template),
            (132_016, FailureKind::Template),
            (132_050, FailureKind::Template),
            (133_004, FailureKind::Transient),
            (133_010, FailureKind::Account),
            (133_016, FailureKind::Account),
            (138_002, FailureKind::Rejected),
        ];
        for (code, expected) in kinds {
            for status in [400, 401, 429, 500] {
                assert_eq!(refused(status, code).kind, expected, "{code}");
            }
            assert_eq!(kind(code), Some(expected));
            assert!(explain(code, Language::Es).is_some());
        }
    }

    #[test]
    fn an_unknown_code_is_told_by_its_status() {
        for (status, expected) in [
            (400, FailureKind::Rejected),
            (401, FailureKind::Account),
            (404, FailureKind::Rejected),
            (429, FailureKind::Throttled),
            (500, FailureKind::Transient),
            (503, FailureKind::Transient),
        ] {
            let failure = refused(status, 999_999);
            assert_eq!(
                (failure.kind, failure.code),
                (expected, Some(999_999)),
                "{status}"
            );
            let without = super::failure(status, Some(7), &Value::Null);
            assert_eq!((without.kind, without.code), (expected, None));
            assert_eq!(without.retry_after_seconds, Some(7));
        }
        assert_eq!(kind(999_999), None);
        assert_eq!(explain(-1, Language::Es), None);
    }

    #[test]
    fn what_whatsapp_writes_is_left_out() {
        for code in [190, 999_999] {
            assert!(!refused(400, code).to_string().contains("EAAG"));
        }
    }

    #[test]
    fn people_read_their_own_language() {
        let es = explain(131_047, Language::Es).unwrap();
        let en = explain(131_047, Language::En).unwrap();
        assert!(es.contains("24 horas") && en.contains("24 hours"));
    }
}
