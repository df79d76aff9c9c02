use crate::PlatformTx;
use crate::convert::from_db;
use crate::entity::deletion_receipt;
use crate::error::db;
use crate::tx::newest_first;
use quipu_core::page::{Page, PageRequest};
use quipu_core::removal::{DeletionReceipt, KeptReceipt};
use quipu_core::{Error, JobId, Result};
use sea_orm::{EntityTrait, Set};

/// What was deleted of tenants that are gone.
pub struct Receipts<'a>(pub(crate) &'a PlatformTx);

impl Receipts<'_> {
    /// # Errors
    /// When the database cannot be written.
    pub async fn insert(
        &self,
        receipt: &DeletionReceipt,
        actor: &str,
        request_id: Option<&str>,
    ) -> Result<()> {
        let row = deletion_receipt::ActiveModel {
            id: Set(JobId::generate(self.0.now()).uuid()),
            target: Set(receipt.target.clone()),
            actor: Set(actor.to_owned()),
            receipt: Set(serde_json::to_value(receipt).map_err(Error::internal)?),
            request_id: Set(request_id.map(str::to_owned)),
            created_at: Set(self.0.db_now()),
        };
        deletion_receipt::Entity::insert(row)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, page: PageRequest) -> Result<Page<KeptReceipt>> {
        let rows = newest_first(
            deletion_receipt::Entity::find(),
            deletion_receipt::Column::Id,
            page,
        )
        .all(&self.0.tx)
        .await
        .map_err(db)?;
        let kept = rows
            .into_iter()
            .map(|row| {
                Ok(KeptReceipt {
                    id: row.id,
                    actor: row.actor,
                    receipt: serde_json::from_value(row.receipt).map_err(Error::internal)?,
                    request_id: row.request_id,
                    created_at: from_db(row.created_at),
                })
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(kept, page, |kept: &KeptReceipt| kept.id))
    }
}
