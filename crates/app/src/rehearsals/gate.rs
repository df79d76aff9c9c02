//! Whether a draft may be published.

use quipu_core::agent::Agent;
use quipu_core::{Error, ErrorCode, Result};
use quipu_store::TenantTx;
use serde_json::json;

/// What tells one configuration of an agent from another. What is only about publishing it is no part of
/// that.
pub(super) fn subject_hash(agent: &Agent) -> String {
    let mut settings = agent.settings.clone();
    settings.rehearse_before_publishing = false;
    let subject = json!([
        agent.name,
        agent.company_name,
        agent.vertical,
        agent.language,
        settings,
    ]);
    crate::token::hash(&subject.to_string())
}

/// Refuses a draft that was not rehearsed with all that is expected of it, or did not answer as expected,
/// where the live agent says that drafts are rehearsed before they are published.
///
/// # Errors
/// `REHEARSAL_REQUIRED` or `REHEARSAL_FAILED`.
pub(crate) async fn may_publish(tx: &TenantTx, live: &Agent, drafted: &Agent) -> Result<()> {
    if !live.settings.rehearse_before_publishing {
        return Ok(());
    }
    let hash = subject_hash(drafted);
    let last = tx.rehearsal_runs().latest_done(live.id, &hash).await?;
    match last {
        None => Err(Error::new(ErrorCode::RehearsalRequired)),
        Some(run) if run.failed > 0 => {
            Err(Error::new(ErrorCode::RehearsalFailed).with("value", run.failed))
        }
        Some(_) => Ok(()),
    }
}

/// The same for a change that goes live without a draft. Whoever may change the agent may also say
/// that it is not rehearsed any more: that by itself is no other agent. With anything else in the same
/// change it is, or nothing would be rehearsed that somebody is in a hurry with.
///
/// # Errors
/// Those of [`may_publish`].
pub(crate) async fn may_change(tx: &TenantTx, live: &Agent, changed: &Agent) -> Result<()> {
    if subject_hash(live) == subject_hash(changed) {
        return Ok(());
    }
    may_publish(tx, live, changed).await
}
