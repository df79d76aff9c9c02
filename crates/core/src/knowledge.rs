//! Knowledge bases, their documents and chunks.

use crate::chunking::{ChunkPages, ChunkingConfig};
use crate::embedding::EmbeddingConfig;
use crate::format::Format;
use crate::item_kind::ItemKind;
use crate::language::Language;
use crate::{AgentId, ChunkId, DocumentId, KnowledgeBaseId, Timestamp, UserId};
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
    /// A file that was uploaded.
    File,
    /// A web page, read again whenever the document is processed again.
    Url,
    /// What the business tells about itself elsewhere in the product, such as an FAQ.
    Business,
}

impl DocumentSource {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::File => "file",
            Self::Url => "url",
            Self::Business => "business",
        }
    }

    /// What kind of source it is: `manual`, `website`, `business`, or what the file turned out to be,
    /// such as `pdf` or `csv`.
    #[must_use]
    pub fn type_name(self, file_type: Option<Format>) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::File => file_type.map_or("file", Format::as_str),
            Self::Url => "website",
            Self::Business => "business",
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Manual, Self::File, Self::Url, Self::Business]
            .into_iter()
            .find(|source| source.as_str() == text)
    }
}

/// What is being done to a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    Fetching,
    Parsing,
    Chunking,
    Embedding,
    Indexing,
}

impl Stage {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fetching => "fetching",
            Self::Parsing => "parsing",
            Self::Chunking => "chunking",
            Self::Embedding => "embedding",
            Self::Indexing => "indexing",
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [
            Self::Fetching,
            Self::Parsing,
            Self::Chunking,
            Self::Embedding,
            Self::Indexing,
        ]
        .into_iter()
        .find(|stage| stage.as_str() == text)
    }
}

/// A document in a listing: one entry however many chunks it was cut into.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Document {
    pub id: DocumentId,
    pub knowledge_base_id: KnowledgeBaseId,
    pub title: Option<String>,
    pub source: DocumentSource,
    /// The source by its type: `manual`, `website`, `business`, or the type of the file, such as
    /// `pdf` or `csv`.
    #[serde(default)]
    pub source_type: String,
    /// The name the file came with.
    pub filename: Option<String>,
    /// The same as `filename`.
    #[serde(default)]
    pub original_filename: Option<String>,
    /// What the file turned out to be.
    pub file_type: Option<Format>,
    pub source_url: Option<String>,
    pub status: DocumentStatus,
    pub stage: Option<Stage>,
    pub progress_percent: i32,
    /// The first 150 characters.
    pub preview: String,
    pub size_bytes: i64,
    /// The same as `size_bytes`.
    #[serde(default)]
    pub file_size_bytes: i64,
    /// Where its original belongs, below the tenant's own place: knowledge base, document, name.
    /// `null` for a text that was typed.
    #[serde(default)]
    pub storage_path: Option<String>,
    pub chunks_count: i32,
    pub pages_count: Option<i32>,
    pub tokens_count: i64,
    /// The same as `tokens_count`.
    #[serde(default)]
    pub tokens_used: i64,
    pub author: Option<String>,
    /// The day the document says it was made, as `2025-12-05`.
    pub document_date: Option<String>,
    /// The same as `document_date`.
    #[serde(default)]
    pub created_date: Option<String>,
    pub category: Option<String>,
    pub tags: Vec<String>,
    /// Whatever whoever added it wants to keep with it.
    #[schema(value_type = Object)]
    pub metadata: serde_json::Value,
    /// The same as `metadata`.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub custom_metadata: serde_json::Value,
    /// The person who added it; `null` when it was a program.
    #[serde(default)]
    pub created_by: Option<UserId>,
    /// A disabled document is kept but not found.
    pub enabled: bool,
    /// SHA-256 of the content.
    pub content_hash: String,
    /// Why processing failed, for programs.
    pub error_code: Option<String>,
    /// Why processing failed, for people.
    pub error_message: Option<String>,
    pub processing_started_at: Option<Timestamp>,
    pub processing_completed_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A document that is about to be.
#[derive(Clone, Debug)]
pub struct NewDocument {
    pub id: DocumentId,
    pub source: DocumentSource,
    pub title: Option<String>,
    pub filename: Option<String>,
    pub file_type: Option<Format>,
    pub source_url: Option<String>,
    /// Where the original lies, when it is a file.
    pub storage_path: Option<String>,
    /// The text itself, when it is one.
    pub text: Option<String>,
    pub content_hash: String,
    pub size_bytes: i64,
    pub preview: String,
    pub category: Option<String>,
    pub tags: Vec<String>,
    pub metadata: serde_json::Value,
    /// The kind and id of the thing in the business that it tells about.
    pub business: Option<(String, String)>,
}

/// A change to what people say about a document; `None` leaves the field as it is, and an inner
/// `None` removes it.
#[derive(Clone, Debug, Default)]
pub struct DocumentChange {
    pub title: Option<Option<String>>,
    pub author: Option<Option<String>>,
    pub document_date: Option<Option<String>>,
    pub category: Option<Option<String>>,
    pub tags: Option<Vec<String>>,
    pub metadata: Option<serde_json::Value>,
    pub enabled: Option<bool>,
}

/// Which documents of a knowledge base are meant. Everything that is given must hold.
#[derive(Clone, Debug, Default)]
pub struct DocumentFilter {
    pub status: Option<DocumentStatus>,
    pub source: Option<DocumentSource>,
    pub file_type: Option<Format>,
    pub category: Option<String>,
    pub tag: Option<String>,
    pub enabled: Option<bool>,
    /// Part of the title or of the file's name, whatever its case.
    pub text: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DocumentSort {
    #[default]
    Newest,
    Oldest,
    Name,
    Largest,
}

/// How far a document is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProcessingStatus {
    pub document_id: DocumentId,
    pub status: DocumentStatus,
    pub stage: Option<Stage>,
    pub progress_percent: i32,
    pub chunks_created: i32,
    pub error_code: Option<String>,
    pub error_message: Option<String>,
    pub updated_at: Timestamp,
}

/// What of the business a document tells about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BusinessThing {
    /// Such as `faq` or `policy`.
    pub kind: String,
    pub id: String,
}

impl BusinessThing {
    /// Whether it is for whoever answers, and not for whom they answer.
    #[must_use]
    pub fn is_internal(&self) -> bool {
        let mut internal = ItemKind::INTERNAL.iter();
        internal.any(|kind| kind.as_str() == self.kind)
    }
}

/// A piece of a document, small enough to be found and quoted.
#[derive(Clone, Debug)]
pub struct Chunk {
    pub id: ChunkId,
    pub knowledge_base_id: KnowledgeBaseId,
    pub document_id: DocumentId,
    pub document_title: Option<String>,
    pub source: DocumentSource,
    pub index: i32,
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
    pub content: String,
    pub start_char: i32,
    pub end_char: i32,
    /// The page on which most of it stands.
    pub page_number: Option<i32>,
    pub pages: ChunkPages,
    /// Where the document was read, when it is a web page.
    pub source_url: Option<String>,
    /// What the document's file turned out to be, when it is one.
    pub file_type: Option<Format>,
    /// What people say about the document.
    pub metadata: serde_json::Value,
    /// What of the business the document tells about, if it is no document of its own.
    pub business: Option<BusinessThing>,
}

/// A chunk as people see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChunkView {
    pub id: ChunkId,
    pub document_id: DocumentId,
    pub chunk_index: i32,
    pub content: String,
    pub content_tokens: i32,
    /// The page on which most of it stands.
    pub page_number: Option<i32>,
    /// The pages on which it begins and ends.
    #[serde(default)]
    pub page_start: Option<i32>,
    #[serde(default)]
    pub page_end: Option<i32>,
    /// Positions in characters of the document's extracted text.
    pub start_char: i32,
    pub end_char: i32,
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
    pub title: Option<String>,
    pub source_url: Option<String>,
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
