//! How much a model is given to read.

use quipu_agents::tokens::count;
use quipu_scripted::{Asked, ScriptedModel};
use serde_json::Value;

/// The tokens of each question: what the model is told to be, the conversation, the results of
/// tools, and the tools it may use.
pub(super) fn tokens(model: &ScriptedModel) -> Vec<usize> {
    model.requests().iter().map(of).collect()
}

fn of(asked: &Asked) -> usize {
    let all = |field: &str| asked.body[field].as_array().cloned().unwrap_or_default();
    let messages = all("messages");
    let spoken: usize = messages
        .iter()
        .map(|message| text(&message["content"]))
        .sum();
    let calls = messages
        .iter()
        .flat_map(|message| message["tool_calls"].as_array().into_iter().flatten());
    let called: usize = calls.map(|call| count(&call["function"].to_string())).sum();
    let tools = all("tools");
    let tools: usize = tools
        .iter()
        .map(|tool| count(&tool["function"].to_string()))
        .sum();
    spoken + called + tools
}

fn text(content: &Value) -> usize {
    match content {
        Value::String(text) => count(text),
        Value::Null => 0,
        blocks => count(&blocks.to_string()),
    }
}

/// The mean over all questions.
pub(super) fn mean(counts: impl IntoIterator<Item = usize>) -> Option<f64> {
    let counts: Vec<usize> = counts.into_iter().collect();
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    let sum: usize = counts.iter().sum();
    (!counts.is_empty()).then(|| number(sum) / number(counts.len()))
}
