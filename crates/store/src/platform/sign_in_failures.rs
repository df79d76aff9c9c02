use crate::PlatformTx;
use crate::convert::{from_db, to_db};
use crate::entity::sign_in_failure;
use crate::error::db;
use quipu_core::{Result, Timestamp};
use sea_orm::sea_query::{LockType, OnConflict};
use sea_orm::{ConnectionTrait, DbBackend, EntityTrait, QuerySelect, Set};

pub struct SignInFailures<'a>(pub(crate) &'a PlatformTx);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignInState {
    pub failures: i32,
    pub first_failed_at: Timestamp,
    pub locked_until: Option<Timestamp>,
}

impl SignInFailures<'_> {
    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, email_hash: &str) -> Result<Option<SignInState>> {
        let row = sign_in_failure::Entity::find_by_id(email_hash)
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(|row| SignInState {
            failures: row.failures,
            first_failed_at: from_db(row.first_failed_at),
            locked_until: row.locked_until.map(from_db),
        }))
    }

    /// Reads the state and holds it until the transaction ends, so that attempts made at once are
    /// counted one after the other. SQLite has one writer anyway.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn hold(&self, email_hash: &str) -> Result<Option<SignInState>> {
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            let empty = sign_in_failure::ActiveModel {
                email_hash: Set(email_hash.to_owned()),
                failures: Set(0),
                first_failed_at: Set(self.0.db_now()),
                locked_until: Set(None),
            };
            let missing = OnConflict::column(sign_in_failure::Column::EmailHash)
                .do_nothing()
                .to_owned();
            sign_in_failure::Entity::insert(empty)
                .on_conflict(missing)
                .exec_without_returning(&self.0.tx)
                .await
                .map_err(db)?;
            sign_in_failure::Entity::find_by_id(email_hash)
                .lock(LockType::Update)
                .one(&self.0.tx)
                .await
                .map_err(db)?;
        }
        self.find(email_hash).await
    }

    /// # Errors
    /// When the database cannot be written.
    pub async fn put(&self, email_hash: &str, state: SignInState) -> Result<()> {
        let row = sign_in_failure::ActiveModel {
            email_hash: Set(email_hash.to_owned()),
            failures: Set(state.failures),
            first_failed_at: Set(to_db(state.first_failed_at)),
            locked_until: Set(state.locked_until.map(to_db)),
        };
        let replace = OnConflict::column(sign_in_failure::Column::EmailHash)
            .update_columns([
                sign_in_failure::Column::Failures,
                sign_in_failure::Column::FirstFailedAt,
                sign_in_failure::Column::LockedUntil,
            ])
            .to_owned();
        sign_in_failure::Entity::insert(row)
            .on_conflict(replace)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }

    /// # Errors
    /// When the database cannot be written.
    pub async fn clear(&self, email_hash: &str) -> Result<()> {
        sign_in_failure::Entity::delete_by_id(email_hash)
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }
}
