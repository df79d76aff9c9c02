mod vectors;

use crate::TenantTx;
use crate::entity::{chunk, document, document_source, document_text, knowledge_base};
use crate::error::db;
use crate::tenant::knowledge_bases::into_kb;
use crate::tenant::null;
use quipu_core::chunking::ChunkPages;
use quipu_core::extraction::DocumentInfo;
use quipu_core::format::Format;
use quipu_core::knowledge::{DocumentSource, DocumentStatus, KnowledgeBase, Stage};
use quipu_core::{ChunkId, DocumentId, Result};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect, Set};
use serde_json::json;

/// The worker's side of a document: from what was added to what can be found.
///
/// A generation is built beside the one that readers see. Its chunks and text are written in one
/// transaction, its vectors in batches, and then it takes the other's place in one transaction:
/// whoever is killed in between leaves something that the next attempt goes on with.
pub struct Ingest<'a>(pub(crate) &'a TenantTx);

/// A document as its worker finds it.
#[derive(Clone, Debug)]
pub struct IngestItem {
    pub id: DocumentId,
    pub kb: KnowledgeBase,
    pub source: DocumentSource,
    pub title: Option<String>,
    pub filename: Option<String>,
    pub file_type: Option<Format>,
    pub source_url: Option<String>,
    pub storage_path: Option<String>,
    pub storage_version: i32,
    /// The text itself, when the document is one.
    pub text: Option<String>,
    /// Which time it is processed.
    pub run: i32,
    pub generation: i32,
    /// Set when an earlier attempt of this run has cut the text already.
    pub building: Option<i32>,
    pub building_chunks: i32,
}

impl IngestItem {
    /// The generation this run makes.
    #[must_use]
    pub fn next_generation(&self) -> i32 {
        self.generation + 1
    }
}

/// A chunk of the generation that is being built.
#[derive(Clone, Debug)]
pub struct NewChunk {
    pub id: ChunkId,
    pub index: i32,
    pub content: String,
    pub tokens: i32,
    pub start_char: i32,
    pub end_char: i32,
    pub page_number: Option<i32>,
    pub pages: ChunkPages,
    pub headings: Vec<String>,
}

/// Rows per INSERT: far below SQLite's limit on bound values, and large enough to be quick.
const BATCH: usize = 500;

impl Ingest<'_> {
    /// # Errors
    /// When the database cannot be read.
    pub async fn load(&self, id: DocumentId) -> Result<Option<IngestItem>> {
        let Some(row) = self
            .0
            .find::<document::Entity>()
            .filter(document::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?
        else {
            return Ok(None);
        };
        let Some(kb) = self
            .0
            .find::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Id.eq(row.knowledge_base_id))
            .one(&self.0.tx)
            .await
            .map_err(db)?
        else {
            return Ok(None);
        };
        let text = self
            .0
            .find::<document_source::Entity>()
            .filter(document_source::Column::DocumentId.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(Some(IngestItem {
            id,
            kb: into_kb(kb),
            source: DocumentSource::parse(&row.source).unwrap_or(DocumentSource::Manual),
            title: row.title,
            filename: row.filename,
            file_type: row.file_type.as_deref().and_then(Format::parse),
            source_url: row.source_url,
            storage_path: row.storage_path,
            storage_version: row.storage_version,
            text: text.map(|source| source.content),
            run: row.runs,
            generation: row.generation,
            building: row.building,
            building_chunks: row.building_chunks,
        }))
    }

    /// Says where the work is. Returns whether the document is still there.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn report(&self, id: DocumentId, stage: Stage, percent: i32) -> Result<bool> {
        use document::Column;
        let done = self
            .0
            .update::<document::Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(
                Column::Status,
                Expr::value(DocumentStatus::Processing.as_str()),
            )
            .col_expr(Column::Stage, Expr::value(stage.as_str()))
            .col_expr(Column::Progress, Expr::value(percent.clamp(0, 99)))
            .col_expr(
                Column::ProcessingStartedAt,
                Expr::col(Column::ProcessingStartedAt).if_null(self.0.db_now()),
            )
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Remembers the original of a document that was read from the web.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn fetched(
        &self,
        id: DocumentId,
        path: &str,
        filename: &str,
        format: Format,
        size_bytes: i64,
    ) -> Result<bool> {
        use document::Column;
        let done = self
            .0
            .update::<document::Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::StoragePath, Expr::value(path.to_owned()))
            .col_expr(
                Column::StorageVersion,
                Expr::col(Column::StorageVersion).add(1),
            )
            .col_expr(Column::Filename, Expr::value(filename.to_owned()))
            .col_expr(Column::FileType, Expr::value(format.as_str()))
            .col_expr(Column::SizeBytes, Expr::value(size_bytes))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Writes the text and the chunks of the next generation, in place of whatever an earlier run
    /// left of it.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn build(
        &self,
        item: &IngestItem,
        text: &str,
        info: &DocumentInfo,
        preview: &str,
        chunks: &[NewChunk],
    ) -> Result<()> {
        use document::Column;
        let generation = item.next_generation();
        self.drop_unpublished(item.id, item.generation).await?;
        document_text::Entity::insert(document_text::ActiveModel {
            document_id: Set(item.id.uuid()),
            generation: Set(generation),
            tenant_id: Set(self.0.uuid()),
            content: Set(text.to_owned()),
        })
        .exec_without_returning(&self.0.tx)
        .await
        .map_err(db)?;
        for batch in chunks.chunks(BATCH) {
            let rows = batch.iter().map(|new| chunk::ActiveModel {
                id: Set(new.id.uuid()),
                tenant_id: Set(self.0.uuid()),
                knowledge_base_id: Set(item.kb.id.uuid()),
                document_id: Set(item.id.uuid()),
                generation: Set(generation),
                chunk_index: Set(new.index),
                content: Set(new.content.clone()),
                content_tokens: Set(new.tokens),
                start_char: Set(new.start_char),
                end_char: Set(new.end_char),
                page_number: Set(new.page_number),
                pages: Set(json!(new.pages)),
                headings: Set(json!(new.headings)),
                created_at: Set(self.0.db_now()),
            });
            chunk::Entity::insert_many(rows)
                .exec_without_returning(&self.0.tx)
                .await
                .map_err(db)?;
        }
        let count = i32::try_from(chunks.len()).unwrap_or(i32::MAX);
        let mut update = self
            .0
            .update::<document::Entity>()
            .filter(Column::Id.eq(item.id.uuid()))
            .col_expr(Column::Building, Expr::value(generation))
            .col_expr(Column::BuildingChunks, Expr::value(count))
            .col_expr(Column::Preview, Expr::value(preview.to_owned()))
            .col_expr(
                Column::ProcessingStartedAt,
                Expr::col(Column::ProcessingStartedAt).if_null(self.0.db_now()),
            )
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()));
        // What people wrote stays; the file only fills in what they left open.
        for (column, value) in [
            (Column::Title, &info.title),
            (Column::Author, &info.author),
            (Column::DocumentDate, &info.date),
        ] {
            if let Some(value) = value {
                update = update.col_expr(column, Expr::col(column).if_null(value.clone()));
            }
        }
        if let Some(pages) = info.pages {
            let pages = i32::try_from(pages).unwrap_or(i32::MAX);
            update = update.col_expr(Column::PagesCount, Expr::value(pages));
        }
        update.exec(&self.0.tx).await.map_err(db)?;
        Ok(())
    }

    /// Lets readers see the generation that was built, and throws the old one away.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn publish(&self, item: &IngestItem, generation: i32) -> Result<bool> {
        use document::Column;
        let sums: Option<(i64, i64)> = self
            .0
            .find::<chunk::Entity>()
            .filter(chunk::Column::DocumentId.eq(item.id.uuid()))
            .filter(chunk::Column::Generation.eq(generation))
            .select_only()
            .column_as(Expr::cust("CAST(COUNT(*) AS bigint)"), "chunks")
            .column_as(
                Expr::cust("CAST(COALESCE(SUM(content_tokens), 0) AS bigint)"),
                "tokens",
            )
            .into_tuple()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        let (chunks, tokens) = sums.unwrap_or_default();
        let done = self
            .0
            .update::<document::Entity>()
            .filter(Column::Id.eq(item.id.uuid()))
            .filter(Column::Building.eq(generation))
            .col_expr(Column::Generation, Expr::value(generation))
            .col_expr(Column::Building, null())
            .col_expr(Column::BuildingChunks, Expr::value(0))
            .col_expr(
                Column::ChunksCount,
                Expr::value(i32::try_from(chunks).unwrap_or(i32::MAX)),
            )
            .col_expr(Column::TokensCount, Expr::value(tokens))
            .col_expr(
                Column::Status,
                Expr::value(DocumentStatus::Completed.as_str()),
            )
            .col_expr(Column::Stage, null())
            .col_expr(Column::Progress, Expr::value(100))
            .col_expr(Column::ErrorCode, null())
            .col_expr(Column::ErrorMessage, null())
            .col_expr(Column::ProcessingCompletedAt, Expr::value(self.0.db_now()))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        if done.rows_affected == 0 {
            return Ok(false);
        }
        self.0
            .delete::<chunk::Entity>()
            .filter(chunk::Column::DocumentId.eq(item.id.uuid()))
            .filter(chunk::Column::Generation.lt(generation))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        self.0
            .delete::<document_text::Entity>()
            .filter(document_text::Column::DocumentId.eq(item.id.uuid()))
            .filter(document_text::Column::Generation.lt(generation))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        self.0.index_changes().note(item.kb.id, &[item.id]).await?;
        Ok(true)
    }

    /// Ends the document's processing without success, or sends it back to wait. What readers saw
    /// before, they still see.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn set_status(
        &self,
        id: DocumentId,
        status: DocumentStatus,
        failure: Option<(&str, &str)>,
    ) -> Result<bool> {
        use document::Column;
        let (code, message) = failure.unzip();
        let done = self
            .0
            .update::<document::Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::Status, Expr::value(status.as_str()))
            .col_expr(Column::Stage, null())
            .col_expr(Column::Progress, Expr::value(0))
            .col_expr(Column::ErrorCode, Expr::value(code.map(str::to_owned)))
            .col_expr(
                Column::ErrorMessage,
                Expr::value(message.map(str::to_owned)),
            )
            .col_expr(
                Column::ProcessingCompletedAt,
                if status == DocumentStatus::Failed {
                    Expr::value(self.0.db_now())
                } else {
                    null()
                },
            )
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        if status == DocumentStatus::Failed && done.rows_affected == 1 {
            self.forget_building(id).await?;
        }
        Ok(done.rows_affected == 1)
    }

    /// Throws away what a run has built and nobody will finish.
    async fn forget_building(&self, id: DocumentId) -> Result<()> {
        use document::Column;
        let rows = self
            .0
            .update::<document::Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::Building, null())
            .col_expr(Column::BuildingChunks, Expr::value(0))
            .exec_with_returning(&self.0.tx)
            .await
            .map_err(db)?;
        match rows.first() {
            Some(row) => self.drop_unpublished(id, row.generation).await,
            None => Ok(()),
        }
    }

    /// Removes every generation after the one readers see.
    async fn drop_unpublished(&self, id: DocumentId, published: i32) -> Result<()> {
        self.0
            .delete::<chunk::Entity>()
            .filter(chunk::Column::DocumentId.eq(id.uuid()))
            .filter(chunk::Column::Generation.gt(published))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        self.0
            .delete::<document_text::Entity>()
            .filter(document_text::Column::DocumentId.eq(id.uuid()))
            .filter(document_text::Column::Generation.gt(published))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }
}
