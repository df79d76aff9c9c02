//! Provider keys and channel tokens a tenant entrusts to us.

use crate::vault::mask;
use crate::{Actor, App};
use quipu_core::access::{Permission, SecretInfo};
use quipu_core::validate::Checks;
use quipu_core::{Error, Result};
use quipu_store::tenant::SealedSecret;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

/// # Errors
/// `VALIDATION_FAILED` for a bad name or value.
pub async fn put(app: &App, actor: &Actor, name: &str, value: &SecretString) -> Result<SecretInfo> {
    actor.require(Permission::SecretsWrite)?;
    let mut checks = Checks::new();
    checks.name("name", name);
    checks.text("value", value.expose_secret(), 10_000);
    checks.finish()?;
    let sealed = SealedSecret {
        name: name.to_owned(),
        sealed: app.vault.seal(actor.tenant_id(), name, value)?,
        mask: mask(value.expose_secret()),
    };
    let tx = app.store.begin(actor.scope()).await?;
    let info = tx.secrets().put(&sealed).await?;
    actor
        .audit(&tx, "secret.put", format!("secret:{name}"), json!({}))
        .await?;
    tx.commit().await?;
    Ok(info)
}

/// Names and masks, never values.
///
/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn list(app: &App, actor: &Actor) -> Result<Vec<SecretInfo>> {
    actor.require(Permission::SecretsRead)?;
    app.store.read(actor.scope()).await?.secrets().list().await
}

/// # Errors
/// `NOT_FOUND` when the tenant has no such secret.
pub async fn delete(app: &App, actor: &Actor, name: &str) -> Result<()> {
    actor.require(Permission::SecretsWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    if !tx.secrets().delete(name).await? {
        return Err(Error::not_found("secret"));
    }
    actor
        .audit(&tx, "secret.delete", format!("secret:{name}"), json!({}))
        .await?;
    tx.commit().await
}

/// Checks that the master key is the one that the stored secrets were sealed with.
///
/// # Errors
/// `SECRET_UNREADABLE` when it is another one.
pub async fn check_master_key(app: &App) -> Result<()> {
    let tx = app.store.platform_read().await?;
    match tx.credentials().any_sealed_secret().await? {
        Some((tenant, name, sealed)) => app.vault.open(tenant, &name, &sealed).map(drop),
        None => Ok(()),
    }
}
