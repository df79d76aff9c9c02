//! What a stream of chat completions says.

use super::signature_of;
use crate::chat::protocol::{Calls, Reader, count, error_in, json, refused, stopped, text};
use quipu_core::chat::{ChatError, ChatEvent, FinishReason, Usage};
use serde_json::Value;

#[derive(Default)]
pub(super) struct OpenaiReader {
    calls: Calls,
    /// The answer is complete; what may still come is what it took.
    reason: Option<FinishReason>,
    usage: Option<Usage>,
    /// Whether anything was said, for servers that give no reason.
    spoke: bool,
    finished: bool,
}

impl Reader for OpenaiReader {
    fn read(&mut self, message: &str, events: &mut Vec<ChatEvent>) -> Result<(), ChatError> {
        if message.trim() == "[DONE]" {
            if self.reason.is_none() && (self.spoke || !self.calls.is_empty()) {
                self.end("stop", events)?;
            }
            self.finish(events);
            return Ok(());
        }
        let message = json(message)?;
        error_in(&message)?;
        if message["usage"].is_object() {
            self.usage = Some(usage(&message["usage"]));
        }
        let choice = &message["choices"][0];
        let delta = match &choice["delta"] {
            Value::Null => &choice["message"],
            delta => delta,
        };
        if text(&delta["refusal"]).is_some() {
            return Err(refused("by the model"));
        }
        if let Some(piece) = text(&delta["content"]) {
            self.spoke = true;
            events.push(ChatEvent::TextDelta(piece.to_owned()));
        }
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            self.call(call)?;
        }
        if let Some(reason) = text(&choice["finish_reason"]) {
            self.end(reason, events)?;
        }
        // Some keep the connection open behind the last message.
        if self.reason.is_some() && self.usage.is_some() {
            self.finish(events);
        }
        Ok(())
    }

    fn finish(&mut self, events: &mut Vec<ChatEvent>) -> bool {
        let Some(reason) = self.reason else {
            return false;
        };
        if !std::mem::replace(&mut self.finished, true) {
            let usage = self.usage.unwrap_or_default();
            events.push(ChatEvent::Finished { reason, usage });
        }
        true
    }
}

impl OpenaiReader {
    fn call(&mut self, call: &Value) -> Result<(), ChatError> {
        let index = count(&call["index"]);
        let id = text(&call["id"]).unwrap_or_default();
        let function = &call["function"];
        let name = text(&function["name"]).unwrap_or_default();
        let begins = match self.calls.get(index) {
            None => true,
            // Some number all calls alike and tell them apart by their ids, or by their names
            // where they give no ids.
            Some(known) if !id.is_empty() => !known.id.is_empty() && known.id != id,
            Some(known) => !name.is_empty() && known.id.is_empty() && !known.arguments.is_empty(),
        };
        if begins {
            self.calls.begin(index, id, name)?;
        }
        if let Some(known) = self.calls.get(index) {
            if known.id.is_empty() {
                known.id = id.to_owned();
            }
            if known.name.is_empty() {
                known.name = name.to_owned();
            }
            if let Some(signature) = signature_of(call) {
                known.signature = Some(signature);
            }
        }
        match &function["arguments"] {
            Value::String(piece) => self.calls.push(index, piece),
            // Some send the arguments as what they are.
            object @ Value::Object(_) => self.calls.push(index, &object.to_string()),
            _ => Ok(()),
        }
    }

    fn end(&mut self, reason: &str, events: &mut Vec<ChatEvent>) -> Result<(), ChatError> {
        if self.reason.is_some() {
            return Ok(());
        }
        if reason == "content_filter" {
            return Err(refused(reason));
        }
        if reason == "error" {
            return Err(ChatError::transient("the answer ended with an error"));
        }
        let cut_off = reason == "length";
        let calls = self.calls.take(cut_off);
        self.reason = Some(if cut_off {
            FinishReason::Length
        } else {
            stopped(!calls.is_empty())
        });
        events.extend(calls.into_iter().map(ChatEvent::ToolCall));
        Ok(())
    }
}

fn usage(usage: &Value) -> Usage {
    let input_tokens = count(&usage["prompt_tokens"]);
    let written = count(&usage["completion_tokens"]);
    // Some leave what the model thought out of what it wrote, and only count it in the total.
    let total = count(&usage["total_tokens"]);
    Usage {
        input_tokens,
        cached_input_tokens: count(&usage["prompt_tokens_details"]["cached_tokens"]),
        cache_write_tokens: 0,
        output_tokens: written.max(total.saturating_sub(input_tokens)),
    }
}
