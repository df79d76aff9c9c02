//! Documents as they are read one by one. Listing and writing are in files of their own.

mod listing;
mod writing;

use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::{document, document_source, document_tag};
use crate::error::db;
use crate::tenant::OpenKb;
use quipu_core::format::Format;
use quipu_core::knowledge::{Document, DocumentSource, DocumentStatus, ProcessingStatus, Stage};
use quipu_core::{DocumentId, KnowledgeBaseId, Result, UserId};
use sea_orm::{ColumnTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select};
use std::collections::HashMap;
use uuid::Uuid;

pub struct Documents<'a>(pub(crate) &'a TenantTx);

/// What lies behind a document: its original, or the text that it is.
#[derive(Clone, Debug)]
pub struct Original {
    pub storage_path: Option<String>,
    pub text: Option<String>,
}

impl Documents<'_> {
    /// The document of this knowledge base with the same content.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn twin(&self, kb: &OpenKb, content_hash: &str) -> Result<Option<DocumentId>> {
        let twin = self
            .of(kb)
            .filter(document::Column::ContentHash.eq(content_hash))
            .select_only()
            .column(document::Column::Id)
            .into_tuple::<Uuid>()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(twin.map(DocumentId::from_uuid))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, kb: &OpenKb, id: DocumentId) -> Result<Option<Document>> {
        let row = self
            .of(kb)
            .filter(document::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(self.complete(row.into_iter().collect()).await?.pop())
    }

    /// The document that tells about this thing of the business.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find_business(&self, kind: &str, id: &str) -> Result<Option<Document>> {
        let row = self
            .0
            .find::<document::Entity>()
            .filter(document::Column::BusinessType.eq(kind))
            .filter(document::Column::BusinessId.eq(id))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(self.complete(row.into_iter().collect()).await?.pop())
    }

    /// What lies behind it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn original(&self, kb: &OpenKb, id: DocumentId) -> Result<Option<Original>> {
        let row = self
            .of(kb)
            .filter(document::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        let Some(row) = row else { return Ok(None) };
        let text = self
            .0
            .find::<document_source::Entity>()
            .filter(document_source::Column::DocumentId.eq(row.id))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(Some(Original {
            storage_path: row.storage_path,
            text: text.map(|source| source.content),
        }))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn status(&self, kb: &OpenKb, id: DocumentId) -> Result<Option<ProcessingStatus>> {
        let row = self
            .of(kb)
            .filter(document::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.as_ref().map(status_of))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn count(&self, kb: KnowledgeBaseId) -> Result<u64> {
        self.0
            .find::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.eq(kb.uuid()))
            .count(&self.0.tx)
            .await
            .map_err(db)
    }

    /// How many files and pages of the tenant wait to be read, which is when they are charged for.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn count_unpriced(&self) -> Result<u64> {
        let later = [DocumentSource::File, DocumentSource::Url].map(DocumentSource::as_str);
        self.0
            .find::<document::Entity>()
            .filter(document::Column::Status.eq(DocumentStatus::Pending.as_str()))
            .filter(document::Column::Source.is_in(later))
            .count(&self.0.tx)
            .await
            .map_err(db)
    }

    fn of(&self, kb: &OpenKb) -> Select<document::Entity> {
        self.0
            .find::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.eq(kb.id.uuid()))
            .filter(kb.shown())
    }

    async fn complete(&self, rows: Vec<document::Model>) -> Result<Vec<Document>> {
        let mut tags: HashMap<Uuid, Vec<String>> = HashMap::new();
        if !rows.is_empty() {
            let found = self
                .0
                .find::<document_tag::Entity>()
                .filter(document_tag::Column::DocumentId.is_in(rows.iter().map(|row| row.id)))
                .order_by_asc(document_tag::Column::Tag)
                .all(&self.0.tx)
                .await
                .map_err(db)?;
            for row in found {
                tags.entry(row.document_id).or_default().push(row.tag);
            }
        }
        Ok(rows
            .into_iter()
            .map(|row| {
                let tags = tags.remove(&row.id).unwrap_or_default();
                into_document(row, tags)
            })
            .collect())
    }
}

fn status_of(row: &document::Model) -> ProcessingStatus {
    ProcessingStatus {
        document_id: row.id.into(),
        status: DocumentStatus::parse_or_failed(&row.status),
        stage: row.stage.as_deref().and_then(Stage::parse),
        progress_percent: row.progress,
        chunks_created: if row.building.is_some() {
            row.building_chunks
        } else {
            row.chunks_count
        },
        error_code: row.error_code.clone(),
        error_message: row.error_message.clone(),
        updated_at: from_db(row.updated_at),
    }
}

fn into_document(row: document::Model, tags: Vec<String>) -> Document {
    let source = DocumentSource::parse(&row.source).unwrap_or(DocumentSource::Manual);
    let file_type = row.file_type.as_deref().and_then(Format::parse);
    // Where it really lies is the storage's business, and another place with every version.
    let kept = row.storage_path.as_ref().and(row.filename.as_deref());
    let storage_path = kept.map(|name| format!("{}/{}/{name}", row.knowledge_base_id, row.id));
    Document {
        created_by: person(&row.created_by),
        storage_path,
        source_type: source.type_name(file_type).to_owned(),
        original_filename: row.filename.clone(),
        file_size_bytes: row.size_bytes,
        tokens_used: row.tokens_count,
        created_date: row.document_date.clone(),
        custom_metadata: row.metadata.clone(),
        id: row.id.into(),
        knowledge_base_id: row.knowledge_base_id.into(),
        title: row.title,
        source,
        filename: row.filename,
        file_type,
        source_url: row.source_url,
        status: DocumentStatus::parse_or_failed(&row.status),
        stage: row.stage.as_deref().and_then(Stage::parse),
        progress_percent: row.progress,
        preview: row.preview,
        size_bytes: row.size_bytes,
        chunks_count: row.chunks_count,
        pages_count: row.pages_count,
        tokens_count: row.tokens_count,
        author: row.author,
        document_date: row.document_date,
        category: row.category,
        tags,
        metadata: row.metadata,
        enabled: row.enabled,
        content_hash: row.content_hash,
        error_code: row.error_code,
        error_message: row.error_message,
        processing_started_at: row.processing_started_at.map(from_db),
        processing_completed_at: row.processing_completed_at.map(from_db),
        created_at: from_db(row.created_at),
        updated_at: from_db(row.updated_at),
    }
}

/// The person behind the name of whoever made something; nobody, when it was a program.
pub(crate) fn person(name: &str) -> Option<UserId> {
    name.strip_prefix("user:")?.parse().ok()
}
