use super::*;
use crate::chat::fixtures::{body, conversation, read};
use quipu_core::chat::{ChatEvent, FinishReason, Usage};

#[test]
fn a_request_is_written_as_ollama_wants_it() {
    let written = body(&Ollama, "llama3.2", &conversation());
    assert_eq!(
        written["options"],
        json!({ "num_predict": 500, "num_ctx": CONTEXT_TOKENS, "temperature": 0.3 })
    );
    assert_eq!(written["tools"][0]["function"]["name"], "slots");
    let expected = json!([
        { "role": "system", "content": "Eres Maya.\n\nEs lunes." },
        { "role": "assistant", "content": "¡Hola!" },
        { "role": "user", "content": "¿Hay citas?", "images": ["Zm90bw=="] },
        { "role": "assistant", "content": "", "tool_calls": [
            { "function": { "name": "slots", "arguments": { "day": 1 } } },
            { "function": { "name": "prices", "arguments": { "invalid_json": "{" } } },
        ] },
        { "role": "tool", "tool_name": "slots", "content": "{\"free\":[9]}" },
        { "role": "tool", "tool_name": "prices", "content": "no entendí" },
        { "role": "assistant", "content": " " },
        { "role": "user", "content": "Gracias" },
    ]);
    assert_eq!(written["messages"], expected);
    let mut request = conversation();
    request.tool_choice = ToolChoice::Never;
    assert_eq!(body(&Ollama, "m", &request)["tools"], Value::Null);
}

#[test]
fn lines_become_an_answer() {
    let said = |message: &Value| json!({ "message": message, "done": false });
    let done = |reason: &str| {
        json!({ "message": { "content": "" }, "done": true, "done_reason": reason,
            "prompt_eval_count": 26, "eval_count": 9 })
    };
    let events = read(
        &Ollama,
        &[
            said(&json!({ "role": "assistant", "content": "", "thinking": "Veamos" })),
            said(&json!({ "content": "Sí" })),
            said(&json!({ "content": "", "tool_calls": [
                { "function": { "name": "slots", "arguments": { "day": 1 } } },
                { "function": { "name": "prices", "arguments": "{mal" } }] })),
            done("stop"),
        ],
    );
    let events = events.unwrap().unwrap();
    let written: Vec<&str> = events
        .iter()
        .map(|event| match event {
            ChatEvent::TextDelta(text) => text,
            ChatEvent::ToolCall(call) => call.arguments.as_str(),
            _ => "",
        })
        .collect();
    assert_eq!(written, ["Sí", "{\"day\":1}", "{mal", ""]);
    let usage = Usage {
        input_tokens: 26,
        output_tokens: 9,
        ..Usage::default()
    };
    let finished = |reason| ChatEvent::Finished { reason, usage };
    assert_eq!(events.last(), Some(&finished(FinishReason::ToolCalls)));
    let cut = read(&Ollama, &[done("length")]).unwrap().unwrap();
    assert_eq!(cut, [finished(FinishReason::Length)]);
    let half = read(&Ollama, &[said(&json!({ "content": "Sí" }))]);
    assert_eq!(half.unwrap(), None);
    assert!(read(&Ollama, &[json!({ "error": "unexpected end" })]).is_err());
}
