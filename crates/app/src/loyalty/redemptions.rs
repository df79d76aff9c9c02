//! Tokens exchanged for rewards, and rewards given back.

use super::active_programme;
use super::ledger::Ledger;
use crate::once::{self, Once};
use crate::{Actor, App};
use quipu_commerce::business::Reward;
use quipu_commerce::loyalty::{self, Redemption, RedemptionStatus, TransactionKind};
use quipu_core::access::Permission;
use quipu_core::history::Subject;
use quipu_core::page::{Page, PageRequest};
use quipu_core::{Error, ErrorCode, LeadId, RedemptionId, Result};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::time::Duration;
use utoipa::ToSchema;
use uuid::Uuid;

const DAY: Duration = Duration::from_hours(24);
/// A code that is taken is so rare that the second try succeeds.
const TRIES: usize = 5;

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RedeemReward {
    pub reward_id: Uuid,
}

/// Exchanges a lead's tokens for a reward.
///
/// # Errors
/// `NOT_FOUND` for a lead or reward that is not there, `LOYALTY_INACTIVE`, or
/// `TOKENS_INSUFFICIENT`.
pub async fn redeem(
    app: &App,
    actor: &Actor,
    lead: LeadId,
    input: RedeemReward,
) -> Result<Redemption> {
    actor.require(Permission::CustomersWrite)?;
    let request = json!({ "lead": lead, "reward": input.reward_id });
    let tx = match once::begin(app, actor, "loyalty.redeem", &request).await? {
        Once::Again(redemption) => return Ok(redemption),
        Once::First(tx) => tx,
    };
    let redemption = redeem_in(&tx, &actor.name(), lead, input.reward_id).await?;
    let details = json!({ "reward": input.reward_id, "tokens": redemption.tokens });
    let target = format!("redemption:{}", redemption.id);
    actor.audit(&tx, "loyalty.redeem", target, details).await?;
    tx.commit(&redemption).await?;
    Ok(redemption)
}

/// # Errors
/// `NOT_FOUND` for a lead or reward that is not there, `LOYALTY_INACTIVE`, or
/// `TOKENS_INSUFFICIENT`.
pub async fn redeem_in(
    tx: &TenantTx,
    actor: &str,
    lead: LeadId,
    reward: Uuid,
) -> Result<Redemption> {
    let ledger = Ledger::open(tx, actor, lead).await?;
    let reward = tx.catalogue().find::<Reward>(reward).await?;
    let reward = reward.filter(|reward| reward.data.active);
    let reward = reward.ok_or_else(|| Error::not_found("reward"))?;
    active_programme(tx).await?;
    let now = tx.now();
    let line = loyalty::redeem(&ledger.lines, reward.data.tokens, now);
    let line = line.map_err(|problem| ledger.refused(problem))?;
    let lasts = reward.data.valid_days.map(|days| DAY * u32::from(days));
    let redemption = Redemption {
        id: RedemptionId::generate(now),
        lead_id: lead,
        reward_id: reward.id,
        reward_name: reward.data.name,
        tokens: reward.data.tokens,
        discount: reward.data.discount,
        code: free_code(tx).await?,
        status: RedemptionStatus::Issued,
        order_id: None,
        expires_at: lasts.map(|lasts| crate::after(now, lasts)),
        created_at: now,
        updated_at: now,
    };
    let source = source(redemption.id);
    let description = redemption.reward_name.as_str();
    ledger
        .append(&line, Some(&source), Some(description))
        .await?;
    tx.redemptions().insert(&redemption).await?;
    let details = json!({ "reward": redemption.reward_name, "tokens": redemption.tokens });
    record(tx, actor, redemption.id, "issued", details).await?;
    Ok(redemption)
}

/// # Errors
/// `NOT_FOUND` when there is no such lead.
pub async fn redemptions(
    app: &App,
    actor: &Actor,
    lead: LeadId,
    page: PageRequest,
) -> Result<Page<Redemption>> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let there = tx.loyalty().balance(lead).await?;
    there.ok_or_else(|| Error::not_found("lead"))?;
    tx.redemptions().list(lead, page).await
}

/// Takes a reward back that was not used, and returns its tokens.
///
/// # Errors
/// `NOT_FOUND`, or `REDEMPTION_STATE` when it was used, taken back or has expired.
pub async fn cancel(app: &App, actor: &Actor, id: RedemptionId) -> Result<Redemption> {
    actor.require(Permission::CustomersWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let redemption = cancel_in(&tx, &actor.name(), id).await?;
    let target = format!("redemption:{id}");
    actor
        .audit(&tx, "loyalty.cancel_redemption", target, json!({}))
        .await?;
    tx.commit().await?;
    Ok(redemption)
}

/// # Errors
/// `NOT_FOUND`, or `REDEMPTION_STATE` when it was used, taken back or has expired.
pub async fn cancel_in(tx: &TenantTx, actor: &str, id: RedemptionId) -> Result<Redemption> {
    let not_found = || Error::not_found("redemption");
    let redemption = tx.redemptions().find(id).await?.ok_or_else(not_found)?;
    if !tx.redemptions().cancel(id).await? {
        return Err(Error::new(ErrorCode::RedemptionState));
    }
    let mut ledger = Ledger::open(tx, actor, redemption.lead_id).await?;
    let source = source(id);
    let redeem = TransactionKind::Redeem;
    let spent = tx.loyalty().place_of(redeem, &source).await?;
    let spent = spent.ok_or_else(not_found)?;
    let lines = loyalty::give_back(&ledger.lines, spent, tx.now());
    let lines = lines.map_err(|problem| ledger.refused(problem))?;
    for (at, line) in lines.into_iter().enumerate() {
        // A source has one line of a kind, and what comes back may lapse at several times.
        let source = match at {
            0 => source.clone(),
            _ => format!("{source}/{}", at + 1),
        };
        let description = redemption.reward_name.as_str();
        ledger
            .append(&line, Some(&source), Some(description))
            .await?;
        ledger.lines.push(line);
    }
    // What would have lapsed meanwhile has.
    ledger.write_down_lapsed().await?;
    record(tx, actor, id, "cancelled", json!({})).await?;
    tx.redemptions().find(id).await?.ok_or_else(not_found)
}

fn source(id: RedemptionId) -> String {
    format!("redemption:{id}")
}

/// A code that no redemption of the tenant has.
async fn free_code(tx: &TenantTx) -> Result<String> {
    for _ in 0..TRIES {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| Error::internal(error.to_string()))?;
        if let Some(code) = loyalty::code_from(&bytes)
            && tx.redemptions().find_by_code(&code).await?.is_none()
        {
            return Ok(code);
        }
    }
    Err(Error::internal("no free code was found"))
}

async fn record(
    tx: &TenantTx,
    actor: &str,
    id: RedemptionId,
    action: &str,
    details: serde_json::Value,
) -> Result<()> {
    tx.history()
        .add(Subject::Redemption, id.uuid(), action, actor, details)
        .await
}
