//! Signing in and out, and everything about passwords and sessions.

use crate::actor::is_active;
use crate::{App, after, token};
use quipu_core::access::{Membership, Permission, Principal, Session, User};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, ErrorCode, Result, SessionId, TenantId, Timestamp, UserId};
use quipu_store::PlatformTx;
use quipu_store::platform::{KeyHolder, NewSession, SignInState};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use subtle::ConstantTimeEq;
use utoipa::ToSchema;

/// The secret under which a tenant keeps the value its n8n sends as `X-N8N-Secret`.
pub const N8N_SECRET: &str = "n8n_shared_secret";

/// Somebody who has just signed in.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedIn {
    /// Send it as `Authorization: Bearer …`. Browsers get it as a cookie as well.
    pub token: String,
    pub expires_at: Timestamp,
    pub user: User,
    pub tenants: Vec<Membership>,
}

/// Whoever is signed in, as they see themselves.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Me {
    pub user: User,
    pub tenants: Vec<Membership>,
}

/// # Errors
/// `BAD_CREDENTIALS`, the same for a wrong password, an unknown address and a suspended person;
/// `TOO_MANY_FAILURES` while the address is locked.
pub async fn sign_in(
    app: &App,
    email: &str,
    password: &SecretString,
    user_agent: Option<String>,
) -> Result<SignedIn> {
    let email = email.trim().to_lowercase();
    let email_hash = token::hash(&email);
    let tx = app.store.platform_read().await?;
    refuse_locked(&tx, &email_hash).await?;
    let user = tx.users().find_by_email(&email).await?;
    let stored = match &user {
        Some(user) => tx.users().password_hash(user.id).await?,
        None => None,
    };
    drop(tx);

    let matches = app.passwords.verify(password, stored).await?;
    let tx = app.store.platform().await?;
    refuse_locked_meanwhile(&tx, &email_hash).await?;
    let user = match user {
        Some(user) if matches && is_active(user.status) => user,
        _ => {
            count_failure(app, &tx, &email_hash).await?;
            tx.commit().await?;
            return Err(Error::new(ErrorCode::BadCredentials));
        }
    };
    tx.sign_in_failures().clear(&email_hash).await?;
    let token = token::generate(token::SESSION)?;
    let expires_at = after(tx.now(), app.access.session_ttl);
    tx.sessions()
        .insert(&NewSession {
            user: user.id,
            token_hash: token::hash(&token),
            user_agent: user_agent.map(|text| text.chars().take(200).collect()),
            expires_at,
        })
        .await?;
    let tenants = tx.tenants().of_user(user.id).await?;
    tx.commit().await?;
    Ok(SignedIn {
        token,
        expires_at,
        user,
        tenants,
    })
}

async fn refuse_locked(tx: &PlatformTx, email_hash: &str) -> Result<()> {
    refuse_if_locked(tx, tx.sign_in_failures().find(email_hash).await?)
}

/// The same with the state held, after the password was checked: of many attempts made at once only
/// the allowed number count, and not even the right password helps while the address is locked.
async fn refuse_locked_meanwhile(tx: &PlatformTx, email_hash: &str) -> Result<()> {
    refuse_if_locked(tx, tx.sign_in_failures().hold(email_hash).await?)
}

fn refuse_if_locked(tx: &PlatformTx, state: Option<SignInState>) -> Result<()> {
    match state.and_then(|state| state.locked_until) {
        Some(until) if until > tx.now() => {
            Err(Error::new(ErrorCode::TooManyFailures).retry_at(tx.now(), until))
        }
        _ => Ok(()),
    }
}

async fn count_failure(app: &App, tx: &PlatformTx, email_hash: &str) -> Result<()> {
    let now = tx.now();
    // Failures count within one lock-out window; older ones are forgotten.
    let recent = tx
        .sign_in_failures()
        .find(email_hash)
        .await?
        .filter(|state| after(state.first_failed_at, app.access.lockout) > now);
    let failures = recent.map_or(0, |state| state.failures) + 1;
    let locked = failures >= app.access.lockout_failures;
    tx.sign_in_failures()
        .put(
            email_hash,
            SignInState {
                failures: if locked { 0 } else { failures },
                first_failed_at: recent.map_or(now, |state| state.first_failed_at),
                locked_until: locked.then(|| after(now, app.access.lockout)),
            },
        )
        .await
}

/// Tells who holds a bearer token: a session or an API key. `None` for anything else, expired,
/// revoked, or held by somebody suspended.
///
/// # Errors
/// When the database cannot be read.
pub async fn authenticate(app: &App, bearer: &str) -> Result<Option<Principal>> {
    let hash = token::hash(bearer);
    let tx = app.store.platform_read().await?;
    if bearer.starts_with(token::SESSION) {
        let holder = tx.sessions().find_live(&hash).await?;
        return Ok(holder
            .filter(|h| is_active(h.user.status))
            .map(|h| Principal::User {
                id: h.user.id,
                session: h.session,
                super_admin: h.user.super_admin,
                must_change_password: h.user.must_change_password,
            }));
    }
    if !bearer.starts_with(token::API_KEY) {
        return Ok(None);
    }
    let Some(holder) = tx.credentials().find_live_key(&hash).await? else {
        return Ok(None);
    };
    let scopes = match holder.key.created_by {
        None => holder.key.scopes,
        Some(maker) => within_makers_rights(&tx, &holder, maker).await?,
    };
    drop(tx);
    if scopes.is_empty() {
        return Ok(None);
    }
    note_use(app, holder.key.id, holder.key.last_used_at).await;
    Ok(Some(Principal::ApiKey {
        id: holder.key.id,
        tenant: holder.tenant,
        scopes,
    }))
}

/// A key never does more than the person who made it may do now: it stops when they are
/// suspended or leave the tenant, and shrinks when their role does.
async fn within_makers_rights(
    tx: &PlatformTx,
    holder: &KeyHolder,
    maker: UserId,
) -> Result<Vec<Permission>> {
    let allowed = match tx.users().find(maker).await? {
        Some(user) if !is_active(user.status) => Vec::new(),
        Some(user) if user.super_admin => Permission::ALL.to_vec(),
        _ => tx
            .tenants()
            .of_user(maker)
            .await?
            .into_iter()
            .find(|m| m.tenant_id == holder.tenant)
            .map(|m| m.role.permissions())
            .unwrap_or_default(),
    };
    Ok(holder
        .key
        .scopes
        .iter()
        .copied()
        .filter(|scope| allowed.contains(scope))
        .collect())
}

/// Writes down the last use at most once a minute. Failing to is no reason to refuse a request.
async fn note_use(app: &App, key: quipu_core::ApiKeyId, last: Option<Timestamp>) {
    let now = app.now();
    if last.is_some_and(|last| after(last, Duration::from_mins(1)) > now) {
        return;
    }
    let written = async {
        let tx = app.store.platform().await?;
        tx.credentials().touch_key(key, now).await?;
        tx.commit().await
    };
    if let Err(error) = written.await {
        tracing::warn!(api_key.id = %key, %error, "the last use of an API key was not written");
    }
}

/// Checks the secret a tenant's n8n sends. The comparison takes the same time wherever the two
/// differ, and an unknown tenant is answered like a wrong secret.
///
/// # Errors
/// `UNAUTHENTICATED` unless it matches.
pub async fn authenticate_n8n(app: &App, tenant: &str, presented: &str) -> Result<Principal> {
    let refused = || Error::new(ErrorCode::Unauthenticated);
    let tx = app.store.platform_read().await?;
    let id = match tenant.parse::<TenantId>() {
        Ok(id) => Some(id),
        Err(_) => tx.tenants().find_by_slug(tenant).await?.map(|t| t.id),
    };
    let id = id.ok_or_else(refused)?;
    let (sealed, _) = tx
        .credentials()
        .find_sealed_secret(id, N8N_SECRET)
        .await?
        .ok_or_else(refused)?;
    let expected = app.vault.open(id, N8N_SECRET, &sealed).map_err(|error| {
        tracing::error!(tenant.id = %id, %error, "the shared secret of tenant {id} is unreadable");
        refused()
    })?;
    // Hashing first makes both sides equally long, so that not even the length shows.
    let same = token::hash(presented)
        .as_bytes()
        .ct_eq(token::hash(expected.expose_secret()).as_bytes());
    if bool::from(same) {
        Ok(Principal::SharedSecret { tenant: id })
    } else {
        Err(refused())
    }
}

/// # Errors
/// `PERSON_REQUIRED` for anything but a session.
pub async fn sign_out(app: &App, principal: &Principal) -> Result<()> {
    let (user, session) = person(principal)?;
    let tx = app.store.platform().await?;
    tx.sessions().delete(user, session).await?;
    tx.commit().await
}

/// # Errors
/// `PERSON_REQUIRED` for anything but a session.
pub async fn me(app: &App, principal: &Principal) -> Result<Me> {
    let (id, _) = person(principal)?;
    let tx = app.store.platform_read().await?;
    let user = tx
        .users()
        .find(id)
        .await?
        .ok_or_else(|| Error::not_found("user"))?;
    Ok(Me {
        user,
        tenants: tx.tenants().of_user(id).await?,
    })
}

/// # Errors
/// `PERSON_REQUIRED` for anything but a session.
pub async fn list_sessions(app: &App, principal: &Principal) -> Result<Vec<Session>> {
    let (user, session) = person(principal)?;
    app.store
        .platform_read()
        .await?
        .sessions()
        .of_user(user, session)
        .await
}

/// Ends one of the person's own sessions.
///
/// # Errors
/// `NOT_FOUND` when it is not theirs.
pub async fn end_session(app: &App, principal: &Principal, id: SessionId) -> Result<()> {
    let (user, _) = person(principal)?;
    let tx = app.store.platform().await?;
    if !tx.sessions().delete(user, id).await? {
        return Err(Error::not_found("session"));
    }
    tx.commit().await
}

/// Changes the person's own password and ends their other sessions.
///
/// # Errors
/// `BAD_CREDENTIALS` when the current one is wrong; it counts towards the lock-out.
pub async fn change_password(
    app: &App,
    principal: &Principal,
    current: &SecretString,
    new: &SecretString,
) -> Result<()> {
    let (id, session) = person(principal)?;
    check_new("new_password", new)?;
    if new.expose_secret() == current.expose_secret() {
        let mut checks = Checks::new();
        checks.problem("new_password", Problem::SameAsBefore);
        checks.finish()?;
    }
    let tx = app.store.platform_read().await?;
    let user = tx
        .users()
        .find(id)
        .await?
        .ok_or_else(|| Error::not_found("user"))?;
    let email_hash = token::hash(&user.email);
    refuse_locked(&tx, &email_hash).await?;
    let stored = tx.users().password_hash(id).await?;
    drop(tx);
    let matches = app.passwords.verify(current, stored).await?;
    let hash = if matches {
        Some(app.passwords.hash(new).await?)
    } else {
        None
    };
    let tx = app.store.platform().await?;
    refuse_locked_meanwhile(&tx, &email_hash).await?;
    let Some(hash) = hash else {
        count_failure(app, &tx, &email_hash).await?;
        tx.commit().await?;
        return Err(Error::new(ErrorCode::BadCredentials));
    };
    tx.users().set_password(id, &hash, false).await?;
    tx.password_resets().delete_all(id).await?;
    tx.sessions().delete_all(id, Some(session)).await?;
    tx.commit().await
}

/// Sets a password with a one-time token and ends all sessions of that person.
///
/// # Errors
/// `INVALID_RESET_TOKEN` for a token that is unknown, used or expired.
pub async fn reset_password(app: &App, reset: &str, new: &SecretString) -> Result<()> {
    check_new("password", new)?;
    if !reset.starts_with(token::RESET) {
        return Err(Error::new(ErrorCode::InvalidResetToken));
    }
    let hash = app.passwords.hash(new).await?;
    let tx = app.store.platform().await?;
    let user = tx
        .password_resets()
        .redeem(&token::hash(reset))
        .await?
        .ok_or_else(|| Error::new(ErrorCode::InvalidResetToken))?;
    tx.users().set_password(user, &hash, false).await?;
    tx.sessions().delete_all(user, None).await?;
    if let Some(user) = tx.users().find(user).await? {
        tx.sign_in_failures()
            .clear(&token::hash(&user.email))
            .await?;
    }
    tx.commit().await
}

/// A token with which a person sets a password, shown once.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ResetToken {
    /// Hand it to the person; it works once.
    pub reset_token: String,
    pub expires_at: Timestamp,
}

pub(crate) async fn issue_reset(app: &App, tx: &PlatformTx, user: UserId) -> Result<ResetToken> {
    let reset_token = token::generate(token::RESET)?;
    let expires_at = after(tx.now(), app.access.reset_ttl);
    tx.password_resets()
        .insert(user, &token::hash(&reset_token), expires_at)
        .await?;
    Ok(ResetToken {
        reset_token,
        expires_at,
    })
}

fn check_new(field: &str, password: &SecretString) -> Result<()> {
    let mut checks = Checks::new();
    checks.password(field, password.expose_secret());
    checks.finish()
}

fn person(principal: &Principal) -> Result<(UserId, SessionId)> {
    match principal {
        Principal::User { id, session, .. } => Ok((*id, *session)),
        _ => Err(Error::new(ErrorCode::PersonRequired)),
    }
}
