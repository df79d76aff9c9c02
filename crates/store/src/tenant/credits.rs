use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::credit;
use crate::error::db;
use crate::tx::newest_first;
use quipu_core::page::{Page, PageRequest};
use quipu_core::plan::CreditEntry;
use quipu_core::{CreditId, Result};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{EntityTrait, QuerySelect, Set};

/// The credits ledger: append-only, each entry once per reason and reference.
pub struct Credits<'a>(pub(crate) &'a TenantTx);

impl Credits<'_> {
    /// The sum of the ledger.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn balance(&self) -> Result<i64> {
        let total: Option<i64> = self
            .0
            .find::<credit::Entity>()
            .select_only()
            .column_as(
                Expr::cust("CAST(COALESCE(SUM(amount), 0) AS bigint)"),
                "total",
            )
            .into_tuple()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(total.unwrap_or(0))
    }

    /// Enters an amount. Returns `false`, and enters nothing, when this reason and reference
    /// are in the ledger already.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn enter(&self, amount: i64, reason: &str, reference: &str) -> Result<bool> {
        let row = credit::ActiveModel {
            id: Set(CreditId::generate(self.0.now()).uuid()),
            tenant_id: Set(self.0.uuid()),
            amount: Set(amount),
            reason: Set(reason.to_owned()),
            reference: Set(reference.to_owned()),
            created_at: Set(self.0.db_now()),
        };
        let once = OnConflict::columns([
            credit::Column::TenantId,
            credit::Column::Reason,
            credit::Column::Reference,
        ])
        .do_nothing()
        .to_owned();
        let entered = credit::Entity::insert(row)
            .on_conflict(once)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(entered == 1)
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, page: PageRequest) -> Result<Page<CreditEntry>> {
        let rows = newest_first(self.0.find::<credit::Entity>(), credit::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let entries = rows
            .into_iter()
            .map(|row| CreditEntry {
                id: row.id.into(),
                amount: row.amount,
                reason: row.reason,
                reference: row.reference,
                created_at: from_db(row.created_at),
            })
            .collect();
        Ok(Page::from_rows(entries, page, |e: &CreditEntry| {
            e.id.uuid()
        }))
    }
}
