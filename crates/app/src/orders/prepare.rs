//! From what somebody wants to an order that can be taken, or to what stands in its way.

use super::elsewhere::elsewhere;
use super::input::{self, PlaceOrder};
use super::refusals::{
    below_minimum, refused, unclear, unclear_branch, unclear_lines, unclear_zone, unpayable,
};
use super::when::{Hours, estimated};
use crate::{customer, profile};
use jiff::tz::TimeZone;
use quipu_commerce::business::{
    Branch, BusinessProfile, DeliveryZone, Dish, Item, OrderTerms, name_key,
};
use quipu_commerce::loyalty::{Redemption, RedemptionStatus, read_code};
use quipu_commerce::money::{Currency, Money};
use quipu_commerce::order::OrderType;
use quipu_commerce::ordering::{
    Discount, Line, Menu, OrderLine, Totals, Zone, ZoneMatch, match_items, read_order, total,
    zone_for,
};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{BranchId, Error, ErrorCode, LeadId, RedemptionId, Result, Timestamp};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// What an order would come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OrderQuote {
    pub order_type: OrderType,
    pub branch_id: Option<BranchId>,
    pub branch_name: Option<String>,
    pub lines: Vec<OrderLine>,
    pub totals: Totals,
    pub delivery_address: Option<String>,
    pub delivery_zone: Option<String>,
    /// When it is wanted; as soon as possible when absent.
    pub scheduled_for: Option<Timestamp>,
    /// When it will be ready, or brought.
    pub estimated_at: Timestamp,
    pub payment_method: Option<String>,
    /// The reward that is applied.
    pub redemption_id: Option<RedemptionId>,
    pub reward_name: Option<String>,
}

/// A quote and what else an order has.
pub(super) struct Prepared {
    pub(super) quote: OrderQuote,
    pub(super) lead: Option<LeadId>,
    pub(super) customer_name: Option<String>,
    pub(super) notes: Option<String>,
}

/// What an order would come to, without placing it.
///
/// # Errors
/// Those of [`create`](super::create).
pub async fn quote_in(tx: &TenantTx, input: &PlaceOrder) -> Result<OrderQuote> {
    Ok(prepare(tx, input).await?.quote)
}

pub(super) async fn prepare(tx: &TenantTx, input: &PlaceOrder) -> Result<Prepared> {
    let checked = input::check(input)?;
    let customer = customer::known(tx, input.lead_id, input.conversation_id).await?;
    let lead = customer.as_ref().map(|lead| lead.id);
    let tenant = tx.profile().get().await?;
    let profile = profile::load(tx).await?;
    let currency = profile.currency(&tenant.locale);
    let branch = branch(tx, input.branch_id).await?;
    let order_type = order_type(input, &profile.orders)?;
    let payment_method = payment_method(checked.payment_method, &profile)?;
    let branch_id = branch.as_ref().map(|branch| BranchId::from_uuid(branch.id));
    let dishes = tx.catalogue().all::<Dish>().await?;
    let lines = match lines(input, &menu(&dishes, branch_id, currency)) {
        Ok(lines) => lines,
        Err((error, unclear)) => {
            let sold_elsewhere =
                elsewhere(tx, branch.as_ref(), &dishes, currency, &unclear).await?;
            return Err(sold_elsewhere.unwrap_or(error));
        }
    };

    let zone = match order_type {
        OrderType::Pickup => None,
        OrderType::Delivery => zone(tx, checked.delivery_address.as_deref()).await?,
    };
    let redemption = redemption(tx, input.redemption_code.as_deref(), lead).await?;
    let discount = redemption
        .as_ref()
        .map_or(Discount::None, |used| used.discount);
    let fee = zone.as_ref().map_or(Money::zero(currency), |zone| zone.fee);
    let totals = total(&lines, fee, discount).map_err(unpayable)?;
    enough(&totals, &profile.orders, zone.as_ref())?;

    let zone_of_tenant = TimeZone::get(&tenant.time_zone).unwrap_or(TimeZone::UTC);
    let hours = Hours::new(branch.as_ref().map(|branch| &branch.data), &zone_of_tenant);
    let scheduled_for = hours.check(input.scheduled_for.as_deref(), tx.now())?;
    let on_the_way = zone.as_ref().and_then(|zone| zone.minutes).unwrap_or(0);
    let minutes = u64::from(profile.orders.preparation_minutes) + u64::from(on_the_way);

    let delivery = order_type == OrderType::Delivery;
    Ok(Prepared {
        quote: OrderQuote {
            order_type,
            branch_id,
            branch_name: branch.map(|branch| branch.data.name),
            lines,
            totals,
            delivery_address: checked.delivery_address.filter(|_| delivery),
            delivery_zone: zone.map(|zone| zone.name),
            scheduled_for,
            estimated_at: estimated(tx.now(), minutes, scheduled_for),
            payment_method,
            redemption_id: redemption.as_ref().map(|used| used.id),
            reward_name: redemption.map(|used| used.reward_name),
        },
        lead,
        customer_name: checked.customer_name.or_else(|| customer?.name),
        notes: checked.notes,
    })
}

/// The branch that is named, or the only one. A business without branches has none to name.
async fn branch(tx: &TenantTx, named: Option<BranchId>) -> Result<Option<Item<Branch>>> {
    let mut branches = tx.catalogue().all::<Branch>().await?;
    branches.retain(|branch| branch.data.active);
    if let Some(named) = named {
        let found = branches
            .into_iter()
            .find(|branch| branch.id == named.uuid());
        return found.map(Some).ok_or_else(|| Error::not_found("branch"));
    }
    if branches.len() > 1 {
        return Err(unclear_branch(&branches));
    }
    Ok(branches.pop())
}

fn order_type(input: &PlaceOrder, terms: &OrderTerms) -> Result<OrderType> {
    let offered: Vec<OrderType> = [
        (OrderType::Pickup, terms.pickup),
        (OrderType::Delivery, terms.delivery),
    ]
    .into_iter()
    .filter_map(|(kind, offered)| offered.then_some(kind))
    .collect();
    match (input.order_type, offered.as_slice()) {
        (Some(wanted), offered) if offered.contains(&wanted) => Ok(wanted),
        (_, []) => Err(refused(
            "not_offered",
            "el negocio no toma pedidos".to_owned(),
            "the business takes no orders".to_owned(),
        )),
        (Some(OrderType::Delivery), _) => Err(refused(
            "not_offered",
            "no hay entrega a domicilio, solo para recoger".to_owned(),
            "there is no delivery, only pickup".to_owned(),
        )),
        (Some(OrderType::Pickup), _) => Err(refused(
            "not_offered",
            "solo hay entrega a domicilio, no para recoger".to_owned(),
            "there is delivery only, no pickup".to_owned(),
        )),
        (None, [only]) => Ok(*only),
        (None, _) => Err(unclear(
            "order_type",
            "¿Es para recoger o a domicilio?".to_owned(),
            "Is it for pickup or delivery?".to_owned(),
        )),
    }
}

/// One of those that the business takes, as it calls it.
fn payment_method(named: Option<String>, profile: &BusinessProfile) -> Result<Option<String>> {
    let Some(named) = named else {
        return Ok(None);
    };
    let known = &profile.payment_methods;
    if known.is_empty() {
        return Ok(Some(named));
    }
    let key = name_key(&named);
    if let Some(same) = known.iter().find(|method| name_key(method) == key) {
        return Ok(Some(same.clone()));
    }
    // "tarjeta" where only one of them is a card.
    let mut alike = known
        .iter()
        .filter(|method| name_key(method).contains(&key));
    if let (Some(only), None) = (alike.next(), alike.next()) {
        return Ok(Some(only.clone()));
    }
    let mut checks = Checks::new();
    let allowed = known.join(", ");
    checks.problem("payment_method", Problem::Unknown { allowed });
    checks.finish()?;
    Ok(None)
}

/// What is sold at the branch.
fn menu(dishes: &[Item<Dish>], branch: Option<BranchId>, currency: Currency) -> Menu {
    let sold = |dish: &&Item<Dish>| {
        dish.data.active && branch.is_none_or(|branch| dish.data.is_sold_at(branch))
    };
    let items = dishes.iter().filter(sold);
    Menu {
        currency,
        items: items.map(|dish| dish.data.menu_item(dish.id)).collect(),
    }
}

/// The lines of the order; or what has to be asked, with the lines that it is about.
fn lines(input: &PlaceOrder, menu: &Menu) -> Result<Vec<OrderLine>, (Error, Vec<Line>)> {
    let read: Vec<Line> = match (&input.items, &input.text) {
        (Some(items), _) => match_items(items, menu),
        (None, Some(text)) => read_order(text, menu),
        (None, None) => Vec::new(),
    };
    match unclear_lines(&read) {
        Some(error) => Err((error, read)),
        None => Ok(read.iter().filter_map(Line::matched).cloned().collect()),
    }
}

/// Where it is brought. A business without zones brings things wherever it is asked to.
async fn zone(tx: &TenantTx, address: Option<&str>) -> Result<Option<Zone>> {
    let Some(address) = address else {
        return Err(unclear(
            "delivery_address",
            "¿A qué dirección lo llevamos?".to_owned(),
            "To which address shall we bring it?".to_owned(),
        ));
    };
    let zones = tx.catalogue().all::<DeliveryZone>().await?;
    let zones: Vec<Zone> = zones
        .into_iter()
        .filter(|zone| zone.data.active)
        .map(|zone| zone.data.zone())
        .collect();
    if zones.is_empty() {
        return Ok(None);
    }
    let found = zone_for(address, &zones);
    if let ZoneMatch::Found(zone) = found {
        return Ok(Some(zone.clone()));
    }
    let listed = zones
        .iter()
        .map(|zone| json!({ "name": zone.name, "fee": zone.fee }));
    match unclear_zone(&found, listed.collect()) {
        Some(error) => Err(error),
        None => Ok(None),
    }
}

/// The reward that a code stands for, when it can still be used by this customer. Whoever uses a
/// code says whose it is: a code alone could be somebody else's, overheard or guessed.
async fn redemption(
    tx: &TenantTx,
    code: Option<&str>,
    lead: Option<LeadId>,
) -> Result<Option<Redemption>> {
    let Some(code) = code else {
        return Ok(None);
    };
    let lead = lead.ok_or_else(|| Error::new(ErrorCode::LeadRequired))?;
    let found = match read_code(code) {
        Some(code) => tx.redemptions().find_by_code(&code).await?,
        None => None,
    };
    let found = found.filter(|found| found.lead_id == lead);
    let found = found.ok_or_else(|| Error::not_found("redemption"))?;
    if found.status != RedemptionStatus::Issued {
        return Err(Error::new(ErrorCode::RedemptionState));
    }
    Ok(Some(found))
}

/// Whether the things ordered come to what the business and the zone ask for.
fn enough(totals: &Totals, terms: &OrderTerms, zone: Option<&Zone>) -> Result<()> {
    let of_zone = zone.and_then(|zone| Some((zone.minimum?, Some(zone.name.as_str()))));
    let of_terms = terms.minimum.map(|minimum| (minimum, None));
    for (minimum, zone) in of_zone.into_iter().chain(of_terms) {
        let missing = minimum.minus(totals.subtotal).map_err(unpayable)?;
        if missing.minor > 0 {
            return Err(below_minimum(minimum, missing, zone));
        }
    }
    Ok(())
}
