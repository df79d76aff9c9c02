//! What a stream of Gemini's says.

use super::SIGNER;
use crate::chat::protocol::{Calls, Reader, count, error_in, json, refused, signed, stopped, text};
use quipu_core::chat::{ChatError, ChatEvent, FinishReason, Usage};
use serde_json::Value;

#[derive(Default)]
pub(super) struct GeminiReader {
    calls: Calls,
    begun: u64,
    reason: Option<FinishReason>,
    usage: Usage,
    finished: bool,
}

impl Reader for GeminiReader {
    fn read(&mut self, message: &str, events: &mut Vec<ChatEvent>) -> Result<(), ChatError> {
        let message = json(message)?;
        let message = match &message {
            Value::Array(list) => list.first().unwrap_or(&message),
            message => message,
        };
        error_in(message)?;
        if let Some(blocked) = text(&message["promptFeedback"]["blockReason"]) {
            return Err(refused(&name(blocked)));
        }
        if message["usageMetadata"].is_object() {
            self.usage = usage(&message["usageMetadata"]);
        }
        let candidate = &message["candidates"][0];
        let parts = candidate["content"]["parts"].as_array();
        for part in parts.into_iter().flatten() {
            self.part(part, events)?;
        }
        if let Some(reason) = text(&candidate["finishReason"]) {
            self.end(reason, events)?;
        }
        Ok(())
    }

    /// The reason may come before the last counts, so the end is the end of the stream.
    fn finish(&mut self, events: &mut Vec<ChatEvent>) -> bool {
        let Some(reason) = self.reason else {
            return false;
        };
        if !std::mem::replace(&mut self.finished, true) {
            let usage = self.usage;
            events.push(ChatEvent::Finished { reason, usage });
        }
        true
    }
}

impl GeminiReader {
    fn part(&mut self, part: &Value, events: &mut Vec<ChatEvent>) -> Result<(), ChatError> {
        let call = &part["functionCall"];
        if call.is_object() {
            let index = self.begun;
            self.begun += 1;
            let id = text(&call["id"]).unwrap_or_default();
            let name = text(&call["name"]).unwrap_or_default();
            self.calls.begin(index, id, name)?;
            if call["args"].is_object() {
                self.calls.push(index, &call["args"].to_string())?;
            }
            let signature = text(&part["thoughtSignature"]);
            if let (Some(signature), Some(call)) = (signature, self.calls.get(index)) {
                call.signature = Some(signed(SIGNER, signature));
            }
            return Ok(());
        }
        // What the model thinks is not for the customer.
        if part["thought"].as_bool() != Some(true)
            && let Some(piece) = text(&part["text"])
        {
            events.push(ChatEvent::TextDelta(piece.to_owned()));
        }
        Ok(())
    }

    fn end(&mut self, reason: &str, events: &mut Vec<ChatEvent>) -> Result<(), ChatError> {
        if self.reason.is_some() {
            return Ok(());
        }
        let cut_off = match reason {
            "STOP" => false,
            "MAX_TOKENS" => true,
            // The model tried to call and made a mess of it; the next time it may not.
            "MALFORMED_FUNCTION_CALL"
            | "UNEXPECTED_TOOL_CALL"
            | "OTHER"
            | "FINISH_REASON_UNSPECIFIED" => {
                return Err(ChatError::transient(format!("it ended with {reason}")));
            }
            reason => return Err(refused(&name(reason))),
        };
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

/// A name for the log, which is to be no more than one.
fn name(reason: &str) -> String {
    let letters = reason
        .chars()
        .filter(|c| c.is_ascii_uppercase() || *c == '_');
    letters.take(40).collect()
}

fn usage(usage: &Value) -> Usage {
    let answered = count(&usage["candidatesTokenCount"]);
    let thought = count(&usage["thoughtsTokenCount"]);
    Usage {
        input_tokens: count(&usage["promptTokenCount"])
            .saturating_add(count(&usage["toolUsePromptTokenCount"])),
        cached_input_tokens: count(&usage["cachedContentTokenCount"]),
        cache_write_tokens: 0,
        output_tokens: answered.saturating_add(thought),
    }
}
