//! Provider keys and channel tokens a tenant entrusts to us.

use crate::auth::N8N_SECRET;
use crate::embeddings::secret_name;
use crate::vault::mask;
use crate::{Actor, App};
use quipu_core::access::{Permission, SecretInfo};
use quipu_core::chat::ModelProvider;
use quipu_core::embedding::EmbeddingProvider;
use quipu_core::origin::ServerOrigin;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, ErrorCode, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::SealedSecret;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

/// What a secret becomes. What is left out stays as it is.
#[derive(Debug, Default)]
pub struct PutSecret {
    pub value: Option<SecretString>,
    pub origins: Option<Vec<String>>,
}

/// How many servers a key may be for.
const MOST_ORIGINS: usize = 20;

/// Stores a secret, or says for which servers one that is there is.
///
/// # Errors
/// `PERSON_REQUIRED` for a program; `VALIDATION_FAILED` for a bad name, value or server; `NOT_FOUND`
/// when there is no value and none was stored before.
pub async fn put(app: &App, actor: &Actor, name: &str, input: PutSecret) -> Result<SecretInfo> {
    actor.require(Permission::SecretsWrite)?;
    // What a key of the API stored would stay when it is revoked: a way in, or an account of somebody
    // else's at a provider, who reads there what customers say.
    actor.require_person()?;
    let mut checks = Checks::new();
    checks.name("name", name);
    match &input.value {
        Some(value) if name == N8N_SECRET => {
            let tenant = actor.tenant();
            let about = [tenant.slug.as_str(), tenant.name.as_str()];
            checks.shared_secret("value", value.expose_secret(), &about);
        }
        Some(value) => checks.text("value", value.expose_secret(), 10_000),
        None if input.origins.is_none() => {
            checks.problem("value", Problem::Empty);
        }
        None => {}
    }
    let origins = input
        .origins
        .map(|origins| servers(&mut checks, name, &origins));
    checks.finish()?;
    let tx = app.store.begin(actor.scope()).await?;
    let info = match (&input.value, &origins) {
        (Some(value), _) => {
            let sealed = SealedSecret {
                name: name.to_owned(),
                sealed: app.vault.seal(actor.tenant_id(), name, value)?,
                mask: mask(value.expose_secret()),
                origins: origins.clone(),
            };
            Some(tx.secrets().put(&sealed).await?)
        }
        (None, Some(origins)) => tx.secrets().bind(name, origins).await?,
        (None, None) => None,
    };
    let info = info.ok_or_else(|| Error::not_found("secret"))?;
    let details = json!({ "value": input.value.is_some(), "origins": info.origins });
    actor
        .audit(&tx, "secret.put", format!("secret:{name}"), details)
        .await?;
    tx.commit().await?;
    Ok(info)
}

/// The servers that a key is to be sent to, in the one way in which they are compared.
fn servers(checks: &mut Checks, name: &str, named: &[String]) -> Vec<String> {
    if !named.is_empty() && !is_for_own_servers(name) {
        let (with, allowed) = (name.to_owned(), "[]".to_owned());
        checks.problem("origins", Problem::NotTogether { with, allowed });
    }
    if named.len() > MOST_ORIGINS {
        checks.problem("origins", Problem::TooMany { max: MOST_ORIGINS });
    }
    let mut origins: Vec<String> = Vec::new();
    for (i, text) in named.iter().enumerate().take(MOST_ORIGINS) {
        match ServerOrigin::named(text) {
            Some(origin) if origins.iter().all(|known| known != origin.as_str()) => {
                origins.push(origin.as_str().to_owned());
            }
            Some(_) => {}
            None => {
                checks.problem(&format!("origins[{i}]"), Problem::NotAnAddress);
            }
        }
    }
    origins
}

/// Whether a key of this name is for servers that a tenant names. All others go to their provider
/// alone, wherever whoever runs the platform says that is.
fn is_for_own_servers(name: &str) -> bool {
    let embedding = secret_name(EmbeddingProvider::Custom);
    let models = [ModelProvider::Ollama, ModelProvider::OpenaiCompatible];
    let mut names = models.map(ModelProvider::secret).into_iter();
    embedding == Some(name) || names.any(|known| known == Some(name))
}

/// A tenant's key for use at an address that the tenant wrote, or at its provider's own server where
/// there is none. Whoever may write an address into an agent or a knowledge base may not on that
/// account send the key there: it is for the servers that somebody with `secrets:write` named.
///
/// # Errors
/// `misconfigured` when there is a key and it is not for this server.
pub(crate) async fn key_for(
    app: &App,
    tx: &TenantTx,
    name: &str,
    address: Option<&str>,
    misconfigured: ErrorCode,
) -> Result<Option<SecretString>> {
    let Some(stored) = tx.secrets().find_sealed(name).await? else {
        return Ok(None);
    };
    if let Some(address) = address.filter(|address| !address.trim().is_empty()) {
        // What is no address is refused by whoever would connect to it.
        let Some(origin) = ServerOrigin::of(address) else {
            return Ok(None);
        };
        let origin = origin.as_str();
        if !stored.origins.iter().any(|bound| bound == origin) {
            let es = format!(
                "la clave {name} no es para {origin}; quien tenga secrets:write puede añadirlo a sus origins"
            );
            let en = format!(
                "the key {name} is not for {origin}; somebody with secrets:write can add it to its origins"
            );
            return Err(Error::new(misconfigured).with_texts("reason", es, en));
        }
    } else if !stored.origins.is_empty() {
        // The server of the installation is none of those that the key was stored for.
        return Ok(None);
    }
    app.vault
        .open(tx.tenant_id(), name, &stored.sealed)
        .map(Some)
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
