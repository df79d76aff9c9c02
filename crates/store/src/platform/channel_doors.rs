use crate::PlatformTx;
use crate::convert::{from_db, to_db};
use crate::entity::{channel_connection, channel_mark};
use crate::error::db;
use quipu_core::{ConnectionId, Result, TenantId, Timestamp};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

/// The doors at which channels deliver: whose each is, before there is a tenant.
pub struct ChannelDoors<'a>(pub(crate) &'a PlatformTx);

impl ChannelDoors<'_> {
    /// Whose connection it is, and when it was changed last.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn tenant_of(&self, id: ConnectionId) -> Result<Option<(TenantId, Timestamp)>> {
        use channel_connection::Column;
        let row: Option<(Uuid, sea_orm::prelude::DateTimeUtc)> = channel_connection::Entity::find()
            .filter(Column::Id.eq(id.uuid()))
            .select_only()
            .columns([Column::TenantId, Column::UpdatedAt])
            .into_tuple()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(|(tenant, at)| (TenantId::from_uuid(tenant), from_db(at))))
    }

    /// Forgets marks of deliveries that no channel sends again any more. Returns how many.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn forget_marks(&self, before: Timestamp) -> Result<u64> {
        let done = channel_mark::Entity::delete_many()
            .filter(channel_mark::Column::SeenAt.lt(to_db(before)))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected)
    }
}
