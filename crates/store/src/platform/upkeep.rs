use crate::PlatformTx;
use crate::convert::to_db;
use crate::entity::{
    event_delivery, event_endpoint, idempotency, job, knowledge_base, lead, loyalty_transaction,
    password_reset, rehearsal_run, retrieval, session, sign_in_failure, tenant, turn, website,
};
use crate::error::db;
use quipu_core::engine::Partition;
use quipu_core::event::EventDeliveryState;
use quipu_core::job::JobStatus;
use quipu_core::tenancy::TenantStatus;
use quipu_core::{EventEndpointId, LeadId, Result, TenantId, Timestamp, WebsiteId};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait};
use std::collections::BTreeMap;
use uuid::Uuid;

/// What keeps the whole house in order, whoever's rooms it has.
pub struct Upkeep<'a>(pub(crate) &'a PlatformTx);

impl Upkeep<'_> {
    /// Every knowledge base that there is, tenant by tenant, and how often what can be found in it
    /// has changed.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn knowledge_bases(&self) -> Result<BTreeMap<Partition, i64>> {
        let rows: Vec<(Uuid, Uuid, i64)> = knowledge_base::Entity::find()
            .select_only()
            .column(knowledge_base::Column::TenantId)
            .column(knowledge_base::Column::Id)
            .column(knowledge_base::Column::IndexVersion)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows
            .into_iter()
            .map(|(tenant, kb, version)| (Partition::named(tenant.into(), kb.into()), version))
            .collect())
    }

    /// Leads with tokens, some of which lapsed by now and after an earlier instant, each with their
    /// tenant: so many, after one of them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn lapsing(
        &self,
        since: Timestamp,
        after: Option<LeadId>,
        limit: u64,
    ) -> Result<Vec<(TenantId, LeadId)>> {
        use loyalty_transaction::Column;
        let holders = lead::Entity::find()
            .filter(lead::Column::TokenBalance.gt(0))
            .select_only()
            .column(lead::Column::Id)
            .into_query();
        let mut select = loyalty_transaction::Entity::find()
            .select_only()
            .column(Column::TenantId)
            .column(Column::LeadId)
            .filter(Column::Tokens.gt(0))
            .filter(Column::LapsesAt.gt(to_db(since)))
            .filter(Column::LapsesAt.lte(self.0.db_now()))
            .filter(Column::LeadId.in_subquery(holders));
        if let Some(after) = after {
            select = select.filter(Column::LeadId.gt(after.uuid()));
        }
        let rows: Vec<(Uuid, Uuid)> = select
            .group_by(Column::TenantId)
            .group_by(Column::LeadId)
            .order_by_asc(Column::LeadId)
            .limit(limit)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let each = rows.into_iter();
        Ok(each
            .map(|(tenant, lead)| (tenant.into(), lead.into()))
            .collect())
    }

    /// Removes rehearsals made before an instant, with their answers, and returns how many went.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn purge_rehearsals(&self, before: Timestamp) -> Result<u64> {
        let done = rehearsal_run::Entity::delete_many()
            .filter(rehearsal_run::Column::CreatedAt.lt(to_db(before)))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected)
    }

    /// Websites that are due to be read again, each with its tenant, of tenants at work: so many.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn due_websites(&self, limit: u64) -> Result<Vec<(TenantId, WebsiteId)>> {
        use website::Column;
        let active = tenant::Entity::find()
            .filter(tenant::Column::Status.eq(TenantStatus::Active.as_str()))
            .select_only()
            .column(tenant::Column::Id)
            .into_query();
        let rows: Vec<(Uuid, Uuid)> = website::Entity::find()
            .filter(Column::NextReadAt.lte(self.0.db_now()))
            .filter(Column::TenantId.in_subquery(active))
            .order_by_asc(Column::NextReadAt)
            .order_by_asc(Column::Id)
            .limit(limit)
            .select_only()
            .column(Column::TenantId)
            .column(Column::Id)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let each = rows.into_iter();
        Ok(each
            .map(|(tenant, site)| (tenant.into(), site.into()))
            .collect())
    }

    /// Endpoints that are to be told something now, each with its tenant, of tenants at work: so many.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn due_endpoints(&self, limit: u64) -> Result<Vec<(TenantId, EventEndpointId)>> {
        use event_endpoint::Column;
        let active = tenant::Entity::find()
            .filter(tenant::Column::Status.eq(TenantStatus::Active.as_str()))
            .select_only()
            .column(tenant::Column::Id)
            .into_query();
        let of_endpoint = |column: event_delivery::Column, of: Column| {
            Expr::col((event_delivery::Entity, column)).equals((event_endpoint::Entity, of))
        };
        // For each endpoint on its own, by the index over what waits there.
        let due = event_delivery::Entity::find()
            .select_only()
            .column(event_delivery::Column::Id)
            .filter(of_endpoint(
                event_delivery::Column::TenantId,
                Column::TenantId,
            ))
            .filter(of_endpoint(event_delivery::Column::EndpointId, Column::Id))
            .filter(event_delivery::Column::State.eq(EventDeliveryState::Waiting.as_str()))
            .filter(event_delivery::Column::NextAt.lte(self.0.db_now()))
            .into_query();
        let rows: Vec<(Uuid, Uuid)> = event_endpoint::Entity::find()
            .filter(Column::Active.eq(true))
            .filter(
                Column::RetryAt
                    .is_null()
                    .or(Column::RetryAt.lte(self.0.db_now())),
            )
            .filter(Column::TenantId.in_subquery(active))
            .filter(Expr::exists(due))
            .order_by_asc(Column::Id)
            .limit(limit)
            .select_only()
            .column(Column::TenantId)
            .column(Column::Id)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let each = rows.into_iter();
        Ok(each
            .map(|(tenant, endpoint)| (tenant.into(), endpoint.into()))
            .collect())
    }

    /// Removes sessions, tokens, keys, finished jobs and told events older than `before`, and returns how
    /// many rows went. Dead jobs stay until somebody looks at them.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn purge(&self, before: Timestamp) -> Result<u64> {
        let (now, before) = (self.0.db_now(), to_db(before));
        let tx = &self.0.tx;
        let mut removed = 0;
        removed += session::Entity::delete_many()
            .filter(session::Column::ExpiresAt.lt(now))
            .exec(tx)
            .await
            .map_err(db)?
            .rows_affected;
        removed += password_reset::Entity::delete_many()
            .filter(password_reset::Column::ExpiresAt.lt(now))
            .exec(tx)
            .await
            .map_err(db)?
            .rows_affected;
        removed += sign_in_failure::Entity::delete_many()
            .filter(sign_in_failure::Column::FirstFailedAt.lt(before))
            .exec(tx)
            .await
            .map_err(db)?
            .rows_affected;
        removed += idempotency::Entity::delete_many()
            .filter(idempotency::Column::CreatedAt.lt(before))
            .exec(tx)
            .await
            .map_err(db)?
            .rows_affected;
        removed += job::Entity::delete_many()
            .filter(job::Column::FinishedAt.lt(before))
            .filter(
                job::Column::Status
                    .is_in([JobStatus::Succeeded.as_str(), JobStatus::Cancelled.as_str()]),
            )
            .exec(tx)
            .await
            .map_err(db)?
            .rows_affected;
        removed += event_delivery::Entity::delete_many()
            .filter(event_delivery::Column::UpdatedAt.lt(before))
            .exec(tx)
            .await
            .map_err(db)?
            .rows_affected;
        removed += retrieval::Entity::delete_many()
            .filter(retrieval::Column::CreatedAt.lt(before))
            .exec(tx)
            .await
            .map_err(db)?
            .rows_affected;
        Ok(removed)
    }

    /// Removes what was asked and answered before an instant, with what people made of it, and
    /// returns how many turns went.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn purge_turns(&self, before: Timestamp) -> Result<u64> {
        let done = turn::Entity::delete_many()
            .filter(turn::Column::CreatedAt.lt(to_db(before)))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected)
    }
}
