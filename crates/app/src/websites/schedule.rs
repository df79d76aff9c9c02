//! Websites that are due to be read again.

use super::{ReadingOrder, reading};
use crate::App;
use quipu_core::knowledge::KbStatus;
use quipu_core::tenancy::TenantScope;
use quipu_core::website::WebsiteStatus;
use quipu_core::{Result, TenantId, WebsiteId};

const AT_ONCE: u64 = 100;

/// Has those websites read whose time has come, each once however many processes look. Returns how
/// many.
///
/// # Errors
/// When the database cannot be reached.
pub async fn enqueue_due(app: &App) -> Result<u64> {
    let mut taken = 0;
    loop {
        let tx = app.store.platform_read().await?;
        let due = tx.upkeep().due_websites(AT_ONCE).await?;
        drop(tx);
        if due.is_empty() {
            return Ok(taken);
        }
        let mut failed = None;
        for (tenant, site) in due {
            match enqueue(app, tenant, site).await {
                Ok(is_taken) => taken += u64::from(is_taken),
                // Those of others are due all the same.
                Err(error) => failed = Some(error),
            }
        }
        app.new_work.notify_one();
        if let Some(error) = failed {
            return Err(error);
        }
    }
}

async fn enqueue(app: &App, tenant: TenantId, id: WebsiteId) -> Result<bool> {
    let tx = app.store.begin(TenantScope::of(tenant)).await?;
    let Some(found) = tx.websites().load(id).await? else {
        return Ok(false);
    };
    let next = found.site.refresh.after(tx.now());
    if !tx.websites().take_due(id, next).await? {
        return Ok(false);
    }
    let kb = found.site.knowledge_base_id;
    let kb = tx.knowledge_bases().open(kb, found.owner).await?;
    let readable = kb.is_some_and(|kb| kb.status != KbStatus::Archived);
    let taken = readable && !found.site.status.is_busy();
    if taken {
        tx.websites()
            .set_status(id, WebsiteStatus::Waiting, None, next)
            .await?;
        let order = ReadingOrder {
            website_id: id,
            by: None,
        };
        let order = reading(app, &order, tx.now(), found.owner);
        tx.jobs().enqueue(&order).await?;
    }
    tx.commit().await?;
    Ok(taken)
}
