//! An answer piece by piece, as OpenAI's clients read it.

use super::super::super::chat::answering::{Answering, Spoken};
use super::super::ending::{Ending, Extras, as_object};
use super::response::{Call, Head, Took, finish_reason};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::stream;
use quipu_core::language::Language;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::convert::Infallible;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub(in crate::http::routes) struct Chunk {
    id: String,
    #[schema(example = "chat.completion.chunk")]
    object: &'static str,
    created: i64,
    model: String,
    /// None in the event that tells what the answer took.
    choices: Vec<Choice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Took>,
    /// With the end of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    quipu: Option<Extras>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = CompletionChunkChoice)]
struct Choice {
    index: u32,
    delta: Delta,
    finish_reason: Option<&'static str>,
}

#[derive(Default, Serialize, ToSchema)]
struct Delta {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<NumberedCall>,
}

#[derive(Serialize, ToSchema)]
struct NumberedCall {
    index: usize,
    #[serde(flatten)]
    call: Call,
}

/// Streams what is spoken.
pub(super) fn stream(
    head: Head,
    wishes: Wishes,
    first: Option<Spoken>,
    answering: Answering,
) -> Response {
    let mut writer = Writer {
        head,
        wishes,
        answering,
        first,
        waiting: VecDeque::new(),
        over: false,
    };
    writer.say(Delta {
        role: Some("assistant"),
        content: Some(String::new()),
        ..Delta::default()
    });
    let events = stream::unfold(writer, |mut writer| async move {
        let line = writer.next().await?;
        Some((Ok::<_, Infallible>(Event::default().data(line)), writer))
    });
    Sse::new(events)
        .keep_alive(KeepAlive::default())
        .into_response()
}

/// How an answer is wanted.
#[derive(Clone, Copy)]
pub(super) struct Wishes {
    /// One more event, with what the answer took.
    pub(super) usage: bool,
    /// As one object, which is told when it is complete.
    pub(super) object: bool,
}

struct Writer {
    head: Head,
    wishes: Wishes,
    answering: Answering,
    first: Option<Spoken>,
    waiting: VecDeque<String>,
    over: bool,
}

impl Writer {
    async fn next(&mut self) -> Option<String> {
        loop {
            if let Some(line) = self.waiting.pop_front() {
                return Some(line);
            }
            if self.over {
                return None;
            }
            let spoken = match self.first.take() {
                Some(spoken) => Some(spoken),
                None => self.answering.next().await,
            };
            self.write(spoken);
        }
    }

    fn write(&mut self, spoken: Option<Spoken>) {
        match spoken {
            Some(Spoken::Text(_)) if self.wishes.object => {}
            Some(Spoken::Text(text)) => self.say_text(text),
            // OpenAI's protocol has no word for what a model does by itself.
            Some(Spoken::Tool(_)) => {}
            Some(Spoken::Done(answered)) => {
                let (text, ending) = Ending::of(*answered);
                if self.wishes.object && (!text.is_empty() || ending.calls.is_empty()) {
                    self.say_text(as_object(&text));
                }
                self.finish(ending);
            }
            Some(Spoken::Failed(error)) => {
                let error = json!({
                    "code": error.code().as_str(),
                    "message": error.message(Language::Es),
                });
                self.waiting
                    .push_back(json!({ "error": error }).to_string());
                self.end();
            }
            None => self.end(),
        }
    }

    fn finish(&mut self, ending: Ending) {
        let finish_reason = Some(finish_reason(&ending));
        let calls = ending.calls.into_iter().map(Call::from).enumerate();
        let calls: Vec<NumberedCall> = calls
            .map(|(index, call)| NumberedCall { index, call })
            .collect();
        if !calls.is_empty() {
            self.say(Delta {
                tool_calls: calls,
                ..Delta::default()
            });
        }
        let last = Choice {
            index: 0,
            delta: Delta::default(),
            finish_reason,
        };
        self.push(vec![last], None, Some(ending.extras));
        if self.wishes.usage {
            self.push(Vec::new(), Some(ending.usage.into()), None);
        }
        self.end();
    }

    fn say_text(&mut self, text: String) {
        self.say(Delta {
            content: Some(text),
            ..Delta::default()
        });
    }

    fn say(&mut self, delta: Delta) {
        let choice = Choice {
            index: 0,
            delta,
            finish_reason: None,
        };
        self.push(vec![choice], None, None);
    }

    fn push(&mut self, choices: Vec<Choice>, usage: Option<Took>, quipu: Option<Extras>) {
        let Head { id, created, model } = self.head.clone();
        let chunk = Chunk {
            id,
            object: "chat.completion.chunk",
            created,
            model,
            choices,
            usage,
            quipu,
        };
        let line = serde_json::to_value(chunk).unwrap_or(Value::Null);
        self.waiting.push_back(line.to_string());
    }

    fn end(&mut self) {
        self.waiting.push_back("[DONE]".to_owned());
        self.over = true;
    }
}
