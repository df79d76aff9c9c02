//! An order in words: its lines, what it comes to, and what it is placed with.

use super::PolicyRun;
use crate::say::Phrase;
use crate::state::{Goal, Handing, OrderGoal};
use quipu_commerce::money::Money;
use quipu_commerce::ordering::{AskedItem, Line, OrderLine, Zone, ZoneMatch, match_item, zone_for};
use serde_json::{Value, json};

impl PolicyRun<'_> {
    pub(super) fn zone_of(&self, goal: &OrderGoal) -> Option<&Zone> {
        let name = goal
            .zone
            .as_deref()
            .filter(|_| goal.handing == Some(Handing::Delivery))?;
        self.business.zones.iter().find(|zone| zone.name == name)
    }

    /// The lines as they are priced.
    pub(super) fn priced(&self, goal: &OrderGoal) -> Vec<OrderLine> {
        let Some(menu) = &self.business.menu else {
            return Vec::new();
        };
        let lines = goal.lines.iter().filter_map(|line| {
            let asked = AskedItem {
                name: line.item.clone(),
                quantity: Some(i64::from(line.quantity)),
                notes: line.notes.clone(),
                options: line.options.clone(),
            };
            match match_item(&asked, menu) {
                Line::Matched(line) => Some(line),
                _ => None,
            }
        });
        lines.collect()
    }

    pub(super) fn subtotal(&self, goal: &OrderGoal) -> Option<Money> {
        let mut amounts = self.priced(goal).into_iter().map(|line| line.amount());
        let first = amounts.next()?.ok()?;
        amounts.try_fold(first, |sum, amount| sum.plus(amount.ok()?).ok())
    }

    /// The lines as they are told: "4 Taco árabe (sin cebolla), 1 Refresco".
    pub(super) fn told_lines(&self, goal: &OrderGoal) -> String {
        let lines: Vec<String> = self
            .priced(goal)
            .iter()
            .map(|line| {
                let options = line.options.iter().map(|option| option.choice.as_str());
                let said: Vec<&str> = options
                    .chain(line.notes.iter().map(String::as_str))
                    .collect();
                let said = if said.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", said.join(", "))
                };
                format!("{} {}{said}", line.quantity, line.item.name)
            })
            .collect();
        self.voice.and(&lines)
    }

    pub(super) fn read_back_order(&mut self, goal: &OrderGoal) {
        let language = self.voice.language;
        let items = self.told_lines(goal);
        let fee = self
            .zone_of(goal)
            .map(|zone| zone.fee)
            .filter(|fee| !fee.is_zero());
        let subtotal = self.subtotal(goal);
        let total = match (subtotal, fee) {
            (Some(subtotal), Some(fee)) => subtotal.plus(fee).ok(),
            (subtotal, _) => subtotal,
        };
        let delivery = goal.handing == Some(Handing::Delivery);
        let how = if delivery {
            self.voice.pick("a domicilio", "for delivery")
        } else {
            self.voice.pick("para recoger", "for pickup")
        };
        let when = match goal.scheduled {
            Some((date, minute)) => {
                let on = self.voice.pick("para el", "for");
                format!("{on} {} {}", self.voice.day(date), self.voice.at(minute))
            }
            None => self
                .voice
                .pick("lo antes posible", "as soon as possible")
                .to_owned(),
        };
        let branch = goal.branch.and_then(|id| self.business.branch(id));
        let several = self.business.branches.len() > 1 && !delivery;
        let branch = branch
            .filter(|_| several)
            .map(|it| it.name.clone())
            .unwrap_or_default();
        let address = full_address(goal, &self.business.zones).unwrap_or_default();
        let customer = goal
            .name
            .clone()
            .or_else(|| self.customer_name())
            .unwrap_or_default();
        // A reward changes what it comes to, which the till reckons.
        let total = total.filter(|_| goal.reward.is_none());
        let total = total
            .map(|total| total.format(language))
            .unwrap_or_default();
        let fee = fee.map(|fee| fee.format(language)).unwrap_or_default();
        let note = goal.notes.join("; ");
        let reward = goal
            .reward
            .as_ref()
            .map(|reward| reward.name.clone())
            .unwrap_or_default();
        let filling = [
            ("items", items.as_str()),
            ("how", how),
            ("branch", &branch),
            ("address", &address),
            ("when", &when),
            ("payment", goal.payment.as_deref().unwrap_or_default()),
            ("customer", &customer),
            ("note", &note),
            ("total", &total),
            ("fee", &fee),
            ("reward", &reward),
        ];
        self.say(Phrase::ConfirmOrder, &filling);
    }

    /// What the order is placed with.
    pub(super) fn ordered_with(&self, goal: &OrderGoal) -> Value {
        let items: Vec<Value> = goal
            .lines
            .iter()
            .map(|line| {
                let mut item = json!({ "name": line.item, "quantity": line.quantity });
                if !line.options.is_empty() {
                    item["options"] = json!(line.options);
                }
                if !line.notes.is_empty() {
                    item["notes"] = json!(line.notes.join(", "));
                }
                item
            })
            .collect();
        let delivery = goal.handing == Some(Handing::Delivery);
        let kind = if delivery { "delivery" } else { "pickup" };
        let mut with = json!({ "items": items, "order_type": kind });
        let branch = goal.branch.and_then(|id| self.business.branch(id));
        let scheduled = goal
            .scheduled
            .map(|(date, minute)| format!("{date}T{}", super::slots::clock(minute)));
        let texts = [
            ("delivery_address", full_address(goal, &self.business.zones)),
            ("branch_name", branch.map(|branch| branch.name.clone())),
            ("payment_method", goal.payment.clone()),
            ("scheduled_time", scheduled),
            (
                "customer_name",
                goal.name.clone().or_else(|| self.customer_name()),
            ),
            (
                "notes",
                Some(goal.notes.join("; ")).filter(|notes| !notes.is_empty()),
            ),
        ];
        for (name, value) in texts {
            if let Some(value) = value {
                with[name] = json!(value);
            }
        }
        with
    }

    /// What is asked of the order under way: what it has and comes to so far.
    pub(super) fn tell_order_so_far(&mut self) -> bool {
        let Some(Goal::Order(goal)) = &self.state.goal else {
            return false;
        };
        if goal.lines.is_empty() {
            return false;
        }
        let goal = goal.clone();
        let items = self.told_lines(&goal);
        let total = self
            .subtotal(&goal)
            .map(|total| total.format(self.voice.language));
        let total = total.unwrap_or_default();
        self.say(Phrase::OrderSoFar, &[("items", &items), ("total", &total)]);
        true
    }
}

/// The address with its zone, where it does not tell that by itself.
fn full_address(goal: &OrderGoal, zones: &[Zone]) -> Option<String> {
    if goal.handing != Some(Handing::Delivery) {
        return None;
    }
    let address = goal.address.clone()?;
    let told = matches!(zone_for(&address, zones), ZoneMatch::Found(found) if Some(&found.name) == goal.zone.as_ref());
    let zone = goal.zone.clone().filter(|_| !told);
    Some(zone.map_or(address.clone(), |zone| format!("{address}, {zone}")))
}
