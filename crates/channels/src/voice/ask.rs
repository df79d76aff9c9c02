//! Reading what Vapi asks words for, as any program asks a model of OpenAI.

use super::fields::{refused, words};
use super::{VoiceCall, VoiceRole, VoiceWords, caller};
use crate::inbound::RefusedItem;
use serde_json::Value;

/// What Vapi calls the tool that passes a call on.
pub const TRANSFER_TOOL: &str = "transferCall";

/// A request for the next words of a call. The whole call comes each time.
#[derive(Clone, Debug, PartialEq)]
pub struct VoiceAsk {
    pub call: VoiceCall,
    /// What our assistant was told that its model is called.
    pub model: Option<String>,
    pub words: VoiceWords,
    /// What came last is the result of a tool, and nobody has said anything since.
    pub follows_tool: bool,
    /// Whether the call can be passed on.
    pub may_transfer: bool,
    /// Whether words are taken as they come.
    pub stream: bool,
}

/// Reads a request for words.
///
/// # Errors
/// What it lacks. Without the call, nobody knows who is answered.
pub fn asked(body: &Value) -> Result<VoiceAsk, RefusedItem> {
    let call = caller(body).ok_or_else(|| refused("call.id", "it is not there"))?;
    let last = body["messages"].as_array().and_then(|all| all.last());
    let model = body["model"].as_str().filter(|name| name.len() <= 200);
    Ok(VoiceAsk {
        call,
        model: model.map(str::to_owned),
        words: words(&body["messages"], "messages")?,
        follows_tool: last.is_some_and(|last| last["role"] == "tool"),
        may_transfer: has_transfer(&body["tools"]),
        stream: body["stream"] == true,
    })
}

fn has_transfer(tools: &Value) -> bool {
    let listed = tools.as_array().map(Vec::as_slice).unwrap_or_default();
    listed.iter().any(|tool| {
        let names = [&tool["function"]["name"], &tool["name"], &tool["type"]];
        names.iter().any(|name| **name == TRANSFER_TOOL)
    })
}

impl VoiceAsk {
    /// What the caller said last.
    #[must_use]
    pub fn question(&self) -> Option<&str> {
        let mut back = self.words.iter().rev();
        back.find_map(|(role, said)| (*role == VoiceRole::User).then_some(said.as_str()))
    }

    /// How often the caller has said something.
    #[must_use]
    pub fn number(&self) -> usize {
        let mine = |said: &&(VoiceRole, String)| said.0 == VoiceRole::User;
        self.words.iter().filter(mine).count()
    }

    /// What was said to the caller before they said anything.
    #[must_use]
    pub fn opening(&self) -> Option<&str> {
        let (role, said) = self.words.first()?;
        (*role == VoiceRole::Assistant).then_some(said.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ask(messages: &Value, tools: &Value) -> VoiceAsk {
        let body = json!({
            "model": "maya", "stream": true, "messages": messages, "tools": tools,
            "call": { "id": "call-1" },
        });
        asked(&body).unwrap()
    }

    #[test]
    fn the_last_words_of_the_caller_are_asked() {
        let messages = json!([
            { "role": "system", "content": "be kind" },
            { "role": "assistant", "content": "Hola" },
            { "role": "user", "content": "¿Qué tienen?" },
            { "role": "assistant", "content": "Pan" },
            { "role": "user", "content": [{ "type": "text", "text": "¿De qué?" }] },
        ]);
        let tools = json!([{ "type": "function", "function": { "name": "transferCall" } }]);
        let ask = ask(&messages, &tools);
        assert_eq!(ask.question(), Some("¿De qué?"));
        assert_eq!((ask.number(), ask.opening()), (2, Some("Hola")));
        assert!(ask.may_transfer && ask.stream && !ask.follows_tool);
        assert_eq!(ask.model.as_deref(), Some("maya"));
    }

    #[test]
    fn what_follows_a_tool_is_no_question() {
        let messages = json!([
            { "role": "user", "content": "Páseme con alguien" },
            { "role": "assistant", "content": "Claro", "tool_calls": [{ "id": "t-1" }] },
            { "role": "tool", "content": "error", "tool_call_id": "t-1" },
        ]);
        let ask = ask(&messages, &Value::Null);
        assert!(ask.follows_tool && !ask.may_transfer);
        assert_eq!((ask.number(), ask.opening()), (1, None));
    }

    #[test]
    fn nobody_is_answered_without_a_call() {
        let body = json!({ "messages": [{ "role": "user", "content": "hola" }] });
        assert_eq!(asked(&body).unwrap_err().path, "call.id");
        let silent = ask(&json!([]), &json!([{ "type": "endCall" }]));
        assert_eq!((silent.question(), silent.number()), (None, 0));
        assert!(!silent.may_transfer);
    }
}
