//! What Graph refuses.

use crate::failure::FailureKind;
use crate::pages::{explain, failure};
use quipu_core::language::Language;
use serde_json::{Value, json};

fn error(code: i64, subcode: Option<i64>) -> Value {
    json!({ "error": {
        "message": "what Ana wrote", "code": code, "error_subcode": subcode, "fbtrace_id": "A",
    } })
}

#[test]
fn codes_are_told_apart_by_their_subcodes() {
    for (code, subcode, kind, said) in [
        (10, Some(2_018_278), FailureKind::WindowClosed, 2_018_278),
        (10, Some(2_534_022), FailureKind::WindowClosed, 2_534_022),
        (10, Some(2_018_300), FailureKind::Rejected, 2_018_300),
        (10, None, FailureKind::Account, 10),
        (10, Some(77), FailureKind::Account, 10),
        (190, Some(463), FailureKind::Account, 463),
        (190, Some(1), FailureKind::Account, 190),
        (551, None, FailureKind::Unreachable, 551),
        (200, Some(1_545_041), FailureKind::Unreachable, 1_545_041),
        (100, Some(2_018_001), FailureKind::Unreachable, 2_018_001),
        (100, None, FailureKind::Rejected, 100),
        (613, None, FailureKind::Throttled, 613),
        (1_200, None, FailureKind::Transient, 1_200),
        (1, Some(1_357_046), FailureKind::Unknown, 1_357_046),
    ] {
        let failure = failure(400, Some(30), &error(code, subcode));
        assert_eq!(
            (failure.kind, failure.code),
            (kind, Some(said)),
            "{code} {subcode:?}"
        );
        assert_eq!(failure.retry_after_seconds, Some(30));
        assert!(!failure.reason.contains("Ana"));
        assert_eq!(explain(said, Language::En), Some(failure.reason.as_str()));
    }
}

#[test]
fn a_code_that_is_not_known_is_read_by_the_status() {
    for (status, kind) in [
        (429, FailureKind::Throttled),
        (500, FailureKind::Transient),
        (503, FailureKind::Transient),
        (401, FailureKind::Account),
        (400, FailureKind::Rejected),
        (302, FailureKind::Rejected),
    ] {
        let unknown = failure(status, None, &error(987_654, None));
        assert_eq!((unknown.kind, unknown.code), (kind, Some(987_654)));
        assert!(!unknown.reason.contains("Ana"));
        assert_eq!(failure(status, None, &Value::Null).kind, kind);
    }
    let mut passing = error(987_654, None);
    passing["error"]["is_transient"] = json!(true);
    assert_eq!(failure(400, None, &passing).kind, FailureKind::Transient);
    for odd in [
        json!([]),
        json!({ "error": "no" }),
        json!({ "error": { "code": "x" } }),
    ] {
        assert_eq!(failure(400, None, &odd).code, None);
    }
}

#[test]
fn every_sentence_is_there_in_both_languages() {
    for code in [
        1, 2, 4, 10, 17, 32, 100, 190, 200, 230, 368, 551, 613, 1_200, 2_018_109,
    ] {
        let es = explain(code, Language::Es).expect("a sentence");
        let en = explain(code, Language::En).expect("a sentence");
        assert!(es != en && es.ends_with('.') && en.ends_with('.'), "{code}");
    }
    assert_eq!(explain(987_654, Language::Es), None);
}
