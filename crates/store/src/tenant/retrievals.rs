use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::retrieval;
use crate::error::db;
use crate::tenant::stretches::STRETCH;
use crate::tenant::turns::unsigned;
use crate::tenant::{Stretches, Within};
use crate::tx::newest_first;
use quipu_core::page::{Page, PageRequest};
use quipu_core::retrieval::RetrievalEntry;
use quipu_core::turn::RetrievalSums;
use quipu_core::{AgentId, ChunkId, Result, RetrievalId, Timestamp, UserId};
use sea_orm::sea_query::{Cond, Expr, ExprTrait};
use sea_orm::{ActiveModelTrait, ColumnTrait, FromQueryResult, QueryFilter, QuerySelect, Set};
use serde_json::json;
use std::time::Duration;

/// The log of what was searched for.
pub struct Retrievals<'a>(pub(crate) &'a TenantTx);

#[derive(Clone, Debug)]
pub struct NewRetrieval {
    pub actor: String,
    pub agent: Option<AgentId>,
    /// The person whose private matter it is: nobody else sees the entry.
    pub owner: Option<UserId>,
    pub query: String,
    pub chunks: Vec<ChunkId>,
    pub mean_similarity: f32,
    pub total_chunks_searched: usize,
    pub elapsed: Duration,
    /// How much of that went into embedding the question.
    pub embedding: Duration,
    /// The tokens of what was found.
    pub context_tokens: u64,
    pub degraded: bool,
    pub at: Timestamp,
}

impl Retrievals<'_> {
    /// # Errors
    /// When the database cannot be written.
    pub async fn insert(&self, new: &NewRetrieval) -> Result<RetrievalId> {
        let id = RetrievalId::generate(new.at);
        retrieval::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            agent_id: Set(new.agent.map(AgentId::uuid)),
            owner_user_id: Set(new.owner.map(UserId::uuid)),
            actor: Set(new.actor.clone()),
            query: Set(new.query.clone()),
            chunks: Set(json!(new.chunks)),
            mean_similarity: Set(new.mean_similarity),
            total_chunks_searched: Set(i64::try_from(new.total_chunks_searched).unwrap_or(i64::MAX)),
            elapsed_us: Set(i64::try_from(new.elapsed.as_micros()).unwrap_or(i64::MAX)),
            embedding_us: Set(i64::try_from(new.embedding.as_micros()).unwrap_or(i64::MAX)),
            context_tokens: Set(i64::try_from(new.context_tokens).unwrap_or(i64::MAX)),
            degraded: Set(new.degraded),
            created_at: Set(to_db(new.at)),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        Ok(id)
    }

    /// Newest first, what this person may see: what is nobody's private matter, and their own.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        viewer: Option<UserId>,
        agent: Option<AgentId>,
        page: PageRequest,
    ) -> Result<Page<RetrievalEntry>> {
        use retrieval::Column;
        let shared = Column::OwnerUserId.is_null();
        let visible = match viewer {
            Some(user) => shared.or(Column::OwnerUserId.eq(user.uuid())),
            None => shared,
        };
        let mut select = self.0.find::<retrieval::Entity>().filter(visible);
        if let Some(agent) = agent {
            select = select.filter(Column::AgentId.eq(agent.uuid()));
        }
        let rows = newest_first(select, Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let entries = rows.into_iter().map(into_entry).collect();
        Ok(Page::from_rows(entries, page, |entry: &RetrievalEntry| {
            entry.id.uuid()
        }))
    }

    /// What the searches in an agent's knowledge come to. Sums tell nobody what somebody asked, so
    /// that private searches are in them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn sums(&self, within: Within) -> Result<RetrievalSums> {
        let sums = self.series(&within.into()).await?;
        Ok(sums.into_iter().next().unwrap_or_default())
    }

    /// The same of each stretch of time.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn series(&self, stretches: &Stretches) -> Result<Vec<RetrievalSums>> {
        use retrieval::Column;
        let within = stretches.whole();
        let sum = |what: &str| Expr::cust(format!("CAST(COALESCE(SUM({what}), 0) AS bigint)"));
        // Only what found something has tokens.
        let similarity = "CASE WHEN context_tokens > 0 THEN mean_similarity ELSE 0 END";
        let similarity = format!("CAST(COALESCE(SUM({similarity}), 0) AS double precision)");
        let select = self
            .0
            .find::<retrieval::Entity>()
            .filter(Cond::all().add_option(within.agent.map(|id| Column::AgentId.eq(id.uuid()))))
            .filter(Column::CreatedAt.gte(to_db(within.from)))
            .filter(Column::CreatedAt.lt(to_db(within.to)))
            .select_only()
            .column_as(stretches.number(Column::CreatedAt), STRETCH)
            .column_as(Expr::cust("CAST(COUNT(*) AS bigint)"), "searches")
            .column_as(
                sum("CASE WHEN context_tokens > 0 THEN 1 ELSE 0 END"),
                "with_passages",
            )
            .column_as(Expr::cust(similarity), "similarity")
            .column_as(sum("context_tokens"), "context_tokens")
            .column_as(sum("elapsed_us"), "elapsed_us")
            .column_as(sum("embedding_us"), "embedding_us")
            .group_by(Expr::cust(STRETCH))
            .into_model::<Sums>();
        let summed = async { select.all(&self.0.tx).await.map_err(db) };
        let sums = self.0.over_everybodys(summed).await?;
        let sums = sums.into_iter();
        let sums = sums.map(|sums| (sums.stretch, RetrievalSums::from(sums)));
        Ok(stretches.filled(sums))
    }
}

/// What a database adds up, row by row of the log.
#[derive(FromQueryResult)]
struct Sums {
    stretch: i32,
    searches: i64,
    with_passages: i64,
    similarity: f64,
    context_tokens: i64,
    elapsed_us: i64,
    embedding_us: i64,
}

impl From<Sums> for RetrievalSums {
    fn from(sums: Sums) -> Self {
        Self {
            searches: unsigned(sums.searches),
            with_passages: unsigned(sums.with_passages),
            similarity: sums.similarity,
            context_tokens: unsigned(sums.context_tokens),
            elapsed_us: unsigned(sums.elapsed_us),
            embedding_us: unsigned(sums.embedding_us),
        }
    }
}

fn milliseconds(micros: i64) -> f64 {
    Duration::from_micros(u64::try_from(micros).unwrap_or(0)).as_secs_f64() * 1000.0
}

fn into_entry(row: retrieval::Model) -> RetrievalEntry {
    RetrievalEntry {
        id: row.id.into(),
        actor: row.actor,
        agent_id: row.agent_id.map(AgentId::from_uuid),
        query: Some(row.query).filter(|query| !query.is_empty()),
        chunk_ids: serde_json::from_value(row.chunks).unwrap_or_default(),
        mean_similarity: row.mean_similarity,
        total_chunks_searched: u64::try_from(row.total_chunks_searched).unwrap_or(0),
        latency_ms: milliseconds(row.elapsed_us),
        embedding_ms: milliseconds(row.embedding_us),
        context_tokens: u64::try_from(row.context_tokens).unwrap_or(0),
        degraded: row.degraded,
        created_at: from_db(row.created_at),
    }
}
