//! Telephone calls.

use crate::{ConnectionId, ContactId, ConversationId, Timestamp, VoiceCallId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A call that has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VoiceCallRecord {
    pub id: VoiceCallId,
    pub connection_id: ConnectionId,
    /// Who called; nothing where somebody who is not known hung up without a word.
    pub contact_id: Option<ContactId>,
    pub conversation_id: Option<ConversationId>,
    /// The id of the call at Vapi.
    pub external_id: String,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub duration_seconds: Option<i64>,
    /// Vapi's word for it.
    #[schema(example = "customer-ended-call")]
    pub ended_reason: Option<String>,
    /// What was said, up to 40,000 characters.
    pub transcript: Option<String>,
    pub summary: Option<String>,
    pub recording_url: Option<String>,
    /// What Vapi charges for it, in millionths of a dollar.
    pub cost_micros: Option<i64>,
    pub created_at: Timestamp,
}

impl VoiceCallRecord {
    /// How much is kept of what was said. More has no room in a page of a listing.
    pub const MOST_TRANSCRIPT_CHARS: usize = 40_000;
    pub const MOST_SUMMARY_CHARS: usize = 4_000;
}

/// A call that is about to be written down.
#[derive(Clone, Debug)]
pub struct NewVoiceCall {
    pub connection: ConnectionId,
    pub contact: Option<ContactId>,
    pub conversation: Option<ConversationId>,
    pub external_id: String,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub duration_seconds: Option<i64>,
    pub ended_reason: Option<String>,
    pub transcript: Option<String>,
    pub summary: Option<String>,
    pub recording_url: Option<String>,
    pub cost_micros: Option<i64>,
}
