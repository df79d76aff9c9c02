//! What all protocols have in common: a request becomes a body, and messages become events.

use super::frames::Framing;
use super::quirks::Quirks;
use super::refusal;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use quipu_core::chat::{
    ChatError, ChatEvent, ChatRequest, FinishReason, Image, RefusalKind, ToolCall,
};
use serde_json::{Map, Value};

/// How many calls one answer may hold, and how long the arguments of all of them may be.
const MOST_CALLS: usize = 64;
const MOST_CALL_BYTES: usize = 1024 * 1024;

/// All that a body is made of.
pub(super) struct Ask<'a> {
    pub(super) model: &'a str,
    pub(super) temperature: Option<f32>,
    pub(super) max_tokens: u32,
    pub(super) context_tokens: Option<u32>,
    pub(super) quirks: &'a Quirks,
    pub(super) request: &'a ChatRequest,
}

/// The protocol of one provider.
pub(super) trait Wire: Send + Sync {
    fn framing(&self) -> Framing;

    /// The JSON of a request.
    fn body(&self, ask: &Ask<'_>) -> Result<Vec<u8>, serde_json::Error>;

    /// Reads one answer.
    fn reader(&self) -> Box<dyn Reader>;
}

/// Understands the messages of one answer, in order.
pub(super) trait Reader: Send {
    /// Adds what one message says. `Finished` is added once, when nothing more is to come.
    fn read(&mut self, message: &str, events: &mut Vec<ChatEvent>) -> Result<(), ChatError>;

    /// Nothing more comes. Adds what was held back and says whether that is the end of an answer;
    /// otherwise half of one came.
    fn finish(&mut self, events: &mut Vec<ChatEvent>) -> bool;
}

/// A message as JSON. A server that sends anything else is not well.
pub(super) fn json(message: &str) -> Result<Value, ChatError> {
    serde_json::from_str(message).map_err(|e| {
        // What stands there is for no log; where it breaks says enough.
        ChatError::transient(format!(
            "a message of {} bytes that is no JSON at {}:{}",
            message.len(),
            e.line(),
            e.column()
        ))
    })
}

/// The error that a message tells of, should it be one.
pub(super) fn error_in(message: &Value) -> Result<(), ChatError> {
    match &message["error"] {
        Value::Null => Ok(()),
        _ => Err(refusal::in_stream(message)),
    }
}

pub(super) fn refused(what: &str) -> ChatError {
    ChatError::permanent(RefusalKind::Refused, format!("it was refused: {what}"))
}

pub(super) fn text(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty())
}

pub(super) fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

pub(super) fn base64(image: &Image) -> String {
    STANDARD.encode(&image.bytes)
}

/// Temperatures are few decimals, and as such they are to be sent.
pub(super) fn decimal(value: f32) -> Value {
    Value::from((f64::from(value) * 1000.0).round() / 1000.0)
}

/// What a model wrote for arguments as the object that some protocols want back. What was none is
/// still shown to the model, which has to mend it.
pub(super) fn arguments(call: &ToolCall) -> Value {
    match serde_json::from_str(&call.arguments) {
        Ok(Value::Object(arguments)) => Value::Object(arguments),
        _ if call.arguments.trim().is_empty() => Value::Object(Map::new()),
        _ => serde_json::json!({ "invalid_json": call.arguments }),
    }
}

/// What a provider wants to see again, told apart by whose it is: another provider, which answers
/// the next turn, is not shown it.
pub(super) fn signed(provider: &str, signature: &str) -> String {
    format!("{provider}:{signature}")
}

pub(super) fn signature<'a>(provider: &str, call: &'a ToolCall) -> Option<&'a str> {
    let signature = call.signature.as_deref()?;
    signature.strip_prefix(provider)?.strip_prefix(':')
}

/// A name for a call of a provider that gives none.
pub(super) fn call_id() -> String {
    let drawn = getrandom::u64().unwrap_or_default();
    format!("call_{drawn:016x}")
}

/// The calls of one answer while their arguments come in.
#[derive(Default)]
pub(super) struct Calls {
    calls: Vec<(u64, ToolCall)>,
    bytes: usize,
}

impl Calls {
    /// Begins a call.
    pub(super) fn begin(&mut self, index: u64, id: &str, name: &str) -> Result<(), ChatError> {
        if self.calls.len() >= MOST_CALLS {
            return Err(too_much(&format!("more than {MOST_CALLS} calls")));
        }
        self.grow(id.len() + name.len())?;
        let call = ToolCall {
            id: id.to_owned(),
            name: name.to_owned(),
            arguments: String::new(),
            signature: None,
        };
        self.calls.push((index, call));
        Ok(())
    }

    /// The last call with this number.
    pub(super) fn get(&mut self, index: u64) -> Option<&mut ToolCall> {
        let mut calls = self.calls.iter_mut().rev();
        calls.find(|call| call.0 == index).map(|call| &mut call.1)
    }

    /// Adds to the arguments of the last call with this number.
    pub(super) fn push(&mut self, index: u64, piece: &str) -> Result<(), ChatError> {
        self.grow(piece.len())?;
        if let Some(call) = self.get(index) {
            call.arguments.push_str(piece);
        }
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// All calls, whole. Where the answer was cut off, those whose arguments were are left out.
    pub(super) fn take(&mut self, cut_off: bool) -> Vec<ToolCall> {
        let calls = std::mem::take(&mut self.calls).into_iter();
        let calls = calls.map(|(_, mut call)| {
            if call.arguments.trim().is_empty() {
                call.arguments = "{}".to_owned();
            }
            if call.id.trim().is_empty() {
                call.id = call_id();
            }
            call
        });
        let is_whole = |call: &ToolCall| {
            !cut_off || serde_json::from_str::<serde::de::IgnoredAny>(&call.arguments).is_ok()
        };
        calls.filter(is_whole).collect()
    }

    fn grow(&mut self, bytes: usize) -> Result<(), ChatError> {
        self.bytes += bytes;
        if self.bytes > MOST_CALL_BYTES {
            return Err(too_much("the calls are too long"));
        }
        Ok(())
    }
}

pub(super) fn too_much(why: &str) -> ChatError {
    ChatError::permanent(RefusalKind::BadAnswer, why)
}

/// Why an answer with these calls ended, where the provider does not tell the two apart.
pub(super) fn stopped(called: bool) -> FinishReason {
    if called {
        FinishReason::ToolCalls
    } else {
        FinishReason::Stop
    }
}

#[cfg(test)]
mod tests;
