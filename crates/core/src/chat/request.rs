//! What a model is asked.

use super::event::ToolCall;
use bytes::Bytes;
use serde_json::Value;
use std::fmt;
use std::time::Duration;

/// One question to a model, with all that it may know and use.
#[derive(Clone, Debug, Default)]
pub struct ChatRequest {
    /// Who the model is to be. It should be the same from turn to turn, because providers remember
    /// what did not change and charge less for it.
    pub system: String,
    /// What holds for this turn alone, such as the time and what a search found. It is read behind
    /// `system`, so that it spoils nothing that was remembered.
    pub context: String,
    pub messages: Vec<ChatMessage>,
    pub tools: Vec<ToolSpec>,
    pub tool_choice: ToolChoice,
    /// In place of what the configuration of the model says.
    pub temperature: Option<f32>,
    pub max_tokens: Option<u32>,
    /// How long whoever asks can wait for the first word, where that is less than the model may take.
    pub begin_within: Option<Duration>,
}

impl ChatRequest {
    /// System and context as one text, for providers that take one.
    #[must_use]
    pub fn instructions(&self) -> String {
        let parts = [self.system.trim(), self.context.trim()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("\n\n")
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum ChatMessage {
    User {
        text: String,
        images: Vec<Image>,
    },
    Assistant {
        text: String,
        tool_calls: Vec<ToolCall>,
    },
    /// What came of a call, in the turn after the one that asked for it.
    ToolResult {
        call_id: String,
        name: String,
        /// JSON or plain text.
        content: String,
        is_error: bool,
    },
}

impl ChatMessage {
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self::User {
            text: text.into(),
            images: Vec::new(),
        }
    }

    #[must_use]
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::Assistant {
            text: text.into(),
            tool_calls: Vec::new(),
        }
    }
}

/// The kinds of pictures that every provider with eyes can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageType {
    Png,
    Jpeg,
    Webp,
}

impl ImageType {
    #[must_use]
    pub const fn mime(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
        }
    }

    /// Reads the kind off the first bytes, whatever the sender called it.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [
                b'R',
                b'I',
                b'F',
                b'F',
                _,
                _,
                _,
                _,
                b'W',
                b'E',
                b'B',
                b'P',
                ..,
            ] => Some(Self::Webp),
            _ => None,
        }
    }
}

#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    pub kind: ImageType,
    pub bytes: Bytes,
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} bytes", self.kind.mime(), self.bytes.len())
    }
}

/// A tool as a model sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// The JSON schema of the arguments, an object.
    pub schema: Value,
}

/// Whether tools are used. Not every provider can be held to it: Ollama only knows the first two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    #[default]
    Auto,
    /// Text only, although tools are there and were used before.
    Never,
    /// At least one of them.
    Required,
    /// This one.
    Named(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_what_is_not_empty() {
        let with = |system: &str, context: &str| {
            ChatRequest {
                system: system.to_owned(),
                context: context.to_owned(),
                ..ChatRequest::default()
            }
            .instructions()
        };
        assert_eq!(
            with("Eres Maya.\n", " Es lunes."),
            "Eres Maya.\n\nEs lunes."
        );
        assert_eq!(with("Eres Maya.", ""), "Eres Maya.");
        assert_eq!(with("", "\n"), "");
    }

    #[test]
    fn a_picture_is_what_its_bytes_say_and_never_printed() {
        let png = b"\x89PNG\r\n\x1a\nresto";
        assert_eq!(ImageType::of(png), Some(ImageType::Png));
        assert_eq!(ImageType::of(b"\xff\xd8\xff\xe0"), Some(ImageType::Jpeg));
        assert_eq!(ImageType::of(b"RIFF1234WEBPVP8 "), Some(ImageType::Webp));
        for other in [&b"GIF89a"[..], b"", b"RIFF1234WAVE", b"<svg>"] {
            assert_eq!(ImageType::of(other), None);
        }
        let image = Image {
            kind: ImageType::Png,
            bytes: Bytes::from_static(png),
        };
        assert_eq!(format!("{image:?}"), "image/png of 13 bytes");
    }
}
