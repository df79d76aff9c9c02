//! Writing down what has lapsed, for customers who do not come back.
//!
//! What can be spent is reckoned as of now wherever it is asked for. The balance that a lead shows is
//! the sum of the ledger, and would count lapsed tokens until somebody touched them.

use super::expire_in;
use crate::App;
use quipu_commerce::loyalty;
use quipu_core::tenancy::TenantScope;
use quipu_core::{LeadId, Result, TenantId, Timestamp};

/// How many leads are looked up at once.
const AT_ONCE: u64 = 200;
const WRITER: &str = "system";

/// Writes down what has lapsed after an instant and by now, in every tenant. Returns for how many
/// leads.
///
/// # Errors
/// When the database cannot be reached; what was written down by then stays.
pub async fn write_down_lapsed(app: &App, since: Timestamp) -> Result<u64> {
    let mut written = 0;
    let mut after: Option<LeadId> = None;
    loop {
        let tx = app.store.platform().await?;
        let found = tx.upkeep().lapsing(since, after, AT_ONCE).await?;
        drop(tx);
        let Some((_, last)) = found.last() else {
            return Ok(written);
        };
        after = Some(*last);
        for (tenant, lead) in found {
            written += u64::from(write_down(app, tenant, lead).await?);
        }
    }
}

async fn write_down(app: &App, tenant: TenantId, lead: LeadId) -> Result<bool> {
    let scope = TenantScope::of(tenant);
    let tx = app.store.read(scope).await?;
    let ledger = tx.loyalty().ledger(lead).await?;
    if loyalty::expire(&ledger, tx.now()).is_none() {
        return Ok(false);
    }
    drop(tx);
    let tx = app.store.begin(scope).await?;
    // Whoever was deleted meanwhile has no tokens any more.
    if tx.leads().find(lead).await?.is_none() {
        return Ok(false);
    }
    expire_in(&tx, WRITER, lead).await?;
    tx.commit().await?;
    Ok(true)
}
