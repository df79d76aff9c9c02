//! Orders of the business in memory.

use super::{Fake, list, text};
use quipu_core::language::Language;
use quipu_core::money::Money;
use quipu_core::ordering::{
    AskedItem, Discount, Line, Menu, MenuItem, Zone, ZoneMatch, match_items, read_order, total,
    zone_for,
};
use quipu_core::{Error, ErrorCode, Result};
use serde_json::{Value, json};

impl Fake {
    pub(super) fn menu(business: &Value) -> Menu {
        let currency = Self::currency(business);
        Menu {
            currency,
            items: list(business, "menu")
                .iter()
                .map(|dish| MenuItem {
                    id: text(dish, "id").to_owned(),
                    name: text(dish, "name").to_owned(),
                    aliases: Vec::new(),
                    category: None,
                    price: Self::money(business, &dish["price"]).unwrap(),
                    available: true,
                    options: serde_json::from_value(dish["options"].clone()).unwrap_or_default(),
                })
                .collect(),
        }
    }

    /// What the things that a text names may come to, fetched or brought. Nobody looks that up before
    /// an order is placed, and whoever tells it has to have added up right.
    pub(in super::super) fn may_come_to(&self, said: &str) -> Vec<i64> {
        let business = self.business.lock().unwrap();
        let currency = Self::currency(&business);
        let lines = read_order(said, &Self::menu(&business));
        let lines: Vec<_> = lines.iter().filter_map(Line::matched).cloned().collect();
        let zones = business["delivery"]["zones"].as_object();
        let fees = zones.into_iter().flat_map(|zones| zones.values());
        let fees = fees.filter_map(|fee| Self::money(&business, fee));
        let fees = fees.chain([Money::zero(currency)]);
        let totals = fees.filter_map(|fee| total(&lines, fee, Discount::None).ok());
        totals.map(|totals| totals.total.minor).collect()
    }

    /// The zones as the tool tells them.
    pub(super) fn zones(business: &Value) -> Vec<Value> {
        let text = |amount: &Value| {
            let amount = Self::money(business, amount)?;
            Some(amount.format(Language::Es))
        };
        let delivery = &business["delivery"];
        let zones = delivery["zones"].as_object().into_iter().flatten();
        zones
            .map(|(name, fee)| {
                json!({
                    "name": name, "fee": text(fee), "minimum": text(&delivery["min_order"]),
                    "minutes": delivery["minutes"], "delivery_fee": Self::money(business, fee),
                    "aliases": delivery["aliases"].get(name).cloned().unwrap_or(json!([])),
                })
            })
            .collect()
    }

    pub(super) fn order(&self, business: &Value, asked: &Value) -> Result<Value> {
        let currency = Self::currency(business);
        let menu = Self::menu(business);
        let items: Vec<AskedItem> = list(asked, "items")
            .iter()
            .map(|item| AskedItem {
                name: text(item, "name").to_owned(),
                quantity: item["quantity"].as_i64(),
                options: list(item, "options")
                    .iter()
                    .filter_map(|choice| choice.as_str().map(str::to_owned))
                    .collect(),
                ..AskedItem::default()
            })
            .collect();
        let read = match_items(&items, &menu);
        let unclear: Vec<String> = read
            .iter()
            .filter_map(|line| line.question(Language::Es))
            .collect();
        if !unclear.is_empty() {
            let asked = unclear.join(" ");
            return Err(Error::new(ErrorCode::OrderUnclear)
                .with("about", "items")
                .with("questions", json!({ "es": asked, "en": asked })));
        }
        needs_branch(business, asked)?;
        let lines: Vec<_> = read.iter().filter_map(Line::matched).cloned().collect();
        let mut fee = Money::zero(currency);
        if asked["order_type"] == json!("delivery") {
            let zones: Vec<Zone> = business["delivery"]["zones"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, fee)| {
                    let aliases = business["delivery"]["aliases"].get(name).cloned();
                    serde_json::from_value(json!({
                        "name": name, "fee": Self::money(business, fee),
                        "aliases": aliases.unwrap_or(json!([])),
                    }))
                    .unwrap()
                })
                .collect();
            match zone_for(text(asked, "delivery_address"), &zones) {
                ZoneMatch::Found(zone) => fee = zone.fee,
                other => {
                    let question = other.question(Language::Es).unwrap_or_default();
                    return Err(Error::new(ErrorCode::OrderUnclear)
                        .with("about", "delivery_address")
                        .with("questions", json!({ "es": question, "en": question })));
                }
            }
        }
        let discount = match asked["redemption_code"].as_str() {
            Some(_) => {
                let reward = list(&business["loyalty"], "rewards")
                    .first()
                    .map(|reward| text(reward, "reward").replace(" gratis", ""))
                    .unwrap_or_default();
                let dish = menu.items.iter().find(|item| item.name == reward);
                dish.map_or(Discount::None, |dish| Discount::Amount {
                    amount: dish.price,
                })
            }
            None => Discount::None,
        };
        let totals = total(&lines, fee, discount).unwrap();
        let minimum = business["delivery"]["min_order"].as_i64().unwrap_or(0);
        if totals.subtotal.minor < Self::money(business, &json!(minimum)).unwrap().minor {
            let least = Self::money(business, &json!(minimum))
                .unwrap()
                .format(Language::Es);
            return Err(Error::new(ErrorCode::OrderRefused)
                .with("reason", "minimum")
                .with_texts(
                    "reason_text",
                    format!("el pedido mínimo es de {least}"),
                    format!("the smallest order is {least}"),
                ));
        }
        let minutes = business["delivery"]["minutes"].as_i64().unwrap_or(20);
        let ready = self
            .now
            .datetime()
            .checked_add(jiff::Span::new().minutes(minutes))
            .unwrap();
        let ready = asked["scheduled_time"]
            .as_str()
            .map_or(ready.strftime("%Y-%m-%dT%H:%M").to_string(), str::to_owned);
        let mut orders = self.orders.lock().unwrap();
        let order = json!({
            "success": true, "order_number": orders.len() + 1, "status": "received", "order_type": asked["order_type"],
            "lines": lines.iter().map(|line| json!({ "name": line.item.name, "quantity": line.quantity })).collect::<Vec<_>>(),
            "discount": totals.discount.format(Language::Es), "delivery_fee": totals.delivery.format(Language::Es),
            "total": totals.total, "total_text": totals.total.format(Language::Es), "payment_method": asked["payment_method"], "estimated_time": ready,
        });
        orders.push(order.clone());
        Ok(order)
    }
}

/// Where there are several branches, an order says which one it is for.
fn needs_branch(business: &Value, asked: &Value) -> Result<()> {
    if list(business, "branches").len() < 2 || asked["branch_name"].is_string() {
        return Ok(());
    }
    Err(Error::new(ErrorCode::OrderUnclear)
        .with("about", "branch_id")
        .with("questions", json!({ "es": "¿De cuál?", "en": "Which?" })))
}
