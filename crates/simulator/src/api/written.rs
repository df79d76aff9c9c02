//! What is asked to be written, as JSON says it.

use super::ApiError;
use crate::customer::{CustomerFile, CustomerFileKind, CustomerWrites, SimulatedCustomer};
use crate::state::SimulatorState;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct WrittenBody {
    pub(super) customer: SimulatedCustomer,
    #[serde(flatten)]
    pub(super) content: WrittenContent,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum WrittenContent {
    Text {
        text: String,
        #[serde(default)]
        reply_to: Option<String>,
    },
    Choice {
        id: String,
        #[serde(default)]
        message_id: Option<String>,
    },
    Image(WrittenFile),
    Voice(WrittenFile),
    Video(WrittenFile),
    Document(WrittenFile),
    Sticker(WrittenFile),
    Location {
        latitude: f64,
        longitude: f64,
        #[serde(default)]
        name: Option<String>,
        #[serde(default)]
        address: Option<String>,
    },
    Reaction {
        message_id: String,
        #[serde(default)]
        emoji: Option<String>,
    },
    Edited {
        message_id: String,
        text: String,
    },
    Deleted {
        message_id: String,
    },
    Unsupported {},
}

/// A file that was uploaded before, or that comes along in base64.
#[derive(Deserialize)]
pub(super) struct WrittenFile {
    #[serde(default)]
    file_id: Option<String>,
    #[serde(default)]
    data: Option<String>,
    #[serde(default)]
    mime_type: Option<String>,
    #[serde(default)]
    filename: Option<String>,
    #[serde(default)]
    caption: Option<String>,
}

impl WrittenContent {
    pub(super) fn read(self, state: &SimulatorState) -> Result<CustomerWrites, ApiError> {
        Ok(match self {
            Self::Text { text, reply_to } => CustomerWrites::Text { text, reply_to },
            Self::Choice { id, message_id } => CustomerWrites::Choice { id, message_id },
            Self::Image(file) => file.read(state, CustomerFileKind::Image)?,
            Self::Voice(file) => file.read(state, CustomerFileKind::Voice)?,
            Self::Video(file) => file.read(state, CustomerFileKind::Video)?,
            Self::Document(file) => file.read(state, CustomerFileKind::Document)?,
            Self::Sticker(file) => file.read(state, CustomerFileKind::Sticker)?,
            Self::Location {
                latitude,
                longitude,
                name,
                address,
            } => {
                if !(-90.0..=90.0).contains(&latitude) || !(-180.0..=180.0).contains(&longitude) {
                    return Err(ApiError::bad("there is no such place on earth"));
                }
                CustomerWrites::Location {
                    latitude,
                    longitude,
                    name,
                    address,
                }
            }
            Self::Reaction { message_id, emoji } => CustomerWrites::Reaction { emoji, message_id },
            Self::Edited { message_id, text } => CustomerWrites::Edited { message_id, text },
            Self::Deleted { message_id } => CustomerWrites::Deleted { message_id },
            Self::Unsupported {} => CustomerWrites::Unsupported,
        })
    }
}

impl WrittenFile {
    fn read(
        self,
        state: &SimulatorState,
        kind: CustomerFileKind,
    ) -> Result<CustomerWrites, ApiError> {
        let file = match (self.file_id, self.data) {
            (Some(id), None) => {
                let file = state.read(|records| records.file(&id).cloned());
                let file = file.ok_or_else(|| ApiError::bad("there is no such file"))?;
                CustomerFile {
                    bytes: file.bytes.as_slice().to_vec(),
                    mime_type: self.mime_type.unwrap_or(file.mime_type),
                    filename: self.filename.or(file.filename),
                }
            }
            (None, Some(data)) => CustomerFile {
                bytes: STANDARD
                    .decode(data)
                    .map_err(|_| ApiError::bad("data is not base64"))?,
                mime_type: self.mime_type.unwrap_or_else(|| otherwise(kind).to_owned()),
                filename: self.filename,
            },
            _ => return Err(ApiError::bad("a file has either a file_id or data")),
        };
        if file.bytes.is_empty() {
            return Err(ApiError::bad("the file is empty"));
        }
        if !is_media_type(&file.mime_type) {
            return Err(ApiError::bad("mime_type is none"));
        }
        let caption = self.caption.filter(|caption| !caption.is_empty());
        Ok(CustomerWrites::File {
            kind,
            file,
            caption,
        })
    }
}

const fn otherwise(kind: CustomerFileKind) -> &'static str {
    match kind {
        CustomerFileKind::Image => "image/jpeg",
        CustomerFileKind::Voice => "audio/ogg; codecs=opus",
        CustomerFileKind::Video => "video/mp4",
        CustomerFileKind::Document => "application/pdf",
        CustomerFileKind::Sticker => "image/webp",
    }
}

pub(super) fn is_media_type(text: &str) -> bool {
    let kind = text.split(';').next().unwrap_or_default();
    let is_word = |word: &str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || "+-._".contains(c);
        !word.is_empty() && word.chars().all(fits)
    };
    let printable = text.len() <= 200 && text.chars().all(|c| (' '..='~').contains(&c));
    printable
        && kind
            .split_once('/')
            .is_some_and(|(kind, sub)| is_word(kind) && is_word(sub))
}
