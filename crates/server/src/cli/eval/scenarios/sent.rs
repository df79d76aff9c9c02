//! How much a model is given to read.

use quipu_agents::tokens::count;
use quipu_scripted::{Asked, ScriptedModel};
use serde::Serialize;
use serde_json::Value;
use std::ops::Add;

/// The tokens of a question to a model.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sent {
    /// What the model is told to be, and what it is told for this message.
    told: usize,
    /// What was said in the conversation.
    said: usize,
    /// The tools that were called and what they returned.
    returned: usize,
    /// The tools that it may use.
    tools: usize,
}

impl Add for Sent {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            told: self.told + other.told,
            said: self.said + other.said,
            returned: self.returned + other.returned,
            tools: self.tools + other.tools,
        }
    }
}

/// What a model is given to read for each of its answers, on the whole and by what it is.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Mean {
    pub(super) all: f64,
    pub(super) told: f64,
    pub(super) said: f64,
    pub(super) returned: f64,
    pub(super) tools: f64,
}

/// The tokens of each question that a model was asked.
pub(super) fn tokens(model: &ScriptedModel) -> Vec<Sent> {
    model.requests().iter().map(of).collect()
}

fn of(asked: &Asked) -> Sent {
    let all = |field: &str| asked.body[field].as_array().cloned().unwrap_or_default();
    let mut sent = Sent::default();
    for message in all("messages") {
        let tokens = text(&message["content"]);
        match message["role"].as_str() {
            Some("system") => sent.told += tokens,
            Some("tool") => sent.returned += tokens,
            _ => sent.said += tokens,
        }
        let calls = message["tool_calls"].as_array().into_iter().flatten();
        sent.returned += calls
            .map(|call| count(&call["function"].to_string()))
            .sum::<usize>();
    }
    let tools = all("tools");
    let specified = tools
        .iter()
        .map(|tool| count(&tool["function"].to_string()));
    sent.tools = specified.sum();
    sent
}

fn text(content: &Value) -> usize {
    match content {
        Value::String(text) => count(text),
        Value::Null => 0,
        blocks => count(&blocks.to_string()),
    }
}

/// What was asked for each message, when so many questions had been asked after each of them. A message
/// that no model was asked about took nothing, and is no measure of what one takes.
pub(super) fn by_message(sent: &[Sent], asked: &[usize]) -> Vec<Sent> {
    let mut from = 0;
    let mut messages = Vec::new();
    for to in asked.iter().copied() {
        let questions = sent.get(from..to).unwrap_or_default();
        if !questions.is_empty() {
            messages.push(questions.iter().copied().fold(Sent::default(), Add::add));
        }
        from = to;
    }
    messages
}

/// The mean over all questions, or messages.
pub(super) fn mean(all: &[Sent]) -> Option<Mean> {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    if all.is_empty() {
        return None;
    }
    let sum = all.iter().copied().fold(Sent::default(), Add::add);
    let share = |tokens: usize| number(tokens) / number(all.len());
    Some(Mean {
        all: share(sum.told + sum.said + sum.returned + sum.tools),
        told: share(sum.told),
        said: share(sum.said),
        returned: share(sum.returned),
        tools: share(sum.tools),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_message_takes_is_all_that_was_asked_for_it() {
        let sent = |told| Sent {
            told,
            ..Sent::default()
        };
        let all = [sent(10), sent(20), sent(5)];
        let messages = by_message(&all, &[2, 2, 3]);
        let told: Vec<usize> = messages.iter().map(|sent| sent.told).collect();
        assert_eq!(told, [30, 5]);
        assert!((mean(&messages).unwrap().all - 17.5).abs() < 1e-9);
    }
}
