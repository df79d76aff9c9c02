use crate::PlatformTx;
use crate::entity::live_event;
use crate::error::db;
use quipu_core::live::{LiveEvent, LiveKind};
use quipu_core::{Result, UserId};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

/// What changed a moment ago, tenant by tenant.
pub struct LiveEvents<'a>(pub(crate) &'a PlatformTx);

/// How many are kept: what happens in minutes, and no more than some megabytes.
const KEPT: i64 = 50_000;

impl LiveEvents<'_> {
    /// The number of the latest, 0 before the first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn latest(&self) -> Result<i64> {
        let latest: Option<i64> = live_event::Entity::find()
            .select_only()
            .column(live_event::Column::Id)
            .order_by_desc(live_event::Column::Id)
            .into_tuple()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(latest.unwrap_or_default())
    }

    /// Those after this number, in their order, so many at most. Numbers are given before a transaction
    /// ends: one that is lower than some that were seen may still come.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn after(&self, number: i64, limit: u64) -> Result<Vec<LiveEvent>> {
        let rows = live_event::Entity::find()
            .filter(live_event::Column::Id.gt(number))
            .order_by_asc(live_event::Column::Id)
            .limit(limit)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let events = rows.into_iter().filter_map(|row| {
            Some(LiveEvent {
                number: row.id,
                tenant: row.tenant_id.into(),
                kind: LiveKind::parse(&row.kind)?,
                subject: row.subject_id,
                owner: row.owner_user_id.map(UserId::from),
            })
        });
        Ok(events.collect())
    }

    /// Forgets all but the latest. Returns how many went.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn forget_old(&self) -> Result<u64> {
        let old = self.latest().await?.saturating_sub(KEPT);
        let done = live_event::Entity::delete_many()
            .filter(live_event::Column::Id.lte(old))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected)
    }
}
