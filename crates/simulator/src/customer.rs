//! The people who write, and what they write.

use crate::account::{SimulatedAccount, SimulatedChannel};
use crate::signature::hmac_sha256;
use serde::{Deserialize, Serialize};

/// Somebody who writes to a business.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimulatedCustomer {
    /// The number in digits with the country code for WhatsApp and voice; the channel's id of the
    /// person elsewhere.
    pub id: String,
    pub name: String,
    /// The id that belongs to this business alone. WhatsApp makes one up where there is none.
    #[serde(default)]
    pub user_id: Option<String>,
    /// The number stays hidden, and only the id of the person is told.
    #[serde(default)]
    pub hides_phone: bool,
}

/// What somebody does on their phone.
#[derive(Clone, Debug, PartialEq)]
pub enum CustomerWrites {
    Text {
        text: String,
        /// The message that it answers.
        reply_to: Option<String>,
    },
    /// A tap on something that the business has offered.
    Choice {
        id: String,
        /// The message that offered it; the latest one that did where this is `None`.
        message_id: Option<String>,
    },
    File {
        kind: CustomerFileKind,
        file: CustomerFile,
        caption: Option<String>,
    },
    Location {
        latitude: f64,
        longitude: f64,
        name: Option<String>,
        address: Option<String>,
    },
    /// An emoji on a message, or none to take it back.
    Reaction {
        emoji: Option<String>,
        message_id: String,
    },
    Edited {
        message_id: String,
        text: String,
    },
    Deleted {
        message_id: String,
    },
    /// Something that the channel itself cannot pass on.
    Unsupported,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CustomerFileKind {
    Image,
    /// A recording made on the spot.
    Voice,
    Video,
    Document,
    Sticker,
}

/// A file on somebody's phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomerFile {
    pub bytes: Vec<u8>,
    pub mime_type: String,
    pub filename: Option<String>,
}

impl SimulatedCustomer {
    #[must_use]
    pub fn new(id: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            user_id: None,
            hides_phone: false,
        }
    }

    /// The same person with a hidden number.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        self.hides_phone = true;
        self
    }

    /// The id of the person that belongs to the business alone, as WhatsApp writes it.
    #[must_use]
    pub fn user_id_for(&self, account: &SimulatedAccount) -> String {
        if let Some(id) = &self.user_id {
            return id.clone();
        }
        let digest = hmac_sha256(account.parent().as_bytes(), &[self.id.as_bytes()]);
        let number = digest[..8]
            .iter()
            .fold(0_u64, |n, byte| n << 8 | u64::from(*byte));
        format!("{}.{}", country(&self.id), number >> 1)
    }

    pub(crate) fn fault(&self, channel: SimulatedChannel) -> Option<&'static str> {
        let by_number = matches!(
            channel,
            SimulatedChannel::Whatsapp | SimulatedChannel::Voice
        );
        let is_number =
            (5..=20).contains(&self.id.len()) && self.id.chars().all(|c| c.is_ascii_digit());
        if by_number && !is_number {
            Some("a customer's id is their number here: 5 to 20 digits with the country code")
        } else if self.id.is_empty() || self.id.len() > crate::account::MOST_ID_CHARS {
            Some("a customer's id is 1 to 200 characters")
        } else if self.name.chars().count() > 100 {
            Some("a customer's name is at most 100 characters")
        } else if self
            .user_id
            .as_ref()
            .is_some_and(|id| id.is_empty() || id.len() > 200)
        {
            Some("a customer's user_id is 1 to 200 characters")
        } else {
            None
        }
    }
}

impl CustomerWrites {
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text {
            text: text.into(),
            reply_to: None,
        }
    }

    #[must_use]
    pub fn tap(id: impl Into<String>) -> Self {
        Self::Choice {
            id: id.into(),
            message_id: None,
        }
    }

    #[must_use]
    pub fn image(bytes: impl Into<Vec<u8>>, mime_type: &str, caption: Option<&str>) -> Self {
        Self::File {
            kind: CustomerFileKind::Image,
            file: CustomerFile {
                bytes: bytes.into(),
                mime_type: mime_type.to_owned(),
                filename: None,
            },
            caption: caption.map(str::to_owned),
        }
    }

    /// A voice note, as phones record them.
    #[must_use]
    pub fn voice(bytes: impl Into<Vec<u8>>) -> Self {
        Self::File {
            kind: CustomerFileKind::Voice,
            file: CustomerFile {
                bytes: bytes.into(),
                mime_type: "audio/ogg; codecs=opus".to_owned(),
                filename: None,
            },
            caption: None,
        }
    }
}

impl CustomerFileKind {
    /// As WhatsApp and Messenger name it.
    #[must_use]
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Voice => "audio",
            Self::Video => "video",
            Self::Document => "document",
            Self::Sticker => "sticker",
        }
    }
}

/// The country of a number, for those that are near.
fn country(number: &str) -> &'static str {
    const COUNTRIES: [(&str, &str); 18] = [
        ("502", "GT"),
        ("503", "SV"),
        ("504", "HN"),
        ("505", "NI"),
        ("506", "CR"),
        ("507", "PA"),
        ("591", "BO"),
        ("593", "EC"),
        ("595", "PY"),
        ("598", "UY"),
        ("34", "ES"),
        ("51", "PE"),
        ("52", "MX"),
        ("54", "AR"),
        ("55", "BR"),
        ("56", "CL"),
        ("57", "CO"),
        ("58", "VE"),
    ];
    let known = COUNTRIES
        .iter()
        .find(|(prefix, _)| number.starts_with(prefix));
    known.map_or("US", |(_, country)| country)
}
