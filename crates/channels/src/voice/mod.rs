//! Telephone calls through Vapi.
//!
//! Vapi speaks and listens; what is said is decided here. It asks for words as any program asks a model
//! of OpenAI, and it sends messages to this server beside that. A few of them wait for an answer, and
//! the others only tell something.

mod answers;
mod ask;
mod fields;
mod read;
mod speech;
#[cfg(test)]
mod tests;

pub use answers::{
    VoiceAssistant, VoiceSetup, assistant_answer, knowledge_answer, refusal_answer, tool_results,
    transfer_answer,
};
pub use ask::{TRANSFER_TOOL, VoiceAsk, asked};
pub use read::{caller, parse};
pub use speech::{listening, speaking};

use crate::signature::is_same_secret;
use quipu_core::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

/// The header in which Vapi shows the secret. It is set with the assistant.
pub const SECRET_HEADER: &str = "x-vapi-secret";

/// Whether one of the headers `X-Vapi-Secret` and `Authorization` has the secret. Vapi signs nothing
/// unless it is set up by hand, so a secret that was agreed on is all there is.
#[must_use]
pub fn is_authentic(secret: &SecretString, headers: (Option<&str>, Option<&str>)) -> bool {
    let bearer = headers.1.and_then(|header| {
        let (scheme, token) = header.trim().split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    let ours = secret.expose_secret();
    let is_ours = |said: Option<&str>| said.is_some_and(|said| is_same_secret(said.trim(), ours));
    is_ours(headers.0) | is_ours(bearer)
}

/// Which way a call came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoiceCallKind {
    Inbound,
    Outbound,
    /// From a page, without a telephone.
    Web,
    /// Vapi does not say, or says something new.
    Other,
}

/// The call that something belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoiceCall {
    pub id: String,
    /// As Vapi writes it, with a plus sign. Nothing where it is withheld.
    pub customer_number: Option<String>,
    pub assistant_id: Option<String>,
    /// The number of the business, as Vapi calls it.
    pub phone_number_id: Option<String>,
    /// The number that was called, as Vapi writes it.
    pub business_number: Option<String>,
    pub kind: VoiceCallKind,
}

/// Who said something in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoiceRole {
    User,
    Assistant,
}

/// What was said in a call, in order. Instructions and calls of tools are left out.
pub type VoiceWords = Vec<(VoiceRole, String)>;

/// A tool that the model wants to be used.
#[derive(Clone, Debug, PartialEq)]
pub struct VoiceToolCall {
    pub id: String,
    pub name: String,
    /// An object, or `null` where what the model wrote is none.
    pub arguments: Value,
}

/// What a finished call was like.
#[derive(Clone, Debug, PartialEq)]
pub struct VoiceReport {
    pub call: VoiceCall,
    pub ended_reason: Option<String>,
    pub transcript: Option<String>,
    pub summary: Option<String>,
    pub recording_url: Option<String>,
    pub cost_usd: Option<f64>,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub duration_seconds: Option<f64>,
    pub messages: VoiceWords,
}

/// What Vapi says to this server.
#[derive(Clone, Debug, PartialEq)]
pub enum VoiceMessage {
    /// Somebody calls, and Vapi asks who speaks with them. Waits for an answer.
    AssistantRequest {
        call: VoiceCall,
    },
    /// Waits for the result of each.
    ToolCalls {
        call: VoiceCall,
        calls: Vec<VoiceToolCall>,
    },
    /// The model wants to pass the call on, and Vapi asks to whom. Waits for an answer.
    TransferRequest {
        call: VoiceCall,
    },
    /// Waits for what the model should know.
    KnowledgeRequest {
        call: Option<VoiceCall>,
        messages: VoiceWords,
    },
    ConversationUpdate {
        call: Option<VoiceCall>,
        messages: VoiceWords,
    },
    StatusUpdate {
        call: VoiceCall,
        /// `queued`, `ringing`, `in-progress`, `forwarding`, `ended` …
        status: String,
        ended_reason: Option<String>,
    },
    EndOfCall(Box<VoiceReport>),
    Transcript {
        call: Option<VoiceCall>,
        role: VoiceRole,
        text: String,
        /// Whether it stays as it is.
        is_final: bool,
    },
    /// Something that is known and that nothing follows from.
    Other {
        kind: String,
    },
}
