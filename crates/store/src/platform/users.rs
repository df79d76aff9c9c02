use crate::PlatformTx;
use crate::convert::from_db;
use crate::entity::user;
use crate::error::{db, violates};
use crate::tx::newest_first;
use quipu_core::access::{User, UserStatus};
use quipu_core::language::Language;
use quipu_core::page::{Page, PageRequest};
use quipu_core::{Error, Result, UserId};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, Set};

pub struct Users<'a>(pub(crate) &'a PlatformTx);

#[derive(Clone, Debug)]
pub struct NewUser {
    pub email: String,
    pub name: String,
    /// Without one the person sets it with a one-time token.
    pub password_hash: Option<String>,
    pub super_admin: bool,
    pub must_change_password: bool,
}

impl Users<'_> {
    /// # Errors
    /// `ALREADY_EXISTS` when the address is taken.
    pub async fn insert(&self, new: &NewUser) -> Result<User> {
        let now = self.0.db_now();
        user::ActiveModel {
            id: Set(UserId::generate(self.0.now()).uuid()),
            email: Set(new.email.clone()),
            name: Set(new.name.clone()),
            password_hash: Set(new.password_hash.clone()),
            status: Set(UserStatus::Active.as_str().to_owned()),
            super_admin: Set(new.super_admin),
            must_change_password: Set(new.must_change_password),
            created_at: Set(now),
            updated_at: Set(now),
            language: Set(None),
        }
        .insert(&self.0.tx)
        .await
        .map(into_user)
        .map_err(|error| {
            if violates(&error, "users_email_key", "users.email") {
                return Error::already_exists("user", "email");
            }
            db(error)
        })
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, id: UserId) -> Result<Option<User>> {
        let row = user::Entity::find_by_id(id.uuid())
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(into_user))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find_by_email(&self, email: &str) -> Result<Option<User>> {
        let row = user::Entity::find()
            .filter(user::Column::Email.eq(email))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(into_user))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn password_hash(&self, id: UserId) -> Result<Option<String>> {
        let row = user::Entity::find_by_id(id.uuid())
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.and_then(|row| row.password_hash))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, page: PageRequest) -> Result<Page<User>> {
        let rows = newest_first(user::Entity::find(), user::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let users = rows.into_iter().map(into_user).collect();
        Ok(Page::from_rows(users, page, |u: &User| u.id.uuid()))
    }

    /// Whether anybody runs the platform yet.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn any_super_admin(&self) -> Result<bool> {
        let count = user::Entity::find()
            .filter(user::Column::SuperAdmin.eq(true))
            .count(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(count > 0)
    }

    /// # Errors
    /// When the database cannot be written.
    pub async fn set_password(&self, id: UserId, hash: &str, must_change: bool) -> Result<bool> {
        let done = user::Entity::update_many()
            .filter(user::Column::Id.eq(id.uuid()))
            .col_expr(user::Column::PasswordHash, Expr::value(hash.to_owned()))
            .col_expr(user::Column::MustChangePassword, Expr::value(must_change))
            .col_expr(user::Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// # Errors
    /// When the database cannot be written.
    pub async fn set_language(&self, id: UserId, language: Language) -> Result<bool> {
        let done = user::Entity::update_many()
            .filter(user::Column::Id.eq(id.uuid()))
            .col_expr(user::Column::Language, Expr::value(language.as_str()))
            .col_expr(user::Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// # Errors
    /// When the database cannot be written.
    pub async fn set_status(&self, id: UserId, status: UserStatus) -> Result<bool> {
        let done = user::Entity::update_many()
            .filter(user::Column::Id.eq(id.uuid()))
            .col_expr(user::Column::Status, Expr::value(status.as_str()))
            .col_expr(user::Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }
}

pub(crate) fn into_user(row: user::Model) -> User {
    User {
        id: row.id.into(),
        email: row.email,
        name: row.name,
        status: UserStatus::parse_or_suspended(&row.status),
        super_admin: row.super_admin,
        must_change_password: row.must_change_password,
        language: row.language.as_deref().map(Language::parse_or_default),
        created_at: from_db(row.created_at),
    }
}
