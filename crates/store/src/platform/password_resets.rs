use crate::PlatformTx;
use crate::convert::to_db;
use crate::entity::{membership, password_reset, user};
use crate::error::db;
use quipu_core::{PasswordResetId, Result, TenantId, Timestamp, UserId};
use sea_orm::sea_query::{Expr, LockType, Query};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, QueryFilter,
    QuerySelect, Set,
};

/// One-time tokens with which a person sets a password.
pub struct PasswordResets<'a>(pub(crate) &'a PlatformTx);

impl PasswordResets<'_> {
    /// Keeps the token; older ones of the same person stop working.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn insert(
        &self,
        person: UserId,
        token_hash: &str,
        expires_at: Timestamp,
    ) -> Result<()> {
        // One at a time per person, so that two requests at once leave one token, not two.
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            user::Entity::find_by_id(person.uuid())
                .lock(LockType::NoKeyUpdate)
                .one(&self.0.tx)
                .await
                .map_err(db)?;
        }
        password_reset::Entity::delete_many()
            .filter(password_reset::Column::UserId.eq(person.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        password_reset::ActiveModel {
            id: Set(PasswordResetId::generate(self.0.now()).uuid()),
            user_id: Set(person.uuid()),
            token_hash: Set(token_hash.to_owned()),
            created_at: Set(self.0.db_now()),
            expires_at: Set(to_db(expires_at)),
            used_at: Set(None),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        Ok(())
    }

    /// Makes every token of the person worthless.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete_all(&self, person: UserId) -> Result<()> {
        password_reset::Entity::delete_many()
            .filter(password_reset::Column::UserId.eq(person.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }

    /// Makes every token worthless.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete_of_everybody(&self) -> Result<()> {
        password_reset::Entity::delete_many()
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }

    /// Makes the tokens of everybody in a tenant worthless.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete_of_tenant(&self, tenant: TenantId) -> Result<()> {
        let members = Query::select()
            .column(membership::Column::UserId)
            .from(membership::Entity)
            .and_where(membership::Column::TenantId.eq(tenant.uuid()))
            .take();
        password_reset::Entity::delete_many()
            .filter(password_reset::Column::UserId.in_subquery(members))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }

    /// Uses the token up and tells whose it was. A token works once, in one transaction.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn redeem(&self, token_hash: &str) -> Result<Option<UserId>> {
        let used = password_reset::Entity::update_many()
            .filter(password_reset::Column::TokenHash.eq(token_hash))
            .filter(password_reset::Column::UsedAt.is_null())
            .filter(password_reset::Column::ExpiresAt.gt(self.0.db_now()))
            .col_expr(password_reset::Column::UsedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        if used.rows_affected != 1 {
            return Ok(None);
        }
        let row = password_reset::Entity::find()
            .filter(password_reset::Column::TokenHash.eq(token_hash))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(|row| row.user_id.into()))
    }
}
