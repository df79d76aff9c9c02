use crate::TenantTx;
use crate::entity::idempotency;
use crate::error::db;
use quipu_core::{LeadId, Result};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, Set};

/// Requests that were answered once and must be answered the same again.
///
/// The record is written in the transaction that does the work: either both are there or
/// neither is. A second request with the same key waits for the first one's transaction at the
/// primary key, and then finds its answer.
pub struct Idempotency<'a>(pub(crate) &'a TenantTx);

/// What is known about a key.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub operation: String,
    pub request_hash: String,
    pub response: serde_json::Value,
}

impl Idempotency<'_> {
    /// Takes the key for this transaction, or returns what it was used for before.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn claim(
        &self,
        actor: &str,
        key: &str,
        operation: &str,
        request_hash: &str,
    ) -> Result<Option<Recorded>> {
        let row = idempotency::ActiveModel {
            tenant_id: Set(self.0.uuid()),
            actor: Set(actor.to_owned()),
            key: Set(key.to_owned()),
            operation: Set(operation.to_owned()),
            request_hash: Set(request_hash.to_owned()),
            response: Set(None),
            lead_id: Set(None),
            created_at: Set(self.0.db_now()),
        };
        let once = OnConflict::columns([
            idempotency::Column::TenantId,
            idempotency::Column::Actor,
            idempotency::Column::Key,
        ])
        .do_nothing()
        .to_owned();
        let inserted = idempotency::Entity::insert(row)
            .on_conflict(once)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        if inserted == 1 {
            return Ok(None);
        }
        let row = self
            .0
            .find::<idempotency::Entity>()
            .filter(idempotency::Column::Actor.eq(actor))
            .filter(idempotency::Column::Key.eq(key))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(|row| Recorded {
            operation: row.operation,
            request_hash: row.request_hash,
            response: row.response.unwrap_or_default(),
        }))
    }

    /// Keeps the answer under the key claimed before. One that is about a lead is forgotten with
    /// them.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn record(
        &self,
        actor: &str,
        key: &str,
        response: serde_json::Value,
        lead: Option<LeadId>,
    ) -> Result<()> {
        let lead = lead.map(LeadId::uuid);
        self.0
            .update::<idempotency::Entity>()
            .filter(idempotency::Column::Actor.eq(actor))
            .filter(idempotency::Column::Key.eq(key))
            .col_expr(idempotency::Column::Response, Expr::value(response))
            .col_expr(idempotency::Column::LeadId, Expr::value(lead))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }
}
