//! What whoever asks sends along with the question, judged before anybody reads it.
//!
//! A client sends the conversation as it likes: earlier messages, words of the agent, instructions,
//! results of tools. None of it was looked at when it was sent, so that all of it is here.

use super::trace::Notes;
use super::{TurnInput, is_own_tool};
use crate::guard::{Action, Guard};
use crate::readings::MessageReadings;
use quipu_core::chat::{ChatMessage, ToolCall, ToolSpec};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::HashSet;
use std::time::Instant;

/// Stands where a message was that is not passed on.
const LEFT_OUT: &str = "[…]";

/// What the guard judges as the question.
pub(super) struct AskedText {
    /// The customer's last messages in a row, since one attack can be cut into several.
    pub(super) text: String,
    /// How surely the reader takes one of them for an attack.
    pub(super) attack: Option<f32>,
}

/// Takes out of what was sent along what is not to be heard, and returns what the guard is to judge.
pub(super) fn sift(input: &mut TurnInput, question: &str, notes: &mut Notes) -> AskedText {
    let began = Instant::now();
    let forged = drop_forged(&mut input.messages);
    let is_user = |message: &ChatMessage| matches!(message, ChatMessage::User { .. });
    let asked = input.messages.iter().rposition(is_user);
    let mut left_out = 0;
    for (at, message) in input.messages.iter_mut().enumerate() {
        if Some(at) != asked && !is_heard(message, &input.readings) {
            left_out += 1;
        }
    }
    let instructions = input.instructions.take();
    let sent = instructions.is_some();
    input.instructions = instructions.as_deref().and_then(heeded);
    let ignored = sent && input.instructions != instructions;
    let tools = input.client_tools.iter_mut().map(is_described);
    let tools_changed = tools.filter(|as_it_was| !as_it_was).count();
    let tools_changed = tools_changed + drop_misnamed(&mut input.client_tools);
    if forged > 0 || left_out > 0 || ignored || tools_changed > 0 {
        notes.step(
            "sifting",
            began,
            json!({
                "forged_results": forged,
                "messages_left_out": left_out,
                "instructions_changed": ignored,
                "tools_changed": tools_changed,
            }),
        );
    }
    in_a_row(&input.messages, asked, question, &input.readings)
}

/// Takes out calls of the agent's own tools and what is said to have come of them. The agent makes
/// those calls itself and shows them to no client, so that a client only has them by making them up.
/// So are calls with words for the assistant in them: no answer of an agent has any.
fn drop_forged(messages: &mut Vec<ChatMessage>) -> usize {
    let mut forged = HashSet::new();
    for message in messages.iter_mut() {
        if let ChatMessage::Assistant { tool_calls, .. } = message {
            tool_calls.retain(|call| {
                let made_up = is_own_tool(&call.name) || speaks(call);
                if made_up {
                    forged.insert(call.id.clone());
                }
                !made_up
            });
        }
    }
    messages.retain(|message| match message {
        ChatMessage::ToolResult { call_id, name, .. } => {
            !is_own_tool(name) && !forged.contains(call_id)
        }
        ChatMessage::Assistant { text, tool_calls } => {
            !tool_calls.is_empty() || !text.trim().is_empty()
        }
        ChatMessage::User { .. } => true,
    });
    forged.len()
}

/// Whether a call has words for the assistant in it.
fn speaks(call: &ToolCall) -> bool {
    let mut texts = String::new();
    match serde_json::from_str::<Value>(&call.arguments) {
        Ok(arguments) => texts_of(&arguments, &mut texts),
        Err(_) => texts.push_str(&call.arguments),
    }
    is_suspicious(&texts)
        || is_suspicious(&spelled(&call.id))
        || is_suspicious(&spelled(&call.name))
}

fn is_suspicious(text: &str) -> bool {
    Guard::compiled().judge_passage(text).suspicious
}

/// A name as the words that it is made of: names of fields are no attack, whatever they are of.
fn spelled(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_whitespace) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace(['_', '-'], " "))
}

/// Leaves a tool of a client as it is described, or takes out of the description what nobody would
/// have to say of a tool. Returns whether it is as it was.
fn is_described(tool: &mut ToolSpec) -> bool {
    let description = heeded(&tool.description).unwrap_or_default();
    let as_it_was = description == tool.description;
    tool.description = description;
    let mut texts = String::new();
    texts_of(&tool.schema, &mut texts);
    // Most schemas have nothing to hide, and one look at all their texts tells.
    if !is_suspicious(&texts) {
        return as_it_was;
    }
    clean_schema(&mut tool.schema);
    texts.clear();
    texts_of(&tool.schema, &mut texts);
    if is_suspicious(&texts) {
        // It is spread over several of them.
        tool.schema = json!({ "type": "object" });
    }
    false
}

/// Takes out tools whose names speak to the assistant, or all of them where their names do so together.
/// Returns how many are gone.
fn drop_misnamed(tools: &mut Vec<ToolSpec>) -> usize {
    let all = tools.len();
    tools.retain(|tool| !is_suspicious(&spelled(&tool.name)));
    let names: Vec<_> = tools.iter().map(|tool| spelled(&tool.name)).collect();
    if is_suspicious(&names.join(" ")) {
        tools.clear();
    }
    all - tools.len()
}

/// All texts and names in a schema, a line each.
fn texts_of(schema: &Value, texts: &mut String) {
    match schema {
        Value::String(text) => texts.extend([&spelled(text), "\n"]),
        Value::Array(items) => items.iter().for_each(|item| texts_of(item, texts)),
        Value::Object(fields) => {
            for (name, value) in fields {
                texts.extend([&spelled(name), "\n"]);
                texts_of(value, texts);
            }
        }
        _ => {}
    }
}

fn clean_schema(schema: &mut Value) {
    match schema {
        Value::String(text) if is_suspicious(&spelled(text)) => LEFT_OUT.clone_into(text),
        Value::Array(items) => items.iter_mut().for_each(clean_schema),
        Value::Object(fields) => {
            fields.retain(|name, _| !is_suspicious(&spelled(name)));
            fields.values_mut().for_each(clean_schema);
        }
        _ => {}
    }
}

/// Leaves a message as it is, or takes out what speaks to the assistant in it. Returns whether it is
/// as it was.
fn is_heard(message: &mut ChatMessage, readings: &MessageReadings) -> bool {
    match message {
        ChatMessage::User { text, .. } => {
            let attack = readings.attack(text);
            let heard = Guard::compiled().action_before(text, attack) != Action::Block;
            if !heard {
                LEFT_OUT.clone_into(text);
            }
            heard
        }
        ChatMessage::Assistant { text, .. } | ChatMessage::ToolResult { content: text, .. } => {
            let verdict = Guard::compiled().judge_passage(text);
            if verdict.suspicious {
                let cleaned = verdict.cleaned(text);
                *text = if cleaned.trim().is_empty() {
                    LEFT_OUT.to_owned()
                } else {
                    cleaned
                };
            }
            !verdict.suspicious
        }
    }
}

/// What is heeded of a client's instructions.
fn heeded(instructions: &str) -> Option<String> {
    if Guard::compiled().action_before(instructions, None) == Action::Block {
        return None;
    }
    let verdict = Guard::compiled().judge_passage(instructions);
    if !verdict.suspicious {
        return Some(instructions.to_owned());
    }
    let cleaned = verdict.cleaned(instructions);
    (!cleaned.trim().is_empty()).then_some(cleaned)
}

/// The customer's last messages with nothing between them.
fn in_a_row(
    messages: &[ChatMessage],
    asked: Option<usize>,
    question: &str,
    readings: &MessageReadings,
) -> AskedText {
    let before = messages[..asked.unwrap_or(0)].iter().rev();
    let row = before.map_while(|message| match message {
        ChatMessage::User { text, .. } => Some(text.as_str()),
        _ => None,
    });
    let mut row: Vec<&str> = row.filter(|text| *text != LEFT_OUT).collect();
    row.reverse();
    row.push(question);
    AskedText {
        text: row.join("\n"),
        attack: readings.attack_of_row(&row),
    }
}
