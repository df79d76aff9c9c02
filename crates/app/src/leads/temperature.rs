//! How close somebody is to buying, and how close they were.

use super::find;
use crate::{Actor, App};
use quipu_core::access::Permission;
use quipu_core::lead::{LeadChange, Temperature, TemperatureChange};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{LeadId, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::TemperatureCause;

/// Each time that changed, newest first.
///
/// # Errors
/// `NOT_FOUND` when the tenant has no such lead.
pub async fn history(
    app: &App,
    actor: &Actor,
    id: LeadId,
    page: PageRequest,
) -> Result<Page<TemperatureChange>> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    find(&tx, id).await?;
    tx.temperature_changes().list(id, page).await
}

/// Keeps how close somebody is to buying.
pub(crate) async fn rate(
    tx: &TenantTx,
    id: LeadId,
    temperature: Temperature,
    cause: TemperatureCause<'_>,
) -> Result<()> {
    let change = LeadChange {
        temperature: Some(Some(temperature)),
        ..LeadChange::default()
    };
    tx.leads().update(id, &change, cause).await?;
    Ok(())
}
