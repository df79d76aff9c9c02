//! What becomes of an order.

use super::{no_order, record};
use crate::loyalty::{self, Award};
use crate::{Actor, App, events};
use quipu_commerce::order::{Order, OrderStatus};
use quipu_core::access::Permission;
use quipu_core::event::EventKind;
use quipu_core::validate::Checks;
use quipu_core::{OrderId, Result};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeStatus {
    pub status: OrderStatus,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CancelOrder {
    #[serde(default)]
    #[schema(min_length = 1, max_length = 300)]
    pub reason: Option<String>,
}

/// Takes an order a step further. Completing it gives its tokens.
///
/// # Errors
/// `NOT_FOUND`, or `ORDER_STATE` when it cannot become that.
pub async fn change_status(
    app: &App,
    actor: &Actor,
    id: OrderId,
    input: ChangeStatus,
) -> Result<Order> {
    actor.require(Permission::CustomersWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let order = change_status_in(&tx, &actor.name(), id, input.status).await?;
    let details = json!({ "status": order.status });
    let target = format!("order:{id}");
    actor.audit(&tx, "order.status", target, details).await?;
    tx.commit().await?;
    Ok(order)
}

/// # Errors
/// `NOT_FOUND`, or `ORDER_STATE` when it cannot become that.
pub async fn change_status_in(
    tx: &TenantTx,
    actor: &str,
    id: OrderId,
    status: OrderStatus,
) -> Result<Order> {
    if status == OrderStatus::Cancelled {
        return cancel_in(tx, actor, id, None, false).await;
    }
    let mut order = tx.orders().find_locked(id).await?.ok_or_else(no_order)?;
    order.status = order.status.becomes(status, order.order_type)?;
    order.updated_at = tx.now();
    tx.orders().save(&order).await?;
    let mut details = json!({});
    if order.status == OrderStatus::Completed
        && let Some(lead) = order.lead_id
    {
        let (award, source) = (Award::Purchase(order.totals.total), format!("order:{id}"));
        let earned = loyalty::award_in(tx, actor, lead, award, &source).await?;
        if let Some(earned) = earned {
            details = json!({ "tokens": earned.tokens });
        }
    }
    record(tx, actor, id, status.as_str(), details).await?;
    events::order(tx, EventKind::OrderChanged, &order).await?;
    Ok(order)
}

/// Cancels an order. A reward that was applied to it can be used again.
///
/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, or `ORDER_STATE` when it has ended.
pub async fn cancel(app: &App, actor: &Actor, id: OrderId, input: CancelOrder) -> Result<Order> {
    actor.require(Permission::CustomersWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let reason = input.reason.as_deref();
    let order = cancel_in(&tx, &actor.name(), id, reason, false).await?;
    let target = format!("order:{id}");
    actor.audit(&tx, "order.cancel", target, json!({})).await?;
    tx.commit().await?;
    Ok(order)
}

/// The same for a customer, who may take it back only before it is being made, or for the
/// business.
///
/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, or `ORDER_STATE` when it is too late.
pub async fn cancel_in(
    tx: &TenantTx,
    actor: &str,
    id: OrderId,
    reason: Option<&str>,
    by_customer: bool,
) -> Result<Order> {
    let mut checks = Checks::new();
    let reason = checks.optional_line("reason", reason, 300);
    checks.finish()?;
    let mut order = tx.orders().find_locked(id).await?.ok_or_else(no_order)?;
    if by_customer && !order.status.customer_may_cancel() {
        return Err(order.status.refused());
    }
    order.status = order
        .status
        .becomes(OrderStatus::Cancelled, order.order_type)?;
    order.updated_at = tx.now();
    tx.orders().save(&order).await?;
    if let Some(redemption) = order.redemption_id {
        tx.redemptions().release(redemption, id).await?;
    }
    let details = json!({ "reason": reason, "by_customer": by_customer });
    record(tx, actor, id, OrderStatus::Cancelled.as_str(), details).await?;
    events::order(tx, EventKind::OrderChanged, &order).await?;
    Ok(order)
}
