//! Conversations: who says what, and whether the agent or a person answers.

use crate::lead::{Channel, Temperature, words};
use crate::{
    AgentId, AttachmentId, ConversationId, Error, ErrorCode, LeadId, MessageId, Result, Timestamp,
    UserId,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

words! {
    /// Who answers.
    HandoffMode {
        /// The agent.
        Ai = "ai",
        /// A person was asked for and has not taken over yet; the agent says no more than that.
        PendingHuman = "pending_human",
        /// A person.
        Human = "human",
    }
}

words! {
    ConversationStatus {
        Open = "open",
        Closed = "closed",
    }
}

words! {
    MessageRole {
        /// The customer.
        User = "user",
        /// The agent.
        Assistant = "assistant",
        /// A person of the business.
        Human = "human",
        /// The product, such as a reminder.
        System = "system",
        /// Something the business tells itself; the customer never sees it.
        Note = "note",
    }
}

impl MessageRole {
    /// Whether the customer sees it.
    #[must_use]
    pub const fn is_public(self) -> bool {
        !matches!(self, Self::Note)
    }
}

/// What can happen to who answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandoffEvent {
    /// Somebody, or the agent, asks for a person.
    Request,
    /// A person takes over.
    Take,
    /// The agent answers again.
    Release,
}

impl HandoffMode {
    /// Who answers after an event. Asking twice for a person changes nothing; a person may take
    /// over without having been asked, and another one from them.
    ///
    /// # Errors
    /// `HANDOFF_STATE` when the event makes no sense now.
    pub fn after(self, event: HandoffEvent) -> Result<Self> {
        match (self, event) {
            (Self::Ai | Self::PendingHuman, HandoffEvent::Request) => Ok(Self::PendingHuman),
            (_, HandoffEvent::Take) => Ok(Self::Human),
            (Self::PendingHuman | Self::Human, HandoffEvent::Release) => Ok(Self::Ai),
            (Self::Human, HandoffEvent::Request) | (Self::Ai, HandoffEvent::Release) => {
                Err(Error::new(ErrorCode::HandoffState).with("mode", self.as_str()))
            }
        }
    }
}

/// Who answers, since when and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Handoff {
    pub mode: HandoffMode,
    /// Why a person was asked for.
    pub reason: Option<String>,
    /// Who changed it last.
    pub by: Option<String>,
    /// When it changed last.
    pub at: Option<Timestamp>,
    /// The person who took over.
    pub user_id: Option<UserId>,
    /// When the agent answers again by itself, unless a person writes before.
    #[serde(default)]
    pub returns_at: Option<Timestamp>,
}

impl Default for Handoff {
    fn default() -> Self {
        Self {
            mode: HandoffMode::Ai,
            reason: None,
            by: None,
            at: None,
            user_id: None,
            returns_at: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Conversation {
    pub id: ConversationId,
    pub lead_id: LeadId,
    pub agent_id: Option<AgentId>,
    pub channel: Channel,
    pub status: ConversationStatus,
    pub handoff: Handoff,
    pub last_message_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Message {
    pub id: MessageId,
    pub conversation_id: ConversationId,
    pub role: MessageRole,
    /// Who wrote it, as the audit log calls them.
    pub author: String,
    pub text: String,
    #[schema(value_type = Object)]
    pub metadata: serde_json::Value,
    pub created_at: Timestamp,
}

/// A conversation as a list shows it: with whom, and what was said last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ConversationRow {
    #[serde(flatten)]
    pub conversation: Conversation,
    pub lead_name: Option<String>,
    pub lead_temperature: Option<Temperature>,
    /// What the customer saw last.
    pub last_message: Option<LastMessage>,
}

/// The beginning of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LastMessage {
    pub role: MessageRole,
    pub text: String,
    pub created_at: Timestamp,
}

impl LastMessage {
    /// How much of a message a list shows.
    pub const CHARS: usize = 200;
}

words! {
    /// What a list of conversations begins with.
    #[derive(Default)]
    ConversationOrder {
        /// Those that began last.
        #[default]
        Newest = "newest",
        /// Those in which something was said last.
        Activity = "activity",
    }
}

/// A conversation that is about to be written.
#[derive(Clone, Copy, Debug)]
pub struct NewConversation {
    pub lead_id: LeadId,
    pub agent_id: Option<AgentId>,
    pub channel: Channel,
}

/// Which conversations are wanted.
#[derive(Clone, Debug, Default)]
pub struct ConversationFilter {
    /// Part of the customer's name, e-mail address or telephone number.
    pub text: Option<String>,
    pub lead_id: Option<LeadId>,
    pub agent_id: Option<AgentId>,
    pub mode: Option<HandoffMode>,
    pub status: Option<ConversationStatus>,
    pub channel: Option<Channel>,
    pub order: ConversationOrder,
}

/// A message that is about to be written.
#[derive(Clone, Debug)]
pub struct NewMessage {
    pub role: MessageRole,
    pub author: String,
    pub text: String,
    pub metadata: serde_json::Value,
}

words! {
    /// What kinds of file can come with a conversation.
    AttachmentType {
        Pdf = "pdf",
        Png = "png",
        Jpeg = "jpeg",
        Webp = "webp",
    }
}

impl AttachmentType {
    /// How much of a file it takes to tell.
    pub const HEAD: usize = 1024;

    /// Tells a file by its first bytes: the signature of its format, and what every file of the
    /// format has next.
    #[must_use]
    pub fn of(head: &[u8]) -> Option<Self> {
        let head = &head[..head.len().min(Self::HEAD)];
        if head.starts_with(b"\x89PNG\r\n\x1a\n") && head.get(12..16) == Some(b"IHDR") {
            return Some(Self::Png);
        }
        if let [0xFF, 0xD8, 0xFF, 0xC0..=0xFE, ..] = head {
            return Some(Self::Jpeg);
        }
        let coded = matches!(head.get(12..16), Some(b"VP8 " | b"VP8L" | b"VP8X"));
        if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") && coded {
            return Some(Self::Webp);
        }
        // Some programs put a few bytes before the header of a PDF.
        let is_pdf = head.windows(5).any(|bytes| bytes == b"%PDF-");
        is_pdf.then_some(Self::Pdf)
    }

    /// What a file says it is by the end of its name, where that is one of these.
    #[must_use]
    pub fn named(filename: &str) -> Option<Self> {
        let (_, ending) = filename.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "pdf" => Some(Self::Pdf),
            "png" => Some(Self::Png),
            "jpg" | "jpeg" | "jpe" | "jfif" => Some(Self::Jpeg),
            "webp" => Some(Self::Webp),
            _ => None,
        }
    }

    /// A name under which the file may be offered: one that ends in what the file is. Whoever opens it
    /// goes by the end of its name, whatever was said of its type.
    #[must_use]
    pub fn properly_named(self, filename: &str) -> String {
        match Self::named(filename) {
            Some(said) if said == self => filename.to_owned(),
            _ => format!("{filename}.{}", self.as_str()),
        }
    }

    #[must_use]
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
        }
    }
}

/// An attachment that is about to be written, its file being stored already.
#[derive(Clone, Debug)]
pub struct NewAttachment {
    pub id: AttachmentId,
    pub filename: String,
    pub file_type: AttachmentType,
    pub size_bytes: i64,
    pub storage_path: String,
}

/// A file that came with a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Attachment {
    pub id: AttachmentId,
    pub conversation_id: ConversationId,
    pub filename: String,
    pub file_type: AttachmentType,
    pub size_bytes: i64,
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_goes_to_a_person_and_comes_back() {
        use HandoffEvent::{Release, Request, Take};
        use HandoffMode::{Ai, Human, PendingHuman};
        let walk = |events: &[HandoffEvent]| {
            let mut mode = Ai;
            for event in events {
                mode = mode.after(*event)?;
            }
            Ok::<_, Error>(mode)
        };
        assert_eq!(walk(&[Request]).unwrap(), PendingHuman);
        assert_eq!(walk(&[Request, Request]).unwrap(), PendingHuman);
        assert_eq!(walk(&[Request, Take]).unwrap(), Human);
        assert_eq!(walk(&[Take]).unwrap(), Human);
        assert_eq!(walk(&[Take, Take]).unwrap(), Human);
        assert_eq!(walk(&[Request, Release]).unwrap(), Ai);
        assert_eq!(walk(&[Request, Take, Release]).unwrap(), Ai);
        assert!(walk(&[Release]).is_err());
        let error = walk(&[Take, Request]).unwrap_err();
        assert_eq!(error.code(), ErrorCode::HandoffState);
    }

    #[test]
    fn a_file_is_offered_as_what_it_is() {
        for (name, offered) in [
            ("ticket.png", "ticket.png"),
            ("ticket.PNG", "ticket.PNG"),
            ("ticket.hta", "ticket.hta.png"),
            ("ticket.png.exe", "ticket.png.exe.png"),
            ("ticket.png.", "ticket.png..png"),
            ("ticket", "ticket.png"),
        ] {
            assert_eq!(AttachmentType::Png.properly_named(name), offered);
        }
        assert_eq!(AttachmentType::Jpeg.properly_named("a.jpg"), "a.jpg");
    }

    #[test]
    fn files_are_told_by_what_is_in_them() {
        let of = AttachmentType::of;
        assert_eq!(of(b"%PDF-1.7"), Some(AttachmentType::Pdf));
        assert_eq!(of(b"\xef\xbb\xbf%PDF-1.4"), Some(AttachmentType::Pdf));
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
        assert_eq!(of(png), Some(AttachmentType::Png));
        assert_eq!(of(&[0xFF, 0xD8, 0xFF, 0xE0]), Some(AttachmentType::Jpeg));
        assert_eq!(of(b"RIFF\0\0\0\0WEBPVP8 "), Some(AttachmentType::Webp));
        for other in [
            &b""[..],
            b"RIFF\0\0\0\0WAVE",
            b"RIFF\0\0\0\0WEBP<script>",
            b"\x89PNG\r\n\x1a\n<script>",
            &[0xFF, 0xD8, 0xFF, b'<'],
            b"RIFF",
            b"GIF89a",
            b"<svg xmlns=\"\">",
            b"MZ\x90\0",
            &[0; 2000],
        ] {
            assert_eq!(of(other), None, "{other:?}");
        }
        let far = [vec![b' '; 2000], b"%PDF-1.7".to_vec()].concat();
        assert_eq!(of(&far), None);
    }
}
