use super::*;

fn call(arguments: &str, signature: Option<&str>) -> ToolCall {
    ToolCall {
        id: "1".to_owned(),
        name: "book".to_owned(),
        arguments: arguments.to_owned(),
        signature: signature.map(str::to_owned),
    }
}

#[test]
fn arguments_are_always_an_object() {
    let sent = |text: &str| arguments(&call(text, None)).to_string();
    assert_eq!(sent(r#"{"a": 1}"#), r#"{"a":1}"#);
    assert_eq!(sent(" "), "{}");
    assert_eq!(sent("[1]"), r#"{"invalid_json":"[1]"}"#);
    assert_eq!(sent("{\"a\""), r#"{"invalid_json":"{\"a\""}"#);
}

#[test]
fn a_signature_is_for_whoever_made_it() {
    let made = signed("gemini", "abc:d");
    let call = call("{}", Some(&made));
    assert_eq!(signature("gemini", &call), Some("abc:d"));
    assert_eq!(signature("anthropic", &call), None);
    assert_eq!(signature("gem", &call), None);
}

#[test]
fn calls_come_together_and_are_whole() {
    let mut calls = Calls::default();
    calls.begin(0, "a", "uno").unwrap();
    calls.begin(1, "", "dos").unwrap();
    calls.push(0, "{\"x\"").unwrap();
    calls.push(1, "{\"y\": [").unwrap();
    calls.push(0, ": 1}").unwrap();
    calls.push(7, "nobody's").unwrap();
    calls.begin(2, "c", "tres").unwrap();
    let whole = calls.take(true);
    assert_eq!(
        whole.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(),
        ["uno", "tres"],
        "half a call is none"
    );
    assert_eq!(whole[0].arguments, "{\"x\": 1}");
    assert_eq!(whole[1].arguments, "{}");
    assert!(calls.is_empty());
    calls.begin(0, " ", "dos").unwrap();
    calls.push(0, "{\"y\": [").unwrap();
    let told = calls.take(false);
    assert_eq!(
        told[0].arguments, "{\"y\": [",
        "what a model wrote is shown"
    );
    assert!(told[0].id.starts_with("call_"));
    assert_ne!(call_id(), call_id());
}

#[test]
fn calls_are_bounded() {
    let mut calls = Calls::default();
    for index in 0..MOST_CALLS {
        calls.begin(index as u64, "i", "n").unwrap();
    }
    let kind = |ended: Result<(), ChatError>| ended.unwrap_err().kind();
    assert_eq!(
        kind(calls.begin(99, "i", "n")),
        Some(RefusalKind::BadAnswer)
    );
    let long = "a".repeat(MOST_CALL_BYTES);
    assert_eq!(kind(calls.push(0, &long)), Some(RefusalKind::BadAnswer));
}

#[test]
fn what_a_server_sent_is_not_in_the_error() {
    let why = json("{\"secreto\": ").unwrap_err();
    assert!(matches!(why, ChatError::Transient { .. }));
    assert!(!why.to_string().contains("secreto"), "{why}");
}

#[test]
fn temperatures_are_sent_as_they_were_typed() {
    assert_eq!(decimal(0.7).to_string(), "0.7");
    assert_eq!(decimal(1.0).to_string(), "1.0");
}
