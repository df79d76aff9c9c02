//! Knowledge bases, their documents and chunks.

use crate::language::Language;
use crate::{ChunkId, DocumentId, KnowledgeBaseId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who a knowledge base is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum KbScope {
    /// Managed by the tenant's admins, read through every agent it is assigned to.
    Global,
    /// Its owner's alone, read only in the owner's own chats.
    Personal,
    /// One agent's own.
    Agent,
    /// The tenant's business content, assigned to every agent.
    Business,
}

impl KbScope {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Personal => "personal",
            Self::Agent => "agent",
            Self::Business => "business",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DocumentStatus {
    Pending,
    Processing,
    Completed,
    Failed,
}

impl DocumentStatus {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Processing => "processing",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }

    #[must_use]
    pub fn parse_or_failed(text: &str) -> Self {
        match text {
            "pending" => Self::Pending,
            "processing" => Self::Processing,
            "completed" => Self::Completed,
            _ => Self::Failed,
        }
    }
}

/// Where a document came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DocumentSource {
    /// Text typed or pasted by a person.
    Manual,
}

impl DocumentSource {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Manual => "manual",
        }
    }
}

/// A document in a listing: one entry however many chunks it was cut into.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Document {
    pub id: DocumentId,
    pub knowledge_base_id: KnowledgeBaseId,
    pub title: Option<String>,
    pub source: DocumentSource,
    pub status: DocumentStatus,
    /// The first 150 characters.
    pub preview: String,
    pub size_bytes: i64,
    pub chunks_count: i32,
    /// Why processing failed, when it did.
    pub error_message: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A text that is about to become a document.
#[derive(Clone, Debug)]
pub struct NewText {
    pub knowledge_base_id: KnowledgeBaseId,
    pub title: Option<String>,
    pub content: String,
    pub content_hash: String,
    pub preview: String,
}

/// A piece of a document, small enough to be found and quoted.
#[derive(Clone, Debug)]
pub struct Chunk {
    pub id: ChunkId,
    pub knowledge_base_id: KnowledgeBaseId,
    pub document_id: DocumentId,
    pub document_title: Option<String>,
    pub index: i32,
    pub content: String,
    pub start_char: i32,
    pub end_char: i32,
}

/// What a knowledge base holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KnowledgeStats {
    pub documents: u64,
    pub chunks: u64,
    pub size_bytes: u64,
    pub documents_pending: u64,
    pub documents_failed: u64,
    pub last_queried_at: Option<Timestamp>,
}

/// A knowledge base as retrieval sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadableKb {
    pub id: KnowledgeBaseId,
    pub name: String,
    pub scope: KbScope,
    pub language: Language,
    pub priority: i32,
    pub search_weight: f32,
}
