//! Accounts, as the platform manages them.

use crate::App;
use crate::auth::{self, ResetToken};
use quipu_core::access::{Principal, Role, User, UserStatus};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{Error, ErrorCode, Result, UserId};
use quipu_store::PlatformTx;

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
    if status == UserStatus::Suspended {
        end_tokens(&tx, &user).await?;
    }
    tx.commit().await?;
    tracing::info!(user.id = %id, status = status.as_str(), "user {id} is now {}", status.as_str());
    Ok(user)
}

/// Whoever could hand out one-time tokens may still hold somebody's, and would come back with it. Who has
/// not used theirs is given another.
async fn end_tokens(tx: &PlatformTx, user: &User) -> Result<()> {
    let resets = tx.password_resets();
    if user.super_admin {
        return resets.delete_of_everybody().await;
    }
    resets.delete_all(user.id).await?;
    let memberships = tx.tenants().of_user(user.id).await?;
    for member in memberships.iter().filter(|m| m.role == Role::Admin) {
        resets.delete_of_tenant(member.tenant_id).await?;
    }
    Ok(())
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
