//! What happened to an appointment, an order, a conversation or an invoice request, and who did it.

use crate::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a history is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    Appointment,
    Order,
    Conversation,
    InvoiceRequest,
    Redemption,
}

impl Subject {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Appointment => "appointment",
            Self::Order => "order",
            Self::Conversation => "conversation",
            Self::InvoiceRequest => "invoice_request",
            Self::Redemption => "redemption",
        }
    }
}

/// One thing that happened. Nothing is ever changed or taken out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HistoryEntry {
    #[schema(example = "confirmed")]
    pub action: String,
    /// Who did it, as the audit log calls them.
    pub actor: String,
    #[schema(value_type = Object)]
    pub details: serde_json::Value,
    pub at: Timestamp,
}
