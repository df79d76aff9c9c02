use crate::TenantTx;
use crate::entity::{chunk, chunk_vector, document, index_change, knowledge_base};
use crate::error::db;
use quipu_core::language::Language;
use quipu_core::{ChunkId, DocumentId, Error, KnowledgeBaseId, Result};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set};
use std::collections::{BTreeSet, HashMap};
use uuid::Uuid;

/// The log of what changed for those who search. Engines read it to know what they must know anew;
/// whoever changes what can be found of a document writes it in the same transaction.
pub struct IndexChanges<'a>(pub(crate) &'a TenantTx);

/// A document and the version at which it last changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub document: DocumentId,
    pub version: i64,
    /// What can be found of it. A document that is gone, disabled or not ready has nothing.
    pub chunks: i32,
}

/// What can be found of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexedDocument {
    pub id: DocumentId,
    pub title: Option<String>,
    pub chunks: Vec<IndexedChunk>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct IndexedChunk {
    pub id: ChunkId,
    pub content: String,
    pub headings: Vec<String>,
    pub vectors: Vec<(String, Vec<f32>)>,
}

/// Rows per statement, far below the limit on bound values.
const BATCH: usize = 500;

impl IndexChanges<'_> {
    /// Notes that these documents changed. The knowledge base stays locked until the transaction
    /// ends, so that versions become visible in their order and none is overlooked.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn note(&self, kb: KnowledgeBaseId, documents: &[DocumentId]) -> Result<()> {
        use index_change::Column;
        // Named twice, a row would be written twice by one statement, which PostgreSQL refuses.
        let documents: BTreeSet<DocumentId> = documents.iter().copied().collect();
        if documents.is_empty() {
            return Ok(());
        }
        let count = i64::try_from(documents.len()).map_err(Error::internal)?;
        let rows = self
            .0
            .update::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Id.eq(kb.uuid()))
            .col_expr(
                knowledge_base::Column::IndexVersion,
                Expr::col(knowledge_base::Column::IndexVersion).add(count),
            )
            .exec_with_returning(&self.0.tx)
            .await
            .map_err(db)?;
        // A knowledge base that is gone has nothing to be found.
        let Some(row) = rows.first() else {
            return Ok(());
        };
        let first = row.index_version - count + 1;
        let rows: Vec<_> = (first..)
            .zip(documents)
            .map(|(version, document)| index_change::ActiveModel {
                tenant_id: Set(self.0.uuid()),
                knowledge_base_id: Set(kb.uuid()),
                document_id: Set(document.uuid()),
                version: Set(version),
            })
            .collect();
        for batch in rows.chunks(BATCH) {
            let key = [
                Column::TenantId,
                Column::KnowledgeBaseId,
                Column::DocumentId,
            ];
            index_change::Entity::insert_many(batch.to_vec())
                .on_conflict(
                    OnConflict::columns(key)
                        .update_column(Column::Version)
                        .to_owned(),
                )
                .exec_without_returning(&self.0.tx)
                .await
                .map_err(db)?;
        }
        Ok(())
    }

    /// The language in which a knowledge base is read, if it is there.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn language(&self, kb: KnowledgeBaseId) -> Result<Option<Language>> {
        let language = self
            .0
            .find::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Id.eq(kb.uuid()))
            .select_only()
            .column(knowledge_base::Column::Language)
            .into_tuple::<String>()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(language.as_deref().map(Language::parse_or_default))
    }

    /// The versions of these knowledge bases, of those that are there.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn versions(&self, kbs: &[KnowledgeBaseId]) -> Result<HashMap<KnowledgeBaseId, i64>> {
        let rows: Vec<(Uuid, i64)> = self
            .0
            .find::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Id.is_in(kbs.iter().map(|kb| kb.uuid())))
            .select_only()
            .column(knowledge_base::Column::Id)
            .column(knowledge_base::Column::IndexVersion)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows.into_iter().map(|(id, v)| (id.into(), v)).collect())
    }

    /// Notes that everything in a knowledge base changed, as when it is read in another language.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn note_all(&self, kb: KnowledgeBaseId) -> Result<()> {
        let documents: Vec<Uuid> = self
            .0
            .find::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.eq(kb.uuid()))
            .filter(document::Column::Generation.gt(0))
            .select_only()
            .column(document::Column::Id)
            .order_by_asc(document::Column::Id)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let documents: Vec<_> = documents.into_iter().map(DocumentId::from_uuid).collect();
        self.note(kb, &documents).await
    }

    /// What changed after a version, oldest first, at most `limit` documents.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn since(
        &self,
        kb: KnowledgeBaseId,
        version: i64,
        limit: u64,
    ) -> Result<Vec<Change>> {
        let rows = self
            .0
            .find::<index_change::Entity>()
            .filter(index_change::Column::KnowledgeBaseId.eq(kb.uuid()))
            .filter(index_change::Column::Version.gt(version))
            .order_by_asc(index_change::Column::Version)
            .limit(limit)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let ids = rows.iter().map(|row| row.document_id);
        let sizes: HashMap<Uuid, i32> = self
            .findable(kb, ids)
            .select_only()
            .column(document::Column::Id)
            .column(document::Column::ChunksCount)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?
            .into_iter()
            .collect();
        Ok(rows
            .into_iter()
            .map(|row| Change {
                document: row.document_id.into(),
                version: row.version,
                chunks: sizes.get(&row.document_id).copied().unwrap_or(0),
            })
            .collect())
    }

    /// What can be found of these documents. One of which nothing can be found is left out.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn load(
        &self,
        kb: KnowledgeBaseId,
        documents: &[DocumentId],
    ) -> Result<Vec<IndexedDocument>> {
        let rows = self
            .findable(kb, documents.iter().map(|id| id.uuid()))
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let mut loaded = Vec::with_capacity(rows.len());
        for row in rows {
            let chunks = self
                .0
                .find::<chunk::Entity>()
                .filter(chunk::Column::DocumentId.eq(row.id))
                .filter(chunk::Column::Generation.eq(row.generation))
                .order_by_asc(chunk::Column::ChunkIndex)
                .all(&self.0.tx)
                .await
                .map_err(db)?;
            let mut vectors = self.vectors(&chunks).await?;
            loaded.push(IndexedDocument {
                id: row.id.into(),
                title: row.title.or(row.filename),
                chunks: chunks
                    .into_iter()
                    .map(|chunk| IndexedChunk {
                        vectors: vectors.remove(&chunk.id).unwrap_or_default(),
                        id: chunk.id.into(),
                        content: chunk.content,
                        headings: serde_json::from_value(chunk.headings).unwrap_or_default(),
                    })
                    .collect(),
            });
        }
        Ok(loaded)
    }

    async fn vectors(
        &self,
        chunks: &[chunk::Model],
    ) -> Result<HashMap<Uuid, Vec<(String, Vec<f32>)>>> {
        let mut vectors: HashMap<Uuid, Vec<(String, Vec<f32>)>> = HashMap::new();
        for batch in chunks.chunks(BATCH) {
            let rows = self
                .0
                .find::<chunk_vector::Entity>()
                .filter(chunk_vector::Column::ChunkId.is_in(batch.iter().map(|chunk| chunk.id)))
                .order_by_asc(chunk_vector::Column::Model)
                .all(&self.0.tx)
                .await
                .map_err(db)?;
            for row in rows {
                let vector = floats(&row.vector);
                let of_chunk = vectors.entry(row.chunk_id).or_default();
                of_chunk.push((row.model, vector));
            }
        }
        Ok(vectors)
    }

    /// Those of these documents of which something can be found.
    fn findable(
        &self,
        kb: KnowledgeBaseId,
        ids: impl Iterator<Item = Uuid>,
    ) -> sea_orm::Select<document::Entity> {
        self.0
            .find::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.eq(kb.uuid()))
            .filter(document::Column::Id.is_in(ids))
            .filter(document::Column::Enabled.eq(true))
            .filter(document::Column::Generation.gt(0))
    }
}

pub(super) fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|four| f32::from_le_bytes(*four))
        .collect()
}
