//! Puts the customer of a scenario into the product: who they are, what they booked and ordered
//! before, and their tokens.

use super::business::Business;
use super::file::{Booked, Customer, Placed};
use super::world::World;
use anyhow::{Context, bail};
use jiff::SignedDuration;
use quipu_app::appointments::{self, MakeAppointment};
use quipu_app::leads::{self, CreateLead};
use quipu_app::loyalty::{self, Adjustment};
use quipu_app::orders::{self, ChangeStatus, PlaceOrder};
use quipu_commerce::order::{OrderStatus, OrderType};
use quipu_commerce::ordering::AskedItem;
use quipu_core::lead::{Channel, Identity};
use quipu_core::{AppointmentId, LeadId, OrderId, Timestamp};
use std::collections::BTreeMap;

const HOUR: i64 = 3_600;
/// How far back an hour is looked for at which the business was open.
const MOST_HOURS: i64 = 7 * 24;

/// The customer in the product, with what the file calls their things.
pub(super) struct Known {
    pub(super) lead: LeadId,
    pub(super) appointments: BTreeMap<AppointmentId, String>,
    pub(super) orders: BTreeMap<OrderId, String>,
}

/// Loads the customer. The clock is at `now` again afterwards.
pub(super) async fn load(
    world: &World,
    business: &Business,
    customer: &Customer,
    now: Timestamp,
) -> anyhow::Result<Known> {
    let (app, actor) = (&world.app, &business.actor);
    let identity = customer.phone.as_ref().map(|phone| Identity {
        channel: Channel::Whatsapp,
        external_id: phone.clone(),
    });
    let input = CreateLead {
        name: customer.name.clone(),
        phone: customer.phone.clone(),
        email: customer.email.clone(),
        identities: identity.into_iter().collect(),
        ..CreateLead::default()
    };
    let lead = leads::create(app, actor, input)
        .await
        .context("customer")?
        .id;
    if customer.loyalty_balance != 0 {
        let input = Adjustment {
            tokens: customer.loyalty_balance,
            reason: "Saldo anterior".to_owned(),
        };
        loyalty::adjust(app, actor, lead, input)
            .await
            .context("customer.loyalty_balance")?;
    }
    let mut known = Known {
        lead,
        appointments: BTreeMap::new(),
        orders: BTreeMap::new(),
    };
    for booked in &customer.appointments {
        let id = book(world, business, customer, &known, booked, now)
            .await
            .with_context(|| format!("customer.appointments at {}", booked.start))?;
        let name = booked.id.clone().unwrap_or_default();
        known.appointments.insert(id, name);
    }
    for placed in &customer.orders {
        let id = place(world, business, customer, &known, placed, now)
            .await
            .context("customer.orders")?;
        known
            .orders
            .insert(id, placed.id.clone().unwrap_or_default());
    }
    world.clock.set(now);
    Ok(known)
}

async fn book(
    world: &World,
    business: &Business,
    customer: &Customer,
    known: &Known,
    booked: &Booked,
    now: Timestamp,
) -> anyhow::Result<AppointmentId> {
    let zone = jiff::tz::TimeZone::get(&business.actor.tenant().time_zone)?;
    let local: jiff::civil::DateTime = booked.start.parse().context("start")?;
    let start = zone.to_ambiguous_timestamp(local).compatible()?;
    // What was booked was booked a while before, and before it began.
    let day = SignedDuration::from_hours(24);
    world
        .clock
        .set(start.min(now).checked_sub(day).unwrap_or(now));
    let branch = booked.branch.as_deref();
    let staff = booked.staff.as_deref();
    let input = MakeAppointment {
        start: Some(booked.start.clone()),
        service_id: Some(business.services.id(&booked.service)?),
        branch_id: branch
            .map(|branch| business.branches.id(branch))
            .transpose()?
            .map(Into::into),
        staff_id: staff
            .map(|staff| business.staff.id(staff))
            .transpose()?
            .map(Into::into),
        lead_id: Some(known.lead),
        customer_name: customer.name.clone(),
        ..MakeAppointment::default()
    };
    let made = appointments::make(&world.app, &business.actor, input).await?;
    Ok(made.id)
}

async fn place(
    world: &World,
    business: &Business,
    customer: &Customer,
    known: &Known,
    placed: &Placed,
    now: Timestamp,
) -> anyhow::Result<OrderId> {
    let (app, actor) = (&world.app, &business.actor);
    let mut items = Vec::new();
    for (dish, quantity) in &placed.items {
        let id = business.dishes.id(dish)?;
        let dish =
            quipu_app::catalogue::get::<quipu_commerce::business::Dish>(app, actor, id).await?;
        items.push(AskedItem {
            name: dish.data.name,
            quantity: Some(i64::from(*quantity)),
            ..AskedItem::default()
        });
    }
    let input = PlaceOrder {
        items: Some(items),
        order_type: Some(OrderType::Pickup),
        payment_method: placed.payment.clone(),
        lead_id: Some(known.lead),
        customer_name: customer.name.clone(),
        ..PlaceOrder::default()
    };
    // Orders are taken while the business is open; the file does not say when it was placed.
    let mut refused = None;
    for hours in 0..MOST_HOURS {
        let back = SignedDuration::from_secs(hours * HOUR + HOUR / 4);
        world.clock.set(now.checked_sub(back).unwrap_or(now));
        match orders::create(app, actor, input.clone()).await {
            Ok(order) => {
                let status = placed.status.as_deref().map(order_status).transpose()?;
                if let Some(status) = status.flatten() {
                    let input = ChangeStatus { status };
                    orders::change_status(app, actor, order.id, input).await?;
                }
                return Ok(order.id);
            }
            Err(error) => refused = Some(error),
        }
    }
    match refused {
        Some(error) => Err(error.into()),
        None => bail!("the order could not be placed"),
    }
}

/// The status that a word means; none for an order that was just placed.
pub(super) fn order_status(word: &str) -> anyhow::Result<Option<OrderStatus>> {
    Ok(match word {
        "confirmed" | "received" | "placed" => None,
        "preparing" => Some(OrderStatus::Preparing),
        "ready" => Some(OrderStatus::Ready),
        "out_for_delivery" | "on_the_way" => Some(OrderStatus::OutForDelivery),
        "completed" | "delivered" => Some(OrderStatus::Completed),
        "cancelled" | "canceled" => Some(OrderStatus::Cancelled),
        other => bail!("`{other}` is no status of an order"),
    })
}
