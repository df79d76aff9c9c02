//! A response piece by piece, as OpenAI's newer clients read it.

use super::super::super::chat::answering::{Answering, Spoken};
use super::super::ending::{Ending, as_object};
use super::object::{OutputItem, OutputPart, ResponseHead, ResponseObject};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::stream;
use quipu_core::Error;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::convert::Infallible;
use utoipa::ToSchema;

/// One server-sent event of a response. For the documentation: the events are written as they go.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is described and never made")]
pub(super) struct ResponseEvent {
    /// Such as `response.created`, `response.output_text.delta` or `response.completed`.
    #[schema(example = "response.output_text.delta")]
    r#type: String,
    /// Which event of the stream it is, from 0.
    sequence_number: u64,
    /// Of `response.created`, `response.in_progress`, `response.completed` and `response.failed`.
    response: Option<ResponseObject>,
    /// The next part of the text, in a `response.output_text.delta`.
    delta: Option<String>,
}

/// Streams what is spoken.
pub(super) fn stream(
    head: ResponseHead,
    object: bool,
    first: Option<Spoken>,
    answering: Answering,
) -> Response {
    let mut writer = Writer {
        head,
        object,
        answering,
        first,
        waiting: VecDeque::new(),
        number: 0,
        said: None,
        over: false,
    };
    for kind in ["response.created", "response.in_progress"] {
        let response = ResponseObject::begun(writer.head.clone());
        writer.push(kind, json!({ "response": response }));
    }
    let events = stream::unfold(writer, |mut writer| async move {
        let (kind, line) = writer.next().await?;
        let event = Event::default().event(kind).data(line);
        Some((Ok::<_, Infallible>(event), writer))
    });
    Sse::new(events)
        .keep_alive(KeepAlive::default())
        .into_response()
}

struct Writer {
    head: ResponseHead,
    /// As one object, which is told when it is complete.
    object: bool,
    answering: Answering,
    first: Option<Spoken>,
    waiting: VecDeque<(&'static str, String)>,
    number: u64,
    /// What has been said, once the message has begun.
    said: Option<String>,
    over: bool,
}

impl Writer {
    async fn next(&mut self) -> Option<(&'static str, String)> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
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
            Some(Spoken::Text(_)) if self.object => {}
            Some(Spoken::Text(text)) => self.say(&text),
            // The protocol has no word for what a model does by itself.
            Some(Spoken::Tool(_)) => {}
            Some(Spoken::Done(answered)) => {
                let (text, ending) = Ending::of(*answered);
                if self.object && (!text.is_empty() || ending.calls.is_empty()) {
                    self.say(&as_object(&text));
                } else if self.said.is_none() && ending.calls.is_empty() {
                    self.begin();
                }
                self.finish(ending);
            }
            Some(Spoken::Failed(error)) => self.fail(&error),
            None => self.fail(&Error::internal("an answer broke off")),
        }
    }

    /// Begins the message.
    fn begin(&mut self) {
        self.said = Some(String::new());
        let item = OutputItem::message(&self.head, 0, None);
        self.push(
            "response.output_item.added",
            json!({ "output_index": 0, "item": item }),
        );
        let part = OutputPart::text(String::new());
        self.push_part("response.content_part.added", json!({ "part": part }));
    }

    fn say(&mut self, text: &str) {
        if self.said.is_none() {
            self.begin();
        }
        if let Some(said) = &mut self.said {
            said.push_str(text);
        }
        let delta = json!({ "delta": text, "logprobs": [] });
        self.push_part("response.output_text.delta", delta);
    }

    fn finish(&mut self, ending: Ending) {
        let mut output = Vec::new();
        if let Some(text) = self.said.take() {
            let done = json!({ "text": text, "logprobs": [] });
            self.push_part("response.output_text.done", done);
            let part = OutputPart::text(text.clone());
            self.push_part("response.content_part.done", json!({ "part": part }));
            let item = OutputItem::message(&self.head, 0, Some(text));
            let done = json!({ "output_index": 0, "item": item });
            self.push("response.output_item.done", done);
            output.push(item);
        }
        for call in &ending.calls {
            let index = output.len();
            let item = OutputItem::call(&self.head, index, call);
            let item_id = self.head.item_id("fc", index);
            let mut begun = json!(item);
            begun["arguments"] = json!("");
            begun["status"] = json!(OutputItem::BEGUN);
            let about = |more: Value| {
                let mut event = json!({ "output_index": index, "item_id": item_id });
                merge(&mut event, more);
                event
            };
            self.push(
                "response.output_item.added",
                json!({ "output_index": index, "item": begun }),
            );
            self.push(
                "response.function_call_arguments.delta",
                about(json!({ "delta": call.arguments })),
            );
            self.push(
                "response.function_call_arguments.done",
                about(json!({ "name": call.name, "arguments": call.arguments })),
            );
            let done = json!({ "output_index": index, "item": item });
            self.push("response.output_item.done", done);
            output.push(item);
        }
        let response = ResponseObject::ended(self.head.clone(), output, ending);
        self.push("response.completed", json!({ "response": response }));
        self.over = true;
    }

    fn fail(&mut self, error: &Error) {
        let response = ResponseObject::failed(self.head.clone(), error);
        self.push("response.failed", json!({ "response": response }));
        self.over = true;
    }

    /// An event about the text of the message.
    fn push_part(&mut self, kind: &'static str, more: Value) {
        let item_id = self.head.item_id("msg", 0);
        let mut event = json!({ "item_id": item_id, "output_index": 0, "content_index": 0 });
        merge(&mut event, more);
        self.push(kind, event);
    }

    fn push(&mut self, kind: &'static str, mut event: Value) {
        event["type"] = json!(kind);
        event["sequence_number"] = json!(self.number);
        self.number += 1;
        self.waiting.push_back((kind, event.to_string()));
    }
}

fn merge(event: &mut Value, more: Value) {
    if let (Value::Object(event), Value::Object(more)) = (event, more) {
        event.extend(more);
    }
}
