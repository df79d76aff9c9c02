//! What a tenant pays for models, where it knows better than the published table.

use crate::{Actor, App};
use quipu_core::Result;
use quipu_core::access::Permission;
use quipu_core::chat::OwnPrices;
use quipu_core::validate::Checks;
use quipu_store::TenantTx;
use serde_json::json;

const NAME: &str = "prices";

/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn get(app: &App, actor: &Actor) -> Result<OwnPrices> {
    actor.require(Permission::UsageRead)?;
    let tx = app.store.read(actor.scope()).await?;
    load(&tx).await
}

/// Puts these in the place of those there were. They count from now on.
///
/// # Errors
/// `FORBIDDEN` without the permission, `VALIDATION_FAILED`.
pub async fn put(app: &App, actor: &Actor, mut input: OwnPrices) -> Result<OwnPrices> {
    actor.require(Permission::TenantWrite)?;
    let mut checks = Checks::new();
    input.check(&mut checks);
    checks.finish()?;
    for price in &mut input.prices {
        price.model = price.model.trim().to_owned();
    }
    let tx = app.store.begin(actor.scope()).await?;
    tx.settings().put(NAME, &input).await?;
    let details = json!({ "prices": input.prices, "dollar": input.dollar });
    actor
        .audit(&tx, "prices.update", NAME.to_owned(), details)
        .await?;
    tx.commit().await?;
    Ok(input)
}

pub(crate) async fn load(tx: &TenantTx) -> Result<OwnPrices> {
    Ok(tx.settings().get(NAME).await?.unwrap_or_default())
}
