use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::retrieval;
use crate::error::db;
use crate::tx::newest_first;
use quipu_core::page::{Page, PageRequest};
use quipu_core::retrieval::RetrievalEntry;
use quipu_core::{AgentId, ChunkId, Result, RetrievalId, Timestamp, UserId};
use sea_orm::sea_query::ExprTrait;
use sea_orm::{ActiveModelTrait, ColumnTrait, QueryFilter, Set};
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
}

fn into_entry(row: retrieval::Model) -> RetrievalEntry {
    RetrievalEntry {
        id: row.id.into(),
        actor: row.actor,
        agent_id: row.agent_id.map(AgentId::from_uuid),
        query: row.query,
        chunk_ids: serde_json::from_value(row.chunks).unwrap_or_default(),
        mean_similarity: row.mean_similarity,
        total_chunks_searched: u64::try_from(row.total_chunks_searched).unwrap_or(0),
        latency_ms: Duration::from_micros(u64::try_from(row.elapsed_us).unwrap_or(0)).as_secs_f64()
            * 1000.0,
        degraded: row.degraded,
        created_at: from_db(row.created_at),
    }
}
