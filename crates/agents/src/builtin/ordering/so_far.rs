//! What an order that is being taken has come to: told when asked, and before a yes is asked for that
//! would be refused.

use super::super::folded::{begins, field, items, says};
use super::super::scene::{Draft, Scene};
use super::super::transcript::Goal;
use super::zone::HandedOver;
use super::{Order, Place, listed};
use crate::facts::token::{Token, cut};
use quipu_core::Result;
use quipu_core::money::Money;
use quipu_core::ordering::{AskedItem, Discount, Line, Menu, match_items, read_order, total};
use serde_json::json;

/// What asks about the order as it stands.
const ASKING: &[&str] = &[
    "cuanto es",
    "cuanto seria",
    "cuanto sera",
    "cuanto llevo",
    "cuanto llevamos",
    "cuanto va",
    "cuanto van",
    "cuanto debo",
    "cuanto me sale",
    "cuanto sale todo",
    "cuanto sale",
    "cuanto queda",
    "cuanto te debo",
    "cuanto tengo que pagar",
    "cual es el total",
    "que pedi",
    "que llevo",
    "que llevamos",
    "que te pedi",
    "que he pedido",
    "how much is it",
    "how much is that",
    "how much so far",
    "how much would",
    "how much do i",
    "what s the total",
    "what is the total",
    "what did i order",
    "what have i ordered",
];
const LONGEST: usize = 8;

impl Scene<'_> {
    /// Tells what the order has in it and what that comes to. `false` when nothing of the kind is asked,
    /// or nothing is in it.
    pub(in super::super) async fn tell_so_far(&self, draft: &mut Draft) -> Result<bool> {
        let asks = says(&self.words, ASKING) && self.words.split(' ').count() <= LONGEST;
        let besides = begins(
            &self.words,
            &["envio", "domicilio", "deliver", "minim", "tard"],
        );
        if self.state.goal != Some(Goal::Order) || !asks || besides {
            return Ok(false);
        }
        let menu = self.menu().await?;
        // What a thing of the menu costs is another question.
        let named = read_order(self.text, &menu);
        if named
            .iter()
            .any(|line| !matches!(line, Line::Unknown { .. }))
        {
            return Ok(false);
        }
        let info = self.office.call("get_business_info", json!({})).await?;
        let branches = self.branches().await?;
        let order = self.read_order(&info, &menu, &branches).await;
        let Some(sum) = order.things_come_to(&menu) else {
            return Ok(false);
        };
        let filling = [
            ("items", listed(self, &order.basket.items)),
            ("total", sum.format(self.voice.language)),
        ];
        let filling: Vec<(&str, &str)> = filling.iter().map(|(k, v)| (*k, v.as_str())).collect();
        draft.say(self.voice, "order.so_far", &filling);
        Ok(true)
    }

    /// Says that the order is too small yet, so that nobody is asked for a yes that is refused. `true`
    /// when the turn is answered by it.
    pub(super) fn tells_too_small(
        &self,
        draft: &mut Draft,
        order: &Order,
        handed: &HandedOver,
        place: Place<'_>,
    ) -> bool {
        let language = self.voice.language;
        let of_zone = || {
            let mut zones = items(place.info, "delivery_zones").iter();
            let zone = zones.find(|zone| field(zone, "name") == handed.zone.as_deref());
            zone.and_then(|zone| field(zone, "minimum").map(str::to_owned))
        };
        let of_all = || {
            let minimum = &place.info["orders"]["minimum"];
            let minimum: Option<Money> = serde_json::from_value(minimum.clone()).ok();
            minimum.map(|minimum| minimum.format(language))
        };
        let minimum = if handed.brings { of_zone() } else { of_all() };
        let (Some(minimum), Some(sum)) = (minimum, order.things_come_to(place.menu)) else {
            return false;
        };
        // Both are told in the same words, and compared as they are told.
        let sum = sum.format(language);
        let amount = |told: &str| cut(told).iter().find_map(Token::number);
        if order.reward.is_some() || amount(&sum) >= amount(&minimum) {
            return false;
        }
        let told = listed(self, &order.basket.items);
        let filling = [
            ("items", told.as_str()),
            ("total", &sum),
            ("minimum", &minimum),
        ];
        draft.say(self.voice, "order.below", &filling);
        true
    }
}

impl Order {
    /// What the things come to, by the arithmetic that places the order.
    fn things_come_to(&self, menu: &Menu) -> Option<Money> {
        self.comes_to(menu, Money::zero(menu.currency))
    }

    /// The same with what bringing it costs.
    pub(super) fn comes_to(&self, menu: &Menu, fee: Money) -> Option<Money> {
        if self.basket.is_empty() {
            return None;
        }
        let asked = self.basket.items.iter().map(|item| AskedItem {
            name: item.name.clone(),
            quantity: Some(item.quantity.into()),
            notes: Vec::new(),
            options: item.options.clone(),
        });
        let asked: Vec<AskedItem> = asked.collect();
        let lines: Option<Vec<_>> = match_items(&asked, menu)
            .iter()
            .map(|line| Line::matched(line).cloned())
            .collect();
        let totals = total(&lines?, fee, Discount::None).ok()?;
        Some(totals.total)
    }
}
