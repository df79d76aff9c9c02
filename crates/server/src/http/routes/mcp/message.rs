//! The envelopes of JSON-RPC.

use super::error::RpcError;
use quipu_core::unreadable::unreadable;
use quipu_core::{Error, ErrorCode, Result};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// How many messages may come at once, where the version of the protocol has batches.
pub(super) const MOST_MESSAGES: usize = 20;
/// How long the id of a message may be.
const LONGEST_ID: usize = 200;

/// A message of JSON-RPC: a request, a notification when there is no `id`, or a response.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct McpMessage {
    #[expect(dead_code, reason = "reading it is the check")]
    jsonrpc: JsonRpcVersion,
    /// The sender's own, given back with the answer.
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    pub(super) id: Option<McpMessageId>,
    #[serde(default)]
    #[schema(
        nullable = false,
        min_length = 1,
        max_length = 100,
        example = "tools/list"
    )]
    pub(super) method: Option<String>,
    #[serde(default)]
    #[schema(value_type = Object, nullable = false)]
    pub(super) params: Option<Value>,
    /// Of a response. Nothing is ever asked of a client, so that it answers nothing.
    #[serde(default, deserialize_with = "anything")]
    #[schema(value_type = Object, nullable = false)]
    result: Option<Value>,
    #[serde(default, deserialize_with = "anything")]
    #[schema(value_type = Object, nullable = false)]
    error: Option<Value>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub(super) enum JsonRpcVersion {
    #[serde(rename = "2.0")]
    Two,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged, expecting = "the id of a message is an integer or a text")]
pub(super) enum McpMessageId {
    Number(i64),
    Text(String),
}

/// The protocol knows no id that is null; without this, one would count as left out.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<McpMessageId>, D::Error> {
    McpMessageId::deserialize(from).map(Some)
}

/// Tells a `null` that is there from nothing at all.
fn anything<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

/// What a message is.
#[derive(Debug)]
pub(super) enum Kind<'a> {
    Request(&'a McpMessageId, &'a str),
    /// Something that wants no answer.
    Unanswered,
}

impl McpMessage {
    pub(super) fn kind(&self) -> Kind<'_> {
        match (&self.id, &self.method) {
            (Some(id), Some(method)) => Kind::Request(id, method),
            _ => Kind::Unanswered,
        }
    }

    pub(super) fn is_initialize(&self) -> bool {
        self.method.as_deref() == Some("initialize")
    }

    fn check(&self) -> Result<()> {
        let answers = self.result.is_some() || self.error.is_some();
        if self.method.is_some() == answers {
            return Err(wrong(
                "a message has either a method or a result or an error",
            ));
        }
        if self.result.is_some() && self.error.is_some() || answers && self.id.is_none() {
            return Err(wrong("a response has an id, and a result or an error"));
        }
        if matches!(&self.id, Some(McpMessageId::Text(id)) if id.len() > LONGEST_ID) {
            return Err(wrong("id is too long"));
        }
        let named = self.method.as_ref().map(String::len);
        if named.is_some_and(|length| !(1..=100).contains(&length)) {
            return Err(wrong("method is empty or too long"));
        }
        if !matches!(self.params, None | Some(Value::Object(_))) {
            return Err(wrong("params is not an object"));
        }
        Ok(())
    }
}

/// What a request carries.
#[derive(Debug)]
pub(super) enum Body {
    One(McpMessage),
    Batch(Vec<McpMessage>),
}

/// Reads a body. One message that cannot be read makes all of it unreadable.
pub(super) fn read(bytes: &[u8]) -> Result<Body> {
    if bytes.trim_ascii_start().first() != Some(&b'[') {
        let message: McpMessage = serde_json::from_slice(bytes).map_err(|e| unreadable(&e))?;
        message.check()?;
        return Ok(Body::One(message));
    }
    let messages: Vec<McpMessage> = serde_json::from_slice(bytes).map_err(|e| unreadable(&e))?;
    if messages.is_empty() {
        return Err(wrong("a batch holds at least one message"));
    }
    if messages.len() > MOST_MESSAGES {
        return Err(Error::new(ErrorCode::TooManyItems).with("value", MOST_MESSAGES));
    }
    messages.iter().try_for_each(McpMessage::check)?;
    Ok(Body::Batch(messages))
}

pub(super) fn wrong(reason: &'static str) -> Error {
    Error::new(ErrorCode::InvalidJson).with("reason", reason)
}

/// The answer to one request.
#[derive(Serialize, ToSchema)]
pub(super) struct McpResponse {
    jsonrpc: JsonRpcVersion,
    id: McpMessageId,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, nullable = false)]
    result: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<RpcError>,
}

impl McpResponse {
    pub(super) fn new(id: McpMessageId, outcome: Result<Value, RpcError>) -> Self {
        let (result, error) = match outcome {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        Self {
            jsonrpc: JsonRpcVersion::Two,
            id,
            result,
            error,
        }
    }
}
