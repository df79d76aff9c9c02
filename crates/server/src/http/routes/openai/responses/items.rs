//! The items of a conversation, as OpenAI's newer clients write them.

use super::super::message::{Called, ClientCall, Content, Message, Role};
use quipu_core::validate::{Checks, Problem};
use serde::Deserialize;
use utoipa::ToSchema;

const KEPT_NOWHERE: &str = "message, function_call, function_call_output";

/// A question, or the items of a conversation.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub(super) enum ResponseInput {
    Question(String),
    Items(Vec<InputItem>),
}

/// A message, a call that the client has made, or what came of one. Other items are passed over.
#[derive(Deserialize, ToSchema)]
pub(super) struct InputItem {
    /// `message` when left out.
    #[serde(default, rename = "type")]
    #[schema(example = "message")]
    kind: Option<String>,
    /// Of a message.
    #[serde(default)]
    role: Option<Role>,
    /// Of a message: a text, or parts of one.
    #[serde(default)]
    content: Option<Content>,
    /// Of a call, and of what came of it.
    #[serde(default)]
    call_id: Option<String>,
    /// Of a call.
    #[serde(default)]
    name: Option<String>,
    /// Of a call: JSON, as a text.
    #[serde(default)]
    arguments: Option<String>,
    /// What came of a call.
    #[serde(default)]
    output: Option<Content>,
}

/// The same as messages, each with what its field is called. Calls that were made together are told in
/// one message, as every provider wants them.
pub(super) fn messages(input: ResponseInput, checks: &mut Checks) -> Vec<(String, Message)> {
    let items = match input {
        ResponseInput::Question(text) => {
            let asked = said(Role::User, Some(Content::Text(text)));
            return vec![("input".to_owned(), asked)];
        }
        ResponseInput::Items(items) => items,
    };
    let mut told: Vec<(String, Message)> = Vec::new();
    for (i, item) in items.into_iter().enumerate() {
        let field = format!("input[{i}]");
        match item.kind.as_deref().unwrap_or("message") {
            "message" => match item.role {
                Some(Role::Tool) | None => {
                    let allowed = "system, developer, user, assistant".to_owned();
                    checks.problem(&format!("{field}.role"), Problem::Unknown { allowed });
                }
                Some(role) => told.push((field, said(role, item.content))),
            },
            "function_call" => {
                let call = ClientCall {
                    id: item.call_id.unwrap_or_default(),
                    function: Called {
                        name: item.name.unwrap_or_default(),
                        arguments: item.arguments.unwrap_or_default(),
                    },
                };
                match told.last_mut() {
                    Some((_, last)) if last.role == Role::Assistant => {
                        last.tool_calls.get_or_insert_default().push(call);
                    }
                    _ => {
                        let mut message = said(Role::Assistant, None);
                        message.tool_calls = Some(vec![call]);
                        told.push((field, message));
                    }
                }
            }
            "function_call_output" => {
                let mut message = said(Role::Tool, item.output);
                message.tool_call_id = item.call_id;
                told.push((field, message));
            }
            // What it refers to is not kept.
            "item_reference" => {
                let allowed = KEPT_NOWHERE.to_owned();
                checks.problem(&format!("{field}.type"), Problem::Unknown { allowed });
            }
            // What another model thought, or another service looked up by itself.
            _ => {}
        }
    }
    told
}

const fn said(role: Role, content: Option<Content>) -> Message {
    Message {
        role,
        content,
        tool_calls: None,
        tool_call_id: None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::message::conversation;
    use super::*;
    use quipu_core::chat::ChatMessage;
    use serde_json::{Value, json};

    fn read(input: Value) -> (Vec<ChatMessage>, bool) {
        let input: ResponseInput = serde_json::from_value(input).unwrap();
        let mut checks = Checks::new();
        let told = conversation(messages(input, &mut checks), &mut checks);
        (told.messages, checks.finish().is_ok())
    }

    #[test]
    fn calls_that_were_made_together_are_one_message() {
        let (told, fine) = read(json!([
            { "role": "user", "content": "abre las dos" },
            { "type": "reasoning", "id": "rs_1", "summary": [] },
            { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "Voy.", "annotations": [] }] },
            { "type": "function_call", "call_id": "1", "name": "open", "arguments": "{}", "id": "fc_1", "status": "completed" },
            { "type": "function_call", "call_id": "2", "name": "open", "arguments": "{}" },
            { "type": "function_call_output", "call_id": "1", "output": "abierta" },
            { "type": "function_call_output", "call_id": "2", "output": [{ "type": "input_text", "text": "cerrada" }] },
        ]));
        assert!(fine);
        assert_eq!(told.len(), 4);
        let ChatMessage::Assistant { text, tool_calls } = &told[1] else {
            panic!("{told:?}");
        };
        assert_eq!((text.as_str(), tool_calls.len()), ("Voy.", 2));
        let ChatMessage::ToolResult { content, .. } = &told[3] else {
            panic!("{told:?}");
        };
        assert_eq!(content, "cerrada");
    }

    #[test]
    fn what_is_kept_nowhere_or_answers_nothing_is_refused() {
        assert!(read(json!("hola")).1);
        for wrong in [
            json!([{ "type": "item_reference", "id": "msg_1" }]),
            json!([{ "role": "user", "content": "hola" }, { "type": "function_call_output", "call_id": "x", "output": "y" }]),
            json!([{ "role": "user", "content": "hola" }, { "type": "function_call", "call_id": "x", "name": "y", "arguments": "{}" }]),
            json!([{ "role": "tool", "content": "hola" }]),
            json!([{ "content": "hola" }]),
        ] {
            assert!(!read(wrong.clone()).1, "{wrong}");
        }
    }
}
