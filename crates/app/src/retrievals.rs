//! The log of what was searched for.
//!
//! Searches are written down some at a time and a moment later, so that nobody who searches waits
//! for that.

use crate::{Actor, App};
use quipu_core::access::Permission;
use quipu_core::page::{Page, PageRequest};
use quipu_core::retrieval::RetrievalEntry;
use quipu_core::tenancy::TenantScope;
use quipu_core::{AgentId, Result, TenantId};
use quipu_knowledge::tokens;
use quipu_store::tenant::NewRetrieval;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Entries that wait to be written. Further ones are not kept.
const MAX_WAITING: usize = 10_000;

#[derive(Debug, Default)]
pub struct RetrievalLog(Mutex<Vec<(TenantId, Noted)>>);

/// A search, and the texts it found, whose tokens are counted when it is written down.
#[derive(Debug)]
pub(crate) struct Noted {
    pub(crate) entry: NewRetrieval,
    pub(crate) found: Vec<String>,
}

impl RetrievalLog {
    pub(crate) fn note(&self, tenant: TenantId, noted: Noted) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < MAX_WAITING {
            waiting.push((tenant, noted));
        } else {
            metrics::counter!("quipu_retrievals_not_logged_total").increment(1);
        }
    }

    fn take(&self) -> Vec<(TenantId, Noted)> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Writes down what waits.
///
/// # Errors
/// When the database cannot be written; what was not written is gone.
pub async fn flush(app: &App) -> Result<()> {
    let mut by_tenant: BTreeMap<TenantId, Vec<NewRetrieval>> = BTreeMap::new();
    for (tenant, Noted { mut entry, found }) in app.retrieval_log.take() {
        entry.context_tokens = found.iter().map(|text| tokens::count(text) as u64).sum();
        measure(&entry);
        by_tenant.entry(tenant).or_default().push(entry);
    }
    let mut failed = None;
    for (tenant, entries) in by_tenant {
        let written = async {
            let tx = app.store.begin(TenantScope::of(tenant)).await?;
            for entry in &entries {
                tx.retrievals().insert(entry).await?;
            }
            tx.commit().await
        };
        // A tenant that was deleted meanwhile has no log; the others still have theirs.
        if let Err(error) = written.await {
            failed = Some(error);
        }
    }
    failed.map_or(Ok(()), Err)
}

/// What a search that found something gives a model to read, and how well it answers.
fn measure(entry: &NewRetrieval) {
    let found = entry.context_tokens > 0;
    let word = if found { "yes" } else { "no" };
    metrics::counter!("quipu_retrievals_total", "found" => word).increment(1);
    if found {
        #[expect(clippy::cast_precision_loss, reason = "a context has few tokens")]
        let tokens = entry.context_tokens as f64;
        metrics::histogram!("quipu_context_tokens").record(tokens);
        metrics::histogram!("quipu_retrieval_relevance").record(f64::from(entry.mean_similarity));
    }
}

/// Newest first. What somebody found in a personal corpus is for them alone.
///
/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn list(
    app: &App,
    actor: &Actor,
    agent: Option<AgentId>,
    page: PageRequest,
) -> Result<Page<RetrievalEntry>> {
    actor.require(Permission::UsageRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let mut page = tx.retrievals().list(actor.user_id(), agent, page).await?;
    if actor.require(Permission::CustomersRead).is_err() {
        let (own, entries) = (actor.name(), page.data.iter_mut());
        for entry in entries.filter(|entry| entry.actor != own) {
            entry.query = None;
        }
    }
    Ok(page)
}
