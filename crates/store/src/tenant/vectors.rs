use crate::TenantTx;
use crate::entity::{chunk, chunk_vector, document, knowledge_base};
use crate::error::db;
use crate::tenant::knowledge_bases::into_kb;
use crate::tenant::one;
use quipu_core::embedding::EmbeddingConfig;
use quipu_core::knowledge::KnowledgeBase;
use quipu_core::{ChunkId, DocumentId, Error, KnowledgeBaseId, Result};
use sea_orm::sea_query::{Expr, ExprTrait, LockType, SimpleExpr};
use sea_orm::{ColumnTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select};
use std::collections::{BTreeSet, HashMap, HashSet};
use uuid::Uuid;

/// The vectors of a knowledge base that are made behind those that are searched.
pub struct Vectors<'a>(pub(crate) &'a TenantTx);

/// A chunk that readers see and that lacks a vector of some model.
#[derive(Clone, Debug)]
pub struct Unembedded {
    pub chunk: ChunkId,
    pub document: DocumentId,
    pub title: Option<String>,
    pub headings: Vec<String>,
    pub content: String,
    pub tokens: i32,
}

impl Vectors<'_> {
    /// The knowledge base as its worker needs it, whoever may see it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn kb(&self, kb: KnowledgeBaseId) -> Result<Option<KnowledgeBase>> {
        let row = self
            .0
            .find::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Id.eq(kb.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(into_kb))
    }

    /// Chunks without a vector of this model, document by document, at most `limit`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn missing(
        &self,
        kb: KnowledgeBaseId,
        model: &str,
        limit: u64,
    ) -> Result<Vec<Unembedded>> {
        let rows = self
            .without(kb, model)
            .order_by_asc(chunk::Column::DocumentId)
            .order_by_asc(chunk::Column::ChunkIndex)
            .limit(limit)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let documents: BTreeSet<Uuid> = rows.iter().map(|row| row.document_id).collect();
        let titles: HashMap<Uuid, Option<String>> = self
            .0
            .find::<document::Entity>()
            .filter(document::Column::Id.is_in(documents))
            .select_only()
            .column(document::Column::Id)
            .column(document::Column::Title)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?
            .into_iter()
            .collect();
        Ok(rows
            .into_iter()
            .map(|row| Unembedded {
                title: titles.get(&row.document_id).cloned().flatten(),
                chunk: row.id.into(),
                document: row.document_id.into(),
                headings: serde_json::from_value(row.headings).unwrap_or_default(),
                content: row.content,
                tokens: row.content_tokens,
            })
            .collect())
    }

    /// How many chunks lack a vector of this model, of some documents or of all.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn count_missing(
        &self,
        kb: KnowledgeBaseId,
        model: &str,
        document: Option<DocumentId>,
    ) -> Result<u64> {
        let mut missing = self.without(kb, model);
        if let Some(document) = document {
            missing = missing.filter(chunk::Column::DocumentId.eq(document.uuid()));
        }
        missing.count(&self.0.tx).await.map_err(db)
    }

    /// Whether any chunk has a vector of this model.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn any_of(&self, kb: KnowledgeBaseId, model: &str) -> Result<bool> {
        let found = self
            .0
            .find::<chunk_vector::Entity>()
            .filter(chunk_vector::Column::KnowledgeBaseId.eq(kb.uuid()))
            .filter(chunk_vector::Column::Model.eq(model))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(found.is_some())
    }

    /// Searches with another model from now on.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn search_with(&self, kb: KnowledgeBaseId, config: &EmbeddingConfig) -> Result<bool> {
        let config = serde_json::to_value(config).map_err(Error::internal)?;
        let done = self
            .0
            .update::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Id.eq(kb.uuid()))
            .col_expr(knowledge_base::Column::SearchedWith, Expr::value(config))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Throws away the vectors of all other models. Returns how many there were.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn keep_only(&self, kb: KnowledgeBaseId, models: &[String]) -> Result<u64> {
        let done = self
            .0
            .delete::<chunk_vector::Entity>()
            .filter(chunk_vector::Column::KnowledgeBaseId.eq(kb.uuid()))
            .filter(chunk_vector::Column::Model.is_not_in(models.iter().map(String::as_str)))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected)
    }

    /// Those of these chunks that are there, and that stay until the transaction ends.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn hold(&self, chunks: &[ChunkId]) -> Result<HashSet<ChunkId>> {
        let there: Vec<Uuid> = self
            .0
            .find::<chunk::Entity>()
            .filter(chunk::Column::Id.is_in(chunks.iter().map(|chunk| chunk.uuid())))
            .select_only()
            .column(chunk::Column::Id)
            .lock(LockType::KeyShare)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(there.into_iter().map(ChunkId::from_uuid).collect())
    }

    /// The chunks that readers see and that have no vector of this model. Those of a document that
    /// is switched off count too: it may be switched on again.
    fn without(&self, kb: KnowledgeBaseId, model: &str) -> Select<chunk::Entity> {
        let of_chunk = |column| Expr::col((chunk::Entity, column));
        let generation = self
            .0
            .find::<document::Entity>()
            .filter(
                of_chunk(chunk::Column::DocumentId)
                    .equals((document::Entity, document::Column::Id)),
            )
            .select_only()
            .column(document::Column::Generation);
        self.0
            .find::<chunk::Entity>()
            .filter(chunk::Column::KnowledgeBaseId.eq(kb.uuid()))
            .filter(of_chunk(chunk::Column::Generation).eq(one(generation)))
            .filter(self.vector(model).is_null())
    }

    /// In a query over chunks, the chunk again if it has a vector of this model.
    fn vector(&self, model: &str) -> SimpleExpr {
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
