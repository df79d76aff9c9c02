//! Models that call tools, and read what comes of it.

use super::harness::{PROVIDERS, ask, config, made, model, settings};
use quipu_core::chat::{
    ChatAnswer, ChatMessage, ChatRequest, FinishReason, ToolChoice, ToolSpec, gather,
};
use quipu_core::ports::ChatModel;
use quipu_testkit::model::{Dialect, ScriptedModel, Step};
use serde_json::json;

fn request() -> ChatRequest {
    let tool = |name: &str| ToolSpec {
        name: name.to_owned(),
        description: "Una herramienta".to_owned(),
        schema: json!({ "type": "object", "properties": { "day": { "type": "string" } } }),
    };
    ChatRequest {
        messages: vec![ChatMessage::user("¿Hay citas?")],
        tools: vec![tool("slots"), tool("prices")],
        ..ChatRequest::default()
    }
}

async fn answer(model: &dyn ChatModel, request: &ChatRequest) -> ChatAnswer {
    gather(model.chat(request).await.unwrap()).await.unwrap()
}

/// The conversation with the calls of an answer and what came of them.
fn continued(mut request: ChatRequest, answer: &ChatAnswer, results: &[&str]) -> ChatRequest {
    request.messages.push(ChatMessage::Assistant {
        text: answer.text.clone(),
        tool_calls: answer.tool_calls.clone(),
    });
    for (call, result) in answer.tool_calls.iter().zip(results) {
        request.messages.push(ChatMessage::ToolResult {
            call_id: call.id.clone(),
            name: call.name.clone(),
            content: (*result).to_owned(),
            is_error: false,
        });
    }
    request
}

#[tokio::test]
async fn calls_are_made_in_parallel_and_their_results_read() {
    for provider in PROVIDERS {
        let calls = [
            ("slots", "{\"day\":\"mañana\"}"),
            ("slots", "{\"day\":\"pasado mañana\"}"),
            ("prices", "{}"),
        ];
        let reply = "A las {{tool.slots.free.0}}, por {{tool.prices.cleaning}}.";
        let again = [("prices", "{\"day\":\"{{tool.prices.note}}\"}")];
        let server = ScriptedModel::start([
            Step::says_and_calls(&["Veamos."], &calls)
                .when(|asked| asked.tool_results().is_empty()),
            Step::says_and_calls(&[reply], &again).when(|asked| asked.tool_results().len() == 3),
        ])
        .await;
        let model = model(&server, provider);
        let first = answer(model.as_ref(), &request()).await;
        assert_eq!(first.text, "Veamos.");
        assert_eq!(first.reason, FinishReason::ToolCalls, "{provider:?}");
        let made: Vec<(&str, &str)> = first
            .tool_calls
            .iter()
            .map(|call| (call.name.as_str(), call.arguments.as_str()))
            .collect();
        assert_eq!(made, calls, "{provider:?}");
        let ids = first.tool_calls.iter().map(|call| &call.id);
        let ids: std::collections::BTreeSet<_> = ids.collect();
        assert_eq!(ids.len(), 3, "each call has an id of its own");

        let results = [
            "{\"free\":[\"9:00\"]}",
            "{\"free\":[\"11:30\"]}",
            "{\"cleaning\":600,\"note\":\"dice \\\"hoy\\\"\"}",
        ];
        let next = continued(request(), &first, &results);
        let second = answer(model.as_ref(), &next).await;
        // The last result of a tool counts.
        assert_eq!(second.text, "A las 11:30, por 600.", "{provider:?}");
        assert_eq!(
            second.tool_calls[0].arguments,
            "{\"day\":\"dice \\\"hoy\\\"\"}"
        );
        let asked = &server.requests()[1];
        assert_eq!(asked.tools(), ["slots", "prices"]);
        let names: Vec<String> = asked.tool_results().into_iter().map(|r| r.0).collect();
        assert_eq!(names, ["slots", "slots", "prices"]);
        if provider.1 == Dialect::Gemini {
            let parts = &asked.body["contents"][1]["parts"];
            assert_eq!(parts[1]["thoughtSignature"], "firma-slots");
        }
    }
}

#[tokio::test]
async fn what_a_model_writes_for_arguments_is_handed_on_as_it_is() {
    for provider in PROVIDERS {
        let step = Step::calls(&[("no_such_tool", "{\"day\": mañana")]);
        let server = ScriptedModel::start([step.times(9)]).await;
        let model = model(&server, provider);
        let found = ask(model.as_ref()).await;
        if provider.1 == Dialect::Gemini {
            // It notices by itself, and says so instead.
            let why = super::harness::transient(found);
            assert!(why.contains("MALFORMED"), "{why}");
            assert_eq!(server.requests().len(), 3, "it is asked again");
            continue;
        }
        let found = found.unwrap();
        assert_eq!(found.tool_calls[0].name, "no_such_tool");
        assert_eq!(found.tool_calls[0].arguments, "{\"day\": mañana");
        // It can be sent back to be mended.
        let next = continued(request(), &found, &["eso no es JSON"]);
        drop(model.chat(&next).await.unwrap());
    }
}

#[tokio::test]
async fn half_a_call_is_none() {
    for provider in [PROVIDERS[0], PROVIDERS[2]] {
        let step = Step::calls(&[("slots", "{}"), ("prices", "{\"day\": \"ma")]).running_out();
        let server = ScriptedModel::start([step]).await;
        let found = ask(model(&server, provider).as_ref()).await.unwrap();
        assert_eq!(found.reason, FinishReason::Length);
        assert_eq!(found.tool_calls.len(), 1, "{provider:?}");
    }
}

#[tokio::test]
async fn a_model_can_be_kept_from_calling() {
    for provider in PROVIDERS {
        let server = ScriptedModel::start([Step::says("Sí")]).await;
        let model = made(settings(&server), &config(&server, provider));
        let mut request = request();
        request.tool_choice = ToolChoice::Never;
        answer(model.as_ref(), &request).await;
        let body = &server.requests()[0].body;
        let forbidden = match provider.1 {
            Dialect::Openai => body["tool_choice"] == "none",
            Dialect::Anthropic => body["tool_choice"]["type"] == "none",
            Dialect::Gemini => body["toolConfig"]["functionCallingConfig"]["mode"] == "NONE",
            Dialect::Ollama => body["tools"].is_null(),
        };
        assert!(forbidden, "{provider:?}");
    }
}
