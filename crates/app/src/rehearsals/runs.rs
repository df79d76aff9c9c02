//! Ordering rehearsals, looking at them and stopping them.

use super::gate::subject_hash;
use super::job::{REHEARSE, order};
use crate::once::{self, Once};
use crate::{Actor, App, agents};
use jiff::SignedDuration;
use quipu_core::access::Permission;
use quipu_core::agent::Agent;
use quipu_core::page::{Page, PageRequest};
use quipu_core::rehearsal::{
    KEPT_DAYS, MOST_CONVERSATIONS, MOST_RUNS, MOST_SCRIPTS, NewRehearsalRun, RehearsalPiece,
    RehearsalRun, RehearsalState, RehearsalTarget,
};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{AgentId, Error, ErrorCode, RehearsalRunId, RehearsalScriptId, Result, Timestamp};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashSet;
use utoipa::ToSchema;

const MOST_DAYS: i64 = 366;

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StartRehearsal {
    /// The agent that answers customers, when left out.
    #[serde(default = "live")]
    pub target: RehearsalTarget,
    /// The number of the version, where one is rehearsed.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub version: Option<u32>,
    /// Play all scripts of the agent.
    #[serde(default)]
    pub all_scripts: bool,
    /// Play these.
    #[serde(default)]
    #[schema(max_items = 200)]
    pub script_ids: Vec<RehearsalScriptId>,
    /// Play the conversations in which a customer said something since this instant, at most 100 of them,
    /// the newest first.
    #[serde(default)]
    pub from: Option<Timestamp>,
    /// And before this one; now when left out.
    #[serde(default)]
    pub to: Option<Timestamp>,
}

const fn live() -> RehearsalTarget {
    RehearsalTarget::Live
}

/// Orders a rehearsal. It is played behind the scenes.
///
/// # Errors
/// `NOT_FOUND` for the agent, its draft or version, or a script; `VALIDATION_FAILED`; `REHEARSAL_EMPTY`
/// when there is nothing to play; `REHEARSAL_RUNNING` while another one of the agent has not ended.
pub async fn start(
    app: &App,
    actor: &Actor,
    agent: &str,
    input: StartRehearsal,
) -> Result<RehearsalRun> {
    actor.require(Permission::AgentsWrite)?;
    if input.from.is_some() {
        // What customers said is read again, and shown.
        actor.require(Permission::CustomersRead)?;
    }
    actor.plan().require_agents()?;
    let period = check(app, &input)?;
    let request = json!({ "agent": agent, "rehearsal": input });
    let tx = match once::begin(app, actor, "rehearsal.start", &request).await? {
        Once::Again(run) => return Ok(run),
        Once::First(tx) => tx,
    };
    let found = agents::find(&tx, agent).await?;
    let subject = subject(&tx, &found, &input).await?;
    let pieces = pieces(&tx, found.id, &input, period).await?;
    if pieces.is_empty() {
        return Err(Error::new(ErrorCode::RehearsalEmpty));
    }
    let before = tx.now() - SignedDuration::from_hours(24 * KEPT_DAYS);
    let most = MOST_RUNS.saturating_sub(1);
    tx.rehearsal_runs().prune(found.id, most, before).await?;
    let new = NewRehearsalRun {
        subject_hash: subject_hash(&subject),
        subject,
        target: input.target,
        version: input.version,
        pieces,
        from: period.map(|(from, _)| from),
        to: period.map(|(_, to)| to),
        made_by: actor.name(),
    };
    let id = tx.rehearsal_runs().insert(&new).await?;
    order(app, &tx, id).await?;
    let details =
        json!({ "agent_id": found.id, "target": input.target, "pieces": new.pieces.len() });
    actor
        .audit(&tx, "rehearsal.start", name(id), details)
        .await?;
    let run = find(&tx, found.id, id).await?;
    tx.commit(&run).await?;
    app.new_work.notify_one();
    Ok(run)
}

/// Newest first.
///
/// # Errors
/// `NOT_FOUND` for the agent.
pub async fn list(
    app: &App,
    actor: &Actor,
    agent: &str,
    page: PageRequest,
) -> Result<Page<RehearsalRun>> {
    actor.require(Permission::AgentsRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?.id;
    tx.rehearsal_runs().list(agent, page).await
}

/// # Errors
/// `NOT_FOUND` for the agent or the rehearsal.
pub async fn get(
    app: &App,
    actor: &Actor,
    agent: &str,
    id: RehearsalRunId,
) -> Result<RehearsalRun> {
    actor.require(Permission::AgentsRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?.id;
    find(&tx, agent, id).await
}

/// Stops a rehearsal; what was played stays. One that has ended is left as it is.
///
/// # Errors
/// `NOT_FOUND` for the agent or the rehearsal.
pub async fn stop(
    app: &App,
    actor: &Actor,
    agent: &str,
    id: RehearsalRunId,
) -> Result<RehearsalRun> {
    actor.require(Permission::AgentsWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?.id;
    find(&tx, agent, id).await?;
    // The job before the rehearsal, as its worker takes them.
    if let Some(job) = tx.jobs().find_live(REHEARSE, &id.to_string()).await? {
        tx.jobs().cancel(job.id).await?;
    }
    if tx.rehearsal_runs().end(id, RehearsalState::Stopped).await? {
        let details = json!({ "agent_id": agent });
        actor
            .audit(&tx, "rehearsal.stop", name(id), details)
            .await?;
    }
    let run = find(&tx, agent, id).await?;
    tx.commit().await?;
    Ok(run)
}

/// Deletes a rehearsal that has ended, with its answers.
///
/// # Errors
/// `NOT_FOUND` for the agent or the rehearsal, or `REHEARSAL_RUNNING` when it has not ended.
pub async fn delete(app: &App, actor: &Actor, agent: &str, id: RehearsalRunId) -> Result<()> {
    actor.require(Permission::AgentsWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?.id;
    find(&tx, agent, id).await?;
    if !tx.rehearsal_runs().delete(agent, id).await? {
        return Err(Error::new(ErrorCode::RehearsalRunning));
    }
    let details = json!({ "agent_id": agent });
    actor
        .audit(&tx, "rehearsal.delete", name(id), details)
        .await?;
    tx.commit().await
}

fn check(app: &App, input: &StartRehearsal) -> Result<Option<(Timestamp, Timestamp)>> {
    let mut checks = Checks::new();
    let most = usize::try_from(MOST_SCRIPTS).unwrap_or(usize::MAX);
    if input.script_ids.len() > most {
        checks.problem("script_ids", Problem::TooMany { max: most });
    }
    if input.target == RehearsalTarget::Version && input.version.is_none() {
        checks.problem("version", Problem::Empty);
    }
    let period = match (input.from, input.to) {
        (Some(from), to) => {
            let to = to.unwrap_or_else(|| app.now());
            if from >= to {
                checks.problem("to", Problem::Order);
            } else if to.duration_since(from) > SignedDuration::from_hours(24 * MOST_DAYS) {
                checks.problem("from", Problem::TooManyDays { max: MOST_DAYS });
            }
            Some((from, to))
        }
        (None, Some(_)) => {
            checks.problem("from", Problem::Empty);
            None
        }
        (None, None) => None,
    };
    checks.finish()?;
    Ok(period)
}

/// The agent that is rehearsed.
async fn subject(tx: &TenantTx, live: &Agent, input: &StartRehearsal) -> Result<Agent> {
    match (input.target, input.version) {
        (RehearsalTarget::Live, _) => Ok(live.clone()),
        (RehearsalTarget::Draft, _) => {
            let drafted = agents::drafted_in(tx, live).await?;
            drafted
                .map(|drafted| drafted.agent)
                .ok_or_else(|| Error::not_found("draft"))
        }
        (RehearsalTarget::Version, number) => {
            let kept = match number {
                Some(number) => tx.agent_versions().find(live.id, number).await?,
                None => None,
            };
            let kept = kept.ok_or_else(|| Error::not_found("version"))?;
            Ok(kept.configuration.applied_to(live))
        }
    }
}

async fn pieces(
    tx: &TenantTx,
    agent: AgentId,
    input: &StartRehearsal,
    period: Option<(Timestamp, Timestamp)>,
) -> Result<Vec<RehearsalPiece>> {
    let known = tx.rehearsal_scripts().ids(agent).await?;
    let wanted: HashSet<RehearsalScriptId> = input.script_ids.iter().copied().collect();
    if !wanted.iter().all(|id| known.contains(id)) {
        return Err(Error::not_found("rehearsal_script"));
    }
    let scripts = known
        .into_iter()
        .filter(|id| input.all_scripts || wanted.contains(id));
    let mut pieces: Vec<RehearsalPiece> = scripts.map(RehearsalPiece::Script).collect();
    if let Some((from, to)) = period {
        let talked = tx
            .messages()
            .conversations_between(agent, from, to, MOST_CONVERSATIONS)
            .await?;
        pieces.extend(talked.into_iter().map(RehearsalPiece::Conversation));
    }
    Ok(pieces)
}

pub(super) async fn find(
    tx: &TenantTx,
    agent: AgentId,
    id: RehearsalRunId,
) -> Result<RehearsalRun> {
    let found = tx.rehearsal_runs().find(agent, id).await?;
    found.ok_or_else(|| Error::not_found("rehearsal"))
}

fn name(id: RehearsalRunId) -> String {
    format!("rehearsal:{id}")
}
