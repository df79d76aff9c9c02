//! The tokens of the customer an agent talks to.

use super::naming::{named, wrong};
use super::{Turn, orders};
use crate::catalogue;
use crate::loyalty::{self as tokens, Award};
use quipu_agents::tool::arguments::{Award as Awarding, RewardChoice};
use quipu_commerce::appointment::AppointmentStatus;
use quipu_commerce::business::{OtherNames, Reward};
use quipu_commerce::order::{Order, OrderStatus};
use quipu_core::{AppointmentId, Error, Result};
use serde_json::{Value, json};

pub(super) async fn balance(turn: &Turn<'_>) -> Result<Value> {
    let lead = turn.lead()?.id;
    let balance = tokens::balance_in(turn.tx, lead).await?;
    let further = further_rewards(turn, balance.spendable).await?;
    let active = balance.active;
    let mut told = serde_json::to_value(balance).map_err(Error::internal)?;
    if active {
        told["rewards_further"] = json!(further);
        let earning = tokens::active_programme(turn.tx).await?.earning;
        let language = turn.language();
        let spend = earning.spend.map(|rule| {
            json!({
                "tokens": rule.tokens,
                "every": rule.every.format(language),
                "minimum": rule.minimum.map(|minimum| minimum.format(language)),
            })
        });
        told["earning"] = json!({
            "spend": spend,
            "per_appointment": earning.per_appointment,
            "lasts_days": earning.lasts_days,
        });
    }
    Ok(told)
}

/// The rewards that more tokens are needed for, so that it can be said how many.
async fn further_rewards(turn: &Turn<'_>, spendable: i64) -> Result<Vec<Value>> {
    let mut rewards = catalogue::active::<Reward>(turn.tx).await?;
    rewards.retain(|reward| reward.data.tokens > spendable);
    rewards.sort_by_key(|reward| reward.data.tokens);
    let told = rewards.iter().map(|reward| {
        json!({
            "name": reward.data.name,
            "tokens": reward.data.tokens,
            "missing": reward.data.tokens - spendable,
        })
    });
    Ok(told.collect())
}

/// Gives what something of the customer's that took place has earned. How much is not for a model
/// to say.
pub(super) async fn award(turn: &Turn<'_>, asked: Awarding) -> Result<Value> {
    let lead = turn.lead()?.id;
    let (award, source) = match (asked.order_number, asked.appointment_id) {
        (Some(number), None) => {
            let completed = |order: &Order| order.status == OrderStatus::Completed;
            let order = orders::own(turn, Some(number), completed, false).await?;
            if !completed(&order) {
                return Err(order.status.refused());
            }
            let source = format!("order:{}", order.id);
            (Award::Purchase(order.totals.total), source)
        }
        (None, Some(id)) => {
            let id = AppointmentId::from_uuid(id);
            let found = turn.tx.appointments().find(id).await?;
            let found = found.filter(|found| found.lead_id == Some(lead));
            let found = found.ok_or_else(|| Error::not_found("appointment"))?;
            if found.status != AppointmentStatus::Completed {
                return Err(found.status.refused());
            }
            (Award::Appointment, format!("appointment:{id}"))
        }
        _ => {
            return Err(wrong(
                "order_number",
                "indica order_number o appointment_id, uno de los dos".to_owned(),
                "give order_number or appointment_id, one of the two".to_owned(),
            ));
        }
    };
    let entry = tokens::award_in(turn.tx, &turn.by(), lead, award, &source).await?;
    let balance = tokens::balance_in(turn.tx, lead).await?;
    Ok(json!({
        "success": true,
        "awarded": entry.map_or(0, |entry| entry.tokens),
        "balance": balance.spendable,
        "token_name": balance.token_name,
    }))
}

pub(super) async fn redeem(turn: &Turn<'_>, asked: RewardChoice) -> Result<Value> {
    let lead = turn.lead()?.id;
    let all = catalogue::active::<Reward>(turn.tx).await?;
    let reward = named(&asked.reward_name, "reward_name", &all, |_| {
        OtherNames::default()
    })?;
    let redeemed = tokens::redeem_in(turn.tx, &turn.by(), lead, reward.id).await?;
    let balance = tokens::balance_in(turn.tx, lead).await?;
    Ok(json!({
        "success": true,
        "reward": redeemed.reward_name,
        "code": redeemed.code,
        "tokens": redeemed.tokens,
        "expires_at": redeemed.expires_at,
        "balance": balance.spendable,
    }))
}
