//! Orders as an agent takes them for the customer it talks to.

use super::Turn;
use super::business::branch_id;
use super::naming::choose;
use crate::orders::{self, PlaceOrder, Taker};
use crate::profile;
use quipu_agents::tool::arguments::{CancelledOrder, NewOrder, OrderQuestion};
use quipu_commerce::order::{Order, OrderStatus};
use quipu_commerce::ordering::AskedItem;
use quipu_core::page::PageRequest;
use quipu_core::{Error, Result};
use quipu_store::tenant::OrderFilter;
use serde_json::{Value, json};

pub(super) async fn create(turn: &Turn<'_>, asked: NewOrder) -> Result<Value> {
    let branch_id = branch_id(turn, None, asked.branch_name.as_deref()).await?;
    let items = asked.items.into_iter().map(|item| AskedItem {
        name: item.name,
        quantity: Some(item.quantity),
        notes: item.notes.into_iter().collect(),
        options: item.options,
    });
    let lead = turn.scene.lead;
    let input = PlaceOrder {
        items: Some(items.collect()),
        order_type: Some(asked.order_type),
        branch_id,
        delivery_address: asked.delivery_address,
        scheduled_for: asked.scheduled_time,
        payment_method: asked.payment_method,
        redemption_code: asked.redemption_code,
        lead_id: lead.map(|lead| lead.id),
        conversation_id: turn.conversation_id(),
        customer_name: asked
            .customer_name
            .or_else(|| lead.and_then(|lead| lead.name.clone())),
        notes: asked.notes.filter(|notes| !notes.trim().is_empty()),
        text: None,
    };
    let by = turn.by();
    let taker = Taker {
        actor: &by,
        agent: Some(turn.scene.agent.id),
    };
    let order = orders::create_in(turn.tx, taker, &input).await;
    // What is wrong is named as the arguments are called.
    let names = [
        ("scheduled_for", "scheduled_time"),
        ("branch_id", "branch_name"),
    ];
    let order = order.map_err(|error| error.with_fields_renamed(&names))?;
    Ok(tell(turn, &order))
}

pub(super) async fn status(turn: &Turn<'_>, asked: OrderQuestion) -> Result<Value> {
    let order = own(turn, asked.order_number, |_| true, true).await?;
    Ok(tell(turn, &order))
}

pub(super) async fn cancel(turn: &Turn<'_>, asked: CancelledOrder) -> Result<Value> {
    let is_open = |order: &Order| order.status == OrderStatus::Received;
    let order = own(turn, asked.order_number, is_open, false).await?;
    let reason = asked.reason.as_deref().map(str::trim);
    let reason = reason.filter(|reason| !reason.is_empty());
    let cancelled = orders::cancel_in(turn.tx, &turn.by(), order.id, reason, true).await?;
    Ok(tell(turn, &cancelled))
}

/// The customer's own order: the one that is named, or the latest, or the only one that fits.
pub(super) async fn own(
    turn: &Turn<'_>,
    number: Option<i64>,
    fits: impl Fn(&Order) -> bool,
    latest: bool,
) -> Result<Order> {
    let lead = turn.lead()?.id;
    if let Some(number) = number {
        let found = turn.tx.orders().find_by_number(number).await?;
        let found = found.filter(|order| order.lead_id == Some(lead));
        return found.ok_or_else(|| Error::not_found("order"));
    }
    let filter = OrderFilter {
        lead: Some(lead),
        ..OrderFilter::default()
    };
    let page = turn
        .tx
        .orders()
        .list(&filter, PageRequest::default())
        .await?;
    let mut found = page.data.into_iter().filter(fits);
    match (found.next(), found.next()) {
        (None, _) => Err(Error::not_found("order").with("hint", "the customer has no such order")),
        (Some(first), second) if latest || second.is_none() => Ok(first),
        (Some(first), second) => {
            let all = std::iter::once(first).chain(second).chain(found);
            let allowed = all.map(|order| order.number.to_string());
            Err(choose("order_number", allowed.collect(), "several"))
        }
    }
}

fn tell(turn: &Turn<'_>, order: &Order) -> Value {
    let language = turn.language();
    let zone = profile::time_zone(turn.scene.actor);
    let estimated = order.estimated_at.to_zoned(zone);
    // Whoever tells it should not have to subtract.
    let minutes = (order.estimated_at.as_second() - turn.tx.now().as_second()).max(0) / 60;
    let lines: Vec<Value> = order
        .lines
        .iter()
        .map(|line| {
            json!({
                "name": line.item.name,
                "quantity": line.quantity,
                "options": line.options.iter().map(|option| &option.choice).collect::<Vec<_>>(),
                "notes": line.notes,
                "amount": line.amount().ok().map(|amount| amount.format(language)),
            })
        })
        .collect();
    json!({
        "success": true,
        "order_id": order.id,
        "order_number": order.number,
        "status": order.status,
        "order_type": order.order_type,
        "lines": lines,
        "subtotal": order.totals.subtotal.format(language),
        "discount": order.totals.discount.format(language),
        "delivery_fee": order.totals.delivery.format(language),
        "total": order.totals.total,
        "total_text": order.totals.total.format(language),
        "branch_name": order.branch_name,
        "delivery_zone": order.delivery_zone,
        "payment_method": order.payment_method,
        "estimated_minutes": minutes,
        "estimated_time": estimated.strftime("%Y-%m-%dT%H:%M").to_string(),
    })
}
