//! Pieces of documents, small enough to be found and quoted.

use super::{BusinessThing, DocumentSource};
use crate::chunking::ChunkPages;
use crate::format::Format;
use crate::{ChunkId, DocumentId, KnowledgeBaseId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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
