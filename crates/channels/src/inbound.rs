//! What channels deliver, in one vocabulary.

use quipu_core::Timestamp;
use quipu_core::lead::words;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What stood in one request of a channel. A batch with one bad item still brings the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Delivery {
    pub events: Vec<ChannelEvent>,
    pub refused: Vec<RefusedItem>,
}

/// Part of a delivery that could not be read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedItem {
    /// Where it stands, such as `entry[0].changes[1].value.messages[0]`.
    pub path: String,
    /// What is wrong with it, in English, without anything that the customer wrote.
    pub reason: String,
}

/// One thing that happened on a channel.
#[derive(Clone, Debug, PartialEq)]
pub enum ChannelEvent {
    /// A customer wrote.
    Message(InboundMessage),
    /// Somebody of the business wrote from their own phone or from the channel's own inbox, or our own
    /// message came back.
    Echo(MessageEcho),
    /// What became of a message that was sent.
    Status(StatusUpdate),
    /// A template was approved, refused or paused.
    Template {
        name: String,
        language: String,
        status: String,
        reason: Option<String>,
    },
    /// A customer allowed or forbade messages of marketing.
    Consent {
        sender: SenderIdentity,
        allowed: bool,
        at: Timestamp,
    },
    /// A customer's number became another one.
    NumberChanged {
        from: String,
        to: String,
        at: Timestamp,
    },
    /// Something that is known and that nothing follows from.
    Other { kind: String },
}

/// How a channel knows whoever wrote. At least one of `user_id` and `phone` is there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SenderIdentity {
    /// The id that belongs to this business alone, where the channel has one.
    pub user_id: Option<String>,
    /// Digits with the country code, without a plus sign, as the channel wrote them.
    pub phone: Option<String>,
    /// The name or handle on the profile.
    pub name: Option<String>,
}

/// A message of a customer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InboundMessage {
    /// Which of our numbers, pages or accounts it was written to, as the channel calls it.
    pub account_id: String,
    pub sender: SenderIdentity,
    /// The channel's id of the message, by which it is deduplicated.
    pub id: String,
    /// When the channel says that it was written.
    pub at: Timestamp,
    pub content: InboundContent,
    /// The id of the message that it answers.
    pub reply_to: Option<String>,
    /// The advertisement that it came from, as the channel tells it.
    pub referral: Option<Value>,
}

/// What a customer sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum InboundContent {
    Text {
        text: String,
    },
    /// A button or a line of a list that was tapped.
    Choice {
        /// What we gave it as its id when it was sent.
        id: String,
        title: String,
    },
    Media(MediaReference),
    Location {
        latitude: f64,
        longitude: f64,
        name: Option<String>,
        address: Option<String>,
    },
    Contacts {
        cards: Vec<ContactCard>,
    },
    /// An emoji on a message, or none where it was taken back.
    Reaction {
        emoji: Option<String>,
        message_id: String,
    },
    /// An order from the catalogue of the channel.
    Order {
        /// What stands in it, as the channel tells it.
        items: Value,
        text: Option<String>,
    },
    /// A message that was written before says something else now.
    Edited {
        message_id: String,
        text: Option<String>,
    },
    /// A message that was written before was taken back.
    Deleted {
        message_id: String,
    },
    /// A filled form, or anything else whose fields are data.
    Form {
        data: Value,
    },
    /// Something that the channel itself could not pass on, or that is not known here. The customer is
    /// told so.
    Unsupported {
        what: String,
    },
}

words! {
    MediaKind {
        Image = "image",
        Audio = "audio",
        Video = "video",
        Document = "document",
        Sticker = "sticker",
    }
}

/// A file that lies at the channel. It has an id there or an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediaReference {
    pub media: MediaKind,
    pub id: Option<String>,
    pub url: Option<String>,
    pub mime_type: Option<String>,
    /// In hexadecimal or base64, as the channel wrote it.
    pub sha256: Option<String>,
    pub filename: Option<String>,
    pub caption: Option<String>,
    /// Recorded on the spot, such as a voice message.
    pub recorded: bool,
}

/// Somebody's name and numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContactCard {
    pub name: String,
    pub phones: Vec<String>,
}

/// A message of the business that a channel tells of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MessageEcho {
    pub account_id: String,
    /// To whom it was written.
    pub recipient: SenderIdentity,
    pub id: String,
    pub at: Timestamp,
    pub content: InboundContent,
    /// The program that sent it, where the channel says so. Nothing for a person.
    pub app_id: Option<String>,
}

/// What became of a message that was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct StatusUpdate {
    pub account_id: String,
    /// The channel's id of the message, or of the last of all messages up to `at` where `up_to` says so.
    pub message_id: Option<String>,
    /// Everything that was sent before `at` to this recipient has come so far.
    pub up_to: bool,
    pub recipient: SenderIdentity,
    pub change: StatusChange,
    pub at: Timestamp,
    /// What we gave the message to be known by.
    pub reference: Option<String>,
    /// What it is charged as, where the channel says so: `service`, `utility`, `marketing`,
    /// `authentication` …
    pub category: Option<String>,
    /// Whether it is charged at all, where the channel says so.
    pub billable: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatusChange {
    Sent,
    Delivered,
    Read,
    /// A recording was listened to.
    Played,
    Deleted,
    Failed {
        code: i64,
        /// As the channel wrote it. Codes are told apart and not these.
        title: String,
    },
}

impl Delivery {
    /// Notes something that nothing follows from.
    pub fn other(&mut self, kind: impl Into<String>) {
        self.events.push(ChannelEvent::Other { kind: kind.into() });
    }

    /// Notes that a part could not be read.
    pub fn refuse(&mut self, path: impl Into<String>, reason: impl Into<String>) {
        self.refused.push(RefusedItem {
            path: path.into(),
            reason: reason.into(),
        });
    }
}

impl ChannelEvent {
    /// The name of its kind, for logs and tables.
    #[must_use]
    pub fn kind(&self) -> String {
        match self {
            Self::Message(message) => format!("message.{}", message.content.kind()),
            Self::Echo(echo) => format!("echo.{}", echo.content.kind()),
            Self::Status(update) => format!("status.{}", update.change.name()),
            Self::Template { .. } => "template".to_owned(),
            Self::Consent { .. } => "consent".to_owned(),
            Self::NumberChanged { .. } => "number_changed".to_owned(),
            Self::Other { kind } => format!("other.{kind}"),
        }
    }
}

impl InboundContent {
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Text { .. } => "text",
            Self::Choice { .. } => "choice",
            Self::Media(media) => media.media.as_str(),
            Self::Location { .. } => "location",
            Self::Contacts { .. } => "contacts",
            Self::Reaction { .. } => "reaction",
            Self::Order { .. } => "order",
            Self::Edited { .. } => "edited",
            Self::Deleted { .. } => "deleted",
            Self::Form { .. } => "form",
            Self::Unsupported { .. } => "unsupported",
        }
    }
}

impl StatusChange {
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Delivered => "delivered",
            Self::Read => "read",
            Self::Played => "played",
            Self::Deleted => "deleted",
            Self::Failed { .. } => "failed",
        }
    }
}
