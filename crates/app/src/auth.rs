//! Signing in and out, and everything about passwords and sessions.

mod lock_out;

use crate::actor::is_active;
use crate::{Actor, App, after, token};
use lock_out::Attempt;
use quipu_core::access::{Membership, Permission, Principal, Session, User};
use quipu_core::language::Language;
use quipu_core::tenancy::Tenant;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, ErrorCode, Result, SessionId, TenantId, Timestamp, UserId};
use quipu_store::PlatformTx;
use quipu_store::platform::{KeyHolder, NewSession};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::time::Duration;
use subtle::ConstantTimeEq;
use utoipa::ToSchema;

/// The secret under which a tenant keeps the value its n8n sends as `X-N8N-Secret`.
pub const N8N_SECRET: &str = "n8n_shared_secret";

/// Somebody who has just signed in.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedIn {
    /// Send it as `Authorization: Bearer …`. Browsers get it as a cookie as well, and may ask for that
    /// alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
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

/// Whoever wants to sign in, as far as their connection tells.
#[derive(Clone, Debug)]
pub struct SignInVisitor {
    pub address: IpAddr,
    pub user_agent: Option<String>,
}

/// # Errors
/// `BAD_CREDENTIALS`, the same for a wrong password, an unknown address and a suspended person;
/// `TOO_MANY_FAILURES` after too many wrong ones.
pub async fn sign_in(
    app: &App,
    email: &str,
    password: &SecretString,
    visitor: SignInVisitor,
) -> Result<SignedIn> {
    let email = email.trim().to_lowercase();
    let attempt = Attempt::of(&email, visitor.address);
    let tx = app.store.platform_read().await?;
    attempt.refuse_locked(&tx).await?;
    let user = tx.users().find_by_email(&email).await?;
    let stored = match &user {
        Some(user) => tx.users().password_hash(user.id).await?,
        None => None,
    };
    drop(tx);

    let matches = app.passwords.verify(password, stored).await?;
    let tx = app.store.platform().await?;
    attempt.refuse_locked_meanwhile(&tx).await?;
    let user = match user {
        Some(user) if matches && is_active(user.status) => user,
        other => {
            let known = other.map(|user| user.id);
            attempt.count_failure(app, &tx, known).await?;
            tx.commit().await?;
            return Err(Error::new(ErrorCode::BadCredentials));
        }
    };
    attempt.clear(&tx).await?;
    let token = token::generate(token::SESSION)?;
    let expires_at = after(tx.now(), app.access.session_ttl);
    tx.sessions()
        .insert(&NewSession {
            user: user.id,
            token_hash: token::hash(&token),
            user_agent: visitor
                .user_agent
                .map(|text| text.chars().take(200).collect()),
            expires_at,
        })
        .await?;
    let tenants = tx.tenants().of_user(user.id).await?;
    tx.commit().await?;
    let (id, address) = (user.id, visitor.address);
    lock_out::note("succeeded");
    tracing::info!(user.id = %id, client.address = %address, "user {id} signed in from {address}");
    Ok(SignedIn {
        token: Some(token),
        expires_at,
        user,
        tenants,
    })
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
    let scopes = rights_of_key(&tx, &holder).await?;
    drop(tx);
    if scopes.is_empty() {
        return Ok(None);
    }
    note_use(app, holder.key.id, holder.key.last_used_at).await;
    Ok(Some(Principal::ApiKey {
        id: holder.key.id,
        root: holder.root,
        tenant: holder.tenant,
        scopes,
    }))
}

/// A key never does more than the person who made it may do now: it stops when they are
/// suspended or leave the tenant, and shrinks when their role does.
pub(crate) async fn rights_of_key(tx: &PlatformTx, holder: &KeyHolder) -> Result<Vec<Permission>> {
    let mut scopes = holder.key.scopes.clone();
    if let Some(maker) = holder.key.created_by {
        let allowed = rights_of_person(tx, maker, holder.tenant).await?;
        scopes.retain(|scope| allowed.contains(scope));
    }
    Ok(scopes)
}

/// Whether what somebody ordered goes on: what a key ordered ends when the key does, or may no longer
/// order it. People answer for what they ordered.
pub(crate) async fn still_acts(app: &App, name: &str, permission: Permission) -> Result<bool> {
    let Some(id) = name.strip_prefix("api_key:") else {
        return Ok(true);
    };
    let Ok(id) = id.parse() else {
        return Ok(false);
    };
    let tx = app.store.platform_read().await?;
    let Some(holder) = tx.credentials().find_live_key_by_id(id).await? else {
        return Ok(false);
    };
    Ok(rights_of_key(&tx, &holder).await?.contains(&permission))
}

/// Whether somebody who began something long may still do all that it takes.
pub(crate) async fn may_still(app: &App, actor: &Actor, needed: &[Permission]) -> Result<bool> {
    let tx = app.store.platform_read().await?;
    let rights = match *actor.principal() {
        Principal::User { id, .. } => rights_of_person(&tx, id, actor.tenant_id()).await?,
        Principal::ApiKey { id, .. } => match tx.credentials().find_live_key_by_id(id).await? {
            Some(holder) => rights_of_key(&tx, &holder).await?,
            None => Vec::new(),
        },
        Principal::SharedSecret { .. } | Principal::System => return Ok(true),
    };
    Ok(needed.iter().all(|needed| rights.contains(needed)))
}

/// What a person may do in a tenant as things are.
pub(crate) async fn rights_of_person(
    tx: &PlatformTx,
    person: UserId,
    tenant: TenantId,
) -> Result<Vec<Permission>> {
    Ok(match tx.users().find(person).await? {
        Some(user) if !is_active(user.status) => Vec::new(),
        Some(user) if user.super_admin => Permission::ALL.to_vec(),
        _ => tx
            .tenants()
            .of_user(person)
            .await?
            .into_iter()
            .find(|m| m.tenant_id == tenant)
            .map(|m| m.role.permissions())
            .unwrap_or_default(),
    })
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
/// `UNAUTHENTICATED` unless it matches, `TOO_MANY_FAILURES` for an address that presented too many
/// wrong ones.
pub async fn authenticate_n8n(
    app: &App,
    tenant: &str,
    presented: &str,
    address: IpAddr,
) -> Result<Principal> {
    app.rate.may_guess(address)?;
    let tx = app.store.platform_read().await?;
    let tenant = match tenant.parse::<TenantId>() {
        Ok(id) => tx.tenants().find(id).await?,
        Err(_) => tx.tenants().find_by_slug(tenant).await?,
    };
    let expected = match &tenant {
        Some(tenant) => shared_secret(app, &tx, tenant).await?,
        None => None,
    };
    let id = tenant.map(|tenant| tenant.id);
    // Hashing first makes both sides equally long, so that not even the length shows.
    let same = expected.as_ref().is_some_and(|expected| {
        let expected = token::hash(expected.expose_secret());
        bool::from(token::hash(presented).as_bytes().ct_eq(expected.as_bytes()))
    });
    if let Some(tenant) = id.filter(|_| same) {
        return Ok(Principal::SharedSecret { tenant });
    }
    app.rate.guessed_wrong(address);
    let known = id.map(|id| id.to_string()).unwrap_or_default();
    metrics::counter!("quipu_wrong_shared_secrets_total").increment(1);
    tracing::warn!(
        tenant.id = %known, client.address = %address,
        "a wrong shared secret was presented from {address}"
    );
    Err(Error::new(ErrorCode::Unauthenticated))
}

/// The secret that a tenant shares with its n8n. One that anybody could guess opens nothing, however
/// long ago it was stored.
async fn shared_secret(app: &App, tx: &PlatformTx, of: &Tenant) -> Result<Option<SecretString>> {
    let tenant = of.id;
    let stored = tx
        .credentials()
        .find_sealed_secret(tenant, N8N_SECRET)
        .await?;
    let Some((sealed, _)) = stored else {
        return Ok(None);
    };
    let secret = match app.vault.open(tenant, N8N_SECRET, &sealed) {
        Ok(secret) => secret,
        Err(error) => {
            tracing::error!(tenant.id = %tenant, %error, "the shared secret of tenant {tenant} is unreadable");
            return Ok(None);
        }
    };
    let mut checks = Checks::new();
    checks.shared_secret("value", secret.expose_secret(), &[&of.slug, &of.name]);
    if checks.finish().is_err() {
        tracing::error!(tenant.id = %tenant, "the shared secret of tenant {tenant} is easy to guess and opens nothing; store another");
        return Ok(None);
    }
    Ok(Some(secret))
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

/// What somebody says of themselves.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateMe {
    /// The language they read, wherever they sign in.
    #[serde(default)]
    pub language: Option<Language>,
}

/// # Errors
/// `PERSON_REQUIRED` for anything but a session.
pub async fn update_me(app: &App, principal: &Principal, input: &UpdateMe) -> Result<Me> {
    let (id, _) = person(principal)?;
    if let Some(language) = input.language {
        let tx = app.store.platform().await?;
        tx.users().set_language(id, language).await?;
        tx.commit().await?;
    }
    me(app, principal).await
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
    check_new("new_password", new, &known_of(&tx, &user).await?)?;
    // Counted apart from signing in: whoever guesses at the door is no matter here.
    let attempt = Attempt::inside(id);
    attempt.refuse_locked(&tx).await?;
    let stored = tx.users().password_hash(id).await?;
    drop(tx);
    let matches = app.passwords.verify(current, stored).await?;
    let hash = if matches {
        Some(app.passwords.hash(new).await?)
    } else {
        None
    };
    let tx = app.store.platform().await?;
    attempt.refuse_locked_meanwhile(&tx).await?;
    let Some(hash) = hash else {
        attempt.count_failure(app, &tx, Some(user.id)).await?;
        tx.commit().await?;
        return Err(Error::new(ErrorCode::BadCredentials));
    };
    attempt.clear(&tx).await?;
    tx.users().set_password(id, &hash, false).await?;
    tx.password_resets().delete_all(id).await?;
    tx.sessions().delete_all(id, Some(session)).await?;
    tx.commit().await
}

/// Sets a password with a one-time token and ends all sessions of that person.
///
/// # Errors
/// `INVALID_RESET_TOKEN` for a token that is unknown, used or expired.
pub async fn reset_password(
    app: &App,
    reset: &str,
    new: &SecretString,
    address: IpAddr,
) -> Result<()> {
    check_new("password", new, &[])?;
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
    let person = tx.users().find(user).await?;
    // A token whose password is refused is not used up.
    if let Some(person) = &person {
        check_new("password", new, &known_of(&tx, person).await?)?;
    }
    tx.users().set_password(user, &hash, false).await?;
    tx.sessions().delete_all(user, None).await?;
    if let Some(person) = person {
        Attempt::of(&person.email, address).forgive(&tx).await?;
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

/// What somebody who guesses knows of a person: the address, the name and where they work.
async fn known_of(tx: &PlatformTx, user: &User) -> Result<Vec<String>> {
    let mut known = vec![user.email.clone(), user.name.clone()];
    for membership in tx.tenants().of_user(user.id).await? {
        known.extend([membership.tenant_slug, membership.tenant_name]);
    }
    Ok(known)
}

/// Whether nobody would guess a password, not even somebody who knows whose it is.
fn check_new(field: &str, password: &SecretString, known: &[String]) -> Result<()> {
    let mut checks = Checks::new();
    let about: Vec<&str> = known.iter().map(String::as_str).collect();
    checks.password(field, password.expose_secret(), &about);
    checks.finish()
}

fn person(principal: &Principal) -> Result<(UserId, SessionId)> {
    match principal {
        Principal::User { id, session, .. } => Ok((*id, *session)),
        _ => Err(Error::new(ErrorCode::PersonRequired)),
    }
}
