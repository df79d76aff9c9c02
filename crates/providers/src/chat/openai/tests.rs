use super::*;
use crate::chat::fixtures::{body, body_knowing, call as made, conversation, read};
use crate::chat::quirks::Quirks;
use quipu_core::chat::{ChatError, ChatEvent, ChatRequest, FinishReason, RefusalKind, Usage};

const WIRE: Openai = Openai { itself: true };
const LIKE_IT: Openai = Openai { itself: false };

#[test]
fn a_request_is_written_as_openai_wants_it() {
    let written = body(&WIRE, "gpt-4.1-mini", &conversation());
    assert_eq!(written["model"], "gpt-4.1-mini");
    assert_eq!(written["stream_options"], json!({ "include_usage": true }));
    assert_eq!(written["max_completion_tokens"], 500);
    assert_eq!(written["max_tokens"], Value::Null);
    assert_eq!(written["temperature"], 0.3);
    assert_eq!(written["tool_choice"], Value::Null);
    assert_eq!(written["tools"][1]["function"]["name"], "prices");
    let expected = json!([
        { "role": "system", "content": "Eres Maya.\n\nEs lunes." },
        { "role": "assistant", "content": "¡Hola!" },
        { "role": "user", "content": [
            { "type": "text", "text": "¿Hay citas?" },
            { "type": "image_url", "image_url": { "url": "data:image/png;base64,Zm90bw==" } },
        ] },
        { "role": "assistant", "content": null, "tool_calls": [
            { "id": "a", "type": "function", "function": { "name": "slots", "arguments": "{\"day\":1}" } },
            { "id": "b", "type": "function", "function": { "name": "prices", "arguments": "{" } },
        ] },
        { "role": "tool", "tool_call_id": "a", "content": "{\"free\":[9]}" },
        { "role": "tool", "tool_call_id": "b", "content": "no entendí" },
        { "role": "user", "content": "Gracias" },
    ]);
    assert_eq!(written["messages"], expected);
}

#[test]
fn choices_of_tools_have_their_words() {
    let chosen = |choice: ToolChoice| {
        let mut request = conversation();
        request.tool_choice = choice;
        body(&WIRE, "m", &request)["tool_choice"].clone()
    };
    assert_eq!(chosen(ToolChoice::Never), "none");
    assert_eq!(chosen(ToolChoice::Required), "required");
    let named = chosen(ToolChoice::Named("slots".to_owned()));
    assert_eq!(named["function"]["name"], "slots");
    let mut without = conversation();
    without.tools.clear();
    without.tool_choice = ToolChoice::Required;
    assert_eq!(body(&WIRE, "m", &without)["tool_choice"], Value::Null);
}

#[test]
fn models_are_told_what_they_take() {
    let request = ChatRequest::default();
    for (model, has_temperature) in [
        ("gpt-4o", true),
        ("o3-mini", false),
        ("gpt-5-mini", false),
        ("gpt-5-chat-latest", true),
        ("omni", true),
    ] {
        let written = body(&WIRE, model, &request);
        assert_eq!(
            written["temperature"].is_number(),
            has_temperature,
            "{model}"
        );
    }
    let like = body(&LIKE_IT, "o3", &request);
    assert_eq!(
        (&like["max_tokens"], &like["temperature"]),
        (&json!(500), &json!(0.3))
    );
    let quirks = Quirks::default();
    let refusal = "max_tokens is unsupported, use max_completion_tokens; so are temperature and stream_options";
    assert!(quirks.learn(400, refusal.as_bytes()));
    let learned = body_knowing(&LIKE_IT, "o3", &request, &quirks);
    assert_eq!(learned["max_completion_tokens"], 500);
    for gone in ["max_tokens", "temperature", "stream_options"] {
        assert_eq!(learned[gone], Value::Null, "{gone}");
    }
}

fn delta(delta: &Value) -> Value {
    json!({ "choices": [{ "index": 0, "delta": delta }] })
}

fn ended(reason: &str) -> Value {
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }], "usage": null })
}

fn finished(reason: FinishReason, usage: Usage) -> ChatEvent {
    ChatEvent::Finished { reason, usage }
}

#[test]
fn what_models_think_is_not_said_but_counted() {
    let events = read(
        &LIKE_IT,
        &[
            json!({ "choices": [], "prompt_filter_results": [] }),
            delta(&json!({ "role": "assistant", "reasoning_content": "Veamos" })),
            delta(&json!({ "content": "Sí" })),
            ended("stop"),
            json!({ "choices": [], "usage": {
                "prompt_tokens": 40, "completion_tokens": 3, "total_tokens": 100,
                "prompt_tokens_details": { "cached_tokens": 32 },
            } }),
            json!("[DONE]"),
        ],
    );
    let usage = Usage {
        input_tokens: 40,
        cached_input_tokens: 32,
        cache_write_tokens: 0,
        output_tokens: 60,
    };
    let expected = [
        ChatEvent::TextDelta("Sí".to_owned()),
        finished(FinishReason::Stop, usage),
    ];
    assert_eq!(events.unwrap().unwrap(), expected);
}

#[test]
fn servers_number_calls_as_they_like() {
    let piece = |index: u64, id: &str, name: &str, arguments: &str| {
        delta(&json!({ "tool_calls": [{
            "index": index, "id": id, "function": { "name": name, "arguments": arguments } }] }))
    };
    let calls = |messages: &[Value]| -> Vec<(String, String)> {
        let mut messages = messages.to_vec();
        messages.push(ended("tool_calls"));
        let events = read(&LIKE_IT, &messages).unwrap().unwrap();
        let calls = events.into_iter().filter_map(|event| match event {
            ChatEvent::ToolCall(call) => {
                assert!(!call.id.is_empty());
                Some((call.name, call.arguments))
            }
            _ => None,
        });
        calls.collect()
    };
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    let expected = [pair("uno", "{\"a\":1}"), pair("dos", "{}")];
    // All with the number 0, told apart by their ids.
    assert_eq!(
        calls(&[
            piece(0, "x", "uno", "{\"a\""),
            piece(0, "x", "", ":1}"),
            piece(0, "y", "dos", "")
        ]),
        expected
    );
    // Without ids, told apart by the names.
    assert_eq!(
        calls(&[piece(0, "", "uno", "{\"a\":1}"), piece(0, "", "dos", "{}")]),
        expected
    );
    // Numbers that begin anywhere.
    assert_eq!(
        calls(&[
            piece(3, "x", "uno", ""),
            piece(5, "y", "dos", ""),
            piece(3, "", "", "{\"a\":1}")
        ]),
        expected
    );
    // Arguments that are what they mean.
    let object = delta(&json!({ "tool_calls": [
        { "id": "x", "function": { "name": "uno", "arguments": { "a": 1 } } }] }));
    assert_eq!(calls(&[object]), expected[..1]);
}

#[test]
fn a_signature_is_sent_back() {
    let extra = json!({ "google": { "thought_signature": "abc" } });
    let events = read(
        &LIKE_IT,
        &[
            delta(
                &json!({ "tool_calls": [{ "index": 0, "id": "x", "extra_content": extra,
                "function": { "name": "uno", "arguments": "{}" } }] }),
            ),
            ended("tool_calls"),
        ],
    );
    let events = events.unwrap().unwrap();
    let ChatEvent::ToolCall(found) = &events[0] else {
        panic!("{events:?}");
    };
    assert_eq!(call(found)["extra_content"], extra);
    assert_eq!(call(&made("x", "uno", "{}"))["extra_content"], Value::Null);
}

#[test]
fn ends_of_all_kinds_are_told_apart() {
    let hello = || delta(&json!({ "content": "Hola" }));
    let last = |messages: &[Value]| {
        let events = read(&LIKE_IT, messages).unwrap();
        events.and_then(|mut events| events.pop())
    };
    let none = Usage::default();
    assert_eq!(
        last(&[hello(), ended("length")]),
        Some(finished(FinishReason::Length, none))
    );
    // No reason, but an end.
    assert_eq!(
        last(&[hello(), json!("[DONE]")]),
        Some(finished(FinishReason::Stop, none))
    );
    // Neither, or an end of nothing, is half an answer.
    assert_eq!(last(&[hello()]), None);
    assert_eq!(last(&[json!("[DONE]")]), None);
    assert_eq!(last(&[]), None);
    for refused in [
        delta(&json!({ "refusal": "No" })),
        ended("content_filter"),
        json!({ "error": { "code": "content_filter" } }),
    ] {
        let error = read(&LIKE_IT, &[hello(), refused]).unwrap_err();
        assert_eq!(error.kind(), Some(RefusalKind::Refused));
    }
    let broken = read(&LIKE_IT, &[hello(), json!("{\"choices\": [")]);
    assert!(matches!(broken, Err(ChatError::Transient { .. })));
}
