//! How customers collect tokens.

use super::{store_programme, stored_programme};
use crate::{Actor, App, profile};
use quipu_commerce::business::LoyaltyProgramme;
use quipu_core::access::Permission;
use quipu_core::validate::Checks;
use quipu_core::{Error, Result};

/// # Errors
/// `NOT_FOUND` when the business has none.
pub async fn programme(app: &App, actor: &Actor) -> Result<LoyaltyProgramme> {
    actor.require(Permission::BusinessRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let programme = stored_programme(&tx).await?;
    programme.ok_or_else(|| Error::not_found("loyalty_programme"))
}

/// Makes the programme, or changes it for what is earned from now on.
///
/// # Errors
/// `VALIDATION_FAILED` naming what is wrong.
pub async fn put_programme(
    app: &App,
    actor: &Actor,
    mut programme: LoyaltyProgramme,
) -> Result<LoyaltyProgramme> {
    actor.require(Permission::BusinessWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let mut checks = Checks::new();
    programme.check(profile::currency(&tx).await?, &mut checks);
    checks.finish()?;
    store_programme(&tx, &programme).await?;
    let details = serde_json::to_value(&programme).map_err(Error::internal)?;
    let target = "loyalty_programme".to_owned();
    actor
        .audit(&tx, "loyalty.programme", target, details)
        .await?;
    tx.commit().await?;
    Ok(programme)
}
