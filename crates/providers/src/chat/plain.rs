//! What a model sends without the characters that no text has. Databases refuse them, and what a model
//! said once would be lost with all that was to be written beside it.

use quipu_core::chat::{ChatEvent, ToolCall};
use serde_json::Value;

pub(super) fn plain(event: ChatEvent) -> ChatEvent {
    match event {
        ChatEvent::TextDelta(text) => ChatEvent::TextDelta(without_controls(text)),
        ChatEvent::ToolCall(call) => ChatEvent::ToolCall(ToolCall {
            id: without_controls(call.id),
            name: without_controls(call.name),
            arguments: plain_arguments(call.arguments),
            signature: call.signature,
        }),
        other => other,
    }
}

fn is_refused(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\r' | '\t')
}

fn without_controls(text: String) -> String {
    if text.contains(is_refused) {
        text.replace(is_refused, "")
    } else {
        text
    }
}

/// Arguments are JSON, in which such characters are escaped.
fn plain_arguments(arguments: String) -> String {
    let arguments = without_controls(arguments);
    if !arguments.contains("\\u00") {
        return arguments;
    }
    let Ok(mut value) = serde_json::from_str(&arguments) else {
        return arguments;
    };
    clean(&mut value);
    value.to_string()
}

fn clean(value: &mut Value) {
    match value {
        Value::String(text) => *text = without_controls(std::mem::take(text)),
        Value::Array(items) => items.iter_mut().for_each(clean),
        Value::Object(fields) => {
            let named = std::mem::take(fields).into_iter();
            *fields = named
                .map(|(name, mut value)| {
                    clean(&mut value);
                    (without_controls(name), value)
                })
                .collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_database_takes_is_left_out() {
        let said = ChatEvent::TextDelta("Ho\0la\u{1b}\n\tñ".to_owned());
        assert_eq!(plain(said), ChatEvent::TextDelta("Hola\n\tñ".to_owned()));
        for (arguments, left) in [
            (r#"{"name":"A\u0000na\n"}"#, r#"{"name":"Ana\n"}"#),
            (r#"{"a\u0000":["\u0000x",1]}"#, r#"{"a":["x",1]}"#),
            // A backslash that is meant as one.
            (r#"{"name":"\\u0000"}"#, r#"{"name":"\\u0000"}"#),
            (r#"{"name":"\u0000"#, r#"{"name":"\u0000"#),
        ] {
            assert_eq!(plain_arguments(arguments.to_owned()), left);
        }
    }
}
