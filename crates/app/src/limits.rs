//! The one place where plan limits and credits are checked and consumed.
//!
//! Every function here works on a plan that was read with the tenant locked, so that two requests
//! at once cannot both take the last place.

use quipu_core::plan::{Limit, Plan, month_of, processing_credits};
use quipu_core::{Error, ErrorCode, KnowledgeBaseId, Result};
use quipu_store::TenantTx;

/// # Errors
/// `FEATURE_NOT_IN_PLAN` or `PLAN_LIMIT_REACHED`.
pub async fn room_for_agent(tx: &TenantTx) -> Result<()> {
    let plan = tx.profile().lock_plan().await?;
    plan.require_agents()?;
    plan.check(Limit::Agents, tx.agents().count().await?, 1)
}

/// # Errors
/// `PLAN_LIMIT_REACHED`.
pub async fn room_for_member(tx: &TenantTx) -> Result<()> {
    let plan = tx.profile().lock_plan().await?;
    plan.check(Limit::Members, tx.members().count().await?, 1)
}

/// # Errors
/// `FEATURE_NOT_IN_PLAN` or `PLAN_LIMIT_REACHED`.
pub async fn room_for_knowledge_base(tx: &TenantTx) -> Result<()> {
    let plan = tx.profile().lock_plan().await?;
    plan.require_agents()?;
    plan.check(
        Limit::KnowledgeBases,
        tx.knowledge_bases().count().await?,
        1,
    )
}

/// Checks that a document of this size fits.
///
/// # Errors
/// `PLAN_LIMIT_REACHED`, `PLAN_SIZE_EXCEEDED` or `CREDITS_EXHAUSTED`.
pub async fn room_for_document(tx: &TenantTx, kb: KnowledgeBaseId, bytes: u64) -> Result<Plan> {
    let plan = tx.profile().lock_plan().await?;
    plan.require_agents()?;
    plan.check(Limit::DocumentsPerKb, tx.documents().count(kb).await?, 1)?;
    check_bytes(tx, &plan, kb, bytes).await?;
    Ok(plan)
}

/// Checks that a document may grow by this much. One that does not grow takes nothing: it is let
/// through however full the knowledge base is, since the plan may have become smaller than it.
///
/// # Errors
/// `PLAN_SIZE_EXCEEDED`.
pub async fn room_for_growth(tx: &TenantTx, kb: KnowledgeBaseId, bytes: u64) -> Result<Plan> {
    let plan = tx.profile().lock_plan().await?;
    plan.require_agents()?;
    if bytes > 0 {
        check_bytes(tx, &plan, kb, bytes).await?;
    }
    Ok(plan)
}

async fn check_bytes(tx: &TenantTx, plan: &Plan, kb: KnowledgeBaseId, bytes: u64) -> Result<()> {
    plan.check(
        Limit::KbBytes,
        tx.knowledge_bases().bytes(Some(kb)).await?,
        bytes,
    )?;
    plan.check(Limit::StorageBytes, stored_bytes(tx).await?, bytes)
}

/// Checks that a file of this size may come with a conversation.
///
/// # Errors
/// `PLAN_SIZE_EXCEEDED`.
pub async fn room_for_attachment(tx: &TenantTx, bytes: u64) -> Result<()> {
    let plan = tx.profile().lock_plan().await?;
    plan.check(Limit::StorageBytes, stored_bytes(tx).await?, bytes)
}

/// What the tenant's documents and attachments take.
///
/// # Errors
/// When the database cannot be read.
pub async fn stored_bytes(tx: &TenantTx) -> Result<u64> {
    Ok(tx.knowledge_bases().bytes(None).await? + tx.attachments().bytes().await?)
}

/// Takes credits for something, once per reason and reference.
///
/// # Errors
/// `CREDITS_EXHAUSTED`, naming what was needed and what is left.
pub async fn consume_credits(
    tx: &TenantTx,
    plan: &Plan,
    amount: i64,
    reason: &str,
    reference: &str,
) -> Result<()> {
    check_credits(tx, plan, amount).await?;
    tx.credits().enter(-amount, reason, reference).await?;
    Ok(())
}

/// Checks that there is a credit for a document whose price is known only when it was read, besides
/// those for the documents of that kind that wait before it.
///
/// # Errors
/// `CREDITS_EXHAUSTED`, naming what was needed and what is left.
pub async fn credit_for_later(tx: &TenantTx, plan: &Plan) -> Result<()> {
    let waiting = tx.documents().count_unpriced().await?;
    let each = processing_credits(0);
    let needed = each.saturating_mul(i64::try_from(waiting).unwrap_or(i64::MAX));
    check_credits(tx, plan, needed.saturating_add(each)).await
}

async fn check_credits(tx: &TenantTx, plan: &Plan, needed: i64) -> Result<()> {
    grant_month(tx, plan).await?;
    let balance = tx.credits().balance().await?;
    if balance < needed {
        return Err(Error::new(ErrorCode::CreditsExhausted)
            .with("limit", "monthly_credits")
            .with("value", plan.limits.monthly_credits)
            .with("needed", needed)
            .with("balance", balance)
            .with("plan", plan.slug.as_str()));
    }
    Ok(())
}

/// Enters this month's credits on the month's first use.
///
/// # Errors
/// When the database cannot be written.
pub async fn grant_month(tx: &TenantTx, plan: &Plan) -> Result<()> {
    let amount = i64::from(plan.limits.monthly_credits);
    if amount > 0 {
        tx.credits()
            .enter(amount, "monthly_grant", &month_of(tx.now()))
            .await?;
    }
    Ok(())
}
