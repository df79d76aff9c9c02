//! An answer as the UI message stream of the Vercel AI SDK, version 1.

use super::answering::{Answering, Spoken};
use axum::http::HeaderValue;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::stream;
use quipu_app::chat::Answered;
use quipu_core::language::Language;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::convert::Infallible;

/// The text of an answer is one block.
const TEXT: &str = "text-1";

/// Streams what is spoken.
pub(super) fn stream(first: Option<Spoken>, answering: Answering) -> Response {
    let state = Writer {
        answering,
        first,
        waiting: VecDeque::from([
            json!({ "type": "start" }).to_string(),
            json!({ "type": "text-start", "id": TEXT }).to_string(),
        ]),
        over: false,
    };
    let events = stream::unfold(state, |mut state| async move {
        let line = state.next().await?;
        Some((Ok::<_, Infallible>(Event::default().data(line)), state))
    });
    let mut response = Sse::new(events)
        .keep_alive(KeepAlive::default())
        .into_response();
    let version = HeaderValue::from_static("v1");
    response
        .headers_mut()
        .insert("x-vercel-ai-ui-message-stream", version);
    response
}

struct Writer {
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
        let mut say = |line: Value| self.waiting.push_back(line.to_string());
        match spoken {
            Some(Spoken::Text(text)) => {
                say(json!({ "type": "text-delta", "id": TEXT, "delta": text }));
            }
            Some(Spoken::Tool(name)) => {
                let data = json!({ "name": name });
                say(json!({ "type": "data-tool", "data": data, "transient": true }));
            }
            Some(Spoken::Done(answered)) => {
                say(json!({ "type": "text-end", "id": TEXT }));
                for line in sources(&answered) {
                    say(line);
                }
                let metadata = json!({
                    "turn_id": answered.turn_id,
                    "conversation_id": answered.conversation_id,
                    "handoff": answered.handoff,
                    "degraded_reason": answered.answer.as_ref().and_then(|answer| answer.trace.degraded_reason),
                });
                say(json!({ "type": "finish", "messageMetadata": metadata }));
                self.end();
            }
            Some(Spoken::Failed(error)) => {
                say(json!({ "type": "error", "errorText": error.message(Language::Es) }));
                self.end();
            }
            None => self.end(),
        }
    }

    fn end(&mut self) {
        self.waiting.push_back("[DONE]".to_owned());
        self.over = true;
    }
}

/// The documents that the answer cites.
fn sources(answered: &Answered) -> Vec<Value> {
    let citations = answered.answer.iter().flat_map(|answer| &answer.citations);
    citations
        .map(|citation| {
            json!({
                "type": "source-document",
                "sourceId": citation.number.to_string(),
                "mediaType": "text/plain",
                "title": citation.title.clone().unwrap_or_default(),
            })
        })
        .collect()
}
