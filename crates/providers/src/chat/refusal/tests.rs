use super::*;
use RefusalKind::{BadKey, BadRequest, NoCredit, TooLong, UnknownModel};
use serde_json::json;

fn status(status: u16, body: &Value) -> ChatError {
    of_status(&Refused {
        status,
        after: None,
        body: body.to_string().into_bytes(),
    })
}

#[test]
fn every_provider_says_no_in_its_own_way() {
    for (code, body, expected) in [
        (
            401,
            json!({"error": {"message": "m", "type": "invalid_request_error", "code": "invalid_api_key"}}),
            Some(BadKey),
        ),
        (
            400,
            json!({"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT",
            "details": [{"@type": "t", "reason": "API_KEY_INVALID"}]}}),
            Some(BadKey),
        ),
        (
            403,
            json!({"type": "error", "error": {"type": "permission_error"}}),
            Some(BadKey),
        ),
        (
            429,
            json!({"error": {"type": "insufficient_quota", "code": "insufficient_quota"}}),
            Some(NoCredit),
        ),
        (
            400,
            json!({"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit balance is too low"}}),
            Some(NoCredit),
        ),
        (402, json!({"error": {"message": "pay"}}), Some(NoCredit)),
        (
            400,
            json!({"error": {"code": "context_length_exceeded", "param": "messages"}}),
            Some(TooLong),
        ),
        (
            400,
            json!({"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 210000 tokens > 200000 maximum"}}),
            Some(TooLong),
        ),
        (
            400,
            json!([{"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": "The input token count (9) exceeds the maximum number of tokens allowed (8)."}}]),
            Some(TooLong),
        ),
        (
            413,
            json!({"type": "error", "error": {"type": "request_too_large"}}),
            Some(TooLong),
        ),
        (
            400,
            json!({"error": {"code": "content_filter"}}),
            Some(RefusalKind::Refused),
        ),
        (
            404,
            json!({"error": "model \"otro\" not found, try pulling it first"}),
            Some(UnknownModel),
        ),
        (
            404,
            json!({"type": "error", "error": {"type": "not_found_error"}}),
            Some(UnknownModel),
        ),
        (
            400,
            json!({"error": {"code": "model_not_found"}}),
            Some(UnknownModel),
        ),
        (
            400,
            json!({"error": {"code": "unsupported_parameter", "param": "max_tokens"}}),
            Some(BadRequest),
        ),
        (307, json!(null), Some(BadRequest)),
        (429, json!({"error": {"type": "rate_limit_error"}}), None),
        (
            529,
            json!({"type": "error", "error": {"type": "overloaded_error"}}),
            None,
        ),
        (503, json!("<html>"), None),
        (408, json!({}), None),
    ] {
        let error = status(code, &body);
        assert_eq!(error.kind(), expected, "{code} {body}");
        assert!(
            error.why().starts_with(&format!("status {code}")),
            "{error}"
        );
    }
}

#[test]
fn names_are_told_and_words_are_not() {
    let error = status(
        400,
        &json!({"error": {"message": "Ana Pérez said so", "type": "invalid_request_error",
            "code": "unsupported_parameter", "param": "Ana Pérez", "status": "x".repeat(65)}}),
    );
    assert_eq!(
        error.why(),
        "status 400, invalid_request_error, unsupported_parameter"
    );
}

#[test]
fn google_says_when_in_the_body() {
    let body = json!({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [
        {"@type": "a"}, {"@type": "b", "retryDelay": "34.5s"}]}});
    let ChatError::Transient { retry_after, .. } = status(429, &body) else {
        panic!("it passes");
    };
    assert_eq!(retry_after, Some(Duration::from_millis(34_500)));
    let header = of_status(&Refused {
        status: 429,
        after: Some(Duration::from_secs(3)),
        body: body.to_string().into_bytes(),
    });
    let ChatError::Transient { retry_after, .. } = header else {
        panic!("it passes");
    };
    assert_eq!(retry_after, Some(Duration::from_secs(3)));
}

#[test]
fn errors_inside_an_answer_are_understood_too() {
    for (message, expected) in [
        (
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "m"}}),
            None,
        ),
        (
            json!({"error": {"code": 503, "status": "UNAVAILABLE"}}),
            None,
        ),
        (
            json!({"error": {"type": "server_error", "code": null}}),
            None,
        ),
        (json!({"error": "an internal thing happened"}), None),
        (json!({"error": "who knows"}), None),
        (json!({"error": {"code": 401}}), Some(BadKey)),
        (
            json!({"error": {"type": "invalid_request_error", "code": "context_length_exceeded"}}),
            Some(TooLong),
        ),
        (
            json!({"error": {"type": "invalid_request_error"}}),
            Some(BadRequest),
        ),
        (
            json!({"error": {"code": "content_filter"}}),
            Some(RefusalKind::Refused),
        ),
    ] {
        assert_eq!(in_stream(&message).kind(), expected, "{message}");
    }
}
