//! Documents: where they came from, how far they are, and what is said of them.

use crate::format::Format;
use crate::item_kind::ItemKind;
use crate::{DocumentId, KnowledgeBaseId, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_named_by_what_was_added() {
        let pdf = Some(Format::Pdf);
        assert_eq!(DocumentSource::File.type_name(pdf), "pdf");
        assert_eq!(DocumentSource::File.type_name(Some(Format::Csv)), "csv");
        assert_eq!(DocumentSource::File.type_name(None), "file");
        assert_eq!(DocumentSource::Manual.type_name(None), "manual");
        // A page is a website, whatever file it was.
        assert_eq!(DocumentSource::Url.type_name(pdf), "website");
        assert_eq!(DocumentSource::Business.type_name(None), "business");
    }
}
