//! What is told at once to whoever looks at it: that something changed, and not what it says.

use crate::access::Permission;
use crate::lead::words;
use crate::{TenantId, UserId};
use uuid::Uuid;

words! {
    /// The kinds of things whose changes are told.
    LiveKind {
        Agent = "agent",
        KnowledgeBase = "knowledge_base",
        Document = "document",
        Website = "website",
        CatalogueItem = "catalogue_item",
        /// What the business says of itself.
        Business = "business",
        Lead = "lead",
        Conversation = "conversation",
        Appointment = "appointment",
        Order = "order",
        InvoiceRequest = "invoice_request",
        LearnedAnswer = "learned_answer",
        Job = "job",
        /// Conversations played again with an agent.
        Rehearsal = "rehearsal",
        RehearsalScript = "rehearsal_script",
        /// A number, page or account at a channel.
        ChannelConnection = "channel_connection",
    }
}

impl LiveKind {
    /// Who may read the thing may hear of it.
    #[must_use]
    pub const fn permission(self) -> Permission {
        match self {
            Self::Agent | Self::Rehearsal | Self::ChannelConnection => Permission::AgentsRead,
            Self::KnowledgeBase | Self::Document | Self::Website => Permission::KnowledgeRead,
            Self::CatalogueItem | Self::Business | Self::LearnedAnswer => Permission::BusinessRead,
            Self::Lead
            | Self::Conversation
            | Self::Appointment
            | Self::Order
            | Self::InvoiceRequest
            | Self::RehearsalScript => Permission::CustomersRead,
            Self::Job => Permission::JobsRead,
        }
    }
}

/// A change, as it was noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveEvent {
    pub number: i64,
    pub tenant: TenantId,
    pub kind: LiveKind,
    pub subject: Uuid,
    /// Whose it is, when it is nobody else's.
    pub owner: Option<UserId>,
}
