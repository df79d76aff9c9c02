//! The job that plays a rehearsal, one script or conversation after another.

use super::play::{Player, Playing};
use crate::{Actor, App, RequestInfo, auth};
use jiff::SignedDuration;
use quipu_core::access::{Permission, Principal};
use quipu_core::extraction::Failure;
use quipu_core::job::{ClaimedJob, NewJob};
use quipu_core::knowledge::DocumentStatus;
use quipu_core::rehearsal::{NewRehearsalResult, RehearsalPlan, RehearsalState, RehearsalSums};
use quipu_core::tenancy::TenantScope;
use quipu_core::{Error, RehearsalRunId, Result, TenantId};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(crate) const REHEARSE: &str = "rehearse";

/// How long one rehearsal is played before others have their turn. What was begun then is played on, as
/// long as [`super::play::LONGEST_PIECE`] lets it.
const TURN: SignedDuration = SignedDuration::from_mins(1);

#[derive(Debug, Serialize, Deserialize)]
struct Order {
    rehearsal_id: RehearsalRunId,
}

pub(super) async fn order(app: &App, tx: &TenantTx, id: RehearsalRunId) -> Result<()> {
    let job = NewJob {
        kind: REHEARSE,
        payload: json!(Order { rehearsal_id: id }),
        dedup_key: Some(id.to_string()),
        run_at: tx.now(),
        max_attempts: app.job_attempts,
        owner: None,
    };
    tx.jobs().enqueue(&job).await?;
    Ok(())
}

/// Plays what is left of a rehearsal. What was played is kept piece by piece, so that whoever goes on
/// begins after the last whole one. Returns `false` when the lease was lost.
pub(crate) async fn rehearse(app: &App, tenant: TenantId, job: &ClaimedJob) -> Result<bool> {
    let order: Order = serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    let id = order.rehearsal_id;
    let scope = TenantScope::of(tenant);
    let tx = app.store.begin(scope).await?;
    if !tx.jobs().holds(job).await? {
        return Ok(false);
    }
    let plan = tx.rehearsal_runs().plan(id).await?;
    let Some(plan) = plan.filter(|plan| !plan.run.state.has_ended()) else {
        return finish(tx, job).await;
    };
    tx.rehearsal_runs().start(id).await?;
    let live = tx.agents().find(plan.subject.id).await?;
    tx.commit().await?;
    let Some(live) = live else {
        return finish(app.store.begin(scope).await?, job).await;
    };

    let wanted = tenant.to_string();
    let system = Principal::System;
    let actor = Actor::enter(app, system, Some(&wanted), RequestInfo::default()).await?;
    let player = Player::new(app, &actor, &plan, &live);
    let began = app.now();
    let RehearsalPlan { run, pieces, .. } = &plan;
    let done = usize::try_from(run.played).unwrap_or(usize::MAX);
    let left = pieces.len().saturating_sub(done);
    for (at, piece) in pieces.iter().skip(done).enumerate() {
        // A rehearsal asks models, and shows its answers, for whoever ordered it.
        if !auth::still_acts(app, &run.made_by, Permission::AgentsWrite).await? {
            let tx = app.store.begin(scope).await?;
            tx.rehearsal_runs().stop_all_of(&run.made_by).await?;
            tx.commit().await?;
            break;
        }
        let results = match player.play(*piece).await? {
            Playing::Played(results) => results,
            Playing::Stopped => break,
        };
        let tx = app.store.begin(scope).await?;
        if !tx.jobs().holds(job).await? {
            return Ok(false);
        }
        if !tx.rehearsal_runs().advance(id, &sums(&results)).await? {
            return finish(tx, job).await;
        }
        for result in &results {
            tx.rehearsal_results().insert(id, result).await?;
        }
        if at + 1 < left && app.now().duration_since(began) > TURN {
            return hand_on(app, tx, job, id).await;
        }
        tx.commit().await?;
    }
    let tx = app.store.begin(scope).await?;
    // One that was stopped has ended already.
    if !tx.jobs().complete(job).await? {
        return Ok(false);
    }
    tx.rehearsal_runs().end(id, RehearsalState::Done).await?;
    tx.commit().await?;
    Ok(true)
}

/// Gives others their turn: another job goes on where this one ends.
async fn hand_on(app: &App, tx: TenantTx, job: &ClaimedJob, id: RehearsalRunId) -> Result<bool> {
    if !tx.jobs().complete(job).await? {
        return Ok(false);
    }
    order(app, &tx, id).await?;
    tx.commit().await?;
    app.new_work.notify_one();
    Ok(true)
}

async fn finish(tx: TenantTx, job: &ClaimedJob) -> Result<bool> {
    if !tx.jobs().complete(job).await? {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}

fn sums(results: &[NewRehearsalResult]) -> RehearsalSums {
    let counted = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    RehearsalSums {
        answers: counted(results.len()),
        changed: counted(results.iter().filter(|one| one.is_changed()).count()),
        failed: counted(results.iter().filter(|one| !one.failed.is_empty()).count()),
        input_tokens: results.iter().map(|one| one.input_tokens).sum(),
        output_tokens: results.iter().map(|one| one.output_tokens).sum(),
        cost_micros: results.iter().filter_map(|one| one.cost_micros).sum(),
    }
}

/// Tells a rehearsal what became of its job.
pub(crate) async fn follow(
    tx: &TenantTx,
    payload: &Value,
    status: DocumentStatus,
    failure: Option<Failure>,
) -> Result<()> {
    let order: Order = serde_json::from_value(payload.clone()).map_err(Error::internal)?;
    let runs = tx.rehearsal_runs();
    if status == DocumentStatus::Pending {
        runs.resume(order.rehearsal_id).await?;
        return Ok(());
    }
    let state = match failure {
        Some(Failure::Cancelled) => RehearsalState::Stopped,
        _ => RehearsalState::Failed,
    };
    runs.end(order.rehearsal_id, state).await?;
    Ok(())
}
