use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::audit;
use crate::error::db;
use crate::tx::newest_first;
use quipu_core::audit::AuditEntry;
use quipu_core::page::{Page, PageRequest};
use quipu_core::{AuditId, Result};
use sea_orm::{ActiveModelTrait, Set};

pub struct Audit<'a>(pub(crate) &'a TenantTx);

#[derive(Clone, Debug)]
pub struct NewAuditEntry {
    pub actor: String,
    pub action: &'static str,
    pub target: String,
    pub details: serde_json::Value,
    pub request_id: Option<String>,
}

impl Audit<'_> {
    /// # Errors
    /// When the database cannot be written.
    pub async fn insert(&self, new: NewAuditEntry) -> Result<()> {
        audit::ActiveModel {
            id: Set(AuditId::generate(self.0.now()).uuid()),
            tenant_id: Set(self.0.uuid()),
            actor: Set(new.actor),
            action: Set(new.action.to_owned()),
            target: Set(new.target),
            details: Set(new.details),
            request_id: Set(new.request_id),
            created_at: Set(self.0.db_now()),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        Ok(())
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, page: PageRequest) -> Result<Page<AuditEntry>> {
        let rows = newest_first(self.0.find::<audit::Entity>(), audit::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let entries = rows
            .into_iter()
            .map(|row| AuditEntry {
                id: row.id.into(),
                actor: row.actor,
                action: row.action,
                target: row.target,
                details: row.details,
                request_id: row.request_id,
                created_at: from_db(row.created_at),
            })
            .collect();
        Ok(Page::from_rows(entries, page, |e: &AuditEntry| e.id.uuid()))
    }
}
