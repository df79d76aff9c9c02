//! How much is in knowledge bases.

use super::{KnowledgeBases, positive};
use crate::convert::{from_db, to_db};
use crate::entity::{document, knowledge_base};
use crate::error::db;
use crate::tenant::Stretches;
use crate::tenant::stretches::STRETCH;
use quipu_core::knowledge::{DocumentStatus, KbScope, KbTotals, KnowledgeStats, PersonalUse};
use quipu_core::{KnowledgeBaseId, Result};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, PaginatorTrait, QueryFilter, QuerySelect};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

impl KnowledgeBases<'_> {
    /// How many knowledge bases people made. Those that come with an agent or with the tenant are
    /// not counted against a plan.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn count(&self) -> Result<u64> {
        let made = [KbScope::Global.as_str(), KbScope::Personal.as_str()];
        let all = self
            .0
            .find::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Scope.is_in(made));
        let counted = async { all.count(&self.0.tx).await.map_err(db) };
        self.0.over_everybodys(counted).await
    }

    /// What is in it, counted from the rows themselves.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn stats(&self, id: KnowledgeBaseId) -> Result<Option<KnowledgeStats>> {
        let Some(kb) = self
            .0
            .find::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?
        else {
            return Ok(None);
        };
        let documents = self
            .0
            .find::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.eq(id.uuid()));
        let by_status = |status: DocumentStatus| {
            documents
                .clone()
                .filter(document::Column::Status.eq(status.as_str()))
        };
        let pending = by_status(DocumentStatus::Pending)
            .count(&self.0.tx)
            .await
            .map_err(db)?
            + by_status(DocumentStatus::Processing)
                .count(&self.0.tx)
                .await
                .map_err(db)?;
        // What readers see: chunks that are still being made are counted with their document's
        // progress.
        let sums: Option<(i64, i64)> = documents
            .clone()
            .select_only()
            .column_as(
                Expr::cust("CAST(COALESCE(SUM(chunks_count), 0) AS bigint)"),
                "chunks",
            )
            .column_as(
                Expr::cust("CAST(COALESCE(SUM(tokens_count), 0) AS bigint)"),
                "tokens",
            )
            .into_tuple()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        let (chunks, tokens) = sums.unwrap_or_default();
        let totals = KbTotals {
            total_documents: documents.clone().count(&self.0.tx).await.map_err(db)?,
            total_chunks: positive(chunks),
            total_size_bytes: self.bytes(Some(id)).await?,
        };
        Ok(Some(KnowledgeStats {
            documents: totals.total_documents,
            chunks: totals.total_chunks,
            size_bytes: totals.total_size_bytes,
            totals,
            tokens: positive(tokens),
            tokens_used: positive(kb.tokens_used),
            total_tokens_used: positive(kb.tokens_used),
            documents_pending: pending,
            documents_failed: by_status(DocumentStatus::Failed)
                .count(&self.0.tx)
                .await
                .map_err(db)?,
            last_queried_at: kb.last_queried_at.map(from_db),
        }))
    }

    /// The size of the documents of one knowledge base, or of all of them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn bytes(&self, id: Option<KnowledgeBaseId>) -> Result<u64> {
        let mut select = self.0.find::<document::Entity>().select_only().column_as(
            Expr::cust("CAST(COALESCE(SUM(size_bytes), 0) AS bigint)"),
            "total",
        );
        if let Some(id) = id {
            select = select.filter(document::Column::KnowledgeBaseId.eq(id.uuid()));
        }
        let summed = async { select.into_tuple().one(&self.0.tx).await.map_err(db) };
        let total: Option<i64> = self.0.over_everybodys(summed).await?;
        Ok(u64::try_from(total.unwrap_or(0)).unwrap_or(0))
    }

    /// What is in each of these, counted from the rows themselves.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn totals(
        &self,
        ids: &[KnowledgeBaseId],
    ) -> Result<HashMap<KnowledgeBaseId, KbTotals>> {
        let rows = self
            .0
            .find::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.is_in(ids.iter().map(|id| id.uuid())))
            .select_only()
            .column(document::Column::KnowledgeBaseId)
            .column_as(Expr::cust("CAST(COUNT(*) AS bigint)"), "documents")
            .column_as(
                Expr::cust("CAST(COALESCE(SUM(chunks_count), 0) AS bigint)"),
                "chunks",
            )
            .column_as(
                Expr::cust("CAST(COALESCE(SUM(size_bytes), 0) AS bigint)"),
                "bytes",
            )
            .group_by(document::Column::KnowledgeBaseId)
            .into_tuple::<(Uuid, i64, i64, i64)>()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let totals = rows.into_iter().map(|(id, documents, chunks, bytes)| {
            let totals = KbTotals {
                total_documents: positive(documents),
                total_chunks: positive(chunks),
                total_size_bytes: positive(bytes),
            };
            (id.into(), totals)
        });
        Ok(totals.collect())
    }

    /// The documents that are there now and were there already when each stretch of time ended, and their
    /// bytes.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn stored_before(&self, stretches: &Stretches) -> Result<Vec<(u64, u64)>> {
        use document::Column;
        // What came before the first stretch counts with it.
        let select = self
            .0
            .find::<document::Entity>()
            .filter(Column::CreatedAt.lt(to_db(stretches.whole().to)))
            .select_only()
            .column_as(stretches.number(Column::CreatedAt), STRETCH)
            .column_as(Expr::cust("CAST(COUNT(*) AS bigint)"), "documents")
            .column_as(
                Expr::cust("CAST(COALESCE(SUM(size_bytes), 0) AS bigint)"),
                "bytes",
            )
            .group_by(Expr::cust(STRETCH));
        let summed = async { select.into_tuple().all(&self.0.tx).await.map_err(db) };
        let sums: Vec<(i32, i64, i64)> = self.0.over_everybodys(summed).await?;
        let sums = sums.into_iter();
        let sums =
            sums.map(|(stretch, count, bytes)| (stretch, (positive(count), positive(bytes))));
        let added = stretches.filled(sums).into_iter();
        let running = added.scan((0, 0), |stored: &mut (u64, u64), (count, bytes)| {
            stored.0 += count;
            stored.1 += bytes;
            Some(*stored)
        });
        Ok(running.collect())
    }

    /// What members keep in personal knowledge bases, all of them together.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn personal_use(&self) -> Result<PersonalUse> {
        // Numbers tell nobody what is in them.
        self.0.over_everybodys(self.count_personal()).await
    }

    async fn count_personal(&self) -> Result<PersonalUse> {
        let rows = self
            .0
            .find::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Scope.eq(KbScope::Personal.as_str()))
            .select_only()
            .column(knowledge_base::Column::Id)
            .column(knowledge_base::Column::OwnerUserId)
            .into_tuple::<(Uuid, Option<Uuid>)>()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let owners: HashSet<Uuid> = rows.iter().filter_map(|(_, owner)| *owner).collect();
        let ids: Vec<KnowledgeBaseId> = rows.iter().map(|(id, _)| (*id).into()).collect();
        let mut used = PersonalUse {
            members: owners.len() as u64,
            knowledge_bases: ids.len() as u64,
            ..PersonalUse::default()
        };
        for totals in self.totals(&ids).await?.values() {
            used.documents += totals.total_documents;
            used.size_bytes += totals.total_size_bytes;
        }
        Ok(used)
    }
}
