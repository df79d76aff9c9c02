use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::{membership, user};
use crate::error::{db, violates};
use quipu_core::access::{Member, Role, UserStatus};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{Error, Result, UserId};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Set,
};
use std::collections::HashMap;
use uuid::Uuid;

pub struct Members<'a>(pub(crate) &'a TenantTx);

impl Members<'_> {
    /// # Errors
    /// `ALREADY_EXISTS` when the person belongs to the tenant already.
    pub async fn insert(&self, user: UserId, role: Role) -> Result<()> {
        let now = self.0.db_now();
        membership::ActiveModel {
            tenant_id: Set(self.0.uuid()),
            user_id: Set(user.uuid()),
            role: Set(role.as_str().to_owned()),
            status: Set(UserStatus::Active.as_str().to_owned()),
            created_at: Set(now),
            updated_at: Set(now),
        }
        .insert(&self.0.tx)
        .await
        .map_err(|error| {
            let columns = "memberships.tenant_id, memberships.user_id";
            if violates(&error, "memberships_pkey", columns) {
                return Error::already_exists("member", "email");
            }
            db(error)
        })?;
        Ok(())
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, user: UserId) -> Result<Option<Member>> {
        let row = self
            .0
            .find::<membership::Entity>()
            .filter(membership::Column::UserId.eq(user.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(self.complete(row.into_iter().collect()).await?.pop())
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, page: PageRequest) -> Result<Page<Member>> {
        let mut select = self.0.find::<membership::Entity>();
        if let Some(after) = page.after {
            select = select.filter(membership::Column::UserId.lt(after));
        }
        let rows = select
            .order_by_desc(membership::Column::UserId)
            .limit(page.limit + 1)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let members = self.complete(rows).await?;
        Ok(Page::from_rows(members, page, |m| m.user_id.uuid()))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn count(&self) -> Result<u64> {
        self.0
            .find::<membership::Entity>()
            .count(&self.0.tx)
            .await
            .map_err(db)
    }

    /// How many people can still administer the tenant.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn count_admins(&self) -> Result<u64> {
        self.0
            .find::<membership::Entity>()
            .filter(membership::Column::Role.eq(Role::Admin.as_str()))
            .filter(membership::Column::Status.eq(UserStatus::Active.as_str()))
            .count(&self.0.tx)
            .await
            .map_err(db)
    }

    /// # Errors
    /// When the database cannot be written.
    pub async fn update(
        &self,
        user: UserId,
        role: Option<Role>,
        status: Option<UserStatus>,
    ) -> Result<bool> {
        let mut update = self
            .0
            .update::<membership::Entity>()
            .filter(membership::Column::UserId.eq(user.uuid()))
            .col_expr(membership::Column::UpdatedAt, Expr::value(self.0.db_now()));
        if let Some(role) = role {
            update = update.col_expr(membership::Column::Role, Expr::value(role.as_str()));
        }
        if let Some(status) = status {
            update = update.col_expr(membership::Column::Status, Expr::value(status.as_str()));
        }
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, user: UserId) -> Result<bool> {
        let done = self
            .0
            .delete::<membership::Entity>()
            .filter(membership::Column::UserId.eq(user.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Adds names and addresses. The ids come from this tenant's memberships, so the people are
    /// this tenant's; on PostgreSQL the policy on `users` says so again.
    async fn complete(&self, rows: Vec<membership::Model>) -> Result<Vec<Member>> {
        let ids: Vec<Uuid> = rows.iter().map(|row| row.user_id).collect();
        let mut people: HashMap<Uuid, user::Model> = user::Entity::find()
            .filter(user::Column::Id.is_in(ids))
            .all(&self.0.tx)
            .await
            .map_err(db)?
            .into_iter()
            .map(|person| (person.id, person))
            .collect();
        Ok(rows
            .into_iter()
            .filter_map(|row| {
                let person = people.remove(&row.user_id)?;
                Some(Member {
                    user_id: row.user_id.into(),
                    email: person.email,
                    name: person.name,
                    role: Role::parse(&row.role)?,
                    status: UserStatus::parse_or_suspended(&row.status),
                    created_at: from_db(row.created_at),
                })
            })
            .collect())
    }
}
