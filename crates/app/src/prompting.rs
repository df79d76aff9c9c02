//! How agents are told what the business has.

use crate::{Actor, App};
use quipu_commerce::business::Prompting;
use quipu_core::Result;
use quipu_core::access::Permission;
use quipu_store::TenantTx;
use serde_json::json;

const NAME: &str = "prompting";

/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn get(app: &App, actor: &Actor) -> Result<Prompting> {
    actor.require(Permission::BusinessRead)?;
    let tx = app.store.read(actor.scope()).await?;
    load(&tx).await
}

/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn put(app: &App, actor: &Actor, input: Prompting) -> Result<Prompting> {
    actor.require(Permission::BusinessWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    tx.settings().put(NAME, &input).await?;
    let details = json!({ "legacy_prompt": input.legacy_prompt });
    actor
        .audit(&tx, "prompting.update", NAME.to_owned(), details)
        .await?;
    tx.commit().await?;
    Ok(input)
}

pub(crate) async fn load(tx: &TenantTx) -> Result<Prompting> {
    Ok(tx.settings().get(NAME).await?.unwrap_or_default())
}
