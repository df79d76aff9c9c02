//! The vectors of the generation that is being built, and which of its chunks have none yet.

use super::{BATCH, Ingest, NewChunk};
use crate::entity::{chunk, chunk_vector, knowledge_base};
use crate::error::db;
use crate::tenant::chunks::pages;
use crate::tenant::one;
use quipu_core::{ChunkId, DocumentId, KnowledgeBaseId, Result};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict, SimpleExpr};
use sea_orm::{
    ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Set,
};

impl Ingest<'_> {
    /// Chunks of the generation that is being built, from number `from` on, which have no vector
    /// of this model yet, in their order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn unembedded(
        &self,
        id: DocumentId,
        generation: i32,
        model: &str,
        from: i32,
        limit: u64,
    ) -> Result<Vec<NewChunk>> {
        let rows = self
            .0
            .find::<chunk::Entity>()
            .filter(chunk::Column::DocumentId.eq(id.uuid()))
            .filter(chunk::Column::Generation.eq(generation))
            .filter(chunk::Column::ChunkIndex.gte(from))
            .filter(self.vector_of_chunk(model).is_null())
            .order_by_asc(chunk::Column::ChunkIndex)
            .limit(limit)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows
            .into_iter()
            .map(|row| NewChunk {
                id: row.id.into(),
                index: row.chunk_index,
                content: row.content,
                tokens: row.content_tokens,
                start_char: row.start_char,
                end_char: row.end_char,
                page_number: row.page_number,
                pages: pages(row.pages, row.page_number),
                headings: serde_json::from_value(row.headings).unwrap_or_default(),
            })
            .collect())
    }

    /// Keeps a batch of vectors and counts the tokens they took.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn add_vectors(
        &self,
        kb: KnowledgeBaseId,
        model: &str,
        vectors: &[(ChunkId, Vec<f32>)],
        tokens: i64,
    ) -> Result<()> {
        for batch in vectors.chunks(BATCH) {
            let rows = batch.iter().map(|(id, vector)| chunk_vector::ActiveModel {
                chunk_id: Set(id.uuid()),
                model: Set(model.to_owned()),
                tenant_id: Set(self.0.uuid()),
                knowledge_base_id: Set(kb.uuid()),
                vector: Set(vector.iter().flat_map(|x| x.to_le_bytes()).collect()),
            });
            chunk_vector::Entity::insert_many(rows)
                .on_conflict(OnConflict::new().do_nothing().to_owned())
                .exec_without_returning(&self.0.tx)
                .await
                .map_err(db)?;
        }
        self.0
            .update::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Id.eq(kb.uuid()))
            .col_expr(
                knowledge_base::Column::TokensUsed,
                Expr::col(knowledge_base::Column::TokensUsed).add(tokens),
            )
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }

    /// How many vectors of this model the generation has.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn count_vectors(&self, id: DocumentId, generation: i32, model: &str) -> Result<u64> {
        self.0
            .find::<chunk::Entity>()
            .filter(chunk::Column::DocumentId.eq(id.uuid()))
            .filter(chunk::Column::Generation.eq(generation))
            .filter(self.vector_of_chunk(model).is_not_null())
            .count(&self.0.tx)
            .await
            .map_err(db)
    }

    /// In a query over chunks, the chunk again if it has a vector of this model.
    fn vector_of_chunk(&self, model: &str) -> SimpleExpr {
        let vector = self
            .0
            .find::<chunk_vector::Entity>()
            .filter(chunk_vector::Column::Model.eq(model))
            .filter(
                Expr::col((chunk_vector::Entity, chunk_vector::Column::ChunkId))
                    .equals((chunk::Entity, chunk::Column::Id)),
            )
            .select_only()
            .column(chunk_vector::Column::ChunkId);
        one(vector)
    }
}
