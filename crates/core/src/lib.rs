//! The vocabulary every other room speaks.
//!
//! Nothing here performs I/O or reads a clock: time arrives as a [`Timestamp`] argument, so that
//! tests own it, and everything is plain data and plain functions.

pub mod access;
pub mod agent;
pub mod analysis;
pub mod audit;
pub mod calendar;
pub mod chunking;
pub mod clock;
pub mod embedding;
pub mod engine;
pub mod error;
pub mod extraction;
pub mod feed;
pub mod format;
pub mod id;
pub mod job;
pub mod knowledge;
pub mod language;
pub mod loyalty;
pub mod money;
pub mod net;
pub mod ordering;
pub mod page;
pub mod phrases;
pub mod plan;
pub mod ports;
pub mod receipt;
pub mod removal;
pub mod reranking;
pub mod retrieval;
pub mod tax;
pub mod tenancy;
pub mod text;
pub mod urgency;
pub mod validate;

pub use clock::{Clock, Timestamp};
pub use error::{Error, ErrorCode, Result};
pub use id::{
    AgentId, ApiKeyId, AssignmentId, AuditId, BranchId, ChunkId, CreditId, DocumentId, JobId,
    KnowledgeBaseId, PasswordResetId, RetrievalId, SessionId, StaffId, TableId, TenantId, UserId,
};
