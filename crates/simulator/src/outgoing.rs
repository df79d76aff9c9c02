//! What a business asked to be sent, after it was found to be right.

use crate::message::{MessageAuthor, MessageFile, MessageOption, SimulatedMessage};
use axum::body::Body;
use axum::http::Response;
use serde_json::Value;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::io::ReaderStream;

#[derive(Debug, Default)]
pub(crate) struct Outgoing {
    pub(crate) kind: String,
    pub(crate) text: Option<String>,
    pub(crate) options: Vec<MessageOption>,
    pub(crate) button: Option<String>,
    pub(crate) template: Option<String>,
    pub(crate) file: Option<MessageFile>,
    /// What it is charged as.
    pub(crate) category: String,
    pub(crate) reply_to: Option<String>,
    pub(crate) reference: Option<String>,
    pub(crate) by_person: bool,
}

/// The answer to a message that was taken.
pub(crate) struct Taken {
    pub(crate) answer: Value,
    /// The connection breaks before anybody reads it.
    pub(crate) broken: bool,
}

impl Outgoing {
    pub(crate) fn new(kind: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            category: "service".to_owned(),
            ..Self::default()
        }
    }

    pub(crate) fn into_message(
        self,
        account_id: &str,
        customer_id: &str,
        request: &Value,
    ) -> SimulatedMessage {
        SimulatedMessage {
            kind: self.kind,
            text: self.text,
            options: self.options,
            button: self.button,
            template: self.template,
            file: self.file,
            reply_to: self.reply_to,
            reference: self.reference,
            by_person: self.by_person,
            request: request.clone(),
            ..SimulatedMessage::new(MessageAuthor::Business, account_id, customer_id)
        }
    }
}

impl From<Value> for Taken {
    fn from(answer: Value) -> Self {
        Self {
            answer,
            broken: false,
        }
    }
}

/// An answer of Graph, `TikTok` or the stand-in itself.
pub(crate) fn json_response(status: u16, body: &Value, retry_after: Option<u64>) -> Response<Body> {
    let mut response = Response::builder()
        .status(status)
        .header("content-type", "application/json; charset=utf-8");
    if let Some(seconds) = retry_after {
        response = response.header("retry-after", seconds);
    }
    let response = response.body(Body::from(body.to_string()));
    // The status was given by somebody, and may be none.
    response.unwrap_or_else(|_| Response::new(Body::empty()))
}

/// An answer that begins, and whose connection then breaks.
pub(crate) fn broken_response() -> Response<Body> {
    Response::new(Body::from_stream(ReaderStream::new(BrokenLine)))
}

struct BrokenLine;

impl AsyncRead for BrokenLine {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        _: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Poll::Ready(Err(io::Error::other("the line is cut")))
    }
}
