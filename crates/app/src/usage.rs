//! What a tenant has used of what its plan allows.

use crate::{Actor, App, limits};
use quipu_core::Result;
use quipu_core::access::Permission;
use quipu_core::knowledge::PersonalUse;
use quipu_core::page::{Page, PageRequest};
use quipu_core::plan::{CreditEntry, Limit, Plan, month_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct UsageReport {
    pub plan: Plan,
    pub limits: Vec<LimitUse>,
    /// How much of what is used lies in members' personal knowledge bases.
    pub personal_knowledge: PersonalUse,
    pub credits_balance: i64,
    /// The calendar month (UTC) the counters are of.
    pub month: String,
    pub counters: BTreeMap<String, i64>,
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LimitUse {
    pub limit: String,
    pub used: u64,
    /// `null` when there is no limit.
    pub value: Option<u64>,
}

/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn report(app: &App, actor: &Actor) -> Result<UsageReport> {
    actor.require(Permission::UsageRead)?;
    // This may be the month's first look at the credits, which grants them: hence a writing one.
    let tx = app.store.begin(actor.scope()).await?;
    let plan = tx.profile().lock_plan().await?;
    limits::grant_month(&tx, &plan).await?;
    let month = month_of(tx.now());
    let counts = [
        (Limit::Agents, tx.agents().count().await?),
        (Limit::Members, tx.members().count().await?),
        (Limit::KnowledgeBases, tx.knowledge_bases().count().await?),
        (Limit::StorageBytes, limits::stored_bytes(&tx).await?),
    ];
    let report = UsageReport {
        limits: counts
            .into_iter()
            .map(|(limit, used)| LimitUse {
                limit: limit.as_str().to_owned(),
                used,
                value: plan.value(limit),
            })
            .collect(),
        personal_knowledge: tx.knowledge_bases().personal_use().await?,
        credits_balance: tx.credits().balance().await?,
        counters: tx
            .usage()
            .month(&month)
            .await?
            .into_iter()
            .map(|counter| (counter.metric, counter.value))
            .collect(),
        month,
        plan,
    };
    tx.commit().await?;
    Ok(report)
}

/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn credits(app: &App, actor: &Actor, page: PageRequest) -> Result<Page<CreditEntry>> {
    actor.require(Permission::UsageRead)?;
    app.store
        .read(actor.scope())
        .await?
        .credits()
        .list(page)
        .await
}
