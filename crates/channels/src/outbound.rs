//! What is sent to customers, in one vocabulary.

use crate::inbound::MediaKind;
use serde::{Deserialize, Serialize};

/// Whom a message goes to. At least one of the two is there; a channel takes the one it prefers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipient {
    pub user_id: Option<String>,
    /// Digits with the country code, as the channel itself wrote them.
    pub phone: Option<String>,
}

/// One message, as the channel shows one bubble.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OutboundContent {
    /// Words, already in the marks of the channel.
    Text { text: String },
    /// Words with up to ten things to tap. The channel shows them as buttons or as a list, whichever
    /// it has for so many; where it has neither they stand in the text, numbered.
    Choices {
        text: String,
        /// What opens the list.
        button: String,
        options: Vec<ChoiceOption>,
    },
    /// A message that the channel has approved, for outside the window.
    Template(TemplateMessage),
    /// A file behind an address that the channel can read.
    Media(OutboundMedia),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceOption {
    /// Comes back when it is tapped.
    pub id: String,
    pub title: String,
    pub description: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateMessage {
    pub name: String,
    /// As the channel names languages, such as `es` or `es_MX`.
    pub language: String,
    /// What fills {{1}}, {{2}} … of the body, in order.
    pub body: Vec<String>,
    /// What the buttons give back when they are tapped, in their order.
    pub buttons: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutboundMedia {
    pub media: MediaKind,
    pub url: String,
    pub filename: Option<String>,
    pub caption: Option<String>,
}

/// A message that the channel took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentMessage {
    /// The channel's id of it, by which states and echoes name it.
    pub id: String,
    /// How the channel knows whom it went to, where it says so.
    pub recipient: Recipient,
}
