use super::*;
use crate::chat::fixtures::{body, call as made, conversation, read};
use quipu_core::chat::{ChatEvent, FinishReason, RefusalKind, Usage};

#[test]
fn a_request_is_written_as_gemini_wants_it() {
    let written = body(&Gemini, "gemini-2.5-flash", &conversation());
    assert_eq!(
        written["generationConfig"],
        json!({ "maxOutputTokens": 500, "temperature": 0.3 })
    );
    assert_eq!(
        written["systemInstruction"],
        json!({ "parts": [{ "text": "Eres Maya.\n\nEs lunes." }] })
    );
    assert_eq!(
        written["tools"],
        json!([{ "functionDeclarations": [
            { "name": "slots", "description": "Horas libres", "parameters": {
                "type": "object", "properties": { "day": { "type": "integer" } } } },
            { "name": "prices", "description": "Precios" },
        ] }])
    );
    let expected = json!([
        { "role": "model", "parts": [{ "text": "¡Hola!" }] },
        { "role": "user", "parts": [
            { "inlineData": { "mimeType": "image/png", "data": "Zm90bw==" } },
            { "text": "¿Hay citas?" },
        ] },
        { "role": "model", "parts": [
            { "functionCall": { "name": "slots", "args": { "day": 1 } } },
            { "functionCall": { "name": "prices", "args": { "invalid_json": "{" } } },
        ] },
        { "role": "user", "parts": [
            { "functionResponse": { "name": "slots", "response": { "free": [9] } } },
            { "functionResponse": { "name": "prices", "response": { "error": "no entendí" } } },
            { "text": "Gracias" },
        ] },
    ]);
    assert_eq!(written["contents"], expected);
}

#[test]
fn choices_and_names_are_translated() {
    let mut request = conversation();
    for (choice, expected) in [
        (ToolChoice::Auto, json!({ "mode": "AUTO" })),
        (ToolChoice::Never, json!({ "mode": "NONE" })),
        (ToolChoice::Required, json!({ "mode": "ANY" })),
        (
            ToolChoice::Named("slots".to_owned()),
            json!({ "mode": "ANY", "allowedFunctionNames": ["slots"] }),
        ),
    ] {
        request.tool_choice = choice;
        let written = body(&Gemini, "m", &request);
        assert_eq!(written["toolConfig"]["functionCallingConfig"], expected);
    }
    assert_eq!(
        path("gemini-2.5-pro"),
        "models/gemini-2.5-pro:streamGenerateContent"
    );
    assert_eq!(path("/models/g"), "models/g:streamGenerateContent");
    assert_eq!(path("tunedModels/g"), "tunedModels/g:streamGenerateContent");
}

fn said(parts: &Value, reason: Option<&str>) -> Value {
    json!({ "candidates": [{ "content": { "parts": parts, "role": "model" }, "finishReason": reason }] })
}

#[test]
fn thoughts_are_counted_and_signatures_sent_back() {
    let mut last = said(&json!([]), Some("STOP"));
    last["usageMetadata"] = json!({ "promptTokenCount": 50, "cachedContentTokenCount": 30,
        "candidatesTokenCount": 4, "thoughtsTokenCount": 60 });
    let events = read(
        &Gemini,
        &[
            said(
                &json!([{ "text": "Pienso", "thought": true }, { "text": "Sí" }]),
                None,
            ),
            said(
                &json!([
                    { "functionCall": { "name": "slots", "args": { "day": 1 } }, "thoughtSignature": "abc" },
                    { "functionCall": { "name": "slots", "args": { "day": 2 } } },
                    { "functionCall": { "name": "prices" } },
                ]),
                None,
            ),
            last,
        ],
    );
    let events = events.unwrap().unwrap();
    assert_eq!(events[0], ChatEvent::TextDelta("Sí".to_owned()));
    let calls: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            ChatEvent::ToolCall(call) => Some(call),
            _ => None,
        })
        .collect();
    let arguments: Vec<&str> = calls.iter().map(|call| call.arguments.as_str()).collect();
    assert_eq!(arguments, ["{\"day\":1}", "{\"day\":2}", "{}"]);
    assert_ne!(calls[0].id, calls[1].id);
    assert_eq!(call(calls[0])["thoughtSignature"], "abc");
    assert_eq!(
        call(&made("x", "slots", "{}"))["thoughtSignature"],
        Value::Null
    );
    let usage = Usage {
        input_tokens: 50,
        cached_input_tokens: 30,
        cache_write_tokens: 0,
        output_tokens: 64,
    };
    let finished = ChatEvent::Finished {
        reason: FinishReason::ToolCalls,
        usage,
    };
    assert_eq!(events.last(), Some(&finished));
}

#[test]
fn ends_of_all_kinds_are_told_apart() {
    let ended = |reason: &str| read(&Gemini, &[said(&json!([{ "text": "a" }]), Some(reason))]);
    let Some(ChatEvent::Finished { reason, .. }) = ended("MAX_TOKENS").unwrap().unwrap().pop()
    else {
        panic!("no end");
    };
    assert_eq!(reason, FinishReason::Length);
    for refused in [
        "SAFETY",
        "RECITATION",
        "PROHIBITED_CONTENT",
        "SPII",
        "NUEVA",
    ] {
        let kind = ended(refused).unwrap_err().kind();
        assert_eq!(kind, Some(RefusalKind::Refused), "{refused}");
    }
    for passing in ["MALFORMED_FUNCTION_CALL", "OTHER"] {
        assert_eq!(ended(passing).unwrap_err().kind(), None, "{passing}");
    }
    let blocked = json!({ "promptFeedback": { "blockReason": "SAFETY" } });
    let kind = read(&Gemini, &[blocked]).unwrap_err().kind();
    assert_eq!(kind, Some(RefusalKind::Refused));
    let half = read(&Gemini, &[said(&json!([{ "text": "a" }]), None)]);
    assert_eq!(half.unwrap(), None);
    let listed = json!([{ "error": { "code": 503, "status": "UNAVAILABLE" } }]);
    assert_eq!(read(&Gemini, &[listed]).unwrap_err().kind(), None);
}
