//! What happened in the turns of agents, what people made of it, and what it comes to.

use crate::{Actor, App, agents, chat, events, profile, tools};
use jiff::{SignedDuration, ToSpan};
use quipu_core::access::Permission;
use quipu_core::health::ProviderHealth;
use quipu_core::page::{Page, PageRequest};
use quipu_core::turn::{
    AgentStatistics, Comparison, Feedback, SeriesPoint, SeriesStretch, StatisticsSeries,
    StretchSums, ToolStatistics, TurnDetails, TurnSummary, VariantMeasures,
};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, LeadId, Result, Timestamp, TurnId};
use quipu_store::TenantTx;
use quipu_store::tenant::{Stretches, TurnFilter, TurnViewer, Within};
use serde::{Deserialize, Serialize};
use std::iter::once;
use utoipa::ToSchema;

const LONGEST_REASON: usize = 1_000;
const USUAL_DAYS: i64 = 30;
const MOST_DAYS: i64 = 366;

/// What somebody makes of an answer.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GiveFeedback {
    pub helpful: bool,
    #[serde(default)]
    #[schema(min_length = 1, max_length = 1000, example = "No era lo que pregunté")]
    pub reason: Option<String>,
    /// For programs: the customer whose opinion it is, who must be the one of the turn.
    #[serde(default)]
    pub lead_id: Option<LeadId>,
}

/// From when to when.
#[derive(Clone, Copy, Debug, Default)]
pub struct Period {
    /// Thirty days before the end when left out.
    pub from: Option<Timestamp>,
    /// Now when left out.
    pub to: Option<Timestamp>,
}

impl Period {
    /// All of the time that may be asked for, until now.
    pub(crate) fn longest(app: &App) -> Self {
        // The clock goes on: another end would be too far from this beginning.
        let to = app.now();
        let from = to.saturating_sub((MOST_DAYS * 24).hours());
        Self {
            from: from.ok(),
            to: Some(to),
        }
    }
}

/// What happened, newest first, for whoever may see customers: whom nobody named has said who they are
/// all the same. What is a person's private matter is there for that person.
///
/// # Errors
/// `NOT_FOUND` for the agent, `FORBIDDEN` without the permission.
pub async fn list(
    app: &App,
    actor: &Actor,
    agent: &str,
    filter: TurnFilter,
    page: PageRequest,
) -> Result<Page<TurnSummary>> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let filter = TurnFilter {
        agent: Some(agents::find(&tx, agent).await?.id),
        ..filter
    };
    tx.turns().list(&filter, viewer(actor), page).await
}

/// # Errors
/// `NOT_FOUND`, or `FORBIDDEN` without the permission to see customers.
pub async fn get(app: &App, actor: &Actor, id: TurnId) -> Result<TurnDetails> {
    actor.require(Permission::CustomersRead)?;
    chat::settle(app, actor.tenant_id(), id).await;
    let tx = app.store.read(actor.scope()).await?;
    let found = tx.turns().find(id, viewer(actor)).await?;
    let mut turn = found.ok_or_else(|| Error::not_found("turn"))?;
    tools::leave_out_untold(&mut turn.trace, actor);
    Ok(turn)
}

/// Keeps what somebody made of an answer, in the place of what they made of it before. A program may
/// pass on what the customer of the turn made of it.
///
/// # Errors
/// `NOT_FOUND` for the turn or for a customer who is not the one of the turn, `VALIDATION_FAILED`.
pub async fn give_feedback(
    app: &App,
    actor: &Actor,
    id: TurnId,
    input: &GiveFeedback,
) -> Result<Feedback> {
    actor.require(Permission::Chat)?;
    let mut checks = Checks::new();
    if let Some(reason) = &input.reason {
        checks.text("reason", reason, LONGEST_REASON);
    }
    checks.finish()?;
    chat::settle(app, actor.tenant_id(), id).await;
    let tx = app.store.begin(actor.scope()).await?;
    // Of a customer's turn, whoever may not see customers is not even told that there is one.
    let viewer = TurnViewer {
        customers: viewer(actor).customers || actor.require(Permission::CustomersWrite).is_ok(),
        ..viewer(actor)
    };
    let turn = tx.turns().find(id, viewer).await?;
    let turn = turn.ok_or_else(|| Error::not_found("turn"))?.summary;
    let author = match input.lead_id {
        None => actor.name(),
        // People speak for themselves.
        Some(lead) if actor.user_id().is_none() && turn.lead_id == Some(lead) => {
            actor.require(Permission::CustomersWrite)?;
            format!("lead:{lead}")
        }
        Some(_) => return Err(Error::not_found("lead")),
    };
    let reason = input.reason.as_deref().map(str::trim);
    let feedback = tx
        .turns()
        .put_feedback(id, &author, input.helpful, reason)
        .await?;
    events::feedback(&tx, &turn, &feedback).await?;
    tx.commit().await?;
    let word = if input.helpful { "yes" } else { "no" };
    metrics::counter!("quipu_feedback_total", "helpful" => word).increment(1);
    Ok(feedback)
}

/// How an agent does.
///
/// # Errors
/// `NOT_FOUND` for the agent, `VALIDATION_FAILED` for the period.
pub async fn statistics(
    app: &App,
    actor: &Actor,
    agent: &str,
    period: Period,
) -> Result<AgentStatistics> {
    actor.require(Permission::UsageRead)?;
    let (from, to) = bounded(app, period)?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?.id;
    let within = Within {
        agent: Some(agent),
        from,
        to,
    };
    let sums = tx.turn_measures().sums(within, None).await?;
    let searched = tx.retrievals().sums(within).await?;
    let regenerations = tx.prompts().regenerations(agent).await?;
    Ok(AgentStatistics::of(
        &sums,
        &searched,
        from,
        to,
        regenerations,
    ))
}

/// The ways of an agent that were tried out, side by side.
///
/// # Errors
/// `NOT_FOUND` for the agent, `VALIDATION_FAILED` for the period.
pub async fn comparison(
    app: &App,
    actor: &Actor,
    agent: &str,
    period: Period,
) -> Result<Comparison> {
    actor.require(Permission::UsageRead)?;
    let (from, to) = bounded(app, period)?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = Some(agents::find(&tx, agent).await?.id);
    let within = Within { agent, from, to };
    let mut variants = Vec::new();
    for variant in tx.turn_measures().variants(within).await? {
        let sums = tx.turn_measures().sums(within, Some(&variant)).await?;
        variants.push(VariantMeasures::of(variant, &sums));
    }
    Ok(Comparison::of(variants, from, to))
}

/// How one agent or all of them do as time goes by, on the clock of the business, and how they did in
/// as much time before.
///
/// # Errors
/// `NOT_FOUND` for the agent, `VALIDATION_FAILED` for the period or when it has too many stretches, `BUSY`.
pub async fn series(
    app: &App,
    actor: &Actor,
    agent: Option<&str>,
    period: Period,
    every: SeriesStretch,
) -> Result<StatisticsSeries> {
    actor.require(Permission::UsageRead)?;
    let (from, to) = bounded(app, period)?;
    let stretches = every.cut(from, to, &profile::time_zone(actor));
    let mut checks = Checks::new();
    if stretches.len() > SeriesStretch::MOST {
        let max = SeriesStretch::MOST;
        checks.problem("every", Problem::TooMany { max });
    }
    checks.finish()?;
    let _place = app.heavy.statistics.enter(actor.tenant_id()).await?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = match agent {
        Some(agent) => Some(agents::find(&tx, agent).await?.id),
        None => None,
    };
    let earlier = before(from, to);
    let whole = Within {
        agent,
        from: earlier,
        to,
    };
    let waits = tx.history().handoff_waits(whole).await?;
    // The time before stands before the first stretch.
    let ends = once(from).chain(stretches.iter().map(|(_, end)| *end));
    let each = Stretches::new(agent, earlier, ends.collect());
    let mut sums = sums_of_each(&tx, &each).await?.into_iter();
    let sums_before = sums.next().unwrap_or_default();
    let within = Within { agent, from, to };
    let mut total = StretchSums {
        turns: tx.turn_measures().sums(within, None).await?,
        searched: tx.retrievals().sums(within).await?,
        ..StretchSums::default()
    };
    let mut points = Vec::with_capacity(stretches.len());
    for ((from, to), sums) in stretches.into_iter().zip(sums) {
        for (channel, begun) in &sums.conversations {
            *total.conversations.entry(channel.clone()).or_default() += begun;
        }
        (total.documents, total.document_bytes) = (sums.documents, sums.document_bytes);
        points.push(SeriesPoint::of(sums, &waits, from, to));
    }
    Ok(StatisticsSeries {
        total: SeriesPoint::of(total, &waits, from, to),
        before: SeriesPoint::of(sums_before, &waits, earlier, from),
        points,
    })
}

async fn sums_of_each(tx: &TenantTx, stretches: &Stretches) -> Result<Vec<StretchSums>> {
    let turns = tx.turn_measures().series(stretches).await?.into_iter();
    let searched = tx.retrievals().series(stretches).await?;
    let begun = tx.conversations().begun(stretches).await?;
    let stored = tx.knowledge_bases().stored_before(stretches).await?;
    let each = turns.zip(searched).zip(begun).zip(stored);
    let each = each.map(|(((turns, searched), conversations), stored)| StretchSums {
        turns,
        searched,
        conversations,
        documents: stored.0,
        document_bytes: stored.1,
    });
    Ok(each.collect())
}

/// How one agent or all of them used their tools, and how in as much time before.
///
/// # Errors
/// `NOT_FOUND` for the agent, `VALIDATION_FAILED` for the period, `BUSY`.
pub async fn tool_use(
    app: &App,
    actor: &Actor,
    agent: Option<&str>,
    period: Period,
) -> Result<ToolStatistics> {
    actor.require(Permission::UsageRead)?;
    let (from, to) = bounded(app, period)?;
    let _place = app.heavy.statistics.enter(actor.tenant_id()).await?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = match agent {
        Some(agent) => Some(agents::find(&tx, agent).await?.id),
        None => None,
    };
    let used = async |from: Timestamp, to: Timestamp| {
        tx.turn_measures().tools(Within { agent, from, to }).await
    };
    Ok(ToolStatistics {
        from,
        to,
        tools: used(from, to).await?,
        before: used(before(from, to), from).await?,
    })
}

/// The providers that the tenant asked lately, and whether they are being asked, as the process that
/// answers knows it.
///
/// # Errors
/// `FORBIDDEN` without the permission.
pub fn providers(app: &App, actor: &Actor) -> Result<Vec<ProviderHealth>> {
    actor.require(Permission::UsageRead)?;
    let tenant = actor.tenant_id();
    let mut health = app.models.health(tenant);
    health.extend(app.embedders.health(tenant));
    health.extend(app.reranking.rerankers.health(tenant));
    Ok(health)
}

/// When as much time before a period began.
fn before(from: Timestamp, to: Timestamp) -> Timestamp {
    from.saturating_sub(to.duration_since(from)).unwrap_or(from)
}

fn viewer(actor: &Actor) -> TurnViewer {
    TurnViewer {
        user: actor.user_id(),
        customers: actor.require(Permission::CustomersRead).is_ok(),
    }
}

pub(crate) fn bounded(app: &App, period: Period) -> Result<(Timestamp, Timestamp)> {
    let to = period.to.unwrap_or_else(|| app.now());
    let usual = || to.saturating_sub((USUAL_DAYS * 24).hours());
    let from = match period.from {
        Some(from) => from,
        None => usual().unwrap_or(Timestamp::UNIX_EPOCH),
    };
    let mut checks = Checks::new();
    if from >= to {
        checks.problem("to", Problem::Order);
    } else if to.duration_since(from) > SignedDuration::from_hours(MOST_DAYS * 24) {
        checks.problem("from", Problem::TooManyDays { max: MOST_DAYS });
    }
    checks.finish()?;
    Ok((from, to))
}
