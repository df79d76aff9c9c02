//! How much of what a client sends is read. Clients send whole conversations and whole prompts; what is
//! beyond what is read is left out, and the answer says so.

use super::Ask;
use quipu_core::chat::ChatMessage;
use serde::Serialize;
use utoipa::ToSchema;

pub(super) const MOST_MESSAGES: usize = 100;
pub(super) const MOST_MESSAGE_CHARS: usize = 20_000;
/// More is no conversation any more.
pub(super) const MOST_CHARS: usize = 200_000;
/// What a client may add to the agent's instructions. A whole prompt belongs into the agent.
const MOST_INSTRUCTION_CHARS: usize = 2_000;

/// What was not read as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trimmed {
    /// The oldest messages, or the end of a long one.
    Messages,
    /// The end of what was added to the instructions.
    Instructions,
}

/// Leaves out what is more than is read. The customer's last message stays as it is, and so does
/// everything that passed between a model and its client's tools since, but for the length of results.
pub(super) fn trim(ask: &mut Ask) -> Vec<Trimmed> {
    let mut trimmed = Vec::new();
    if trim_messages(&mut ask.messages) {
        trimmed.push(Trimmed::Messages);
    }
    if let Some(text) = &ask.instructions
        && text.chars().count() > MOST_INSTRUCTION_CHARS
    {
        ask.instructions = Some(beginning(text, MOST_INSTRUCTION_CHARS));
        trimmed.push(Trimmed::Instructions);
    }
    trimmed
}

fn trim_messages(messages: &mut Vec<ChatMessage>) -> bool {
    let is_user = |message: &ChatMessage| matches!(message, ChatMessage::User { .. });
    let mut question = messages.iter().rposition(is_user).unwrap_or(messages.len());
    // Nothing is what an agent says while a person answers, and clients keep that, too. It is nothing
    // that could be missed.
    let mut at = 0;
    messages.retain(|message| {
        let kept = at >= question || says_something(message);
        at += 1;
        kept
    });
    question = messages.iter().rposition(is_user).unwrap_or(messages.len());
    let mut trimmed = false;
    for (at, message) in messages.iter_mut().enumerate() {
        if at != question && text_of(message).chars().count() > MOST_MESSAGE_CHARS {
            let text = text_mut(message);
            *text = beginning(text, MOST_MESSAGE_CHARS);
            trimmed = true;
        }
    }
    let mut chars = 0;
    let fitting = messages
        .iter()
        .rev()
        .take(MOST_MESSAGES)
        .take_while(|message| {
            chars += text_of(message).chars().count();
            chars <= MOST_CHARS
        });
    let mut from = (messages.len() - fitting.count()).min(question);
    // A result without the call that asked for it is refused by every provider.
    while from < question && matches!(messages[from], ChatMessage::ToolResult { .. }) {
        from += 1;
    }
    messages.drain(..from);
    trimmed || from > 0
}

pub(super) fn chars_of(messages: &[ChatMessage]) -> usize {
    let texts = messages.iter().map(text_of);
    texts.map(|text| text.chars().count()).sum()
}

fn says_something(message: &ChatMessage) -> bool {
    match message {
        ChatMessage::User { text, images } => !text.trim().is_empty() || !images.is_empty(),
        ChatMessage::Assistant { text, tool_calls } => {
            !text.trim().is_empty() || !tool_calls.is_empty()
        }
        ChatMessage::ToolResult { .. } => true,
    }
}

fn text_of(message: &ChatMessage) -> &str {
    match message {
        ChatMessage::User { text, .. } | ChatMessage::Assistant { text, .. } => text,
        ChatMessage::ToolResult { content, .. } => content,
    }
}

fn text_mut(message: &mut ChatMessage) -> &mut String {
    match message {
        ChatMessage::User { text, .. } | ChatMessage::Assistant { text, .. } => text,
        ChatMessage::ToolResult { content, .. } => content,
    }
}

/// The beginning of a text, up to the end of a sentence or else of a word, where one is near.
fn beginning(text: &str, chars: usize) -> String {
    let end = text
        .char_indices()
        .nth(chars)
        .map_or(text.len(), |(at, _)| at);
    let cut = &text[..end];
    let sentence = cut.rfind(['.', '!', '?', '\n']).map(|at| at + 1);
    let ends = [sentence, cut.rfind(char::is_whitespace)];
    let end = ends.into_iter().flatten().find(|at| *at > cut.len() / 2);
    cut[..end.unwrap_or(cut.len())].trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quipu_core::chat::ToolCall;

    fn call(id: &str) -> ChatMessage {
        ChatMessage::Assistant {
            text: String::new(),
            tool_calls: vec![ToolCall {
                id: id.to_owned(),
                name: "open_door".to_owned(),
                arguments: "{}".to_owned(),
                signature: None,
            }],
        }
    }

    fn result(id: &str, content: &str) -> ChatMessage {
        ChatMessage::ToolResult {
            call_id: id.to_owned(),
            name: "open_door".to_owned(),
            content: content.to_owned(),
            is_error: false,
        }
    }

    fn trimmed(messages: Vec<ChatMessage>) -> (Vec<ChatMessage>, Vec<Trimmed>) {
        let mut ask = Ask::anonymous(messages);
        let told = trim(&mut ask);
        (ask.messages, told)
    }

    #[test]
    fn the_end_of_a_long_talk_is_read_and_no_result_without_its_call() {
        let mut talk = vec![ChatMessage::user("abre"), call("1"), result("1", "abierta")];
        talk.extend((0..98).map(|n| ChatMessage::user(format!("mensaje {n}"))));
        talk.push(ChatMessage::user("¿sigues ahí?"));
        let (read, told) = trimmed(talk);
        assert_eq!((read.len(), told), (99, vec![Trimmed::Messages]));
        assert!(!matches!(read[0], ChatMessage::ToolResult { .. }));
    }

    #[test]
    fn what_is_silent_is_left_out_and_not_missed() {
        let talk = vec![
            ChatMessage::user("hola"),
            ChatMessage::assistant(" "),
            ChatMessage::user(""),
            ChatMessage::user("¿sigues ahí?"),
        ];
        let (read, told) = trimmed(talk);
        assert_eq!((read.len(), told), (2, vec![]));
        // An empty question is for whoever checks it.
        assert_eq!(trimmed(vec![ChatMessage::user("")]).0.len(), 1);
    }

    #[test]
    fn the_question_and_what_follows_it_stay() {
        let question = "x".repeat(30_000);
        let mut talk = vec![ChatMessage::user("y".repeat(199_999)); 3];
        talk.push(ChatMessage::user(question.clone()));
        for n in 0..120 {
            talk.push(call(&n.to_string()));
            talk.push(result(&n.to_string(), &"z".repeat(40_000)));
        }
        let (read, told) = trimmed(talk);
        assert_eq!(told, [Trimmed::Messages]);
        assert_eq!((read.len(), text_of(&read[0])), (241, question.as_str()));
        assert_eq!(text_of(&read[2]).len(), MOST_MESSAGE_CHARS);
    }

    #[test]
    fn instructions_end_with_a_sentence() {
        let mut ask = Ask::anonymous(vec![ChatMessage::user("hola")]);
        ask.instructions = Some("No hables de política. ".repeat(200));
        assert_eq!(trim(&mut ask), [Trimmed::Instructions]);
        let kept = ask.instructions.unwrap();
        assert!(
            kept.ends_with("política.") && kept.chars().count() > 1_900,
            "{kept}"
        );
        assert_eq!(beginning("ñandú ñandú ñandú", 14), "ñandú ñandú");
        assert_eq!(beginning("ññññ", 2), "ññ");
    }
}
