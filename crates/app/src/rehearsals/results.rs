//! What agents answered in rehearsals, and what people make of it.

use super::runs::find;
use crate::{Actor, App, agents};
use quipu_core::access::Permission;
use quipu_core::page::{Page, PageRequest};
use quipu_core::rehearsal::{RehearsalResult, RehearsalVerdict, ResultFilter};
use quipu_core::{Error, RehearsalResultId, RehearsalRunId, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeResult {
    pub verdict: RehearsalVerdict,
}

/// In the order they were played, for whoever may see customers: their words are in it.
///
/// # Errors
/// `NOT_FOUND` for the agent or the rehearsal, `FORBIDDEN` without the permission.
pub async fn list(
    app: &App,
    actor: &Actor,
    agent: &str,
    run: RehearsalRunId,
    only: Option<ResultFilter>,
    page: PageRequest,
) -> Result<Page<RehearsalResult>> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?.id;
    find(&tx, agent, run).await?;
    tx.rehearsal_results().list(run, only, page).await
}

/// Keeps what a person makes of an answer.
///
/// # Errors
/// `NOT_FOUND` for the agent, the rehearsal or the answer.
pub async fn judge(
    app: &App,
    actor: &Actor,
    agent: &str,
    run: RehearsalRunId,
    id: RehearsalResultId,
    input: JudgeResult,
) -> Result<RehearsalResult> {
    actor.require(Permission::AgentsWrite)?;
    // The answer is shown to whoever judges it.
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.begin(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?.id;
    find(&tx, agent, run).await?;
    tx.rehearsal_results().judge(run, id, input.verdict).await?;
    let judged = tx.rehearsal_results().find(run, id).await?;
    let judged = judged.ok_or_else(|| Error::not_found("rehearsal_result"))?;
    let details = json!({ "rehearsal_id": run, "verdict": input.verdict });
    let target = format!("rehearsal_result:{id}");
    actor
        .audit(&tx, "rehearsal_result.judge", target, details)
        .await?;
    tx.commit().await?;
    Ok(judged)
}
