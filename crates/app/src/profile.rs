//! What a business says of itself.

use crate::{Actor, App};
use jiff::tz::TimeZone;
use quipu_commerce::business::{
    BusinessProfile, CatalogueItem, DeliveryZone, Dish, Reward, Service,
};
use quipu_commerce::money::Currency;
use quipu_core::access::Permission;
use quipu_core::validate::Checks;
use quipu_core::{Error, ErrorCode, Result};
use quipu_store::TenantTx;
use serde_json::json;

const NAME: &str = "profile";

/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn get(app: &App, actor: &Actor) -> Result<BusinessProfile> {
    actor.require(Permission::BusinessRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let mut profile = load(&tx).await?;
    profile.currency = Some(profile.currency(&actor.tenant().locale));
    Ok(profile)
}

/// # Errors
/// `VALIDATION_FAILED`, or `CURRENCY_IN_USE` when there are prices in another currency.
pub async fn put(app: &App, actor: &Actor, mut input: BusinessProfile) -> Result<BusinessProfile> {
    actor.require(Permission::BusinessWrite)?;
    let locale = &actor.tenant().locale;
    let currency = input.currency(locale);
    let mut checks = Checks::new();
    input.check(currency, &mut checks);
    checks.finish()?;
    input.currency = Some(currency);
    let tx = app.store.begin(actor.scope()).await?;
    tx.profile().lock_plan().await?;
    if load(&tx).await?.currency(locale) != currency && has_prices(&tx).await? {
        return Err(Error::new(ErrorCode::CurrencyInUse));
    }
    store(&tx, &input).await?;
    actor
        .audit(&tx, "business.update", "business".to_owned(), json!({}))
        .await?;
    tx.commit().await?;
    Ok(input)
}

pub(crate) async fn store(tx: &TenantTx, profile: &BusinessProfile) -> Result<()> {
    tx.settings().put(NAME, profile).await
}

pub(crate) async fn load(tx: &TenantTx) -> Result<BusinessProfile> {
    Ok(tx.settings().get(NAME).await?.unwrap_or_default())
}

/// The currency of all prices.
pub(crate) async fn currency(tx: &TenantTx) -> Result<Currency> {
    let locale = tx.profile().get().await?.locale;
    Ok(load(tx).await?.currency(&locale))
}

/// The time zone of the tenant. What was stored was checked.
pub(crate) fn time_zone(actor: &Actor) -> TimeZone {
    TimeZone::get(&actor.tenant().time_zone).unwrap_or(TimeZone::UTC)
}

async fn has_prices(tx: &TenantTx) -> Result<bool> {
    for kind in [Service::KIND, Dish::KIND, DeliveryZone::KIND, Reward::KIND] {
        if tx.catalogue().count(kind).await? > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}
