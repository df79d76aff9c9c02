use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::document;
use crate::error::{db, violates};
use crate::tx::newest_first;
use quipu_core::knowledge::{Document, DocumentSource, DocumentStatus, NewText};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{DocumentId, Error, ErrorCode, KnowledgeBaseId, Result};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveModelTrait, ColumnTrait, PaginatorTrait, QueryFilter, QuerySelect, Set};

pub struct Documents<'a>(pub(crate) &'a TenantTx);

impl Documents<'_> {
    /// # Errors
    /// `DUPLICATE_DOCUMENT`, naming the document that holds the same content already.
    pub async fn insert(&self, new: &NewText, created_by: &str) -> Result<DocumentId> {
        let twin = self
            .0
            .find::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.eq(new.knowledge_base_id.uuid()))
            .filter(document::Column::ContentHash.eq(new.content_hash.as_str()))
            .select_only()
            .column(document::Column::Id)
            .into_tuple::<uuid::Uuid>()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        if let Some(twin) = twin {
            return Err(
                Error::new(ErrorCode::DuplicateDocument).with("document_id", twin.to_string())
            );
        }
        let id = DocumentId::generate(self.0.now());
        let now = self.0.db_now();
        document::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            knowledge_base_id: Set(new.knowledge_base_id.uuid()),
            title: Set(new.title.clone()),
            source: Set(DocumentSource::Manual.as_str().to_owned()),
            status: Set(DocumentStatus::Pending.as_str().to_owned()),
            content: Set(new.content.clone()),
            preview: Set(new.preview.clone()),
            content_hash: Set(new.content_hash.clone()),
            size_bytes: Set(i64::try_from(new.content.len()).unwrap_or(i64::MAX)),
            chunks_count: Set(0),
            error_message: Set(None),
            created_by: Set(created_by.to_owned()),
            created_at: Set(now),
            updated_at: Set(now),
        }
        .insert(&self.0.tx)
        .await
        .map_err(|error| {
            // Somebody else added the same text between our look and our insert.
            let columns =
                "documents.tenant_id, documents.knowledge_base_id, documents.content_hash";
            if violates(&error, "documents_content_key", columns) {
                return Error::already_exists("document", "content");
            }
            db(error)
        })?;
        Ok(id)
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, kb: KnowledgeBaseId, id: DocumentId) -> Result<Option<Document>> {
        let row = self
            .0
            .find::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.eq(kb.uuid()))
            .filter(document::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(into_document))
    }

    /// The whole text and the knowledge base it belongs to.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn content(&self, id: DocumentId) -> Result<Option<(KnowledgeBaseId, String)>> {
        let row = self
            .0
            .find::<document::Entity>()
            .filter(document::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(|row| (row.knowledge_base_id.into(), row.content)))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, kb: KnowledgeBaseId, page: PageRequest) -> Result<Page<Document>> {
        let select = self
            .0
            .find::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.eq(kb.uuid()));
        let rows = newest_first(select, document::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let documents = rows.into_iter().map(into_document).collect();
        Ok(Page::from_rows(documents, page, |d: &Document| d.id.uuid()))
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

    /// # Errors
    /// When the database cannot be written.
    pub async fn set_status(
        &self,
        id: DocumentId,
        status: DocumentStatus,
        chunks: Option<i32>,
        error: Option<&str>,
    ) -> Result<bool> {
        let mut update = self
            .0
            .update::<document::Entity>()
            .filter(document::Column::Id.eq(id.uuid()))
            .col_expr(document::Column::Status, Expr::value(status.as_str()))
            .col_expr(
                document::Column::ErrorMessage,
                Expr::value(error.map(str::to_owned)),
            )
            .col_expr(document::Column::UpdatedAt, Expr::value(self.0.db_now()));
        if let Some(chunks) = chunks {
            update = update.col_expr(document::Column::ChunksCount, Expr::value(chunks));
        }
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Deletes the document with all its chunks.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, kb: KnowledgeBaseId, id: DocumentId) -> Result<bool> {
        let done = self
            .0
            .delete::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.eq(kb.uuid()))
            .filter(document::Column::Id.eq(id.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }
}

fn into_document(row: document::Model) -> Document {
    Document {
        id: row.id.into(),
        knowledge_base_id: row.knowledge_base_id.into(),
        title: row.title,
        source: DocumentSource::Manual,
        status: DocumentStatus::parse_or_failed(&row.status),
        preview: row.preview,
        size_bytes: row.size_bytes,
        chunks_count: row.chunks_count,
        error_message: row.error_message,
        created_at: from_db(row.created_at),
        updated_at: from_db(row.updated_at),
    }
}
