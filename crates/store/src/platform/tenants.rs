use crate::PlatformTx;
use crate::convert::from_db;
use crate::entity::{job, membership, tenant};
use crate::error::{db, violates};
use crate::tx::newest_first;
use quipu_core::access::{Membership, Role, UserStatus};
use quipu_core::page::{Page, PageRequest};
use quipu_core::tenancy::{Tenant, TenantStatus};
use quipu_core::{Error, ErrorCode, Result, TenantId, UserId};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, Set,
    SqlErr,
};
use std::collections::HashMap;
use uuid::Uuid;

pub struct Tenants<'a>(pub(crate) &'a PlatformTx);

#[derive(Clone, Debug)]
pub struct NewTenant {
    pub slug: String,
    pub name: String,
    pub plan: String,
    pub locale: String,
    pub time_zone: String,
    /// Hashes of the Idempotency-Key and of the request, when a key was sent.
    pub creation: Option<(String, String)>,
}

/// A change that only the platform may make; `None` leaves the field as it is.
#[derive(Clone, Debug, Default)]
pub struct PlatformTenantChange {
    pub name: Option<String>,
    pub plan: Option<String>,
    pub status: Option<TenantStatus>,
    pub locale: Option<String>,
    pub time_zone: Option<String>,
}

impl Tenants<'_> {
    /// # Errors
    /// `ALREADY_EXISTS` when the slug is taken, `NOT_FOUND` when there is no such plan.
    pub async fn insert(&self, new: &NewTenant) -> Result<Tenant> {
        let now = self.0.db_now();
        let (key, hash) = new.creation.clone().unzip();
        tenant::ActiveModel {
            id: Set(TenantId::generate(self.0.now()).uuid()),
            slug: Set(new.slug.clone()),
            name: Set(new.name.clone()),
            status: Set(TenantStatus::Active.as_str().to_owned()),
            plan: Set(new.plan.clone()),
            locale: Set(new.locale.clone()),
            time_zone: Set(new.time_zone.clone()),
            creation_key: Set(key),
            creation_hash: Set(hash),
            created_at: Set(now),
            updated_at: Set(now),
        }
        .insert(&self.0.tx)
        .await
        .map(into_tenant)
        .map_err(|error| {
            if violates(&error, "tenants_slug_key", "tenants.slug") {
                return Error::already_exists("tenant", "slug");
            }
            if violates(&error, "tenants_creation_key_key", "tenants.creation_key") {
                return Error::new(ErrorCode::Busy).retry_after(1);
            }
            if matches!(
                error.sql_err(),
                Some(SqlErr::ForeignKeyConstraintViolation(_))
            ) {
                return Error::not_found("plan");
            }
            db(error)
        })
    }

    /// The tenant a creation key made, and the hash of the request that made it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find_by_creation_key(&self, key: &str) -> Result<Option<(Tenant, String)>> {
        let row = tenant::Entity::find()
            .filter(tenant::Column::CreationKey.eq(key))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(|row| {
            let hash = row.creation_hash.clone().unwrap_or_default();
            (into_tenant(row), hash)
        }))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, id: TenantId) -> Result<Option<Tenant>> {
        let row = tenant::Entity::find_by_id(id.uuid())
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(into_tenant))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find_by_slug(&self, slug: &str) -> Result<Option<Tenant>> {
        let row = tenant::Entity::find()
            .filter(tenant::Column::Slug.eq(slug))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(into_tenant))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, page: PageRequest) -> Result<Page<Tenant>> {
        let rows = newest_first(tenant::Entity::find(), tenant::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let tenants = rows.into_iter().map(into_tenant).collect();
        Ok(Page::from_rows(tenants, page, |t: &Tenant| t.id.uuid()))
    }

    /// The tenants a person can work in.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn of_user(&self, user: UserId) -> Result<Vec<Membership>> {
        let rows = membership::Entity::find()
            .filter(membership::Column::UserId.eq(user.uuid()))
            .filter(membership::Column::Status.eq(UserStatus::Active.as_str()))
            .order_by_asc(membership::Column::TenantId)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let ids: Vec<Uuid> = rows.iter().map(|row| row.tenant_id).collect();
        let mut tenants: HashMap<Uuid, tenant::Model> = tenant::Entity::find()
            .filter(tenant::Column::Id.is_in(ids))
            .all(&self.0.tx)
            .await
            .map_err(db)?
            .into_iter()
            .map(|row| (row.id, row))
            .collect();
        Ok(rows
            .into_iter()
            .filter_map(|row| {
                let tenant = tenants.remove(&row.tenant_id)?;
                let role = Role::parse(&row.role)?;
                Some(Membership {
                    tenant_id: row.tenant_id.into(),
                    tenant_slug: tenant.slug,
                    tenant_name: tenant.name,
                    permissions: role.permissions(),
                    role,
                    joined_at: from_db(row.created_at),
                })
            })
            .collect())
    }

    /// How many tenants an account belongs to, suspended memberships included.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn count_of_user(&self, user: UserId) -> Result<u64> {
        membership::Entity::find()
            .filter(membership::Column::UserId.eq(user.uuid()))
            .count(&self.0.tx)
            .await
            .map_err(db)
    }

    /// # Errors
    /// `NOT_FOUND` when there is no such plan.
    pub async fn update(&self, id: TenantId, change: &PlatformTenantChange) -> Result<bool> {
        let mut update = tenant::Entity::update_many()
            .filter(tenant::Column::Id.eq(id.uuid()))
            .col_expr(tenant::Column::UpdatedAt, Expr::value(self.0.db_now()));
        if let Some(name) = &change.name {
            update = update.col_expr(tenant::Column::Name, Expr::value(name.clone()));
        }
        if let Some(plan) = &change.plan {
            update = update.col_expr(tenant::Column::Plan, Expr::value(plan.clone()));
        }
        if let Some(status) = change.status {
            update = update.col_expr(tenant::Column::Status, Expr::value(status.as_str()));
        }
        if let Some(locale) = &change.locale {
            update = update.col_expr(tenant::Column::Locale, Expr::value(locale.clone()));
        }
        if let Some(zone) = &change.time_zone {
            update = update.col_expr(tenant::Column::TimeZone, Expr::value(zone.clone()));
        }
        let done = update.exec(&self.0.tx).await.map_err(|error| {
            if matches!(
                error.sql_err(),
                Some(SqlErr::ForeignKeyConstraintViolation(_))
            ) {
                return Error::not_found("plan");
            }
            db(error)
        })?;
        Ok(done.rows_affected == 1)
    }

    /// Deletes the tenant and everything it owns.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, id: TenantId) -> Result<bool> {
        // Workers lock a job before what they write for it; the other order would be a deadlock.
        job::Entity::delete_many()
            .filter(job::Column::TenantId.eq(id.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        let done = tenant::Entity::delete_by_id(id.uuid())
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }
}

pub(crate) fn into_tenant(row: tenant::Model) -> Tenant {
    Tenant {
        id: row.id.into(),
        slug: row.slug,
        name: row.name,
        status: TenantStatus::parse_or_suspended(&row.status),
        plan: row.plan,
        locale: row.locale,
        time_zone: row.time_zone,
        created_at: from_db(row.created_at),
        updated_at: from_db(row.updated_at),
    }
}
