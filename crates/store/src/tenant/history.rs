use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::history;
use crate::error::db;
use quipu_core::history::{HistoryEntry, Subject};
use quipu_core::{AuditId, Result};
use sea_orm::{ActiveModelTrait, ColumnTrait, QueryFilter, QueryOrder, QuerySelect, Set};
use uuid::Uuid;

/// How much of a history is told.
const MOST: u64 = 500;

/// What happened to appointments, orders, conversations and requests.
pub struct History<'a>(pub(crate) &'a TenantTx);

impl History<'_> {
    /// # Errors
    /// When the database cannot be written.
    pub async fn add(
        &self,
        subject: Subject,
        id: Uuid,
        action: &str,
        actor: &str,
        details: serde_json::Value,
    ) -> Result<()> {
        history::ActiveModel {
            id: Set(AuditId::generate(self.0.now()).uuid()),
            tenant_id: Set(self.0.uuid()),
            subject: Set(subject.as_str().to_owned()),
            subject_id: Set(id),
            action: Set(action.to_owned()),
            actor: Set(actor.to_owned()),
            details: Set(details),
            created_at: Set(self.0.db_now()),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        Ok(())
    }

    /// The latest of it, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn of(&self, subject: Subject, id: Uuid) -> Result<Vec<HistoryEntry>> {
        let rows = self
            .0
            .find::<history::Entity>()
            .filter(history::Column::Subject.eq(subject.as_str()))
            .filter(history::Column::SubjectId.eq(id))
            .order_by_desc(history::Column::Id)
            .limit(MOST)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let entry = |row: history::Model| HistoryEntry {
            action: row.action,
            actor: row.actor,
            details: row.details,
            at: from_db(row.created_at),
        };
        Ok(rows.into_iter().rev().map(entry).collect())
    }
}
