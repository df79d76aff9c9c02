//! What is written about a document, and what lies behind it.

use super::Documents;
use crate::entity::{document, document_source, document_tag};
use crate::error::{db, violates};
use crate::tenant::{OpenKb, null};
use quipu_core::knowledge::{DocumentChange, DocumentStatus, NewDocument};
use quipu_core::{DocumentId, Error, ErrorCode, Result};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter,
    QuerySelect, Set, TransactionTrait,
};

impl Documents<'_> {
    /// # Errors
    /// `DUPLICATE_DOCUMENT`, naming the document that holds the same content already.
    pub async fn insert(&self, kb: &OpenKb, new: &NewDocument, created_by: &str) -> Result<()> {
        if let Some(twin) = self.twin(kb, &new.content_hash).await? {
            return Err(duplicate(twin));
        }
        let now = self.0.db_now();
        let row = document::ActiveModel {
            id: Set(new.id.uuid()),
            tenant_id: Set(self.0.uuid()),
            knowledge_base_id: Set(kb.id.uuid()),
            title: Set(new.title.clone()),
            source: Set(new.source.as_str().to_owned()),
            status: Set(DocumentStatus::Pending.as_str().to_owned()),
            preview: Set(new.preview.clone()),
            content_hash: Set(new.content_hash.clone()),
            size_bytes: Set(new.size_bytes),
            chunks_count: Set(0),
            error_message: Set(None),
            created_by: Set(created_by.to_owned()),
            created_at: Set(now),
            updated_at: Set(now),
            filename: Set(new.filename.clone()),
            file_type: Set(new.file_type.map(|f| f.as_str().to_owned())),
            source_url: Set(new.source_url.clone()),
            storage_path: Set(new.storage_path.clone()),
            storage_version: Set(1),
            stage: Set(None),
            progress: Set(0),
            pages_count: Set(None),
            tokens_count: Set(0),
            author: Set(None),
            document_date: Set(None),
            category: Set(new.category.clone()),
            metadata: Set(new.metadata.clone()),
            enabled: Set(true),
            generation: Set(0),
            building: Set(None),
            building_chunks: Set(0),
            runs: Set(1),
            error_code: Set(None),
            business_type: Set(new.business.as_ref().map(|b| b.0.clone())),
            business_id: Set(new.business.as_ref().map(|b| b.1.clone())),
            processing_started_at: Set(None),
            processing_completed_at: Set(None),
        };
        let attempt = self.0.tx.begin().await.map_err(db)?;
        let inserted = row.insert(&attempt).await.map(drop);
        self.settle(attempt, inserted, kb, &new.content_hash)
            .await?;
        if let Some(text) = &new.text {
            document_source::Entity::insert(document_source::ActiveModel {
                document_id: Set(new.id.uuid()),
                tenant_id: Set(self.0.uuid()),
                content: Set(text.clone()),
            })
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        }
        self.insert_tags(new.id, &new.tags).await
    }

    /// Changes what people say about the document.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn update(
        &self,
        kb: &OpenKb,
        id: DocumentId,
        change: &DocumentChange,
    ) -> Result<bool> {
        use document::Column;
        let mut update = self
            .0
            .update::<document::Entity>()
            .filter(Column::KnowledgeBaseId.eq(kb.id.uuid()))
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()));
        if let Some(title) = &change.title {
            update = update.col_expr(Column::Title, Expr::value(title.clone()));
        }
        if let Some(author) = &change.author {
            update = update.col_expr(Column::Author, Expr::value(author.clone()));
        }
        if let Some(date) = &change.document_date {
            update = update.col_expr(Column::DocumentDate, Expr::value(date.clone()));
        }
        if let Some(category) = &change.category {
            update = update.col_expr(Column::Category, Expr::value(category.clone()));
        }
        if let Some(metadata) = &change.metadata {
            update = update.col_expr(Column::Metadata, Expr::value(metadata.clone()));
        }
        if let Some(enabled) = change.enabled {
            update = update.col_expr(Column::Enabled, Expr::value(enabled));
        }
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        if done.rows_affected == 0 {
            return Ok(false);
        }
        if let Some(tags) = &change.tags {
            self.0
                .delete::<document_tag::Entity>()
                .filter(document_tag::Column::DocumentId.eq(id.uuid()))
                .exec(&self.0.tx)
                .await
                .map_err(db)?;
            self.insert_tags(id, tags).await?;
        }
        if change.title.is_some() || change.enabled.is_some() {
            self.0.index_changes().note(kb.id, &[id]).await?;
        }
        Ok(true)
    }

    /// Puts new content behind a document. Readers keep what they see until it was processed.
    ///
    /// # Errors
    /// `DUPLICATE_DOCUMENT` when another document of the knowledge base has that content.
    pub async fn replace_content(
        &self,
        kb: &OpenKb,
        id: DocumentId,
        new: &NewDocument,
    ) -> Result<bool> {
        use document::Column;
        match self.twin(kb, &new.content_hash).await? {
            Some(twin) if twin != id => return Err(duplicate(twin)),
            _ => {}
        }
        let mut update = self
            .0
            .update::<document::Entity>()
            .filter(Column::KnowledgeBaseId.eq(kb.id.uuid()))
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::ContentHash, Expr::value(new.content_hash.clone()))
            .col_expr(Column::SizeBytes, Expr::value(new.size_bytes))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()));
        if let Some(filename) = &new.filename {
            update = update.col_expr(Column::Filename, Expr::value(filename.clone()));
        }
        if let Some(format) = new.file_type {
            update = update.col_expr(Column::FileType, Expr::value(format.as_str()));
        }
        if let Some(path) = &new.storage_path {
            update = update
                .col_expr(Column::StoragePath, Expr::value(path.clone()))
                .col_expr(
                    Column::StorageVersion,
                    Expr::col(Column::StorageVersion).add(1),
                );
        }
        let attempt = self.0.tx.begin().await.map_err(db)?;
        let done = update.exec(&attempt).await;
        let done = self.settle(attempt, done, kb, &new.content_hash).await?;
        if done.rows_affected == 0 {
            return Ok(false);
        }
        if let Some(text) = &new.text {
            self.0
                .update::<document_source::Entity>()
                .filter(document_source::Column::DocumentId.eq(id.uuid()))
                .col_expr(document_source::Column::Content, Expr::value(text.clone()))
                .exec(&self.0.tx)
                .await
                .map_err(db)?;
        }
        Ok(true)
    }

    /// Sends the document back to the beginning of the queue's walk, and returns which time this
    /// is. Readers keep what they see.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn begin_run(&self, kb: &OpenKb, id: DocumentId) -> Result<Option<i32>> {
        use document::Column;
        let rows = self
            .0
            .update::<document::Entity>()
            .filter(Column::KnowledgeBaseId.eq(kb.id.uuid()))
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(
                Column::Status,
                Expr::value(DocumentStatus::Pending.as_str()),
            )
            .col_expr(Column::Stage, null())
            .col_expr(Column::Progress, Expr::value(0))
            .col_expr(Column::Building, null())
            .col_expr(Column::BuildingChunks, Expr::value(0))
            .col_expr(Column::Runs, Expr::col(Column::Runs).add(1))
            .col_expr(Column::ErrorCode, null())
            .col_expr(Column::ErrorMessage, null())
            .col_expr(Column::ProcessingStartedAt, null())
            .col_expr(Column::ProcessingCompletedAt, null())
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec_with_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows.first().map(|row| row.runs))
    }

    /// Deletes documents with all that was made of them, and returns how many went.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, kb: &OpenKb, ids: &[DocumentId]) -> Result<u64> {
        let done = self
            .0
            .delete::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.eq(kb.id.uuid()))
            .filter(document::Column::Id.is_in(ids.iter().map(|id| id.uuid())))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        self.0.index_changes().note(kb.id, ids).await?;
        Ok(done.rows_affected)
    }

    /// The number the document's next original gets.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn next_version(&self, kb: &OpenKb, id: DocumentId) -> Result<Option<i32>> {
        let version = self
            .of(kb)
            .filter(document::Column::Id.eq(id.uuid()))
            .select_only()
            .column(document::Column::StorageVersion)
            .into_tuple::<i32>()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(version.map(|v| v + 1))
    }

    /// Ends an attempt to write content down, and finds out whose it is if somebody else wrote the
    /// same between our look and our writing. The attempt is a savepoint, because PostgreSQL would
    /// end the whole transaction at the violation.
    async fn settle<T>(
        &self,
        attempt: DatabaseTransaction,
        written: std::result::Result<T, DbErr>,
        kb: &OpenKb,
        content_hash: &str,
    ) -> Result<T> {
        let columns = "documents.tenant_id, documents.knowledge_base_id, documents.content_hash";
        match written {
            Ok(written) => {
                attempt.commit().await.map_err(db)?;
                Ok(written)
            }
            Err(error) if violates(&error, "documents_content_key", columns) => {
                attempt.rollback().await.map_err(db)?;
                let twin = self.twin(kb, content_hash).await?;
                Err(twin.map_or_else(|| Error::already_exists("document", "content"), duplicate))
            }
            Err(error) => Err(db(error)),
        }
    }

    async fn insert_tags(&self, id: DocumentId, tags: &[String]) -> Result<()> {
        if tags.is_empty() {
            return Ok(());
        }
        let rows = tags.iter().map(|tag| document_tag::ActiveModel {
            tenant_id: Set(self.0.uuid()),
            document_id: Set(id.uuid()),
            tag: Set(tag.clone()),
        });
        document_tag::Entity::insert_many(rows)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }
}

fn duplicate(twin: DocumentId) -> Error {
    Error::new(ErrorCode::DuplicateDocument).with("document_id", twin.to_string())
}
