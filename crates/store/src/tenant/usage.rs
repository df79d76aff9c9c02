use crate::TenantTx;
use crate::entity::usage;
use crate::error::db;
use quipu_core::Result;
use quipu_core::plan::month_of;
use sea_orm::sea_query::{Alias, Expr, ExprTrait, OnConflict};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, Set};

/// Monthly counters of what a tenant used.
pub struct Usage<'a>(pub(crate) &'a TenantTx);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageCounter {
    pub metric: String,
    pub value: i64,
}

impl Usage<'_> {
    /// Adds to this month's counters, each of which is named once.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn add(&self, amounts: &[(&str, i64)]) -> Result<()> {
        let amounts = amounts.iter().filter(|(_, amount)| *amount != 0);
        let rows: Vec<usage::ActiveModel> = amounts
            .map(|(metric, amount)| usage::ActiveModel {
                tenant_id: Set(self.0.uuid()),
                month: Set(month_of(self.0.now())),
                metric: Set((*metric).to_owned()),
                value: Set(*amount),
            })
            .collect();
        if rows.is_empty() {
            return Ok(());
        }
        let more = Expr::col((Alias::new("excluded"), usage::Column::Value));
        let add = OnConflict::columns([
            usage::Column::TenantId,
            usage::Column::Month,
            usage::Column::Metric,
        ])
        .value(
            usage::Column::Value,
            Expr::col((usage::Entity, usage::Column::Value)).add(more),
        )
        .to_owned();
        usage::Entity::insert_many(rows)
            .on_conflict(add)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }

    /// The counters of one month, such as `2026-11`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn month(&self, month: &str) -> Result<Vec<UsageCounter>> {
        let rows = self
            .0
            .find::<usage::Entity>()
            .filter(usage::Column::Month.eq(month))
            .order_by_asc(usage::Column::Metric)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows
            .into_iter()
            .map(|row| UsageCounter {
                metric: row.metric,
                value: row.value,
            })
            .collect())
    }
}
