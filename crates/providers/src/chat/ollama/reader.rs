//! What the lines of Ollama say.

use crate::chat::protocol::{Calls, Reader, count, error_in, json, stopped, text};
use quipu_core::chat::{ChatError, ChatEvent, FinishReason, Usage};
use serde_json::Value;

#[derive(Default)]
pub(super) struct OllamaReader {
    calls: Calls,
    begun: u64,
    finished: bool,
}

impl Reader for OllamaReader {
    fn read(&mut self, message: &str, events: &mut Vec<ChatEvent>) -> Result<(), ChatError> {
        let message = json(message)?;
        error_in(&message)?;
        let said = &message["message"];
        if let Some(piece) = text(&said["content"]) {
            events.push(ChatEvent::TextDelta(piece.to_owned()));
        }
        for call in said["tool_calls"].as_array().into_iter().flatten() {
            self.call(call)?;
        }
        if message["done"].as_bool() == Some(true) && !self.finished {
            self.finished = true;
            let cut_off = message["done_reason"] == "length";
            let calls = self.calls.take(cut_off);
            let reason = if cut_off {
                FinishReason::Length
            } else {
                stopped(!calls.is_empty())
            };
            events.extend(calls.into_iter().map(ChatEvent::ToolCall));
            let usage = Usage {
                input_tokens: count(&message["prompt_eval_count"]),
                output_tokens: count(&message["eval_count"]),
                ..Usage::default()
            };
            events.push(ChatEvent::Finished { reason, usage });
        }
        Ok(())
    }

    fn finish(&mut self, _: &mut Vec<ChatEvent>) -> bool {
        self.finished
    }
}

impl OllamaReader {
    /// Calls come whole, and mostly without an id.
    fn call(&mut self, call: &Value) -> Result<(), ChatError> {
        let index = self.begun;
        self.begun += 1;
        let function = &call["function"];
        let id = text(&call["id"]).unwrap_or_default();
        let name = text(&function["name"]).unwrap_or_default();
        self.calls.begin(index, id, name)?;
        match &function["arguments"] {
            Value::Null => Ok(()),
            Value::String(arguments) => self.calls.push(index, arguments),
            arguments => self.calls.push(index, &arguments.to_string()),
        }
    }
}
