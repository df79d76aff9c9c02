//! Keys for programs.

use crate::once::{self, Once};
use crate::{Actor, App, token};
use quipu_core::access::{ApiKey, Permission};
use quipu_core::page::{Page, PageRequest};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{ApiKeyId, Error, ErrorCode, Result, Timestamp, UserId};
use quipu_store::TenantTx;
use quipu_store::tenant::NewApiKey;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateApiKey {
    #[schema(min_length = 1, max_length = 100, example = "n8n")]
    pub name: String,
    /// What the key may do; never more than whoever makes it.
    #[schema(min_items = 1, max_items = 32)]
    pub scopes: Vec<Permission>,
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CreatedApiKey {
    #[serde(flatten)]
    pub api_key: ApiKey,
    /// The key itself, shown this once. `null` when the request was repeated under the same
    /// `Idempotency-Key`: we no longer know it.
    pub key: Option<String>,
}

/// # Errors
/// `VALIDATION_FAILED`, or `FORBIDDEN` for a scope the maker does not have.
pub async fn create(app: &App, actor: &Actor, input: CreateApiKey) -> Result<CreatedApiKey> {
    actor.require(Permission::KeysWrite)?;
    let mut checks = Checks::new();
    let name = checks.line("name", &input.name, 100);
    if input.scopes.is_empty() {
        checks.problem("scopes", Problem::Empty);
    }
    let repeated = (1..input.scopes.len()).any(|i| input.scopes[..i].contains(&input.scopes[i]));
    if repeated {
        checks.problem("scopes", Problem::Duplicate);
    }
    if input.expires_at.is_some_and(|at| at <= app.now()) {
        checks.problem("expires_at", Problem::InThePast);
    }
    checks.finish()?;
    for scope in &input.scopes {
        actor.require(*scope)?;
    }
    let tx = match once::begin(app, actor, "api_key.create", &input).await? {
        Once::Again(created) => return Ok(created),
        Once::First(tx) => tx,
    };
    let (created_by, latest) = maker(&tx, actor).await?;
    let expires_at = [input.expires_at, latest].into_iter().flatten().min();
    let key = token::generate(token::API_KEY)?;
    let api_key = tx
        .api_keys()
        .insert(&NewApiKey {
            name,
            prefix: key.chars().take(10).collect(),
            key_hash: token::hash(&key),
            scopes: input.scopes,
            created_by,
            expires_at,
            made_with: actor.api_key_id(),
        })
        .await?;
    let details = json!({ "name": api_key.name, "scopes": api_key.scopes });
    actor
        .audit(
            &tx,
            "api_key.create",
            format!("api_key:{}", api_key.id),
            details,
        )
        .await?;
    // What is kept for a repeat holds no key: it is nowhere but in this answer.
    let kept = CreatedApiKey {
        api_key: api_key.clone(),
        key: None,
    };
    tx.commit(&kept).await?;
    Ok(CreatedApiKey {
        api_key,
        key: Some(key),
    })
}

/// The person behind whoever makes a key, and when the new key must end at the latest. A key made
/// with a key has the maker and the end of the first one, so that it does not outlive it.
async fn maker(tx: &TenantTx, actor: &Actor) -> Result<(Option<UserId>, Option<Timestamp>)> {
    let Some(id) = actor.api_key_id() else {
        return Ok((actor.user_id(), None));
    };
    let key = tx.api_keys().find(id).await?;
    Ok(key.map_or((None, None), |key| (key.created_by, key.expires_at)))
}

/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn list(app: &App, actor: &Actor, page: PageRequest) -> Result<Page<ApiKey>> {
    actor.require(Permission::KeysRead)?;
    app.store
        .read(actor.scope())
        .await?
        .api_keys()
        .list(page)
        .await
}

/// # Errors
/// `NOT_FOUND` when the tenant has no such key.
pub async fn get(app: &App, actor: &Actor, id: ApiKeyId) -> Result<ApiKey> {
    actor.require(Permission::KeysRead)?;
    let tx = app.store.read(actor.scope()).await?;
    tx.api_keys()
        .find(id)
        .await?
        .ok_or_else(|| Error::new(ErrorCode::NotFound).with("resource", "api_key"))
}

/// Revokes the key, and those that were made with it: they stop working with the next request.
///
/// # Errors
/// `NOT_FOUND` when the tenant has no such key.
pub async fn revoke(app: &App, actor: &Actor, id: ApiKeyId) -> Result<()> {
    actor.require(Permission::KeysWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    revoke_in(&tx, actor, id).await?;
    tx.commit().await
}

/// Revokes the keys of somebody who leaves: they would work again if the person came back.
pub(crate) async fn revoke_all_of(tx: &TenantTx, actor: &Actor, maker: UserId) -> Result<()> {
    for id in tx.api_keys().live_of(maker).await? {
        revoke_in(tx, actor, id).await?;
    }
    Ok(())
}

async fn revoke_in(tx: &TenantTx, actor: &Actor, id: ApiKeyId) -> Result<()> {
    let revoked = tx.api_keys().revoke(id).await?;
    let mut revoked = revoked.ok_or_else(|| Error::not_found("api_key"))?;
    if revoked.is_empty() {
        revoked.push(id);
    }
    for key in revoked {
        // A rehearsal asks models, and shows its answers, for whoever ordered it.
        let by = format!("api_key:{key}");
        tx.rehearsal_runs().stop_all_of(&by).await?;
        let details = if key == id {
            json!({})
        } else {
            json!({ "made_with": id })
        };
        actor.audit(tx, "api_key.revoke", by, details).await?;
    }
    Ok(())
}
