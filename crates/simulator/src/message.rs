//! What was written, on either side.

use serde::Serialize;
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageAuthor {
    Customer,
    /// The program of the business.
    Business,
    /// Somebody of the business, from their own phone or the inbox of the channel.
    Owner,
}

/// How far a message has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageState {
    /// Taken by the channel, or on its way to the business.
    Accepted,
    Sent,
    Delivered,
    Read,
    Failed,
}

/// Something that can be tapped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MessageOption {
    pub id: String,
    pub title: String,
    pub description: Option<String>,
    pub source: OptionSource,
}

/// What it is that can be tapped. Each comes back in a shape of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OptionSource {
    Button,
    ListRow,
    TemplateButton,
    QuickReply,
    Postback,
}

/// A file in a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MessageFile {
    /// `image`, `audio`, `video`, `document` or `sticker`.
    pub media: String,
    /// Where the stand-in holds it; a file of the business lies at its own address.
    pub file_id: Option<String>,
    pub url: Option<String>,
    pub mime_type: Option<String>,
    pub filename: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulatedMessage {
    pub id: String,
    pub account_id: String,
    pub customer_id: String,
    pub author: MessageAuthor,
    /// Milliseconds since 1970.
    pub at: i64,
    /// `text`, `choices`, `template`, `image`, `choice`, `location` …
    pub kind: String,
    pub text: Option<String>,
    pub options: Vec<MessageOption>,
    /// What opens a list.
    pub button: Option<String>,
    pub template: Option<String>,
    pub file: Option<MessageFile>,
    pub reply_to: Option<String>,
    /// What the business gave it to be known by.
    pub reference: Option<String>,
    /// Written by a person of the business, outside the usual window.
    pub by_person: bool,
    pub state: MessageState,
    /// Why it failed.
    pub failure_code: Option<i64>,
    pub reaction: Option<String>,
    pub edited: bool,
    pub deleted: bool,
    /// What the business asked for, word by word.
    pub request: Value,
}

impl SimulatedMessage {
    pub(crate) fn new(author: MessageAuthor, account_id: &str, customer_id: &str) -> Self {
        Self {
            id: String::new(),
            account_id: account_id.to_owned(),
            customer_id: customer_id.to_owned(),
            author,
            at: 0,
            kind: "text".to_owned(),
            text: None,
            options: Vec::new(),
            button: None,
            template: None,
            file: None,
            reply_to: None,
            reference: None,
            by_person: false,
            state: MessageState::Accepted,
            failure_code: None,
            reaction: None,
            edited: false,
            deleted: false,
            request: Value::Null,
        }
    }
}

/// Something that the business showed without writing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SimulatedSignal {
    pub account_id: String,
    pub customer_id: String,
    pub at: i64,
    pub kind: SignalKind,
    /// The message that it is about, where the channel names one.
    pub message_id: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SignalKind {
    Read,
    Typing,
    TypingStopped,
}
