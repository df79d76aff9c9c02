//! What a stream of Anthropic's events says.

use super::SIGNER;
use crate::chat::protocol::{
    Calls, Reader, count, error_in, json, refused, signed, stopped, text, too_much,
};
use quipu_core::chat::{ChatError, ChatEvent, FinishReason, Usage};
use serde_json::Value;

/// How much of what a model thought is kept to be sent back with its calls.
const MOST_THOUGHT_BYTES: usize = 1024 * 1024;

#[derive(Default)]
pub(super) struct AnthropicReader {
    calls: Calls,
    thoughts: Vec<Value>,
    thought_bytes: usize,
    called: bool,
    reason: Option<FinishReason>,
    usage: Usage,
    finished: bool,
}

impl Reader for AnthropicReader {
    fn read(&mut self, message: &str, events: &mut Vec<ChatEvent>) -> Result<(), ChatError> {
        let message = json(message)?;
        error_in(&message)?;
        let index = count(&message["index"]);
        match message["type"].as_str().unwrap_or_default() {
            "message_start" => self.count(&message["message"]["usage"]),
            "content_block_start" => self.begin(index, &message["content_block"], events)?,
            "content_block_delta" => self.go_on(index, &message["delta"], events)?,
            "message_delta" => {
                self.count(&message["usage"]);
                if let Some(reason) = text(&message["delta"]["stop_reason"]) {
                    self.end(reason, events)?;
                }
            }
            "message_stop" => {
                self.finish(events);
            }
            // Pings, ends of blocks, and what is new since this was written.
            _ => {}
        }
        Ok(())
    }

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

impl AnthropicReader {
    fn begin(
        &mut self,
        index: u64,
        block: &Value,
        events: &mut Vec<ChatEvent>,
    ) -> Result<(), ChatError> {
        match block["type"].as_str().unwrap_or_default() {
            "text" => say(&block["text"], events),
            "tool_use" => {
                let id = text(&block["id"]).unwrap_or_default();
                let name = text(&block["name"]).unwrap_or_default();
                self.calls.begin(index, id, name)?;
                self.called = true;
                // Usually empty here, and written in the pieces that follow.
                if block["input"].as_object().is_some_and(|i| !i.is_empty()) {
                    self.calls.push(index, &block["input"].to_string())?;
                }
            }
            "thinking" | "redacted_thinking" => {
                self.think(block.to_string().len())?;
                self.thoughts.push(block.clone());
            }
            _ => {}
        }
        Ok(())
    }

    fn go_on(
        &mut self,
        index: u64,
        delta: &Value,
        events: &mut Vec<ChatEvent>,
    ) -> Result<(), ChatError> {
        match delta["type"].as_str().unwrap_or_default() {
            "text_delta" => say(&delta["text"], events),
            "input_json_delta" => {
                if let Some(piece) = text(&delta["partial_json"]) {
                    self.calls.push(index, piece)?;
                }
            }
            kind @ ("thinking_delta" | "signature_delta") => {
                let field = kind.trim_end_matches("_delta");
                let piece = text(&delta[field]).unwrap_or_default();
                self.think(piece.len())?;
                if let Some(thought) = self.thoughts.last_mut() {
                    let before = thought[field].as_str().unwrap_or_default();
                    thought[field] = format!("{before}{piece}").into();
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn think(&mut self, bytes: usize) -> Result<(), ChatError> {
        self.thought_bytes += bytes;
        if self.thought_bytes > MOST_THOUGHT_BYTES {
            return Err(too_much("the model thinks without end"));
        }
        Ok(())
    }

    fn end(&mut self, reason: &str, events: &mut Vec<ChatEvent>) -> Result<(), ChatError> {
        if self.reason.is_some() {
            return Ok(());
        }
        if reason == "refusal" {
            return Err(refused(reason));
        }
        let cut_off = matches!(reason, "max_tokens" | "model_context_window_exceeded");
        let mut calls = self.calls.take(cut_off);
        if let Some(first) = calls.first_mut()
            && !self.thoughts.is_empty()
        {
            let thoughts = Value::Array(std::mem::take(&mut self.thoughts));
            first.signature = Some(signed(SIGNER, &thoughts.to_string()));
        }
        self.reason = Some(if cut_off {
            FinishReason::Length
        } else {
            stopped(self.called)
        });
        events.extend(calls.into_iter().map(ChatEvent::ToolCall));
        Ok(())
    }

    /// Counts are told at the beginning and again at the end, where some are left out.
    fn count(&mut self, usage: &Value) {
        let fresh = usage["input_tokens"].as_u64();
        let cached = usage["cache_read_input_tokens"].as_u64();
        let written = usage["cache_creation_input_tokens"].as_u64();
        let before = &mut self.usage;
        let old_fresh = before
            .input_tokens
            .saturating_sub(before.cached_input_tokens)
            .saturating_sub(before.cache_write_tokens);
        before.cached_input_tokens = cached.unwrap_or(before.cached_input_tokens);
        before.cache_write_tokens = written.unwrap_or(before.cache_write_tokens);
        // What is remembered is counted beside the rest here, and in it everywhere else.
        before.input_tokens = fresh
            .unwrap_or(old_fresh)
            .saturating_add(before.cached_input_tokens)
            .saturating_add(before.cache_write_tokens);
        before.output_tokens = usage["output_tokens"]
            .as_u64()
            .unwrap_or(before.output_tokens);
    }
}

fn say(piece: &Value, events: &mut Vec<ChatEvent>) {
    if let Some(piece) = text(piece) {
        events.push(ChatEvent::TextDelta(piece.to_owned()));
    }
}
