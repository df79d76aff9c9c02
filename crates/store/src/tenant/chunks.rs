use crate::TenantTx;
use crate::entity::{chunk, document};
use crate::error::db;
use quipu_core::knowledge::{Chunk, DocumentStatus};
use quipu_core::{ChunkId, DocumentId, KnowledgeBaseId, Result};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set};
use std::collections::HashMap;
use uuid::Uuid;

pub struct Chunks<'a>(pub(crate) &'a TenantTx);

#[derive(Clone, Debug)]
pub struct NewChunk {
    pub index: i32,
    pub content: String,
    pub start_char: i32,
    pub end_char: i32,
}

/// Rows per INSERT: far below SQLite's limit on bound values, and large enough to be quick.
const BATCH: usize = 500;

impl Chunks<'_> {
    /// Puts these chunks in the place of whatever the document had.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn replace(
        &self,
        kb: KnowledgeBaseId,
        document: DocumentId,
        chunks: &[NewChunk],
    ) -> Result<()> {
        self.0
            .delete::<chunk::Entity>()
            .filter(chunk::Column::DocumentId.eq(document.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        for batch in chunks.chunks(BATCH) {
            let rows = batch.iter().map(|new| chunk::ActiveModel {
                id: Set(ChunkId::generate(self.0.now()).uuid()),
                tenant_id: Set(self.0.uuid()),
                knowledge_base_id: Set(kb.uuid()),
                document_id: Set(document.uuid()),
                chunk_index: Set(new.index),
                content: Set(new.content.clone()),
                start_char: Set(new.start_char),
                end_char: Set(new.end_char),
                created_at: Set(self.0.db_now()),
            });
            chunk::Entity::insert_many(rows)
                .exec(&self.0.tx)
                .await
                .map_err(db)?;
        }
        Ok(())
    }

    /// Every chunk of completed documents in these knowledge bases.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn searchable(&self, kbs: &[KnowledgeBaseId]) -> Result<Vec<Chunk>> {
        let kbs: Vec<Uuid> = kbs.iter().map(|id| id.uuid()).collect();
        let titles: HashMap<Uuid, Option<String>> = self
            .0
            .find::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.is_in(kbs.iter().copied()))
            .filter(document::Column::Status.eq(DocumentStatus::Completed.as_str()))
            .select_only()
            .column(document::Column::Id)
            .column(document::Column::Title)
            .into_tuple::<(Uuid, Option<String>)>()
            .all(&self.0.tx)
            .await
            .map_err(db)?
            .into_iter()
            .collect();
        let rows = self
            .0
            .find::<chunk::Entity>()
            .filter(chunk::Column::KnowledgeBaseId.is_in(kbs))
            .order_by_asc(chunk::Column::DocumentId)
            .order_by_asc(chunk::Column::ChunkIndex)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows
            .into_iter()
            .filter_map(|row| {
                Some(Chunk {
                    document_title: titles.get(&row.document_id)?.clone(),
                    id: row.id.into(),
                    knowledge_base_id: row.knowledge_base_id.into(),
                    document_id: row.document_id.into(),
                    index: row.chunk_index,
                    content: row.content,
                    start_char: row.start_char,
                    end_char: row.end_char,
                })
            })
            .collect())
    }
}
