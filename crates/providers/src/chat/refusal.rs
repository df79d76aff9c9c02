//! What a provider means when it says no. What it says in words is read here and told nobody: it
//! may repeat the conversation.

use crate::network::Refused;
use quipu_core::chat::{ChatError, RefusalKind};
use serde_json::Value;
use std::time::Duration;

/// What is read of the words of a refusal.
const MOST_CHARS: usize = 4_000;
/// The longest name of an error, and how many of them are told.
const LONGEST_NAME: usize = 64;
const MOST_NAMES: usize = 6;

/// Names and words by what they mean. The first that is found decides.
const MEANINGS: &[(RefusalKind, &[&str])] = &[
    (
        RefusalKind::NoCredit,
        &[
            "insufficient_quota",
            "billing_error",
            "billing_hard_limit_reached",
            "credit balance is too low",
            "insufficient balance",
            "insufficient credits",
        ],
    ),
    (
        RefusalKind::BadKey,
        &[
            "invalid_api_key",
            "api_key_invalid",
            "api key not valid",
            "authentication_error",
            "permission_error",
            "permission_denied",
            "unauthenticated",
        ],
    ),
    (
        RefusalKind::TooLong,
        &[
            "context_length_exceeded",
            "request_too_large",
            "string_above_max_length",
            "maximum context length",
            "prompt is too long",
            "input is too long",
            "exceeds the maximum number of tokens",
            "exceed context limit",
        ],
    ),
    (
        RefusalKind::Refused,
        &[
            "content_filter",
            "content_policy_violation",
            "responsibleaipolicyviolation",
            "prohibited_content",
        ],
    ),
    (
        RefusalKind::UnknownModel,
        &["model_not_found", "invalid_model", "not_found_error"],
    ),
];

/// Names of errors that may pass, in an answer that had begun well.
const PASSING: &[&str] = &[
    "overloaded",
    "rate_limit",
    "server_error",
    "api_error",
    "timeout",
    "unavailable",
    "resource_exhausted",
    "internal",
    "deadline_exceeded",
];

/// What a status and its body mean.
pub(super) fn of_status(refused: &Refused) -> ChatError {
    let body: Value = serde_json::from_slice(&refused.body).unwrap_or_default();
    let words: String = String::from_utf8_lossy(&refused.body)
        .chars()
        .take(MOST_CHARS)
        .collect();
    let words = words.to_lowercase();
    let error = error_of(&body);
    let why = described(Some(refused.status), error);
    let after = refused.after.or_else(|| retry_delay(error));
    meaning(refused.status, &words, why, after)
}

/// What an error in the middle of an answer means, which has no status of its own.
pub(super) fn in_stream(message: &Value) -> ChatError {
    let error = error_of(message);
    let words: String = error.to_string().chars().take(MOST_CHARS).collect();
    let words = words.to_lowercase();
    let status = error["code"]
        .as_u64()
        .and_then(|code| u16::try_from(code).ok());
    let why = described(status, error);
    let passes = PASSING.iter().any(|name| {
        let named = names(error).iter().any(|n| n.to_lowercase().contains(name));
        named || error.as_str().is_some_and(|text| text.contains(name))
    });
    if passes {
        return transient(why, retry_delay(error));
    }
    match (status, named(&words)) {
        (Some(status), _) => meaning(status, &words, why, retry_delay(error)),
        (None, Some(kind)) => ChatError::permanent(kind, why),
        (None, None) if words.contains("invalid_request") => {
            ChatError::permanent(RefusalKind::BadRequest, why)
        }
        (None, None) => transient(why, None),
    }
}

fn meaning(status: u16, words: &str, why: String, after: Option<Duration>) -> ChatError {
    let permanent = |kind| ChatError::permanent(kind, why.clone());
    match (status, named(words)) {
        // Nobody gets through by asking again when the account is empty.
        (402, _) | (429, Some(RefusalKind::NoCredit)) => permanent(RefusalKind::NoCredit),
        (408 | 409 | 425 | 429 | 500..=599, _) => transient(why, after),
        (401 | 403, Some(kind @ (RefusalKind::NoCredit | RefusalKind::Refused))) => permanent(kind),
        (401 | 403, _) => permanent(RefusalKind::BadKey),
        (413, _) => permanent(RefusalKind::TooLong),
        (404, _) => permanent(RefusalKind::UnknownModel),
        (400..=499, Some(kind)) => permanent(kind),
        _ => permanent(RefusalKind::BadRequest),
    }
}

fn transient(why: String, retry_after: Option<Duration>) -> ChatError {
    ChatError::Transient { why, retry_after }
}

fn named(words: &str) -> Option<RefusalKind> {
    let found = |names: &[&str]| names.iter().any(|name| words.contains(name));
    let meaning = MEANINGS.iter().find(|(_, names)| found(names));
    meaning.map(|(kind, _)| *kind)
}

/// The error inside an answer: most put it under `error`, some into a list, some nowhere.
fn error_of(body: &Value) -> &Value {
    let body = match body {
        Value::Array(list) => list.first().unwrap_or(body),
        body => body,
    };
    match &body["error"] {
        Value::Null => body,
        error => error,
    }
}

/// The names that a provider gives an error, which hold nothing of what was said.
fn names(error: &Value) -> Vec<&str> {
    let is_name = |text: &&str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        !text.is_empty() && text.len() <= LONGEST_NAME && text.chars().all(fits)
    };
    let own = ["type", "code", "status", "param"].map(|field| error[field].as_str());
    let details = error["details"].as_array().into_iter().flatten();
    let details = details.map(|detail| detail["reason"].as_str());
    let names = own.into_iter().chain(details).flatten().filter(is_name);
    names.take(MOST_NAMES).collect()
}

fn described(status: Option<u16>, error: &Value) -> String {
    let status = match status {
        Some(status) => format!("status {status}"),
        None => "an error in the answer".to_owned(),
    };
    let mut parts = vec![status];
    parts.extend(names(error).into_iter().map(str::to_owned));
    parts.join(", ")
}

/// When Google wants to be asked again, which it says in the body: `"retryDelay": "34s"`.
fn retry_delay(error: &Value) -> Option<Duration> {
    let details = error["details"].as_array()?;
    let delay = details.iter().find_map(|d| d["retryDelay"].as_str())?;
    let seconds: f64 = delay.strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests;
