//! The vocabulary every other room speaks.
//!
//! Nothing here performs I/O or reads a clock: time arrives as a [`Timestamp`] argument, so that
//! tests own it, and everything is plain data and plain functions.

pub mod access;
pub mod agent;
pub mod analysis;
pub mod audit;
pub mod channel;
pub mod chat;
pub mod chunking;
pub mod clock;
pub mod context;
pub mod conversation;
pub mod embedding;
pub mod engine;
pub mod error;
pub mod event;
pub mod extraction;
pub mod format;
pub mod gap;
pub mod health;
pub mod history;
pub mod id;
pub mod item_kind;
pub mod job;
pub mod knowledge;
pub mod language;
pub mod lead;
pub mod lead_merge;
pub mod learning;
pub mod live;
pub mod memo;
pub mod net;
pub mod origin;
pub mod page;
pub mod password;
pub mod phrases;
pub mod plan;
pub mod ports;
pub mod quick;
pub mod reading;
pub mod rehearsal;
pub mod removal;
pub mod reranking;
pub mod retrieval;
pub mod tenancy;
pub mod text;
pub mod tool_call;
pub mod turn;
pub mod unreadable;
pub mod validate;
pub mod website;

pub use clock::{Clock, Timestamp};
pub use error::{Error, ErrorCode, Result};
pub use id::{
    AgentId, ApiKeyId, AppointmentId, AssignmentId, AttachmentId, AuditId, BranchId, ChunkId,
    ConnectionId, ContactId, ConversationId, CreditId, DocumentId, DraftRevisionId,
    EventDeliveryId, EventEndpointId, EventId, InboundId, InvoiceRequestId, JobId, KnowledgeBaseId,
    LeadId, LearnedAnswerId, MessageId, OrderId, OutboundId, PasswordResetId, RedemptionId,
    RehearsalResultId, RehearsalRunId, RehearsalScriptId, RetrievalId, SessionId, StaffId, TableId,
    TenantId, ToolCallId, TurnId, UserId, VoiceCallId, WebsiteId, WebsitePageId,
};
