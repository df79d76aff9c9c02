use crate::TenantTx;
use crate::entity::{plan, tenant};
use crate::error::db;
use crate::platform::{into_plan, into_tenant};
use quipu_core::plan::Plan;
use quipu_core::tenancy::Tenant;
use quipu_core::{Error, Result};
use sea_orm::sea_query::{Expr, LockType};
use sea_orm::{ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QuerySelect};

/// The tenant's own row.
pub struct Profile<'a>(pub(crate) &'a TenantTx);

/// A change to the tenant's own settings; `None` leaves the field as it is.
#[derive(Clone, Debug, Default)]
pub struct TenantChange {
    pub name: Option<String>,
    pub locale: Option<String>,
    pub time_zone: Option<String>,
}

impl Profile<'_> {
    /// # Errors
    /// `NOT_FOUND` when the tenant was deleted meanwhile.
    pub async fn get(&self) -> Result<Tenant> {
        tenant::Entity::find_by_id(self.0.uuid())
            .one(&self.0.tx)
            .await
            .map_err(db)?
            .map(into_tenant)
            .ok_or_else(|| Error::not_found("tenant"))
    }

    /// Reads the tenant's plan and holds the tenant until the transaction ends, so that two
    /// requests cannot both take the last place under a limit. SQLite has one writer anyway.
    ///
    /// # Errors
    /// `NOT_FOUND` when the tenant was deleted meanwhile.
    pub async fn lock_plan(&self) -> Result<Plan> {
        let mut select = tenant::Entity::find_by_id(self.0.uuid());
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            select = select.lock(LockType::NoKeyUpdate);
        }
        let row = select.one(&self.0.tx).await.map_err(db)?;
        let row = row.ok_or_else(|| Error::not_found("tenant"))?;
        self.plan(&row.plan).await
    }

    /// # Errors
    /// When the database cannot be written.
    pub async fn update(&self, change: &TenantChange) -> Result<()> {
        let mut update = tenant::Entity::update_many()
            .filter(tenant::Column::Id.eq(self.0.uuid()))
            .col_expr(tenant::Column::UpdatedAt, Expr::value(self.0.db_now()));
        if let Some(name) = &change.name {
            update = update.col_expr(tenant::Column::Name, Expr::value(name.clone()));
        }
        if let Some(locale) = &change.locale {
            update = update.col_expr(tenant::Column::Locale, Expr::value(locale.clone()));
        }
        if let Some(zone) = &change.time_zone {
            update = update.col_expr(tenant::Column::TimeZone, Expr::value(zone.clone()));
        }
        update.exec(&self.0.tx).await.map_err(db)?;
        Ok(())
    }

    async fn plan(&self, slug: &str) -> Result<Plan> {
        plan::Entity::find_by_id(slug)
            .one(&self.0.tx)
            .await
            .map_err(db)?
            .ok_or_else(|| Error::internal("a tenant's plan is gone"))
            .and_then(into_plan)
    }
}
