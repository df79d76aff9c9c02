//! Orders: quoted, placed, followed and cancelled.
//!
//! Functions that end in `_in` are steps of a transaction that somebody else began, such as the
//! call of a tool.

mod change;
mod elsewhere;
mod input;
mod prepare;
mod refusals;
mod when;

pub use change::{CancelOrder, ChangeStatus, cancel, cancel_in, change_status, change_status_in};
pub use input::PlaceOrder;
pub use prepare::{OrderQuote, quote_in};

use crate::once::{self, Once};
use crate::{Actor, App, events};
use prepare::prepare;
use quipu_commerce::order::{Order, OrderStatus};
use quipu_core::access::Permission;
use quipu_core::event::EventKind;
use quipu_core::history::{HistoryEntry, Subject};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{AgentId, Error, ErrorCode, OrderId, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::OrderFilter;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

/// Who takes an order.
#[derive(Clone, Copy, Debug)]
pub struct Taker<'a> {
    /// As the audit log calls them.
    pub actor: &'a str,
    pub agent: Option<AgentId>,
}

/// An order and what happened to it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OrderDetails {
    #[serde(flatten)]
    pub order: Order,
    /// Oldest first.
    pub history: Vec<HistoryEntry>,
}

/// What an order would come to, without placing it.
///
/// # Errors
/// Those of [`create`].
pub async fn quote(app: &App, actor: &Actor, input: PlaceOrder) -> Result<OrderQuote> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    quote_in(&tx, &input).await
}

/// Places an order.
///
/// # Errors
/// `VALIDATION_FAILED`; `ORDER_UNCLEAR` with the question to ask back; `ORDER_REFUSED` with the
/// reason; `NOT_FOUND` for a branch, lead, conversation or code that is not there;
/// `LEAD_REQUIRED` for a code without the customer whose it is, `REDEMPTION_STATE` for one that
/// cannot be used any more.
pub async fn create(app: &App, actor: &Actor, input: PlaceOrder) -> Result<Order> {
    actor.require(Permission::CustomersWrite)?;
    let tx = match once::begin(app, actor, "order.create", &input).await? {
        Once::Again(order) => return Ok(order),
        Once::First(tx) => tx,
    };
    let name = actor.name();
    let taker = Taker {
        actor: &name,
        agent: None,
    };
    let order = create_in(&tx, taker, &input).await?;
    let details = json!({ "number": order.number, "total": order.totals.total });
    let target = format!("order:{}", order.id);
    actor.audit(&tx, "order.create", target, details).await?;
    tx.commit(&order).await?;
    Ok(order)
}

/// # Errors
/// Those of [`create`].
pub async fn create_in(tx: &TenantTx, taker: Taker<'_>, input: &PlaceOrder) -> Result<Order> {
    let prepared = prepare(tx, input).await?;
    // From here on no other order of the tenant gets the same number.
    tx.profile().lock_plan().await?;
    let (quote, now) = (prepared.quote, tx.now());
    let order = Order {
        id: OrderId::generate(now),
        number: tx.orders().next_number().await?,
        status: OrderStatus::Received,
        order_type: quote.order_type,
        branch_id: quote.branch_id,
        branch_name: quote.branch_name,
        lines: quote.lines,
        totals: quote.totals,
        redemption_id: quote.redemption_id,
        payment_method: quote.payment_method,
        delivery_address: quote.delivery_address,
        delivery_zone: quote.delivery_zone,
        scheduled_for: quote.scheduled_for,
        estimated_at: quote.estimated_at,
        notes: prepared.notes,
        lead_id: prepared.lead,
        customer_name: prepared.customer_name,
        conversation_id: input.conversation_id,
        agent_id: taker.agent,
        created_at: now,
        updated_at: now,
    };
    if let Some(redemption) = order.redemption_id
        && !tx.redemptions().apply(redemption, order.id).await?
    {
        return Err(Error::new(ErrorCode::RedemptionState));
    }
    tx.orders().insert(&order).await?;
    let details = json!({ "number": order.number, "total": order.totals.total });
    record(tx, taker.actor, order.id, "received", details).await?;
    events::order(tx, EventKind::OrderCreated, &order).await?;
    Ok(order)
}

/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn list(
    app: &App,
    actor: &Actor,
    filter: &OrderFilter,
    page: PageRequest,
) -> Result<Page<Order>> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    tx.orders().list(filter, page).await
}

/// # Errors
/// `NOT_FOUND` when there is no such order.
pub async fn get(app: &App, actor: &Actor, id: OrderId) -> Result<OrderDetails> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let order = tx.orders().find(id).await?.ok_or_else(no_order)?;
    let history = tx.history().of(Subject::Order, id.uuid()).await?;
    Ok(OrderDetails { order, history })
}

fn no_order() -> Error {
    Error::not_found("order")
}

async fn record(
    tx: &TenantTx,
    actor: &str,
    id: OrderId,
    action: &str,
    details: Value,
) -> Result<()> {
    tx.history()
        .add(Subject::Order, id.uuid(), action, actor, details)
        .await
}
