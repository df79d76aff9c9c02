//! An answer on its way to a visitor, as server-sent events.

use crate::http::AppState;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::stream;
use quipu_agents::Listener;
use quipu_app::channels::web_chat::{
    self, SayInWebChat, SiteChat, WebChatAnswer, WebChatTurn, WebVisitor,
};
use quipu_core::Error;
use quipu_core::language::Language;
use serde_json::json;
use std::convert::Infallible;
use tokio::sync::mpsc;
use utoipa::ToSchema;

/// What comes of a message, in order. The last is `Done` or `Failed`.
pub(super) enum SpokenWords {
    Text(String),
    Done(WebChatAnswer),
    Failed(Error),
}

/// An answer that is being made. It goes on when the visitor has left: what the agent has begun to do for
/// them is done.
pub(super) struct Speaking(mpsc::UnboundedReceiver<SpokenWords>);

impl Speaking {
    pub(super) fn begin(
        state: &AppState,
        chat: SiteChat,
        visitor: WebVisitor,
        input: SayInWebChat,
        turn: WebChatTurn,
    ) -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        let app = state.app.clone();
        tokio::spawn(async move {
            let mut line = VisitorLine {
                sender,
                heard: false,
            };
            let said = web_chat::say(&app, &chat, &visitor, &input, turn, &mut line);
            let spoken = match said.await {
                Ok(answer) => SpokenWords::Done(answer),
                Err(error) => SpokenWords::Failed(error),
            };
            line.pass_on(spoken);
        });
        Self(receiver)
    }

    pub(super) async fn next(&mut self) -> Option<SpokenWords> {
        self.0.recv().await
    }
}

/// The line to a visitor.
struct VisitorLine {
    sender: mpsc::UnboundedSender<SpokenWords>,
    /// Some of the answer was passed on.
    heard: bool,
}

impl VisitorLine {
    /// Says whether anybody was there. That nobody is, is no reason to stop.
    fn pass_on(&self, spoken: SpokenWords) -> bool {
        self.sender.send(spoken).is_ok()
    }
}

impl Listener for VisitorLine {
    fn text(&mut self, part: &str) {
        self.heard |= self.pass_on(SpokenWords::Text(part.to_owned()));
    }

    fn is_reached(&self) -> bool {
        self.heard || !self.sender.is_closed()
    }
}

/// One server-sent event of an answer. For the documentation: the events are written as they go.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is described and never made")]
pub(super) struct WebChatEvent {
    event: WebChatEventName,
    /// JSON: `{"text"}` in a `delta`; in `done` the `question_id` and `message_id`, the whole `text`, who answers
    /// from now on (`handoff`) and the `choices`; `{"code", "message"}` in an `error`.
    data: String,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "it is described and never made")]
enum WebChatEventName {
    Delta,
    Done,
    Error,
}

/// Streams what is spoken.
pub(super) fn stream(
    first: Option<SpokenWords>,
    speaking: Speaking,
    language: Language,
) -> Response {
    let events = stream::unfold((first, speaking), move |(first, mut speaking)| async move {
        let spoken = match first {
            Some(spoken) => spoken,
            None => speaking.next().await?,
        };
        let event = event(spoken, language);
        Some((Ok::<_, Infallible>(event), (None, speaking)))
    });
    Sse::new(events)
        .keep_alive(KeepAlive::default())
        .into_response()
}

fn event(spoken: SpokenWords, language: Language) -> Event {
    let (name, data) = match spoken {
        SpokenWords::Text(text) => ("delta", json!({ "text": text })),
        SpokenWords::Done(answer) => ("done", json!(answer)),
        SpokenWords::Failed(error) => (
            "error",
            json!({ "code": error.code().as_str(), "message": error.message(language) }),
        ),
    };
    Event::default().event(name).data(data.to_string())
}
