//! Answers as each protocol writes them.

use super::asked::{Asked, Dialect};
use super::placeholder::fill;
use super::script::{Act, Step, Then};
use serde_json::{Value, json};
use std::time::Duration;

const MOST_TOGETHER: usize = 16 * 1024;

/// What goes over the line.
pub(super) enum Written {
    Bytes(Vec<u8>),
    Pause(Duration),
    HangUp,
    Silence,
}

impl Written {
    /// The same in smaller pieces, with a breath between them so that they travel alone.
    pub(super) fn cut(self, size: usize) -> Vec<Self> {
        match self {
            Self::Bytes(bytes) => bytes
                .chunks(size)
                .flat_map(|piece| {
                    let breath = Self::Pause(Duration::from_micros(100));
                    [Self::Bytes(piece.to_vec()), breath]
                })
                .collect(),
            other => vec![other],
        }
    }
}

/// What is written without a pause travels together, up to a size: a hundred thousand words alone
/// would take a test too long.
pub(super) fn together(written: Vec<Written>) -> Vec<Written> {
    let mut joined: Vec<Written> = Vec::new();
    for piece in written {
        match (joined.last_mut(), piece) {
            (Some(Written::Bytes(before)), Written::Bytes(piece))
                if before.len() < MOST_TOGETHER =>
            {
                before.extend(piece);
            }
            (_, piece) => joined.push(piece),
        }
    }
    joined
}

pub(super) fn write(act: &Act, step: &Step, asked: &Asked) -> Vec<Written> {
    let dialect = asked.dialect;
    let mut written = Vec::new();
    let mut put = |messages: Vec<String>, pause: Duration| {
        for message in messages {
            if !pause.is_zero() {
                written.push(Written::Pause(pause));
            }
            written.push(Written::Bytes(message.into_bytes()));
        }
    };
    let say = |pieces: &[String]| -> Vec<String> {
        let pieces = pieces.iter().map(|piece| fill(piece, asked, false));
        pieces
            .enumerate()
            .flat_map(|(at, piece)| text(dialect, at, &piece))
            .collect()
    };
    put(opening(dialect, step.usage), Duration::ZERO);
    match act {
        Act::Answer {
            pieces,
            calls: wanted,
            cut_off,
        } => {
            put(say(pieces), step.pause);
            let wanted: Vec<(String, String)> = wanted
                .iter()
                .map(|(name, arguments)| (name.clone(), fill(arguments, asked, true)))
                .collect();
            let broken = wanted.iter().any(|(_, a)| object(a).is_none());
            put(
                calls(
                    dialect,
                    &wanted,
                    usize::from(!pieces.is_empty()),
                    asked.tool_results().len(),
                ),
                step.pause,
            );
            let reason = match (dialect, wanted.is_empty(), cut_off) {
                (_, _, true) => "length",
                (Dialect::Gemini, false, _) if broken => "malformed",
                (_, false, _) => "calls",
                (_, true, _) => "stop",
            };
            put(closing(dialect, reason, step.usage, asked), Duration::ZERO);
        }
        Act::Refuse => put(refusal(dialect, step.usage, asked), Duration::ZERO),
        Act::Beginning { pieces, then } => {
            put(say(pieces), step.pause);
            match then {
                Then::End => {}
                Then::HangUp => written.push(Written::HangUp),
                Then::Silence => written.push(Written::Silence),
                Then::Error => put(broken(dialect), Duration::ZERO),
            }
        }
        Act::Status { .. } | Act::Raw { .. } | Act::Hang => {}
    }
    written
}

/// The body of an error in the shape of the protocol.
pub(super) fn error(dialect: Dialect, status: u16, name: &str) -> String {
    match dialect {
        Dialect::Openai => json!({ "error": { "message": name, "type": name, "code": name } }),
        Dialect::Anthropic => {
            json!({ "type": "error", "error": { "type": name, "message": name } })
        }
        Dialect::Gemini => json!({ "error": {
            "code": status, "message": name, "status": name.to_uppercase(),
            "details": [{ "reason": name }],
        } }),
        Dialect::Ollama => json!({ "error": name }),
    }
    .to_string()
}

fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

fn event(value: &Value) -> String {
    let name = value["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {value}\n\n")
}

fn chunk(delta: &Value, reason: Option<&str>) -> String {
    data(&json!({
        "id": "chatcmpl-guion", "object": "chat.completion.chunk", "created": 0, "model": "guion",
        "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }], "usage": null,
    }))
}

/// Google ends its lines in the old way.
fn candidate(parts: &Value, reason: Option<&str>, usage: Option<(u64, u64, u64)>) -> String {
    let mut candidate = json!({ "content": { "parts": parts, "role": "model" }, "index": 0 });
    if let Some(reason) = reason {
        candidate["finishReason"] = reason.into();
    }
    let mut value = json!({ "candidates": [candidate], "modelVersion": "guion" });
    if let Some((input, cached, output)) = usage {
        value["usageMetadata"] = json!({
            "promptTokenCount": input, "cachedContentTokenCount": cached,
            "candidatesTokenCount": output, "totalTokenCount": input + output,
        });
    }
    format!("data: {value}\r\n\r\n")
}

fn line(message: &Value) -> String {
    format!(
        "{}\n",
        json!({ "model": "guion", "message": message, "done": false })
    )
}

fn opening(dialect: Dialect, (input, cached, _): (u64, u64, u64)) -> Vec<String> {
    match dialect {
        Dialect::Openai => vec![
            ": un momento\n\n".to_owned(),
            chunk(&json!({ "role": "assistant", "content": "" }), None),
        ],
        Dialect::Anthropic => {
            let usage = json!({
                "input_tokens": input - cached.min(input), "cache_read_input_tokens": cached,
                "cache_creation_input_tokens": 0, "output_tokens": 1,
            });
            let message =
                json!({ "id": "msg_guion", "role": "assistant", "content": [], "usage": usage });
            vec![
                event(&json!({ "type": "message_start", "message": message })),
                event(&json!({ "type": "ping" })),
            ]
        }
        Dialect::Gemini | Dialect::Ollama => Vec::new(),
    }
}

fn text(dialect: Dialect, at: usize, piece: &str) -> Vec<String> {
    match dialect {
        Dialect::Openai => vec![chunk(&json!({ "content": piece }), None)],
        Dialect::Anthropic => {
            let begin = event(&json!({
                "type": "content_block_start", "index": 0,
                "content_block": { "type": "text", "text": "" },
            }));
            let delta = event(&json!({
                "type": "content_block_delta", "index": 0,
                "delta": { "type": "text_delta", "text": piece },
            }));
            let begin = (at == 0).then_some(begin);
            begin.into_iter().chain([delta]).collect()
        }
        Dialect::Gemini => vec![candidate(&json!([{ "text": piece }]), None, None)],
        Dialect::Ollama => vec![line(&json!({ "role": "assistant", "content": piece }))],
    }
}

fn object(arguments: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(arguments).ok()?;
    value.is_object().then_some(value)
}

/// Arguments come in two pieces where the protocol has pieces.
fn halves(arguments: &str) -> [&str; 2] {
    let mut half = arguments.len() / 2;
    while !arguments.is_char_boundary(half) {
        half -= 1;
    }
    let (a, b) = arguments.split_at(half);
    [a, b]
}

/// Calls, numbered behind those of which there are results already: no two of a conversation may
/// have the same id.
fn calls(dialect: Dialect, calls: &[(String, String)], from: usize, before: usize) -> Vec<String> {
    let numbered = calls.iter().enumerate();
    match dialect {
        Dialect::Openai => {
            let begun = numbered.clone().map(|(at, (name, _))| {
                let function = json!({ "name": name, "arguments": "" });
                let id = format!("call_guion_{}", before + at);
                json!({ "index": at, "id": id, "type": "function", "function": function })
            });
            // Parallel calls come mixed.
            let pieces = [0, 1].into_iter().flat_map(|half| {
                numbered.clone().map(move |(at, (_, arguments))| {
                    let piece = halves(arguments)[half];
                    json!({ "index": at, "function": { "arguments": piece } })
                })
            });
            begun
                .chain(pieces)
                .map(|call| chunk(&json!({ "tool_calls": [call] }), None))
                .collect()
        }
        Dialect::Anthropic => numbered
            .flat_map(|(at, (name, arguments))| {
                let index = at + from;
                let begin = json!({
                    "type": "content_block_start", "index": index,
                    "content_block": {
                        "type": "tool_use", "id": format!("toolu_guion_{}", before + at),
                        "name": name,
                        "input": {},
                    },
                });
                let pieces = halves(arguments).map(|piece| {
                    json!({
                        "type": "content_block_delta", "index": index,
                        "delta": { "type": "input_json_delta", "partial_json": piece },
                    })
                });
                let end = json!({ "type": "content_block_stop", "index": index });
                let events = [begin].into_iter().chain(pieces).chain([end]);
                events.map(|value| event(&value)).collect::<Vec<_>>()
            })
            .collect(),
        Dialect::Gemini => {
            let whole = calls.iter().filter_map(|(name, arguments)| {
                let call = json!({ "name": name, "args": object(arguments)? });
                Some(json!({ "functionCall": call, "thoughtSignature": format!("firma-{name}") }))
            });
            let parts: Vec<Value> = whole.collect();
            let said = (!parts.is_empty()).then(|| candidate(&parts.into(), None, None));
            said.into_iter().collect()
        }
        Dialect::Ollama => {
            let calls: Vec<Value> = calls
                .iter()
                .map(|(name, arguments)| {
                    let arguments = object(arguments).unwrap_or_else(|| json!(arguments));
                    json!({ "function": { "name": name, "arguments": arguments } })
                })
                .collect();
            let message = json!({ "role": "assistant", "content": "", "tool_calls": calls });
            let said = (!calls.is_empty()).then(|| line(&message));
            said.into_iter().collect()
        }
    }
}

fn closing(dialect: Dialect, reason: &str, usage: (u64, u64, u64), asked: &Asked) -> Vec<String> {
    let (input, cached, output) = usage;
    match dialect {
        Dialect::Openai => {
            let named = if reason == "calls" {
                "tool_calls"
            } else {
                reason
            };
            let mut messages = vec![chunk(&json!({}), Some(named))];
            if asked.body["stream_options"]["include_usage"] == true {
                messages.push(data(&json!({
                    "id": "chatcmpl-guion", "object": "chat.completion.chunk", "choices": [],
                    "usage": {
                        "prompt_tokens": input, "completion_tokens": output,
                        "total_tokens": input + output,
                        "prompt_tokens_details": { "cached_tokens": cached },
                    },
                })));
            }
            messages.push("data: [DONE]\n\n".to_owned());
            messages
        }
        Dialect::Anthropic => {
            let named = match reason {
                "calls" => "tool_use",
                "length" => "max_tokens",
                "stop" => "end_turn",
                other => other,
            };
            let delta = json!({ "stop_reason": named, "stop_sequence": null });
            let usage = json!({ "output_tokens": output });
            vec![
                event(&json!({ "type": "message_delta", "delta": delta, "usage": usage })),
                event(&json!({ "type": "message_stop" })),
            ]
        }
        Dialect::Gemini => {
            let named = match reason {
                "length" => "MAX_TOKENS",
                "malformed" => "MALFORMED_FUNCTION_CALL",
                _ => "STOP",
            };
            vec![candidate(&json!([]), Some(named), Some(usage))]
        }
        Dialect::Ollama => {
            let named = if reason == "length" { reason } else { "stop" };
            let done = json!({
                "model": "guion", "message": { "role": "assistant", "content": "" }, "done": true,
                "done_reason": named, "prompt_eval_count": input, "eval_count": output,
            });
            vec![format!("{done}\n")]
        }
    }
}

fn refusal(dialect: Dialect, usage: (u64, u64, u64), asked: &Asked) -> Vec<String> {
    match dialect {
        Dialect::Openai => {
            let mut messages = vec![chunk(&json!({ "refusal": "No puedo." }), None)];
            messages.extend(closing(dialect, "stop", usage, asked));
            messages
        }
        Dialect::Anthropic => closing(dialect, "refusal", usage, asked),
        Dialect::Gemini => vec![data(
            &json!({ "promptFeedback": { "blockReason": "SAFETY" } }),
        )],
        Dialect::Ollama => vec![format!("{}\n", error(dialect, 0, "content_filter"))],
    }
}

fn broken(dialect: Dialect) -> Vec<String> {
    match dialect {
        Dialect::Openai => {
            vec![data(
                &json!({ "error": { "message": "algo falló", "type": "server_error" } }),
            )]
        }
        Dialect::Anthropic => {
            let error = json!({ "type": "overloaded_error", "message": "algo falló" });
            vec![event(&json!({ "type": "error", "error": error }))]
        }
        Dialect::Gemini => {
            vec![data(
                &json!({ "error": { "code": 503, "status": "UNAVAILABLE" } }),
            )]
        }
        Dialect::Ollama => vec![format!(
            "{}\n",
            json!({ "error": "an error was encountered" })
        )],
    }
}
