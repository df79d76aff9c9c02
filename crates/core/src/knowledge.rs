//! Knowledge bases, their documents and chunks.

mod chunk;
mod document;

pub use chunk::{Chunk, ChunkView};
pub use document::{
    BusinessThing, Document, DocumentChange, DocumentFilter, DocumentSort, DocumentSource,
    DocumentStatus, NewDocument, ProcessingStatus, Stage,
};

use crate::chunking::ChunkingConfig;
use crate::embedding::EmbeddingConfig;
use crate::language::Language;
use crate::{AgentId, DocumentId, KnowledgeBaseId, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use std::ops::Deref;
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

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Global, Self::Personal, Self::Agent, Self::Business]
            .into_iter()
            .find(|scope| scope.as_str() == text)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum KbStatus {
    Active,
    /// Kept, but no longer searched or written to.
    Archived,
}

impl KbStatus {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Archived => "archived",
        }
    }

    #[must_use]
    pub fn parse_or_archived(text: &str) -> Self {
        if text == "active" {
            Self::Active
        } else {
            Self::Archived
        }
    }
}

/// A collection of documents that is searched together.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct KnowledgeBase {
    pub id: KnowledgeBaseId,
    pub name: String,
    pub description: Option<String>,
    pub scope: KbScope,
    /// The agent it belongs to, when the scope is `agent`.
    pub agent_id: Option<AgentId>,
    /// The person it belongs to, when the scope is `personal`.
    pub owner_user_id: Option<UserId>,
    pub language: Language,
    pub status: KbStatus,
    pub chunking_config: ChunkingConfig,
    pub embedding_config: EmbeddingConfig,
    /// The model whose vectors are searched. Another than the configured one while that one's are
    /// being made.
    pub searched_with: EmbeddingConfig,
    /// How often what can be found in it has changed.
    #[serde(skip)]
    pub index_version: i64,
    pub last_queried_at: Option<Timestamp>,
    /// Tokens embedded so far, those of earlier versions and of deleted documents included.
    #[serde(default)]
    pub total_tokens_used: u64,
    /// The person who made it; `null` when it was a program.
    #[serde(default)]
    pub created_by: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A knowledge base with what is in it, as people see it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CountedKb {
    #[serde(flatten)]
    pub kb: KnowledgeBase,
    #[serde(flatten)]
    pub totals: KbTotals,
}

impl Deref for CountedKb {
    type Target = KnowledgeBase;

    fn deref(&self) -> &KnowledgeBase {
        &self.kb
    }
}

/// What a knowledge base holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KbTotals {
    #[serde(default)]
    pub total_documents: u64,
    /// What can be found of them.
    #[serde(default)]
    pub total_chunks: u64,
    #[serde(default)]
    pub total_size_bytes: u64,
}

/// A change to a knowledge base; `None` leaves the field as it is.
#[derive(Clone, Debug, Default)]
pub struct KnowledgeBaseChange {
    pub name: Option<String>,
    /// The inner `None` removes the description.
    pub description: Option<Option<String>>,
    pub language: Option<Language>,
    pub status: Option<KbStatus>,
    pub chunking_config: Option<ChunkingConfig>,
    pub embedding_config: Option<EmbeddingConfig>,
}

/// That an agent reads a knowledge base, and how much it counts there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Assignment {
    pub agent_id: AgentId,
    pub knowledge_base_id: KnowledgeBaseId,
    /// Which of two equally good passages comes first: the lower number.
    pub priority: i32,
    /// What a passage's score is multiplied by.
    pub search_weight: f32,
    pub created_at: Timestamp,
}

/// What a knowledge base holds, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KnowledgeStats {
    pub documents: u64,
    pub chunks: u64,
    pub size_bytes: u64,
    /// The same three by their longer names.
    #[serde(flatten)]
    pub totals: KbTotals,
    pub documents_pending: u64,
    pub documents_failed: u64,
    /// Tokens of all chunks.
    pub tokens: u64,
    /// Tokens embedded so far, those of earlier versions and of deleted documents included.
    pub tokens_used: u64,
    /// The same as `tokens_used`.
    pub total_tokens_used: u64,
    pub last_queried_at: Option<Timestamp>,
}

/// What members keep in personal knowledge bases, all of them together. It counts against the
/// tenant's plan; whose it is and what it says is nobody else's business.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PersonalUse {
    /// How many members have some.
    pub members: u64,
    pub knowledge_bases: u64,
    pub documents: u64,
    pub size_bytes: u64,
}

/// Which documents a search looks at. What is empty leaves all in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchFilter {
    pub documents: Vec<DocumentId>,
    pub category: Option<String>,
    /// All of them.
    pub tags: Vec<String>,
    /// Values that the document's metadata must have under these keys.
    pub metadata: serde_json::Map<String, serde_json::Value>,
    /// Days, both included. A document that says no date of its own has the day it was added.
    pub from: Option<jiff::civil::Date>,
    pub to: Option<jiff::civil::Date>,
}

impl SearchFilter {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
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
    /// How often what can be found in it has changed.
    pub index_version: i64,
    /// The model whose vectors are searched.
    pub searched_with: EmbeddingConfig,
    pub tells: ChunkTells,
}

/// What the passages of a knowledge base tell of where they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkTells {
    pub page_number: bool,
    pub source_url: bool,
}

impl From<&ChunkingConfig> for ChunkTells {
    fn from(config: &ChunkingConfig) -> Self {
        Self {
            page_number: config.include_page_number,
            source_url: config.include_source_url,
        }
    }
}

impl Default for ChunkTells {
    fn default() -> Self {
        Self::from(&ChunkingConfig::default())
    }
}
