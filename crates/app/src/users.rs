//! Accounts, as the platform manages them.

use crate::App;
use crate::auth::{self, ResetToken};
use quipu_core::access::{Principal, User, UserStatus};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{Error, ErrorCode, Result, UserId};

/// # Errors
/// `SUPER_ADMIN_ONLY`.
pub async fn list(app: &App, principal: &Principal, page: PageRequest) -> Result<Page<User>> {
    principal.require_super_admin()?;
    app.store.platform_read().await?.users().list(page).await
}

/// # Errors
/// `SUPER_ADMIN_ONLY` or `NOT_FOUND`.
pub async fn get(app: &App, principal: &Principal, id: UserId) -> Result<User> {
    principal.require_super_admin()?;
    let tx = app.store.platform_read().await?;
    tx.users()
        .find(id)
        .await?
        .ok_or_else(|| Error::not_found("user"))
}

/// Suspends a person everywhere at once, sessions and the keys they made included, or lets them
/// work again.
///
/// # Errors
/// `SUPER_ADMIN_ONLY`, `NOT_FOUND`, or `NOT_YOURSELF`.
pub async fn set_status(
    app: &App,
    principal: &Principal,
    id: UserId,
    status: UserStatus,
) -> Result<User> {
    principal.require_super_admin()?;
    if principal.user_id() == Some(id) {
        return Err(Error::new(ErrorCode::NotYourself));
    }
    let tx = app.store.platform().await?;
    if !tx.users().set_status(id, status).await? {
        return Err(Error::not_found("user"));
    }
    if status == UserStatus::Suspended {
        tx.sessions().delete_all(id, None).await?;
    }
    let user = tx
        .users()
        .find(id)
        .await?
        .ok_or_else(|| Error::not_found("user"))?;
    tx.commit().await?;
    tracing::info!(user.id = %id, status = status.as_str(), "user {id} is now {}", status.as_str());
    Ok(user)
}

/// # Errors
/// `SUPER_ADMIN_ONLY` or `NOT_FOUND`.
pub async fn reset_token(app: &App, principal: &Principal, id: UserId) -> Result<ResetToken> {
    principal.require_super_admin()?;
    let tx = app.store.platform().await?;
    tx.users()
        .find(id)
        .await?
        .ok_or_else(|| Error::not_found("user"))?;
    let reset = auth::issue_reset(app, &tx, id).await?;
    tx.commit().await?;
    Ok(reset)
}
