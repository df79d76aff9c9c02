//! Orders: what is still missing, what it comes to, and the yes that it waits for.

use super::PolicyRun;
use super::order_terms::bounded;
use crate::facts::Known;
use crate::read::Consent;
use crate::say::Phrase;
use crate::state::{Awaited, BasketLine, DoneDeed, Goal, Handing, OfferedGoal, OrderGoal, OwnKind};
use quipu_commerce::ordering::{Line, ZoneMatch, zone_for};
use quipu_core::lead::Temperature;
use quipu_core::reading::SpanKind;
use quipu_core::{Error, ErrorCode};
use serde_json::{Value, json};
use uuid::Uuid;

/// How many branches are asked to bring an order.
const MOST_BRANCHES: usize = 4;
/// Up to here a time is told in minutes.
const MOST_MINUTES: i64 = 180;

impl PolicyRun<'_> {
    pub(super) fn advance_order(&mut self, mut goal: OrderGoal) -> Known<()> {
        self.state.warm(Temperature::Warm);
        self.drop_what_is_gone(&mut goal);
        if self.tell_unclear(&mut goal) {
            self.state.goal = Some(Goal::Order(Box::new(goal)));
            return Ok(());
        }
        let ready = self.settle_order(&mut goal)?;
        if !ready {
            self.state.goal = Some(Goal::Order(Box::new(goal)));
            return Ok(());
        }
        let with = self.ordered_with(&goal);
        let refused = self.before.awaited == Some(Awaited::Consent)
            && self.consent == Consent::No
            && goal.read_back.as_ref() == Some(&with);
        if refused {
            self.say(Phrase::OrderDeclined, &[]);
            goal.read_back = None;
            self.state.goal = Some(Goal::Order(Box::new(goal)));
            self.state.awaited = Some(Awaited::Items);
            return Ok(());
        }
        let same = goal.read_back.as_ref() == Some(&with);
        if self.agrees() && same || self.confirms_known_lines(&goal) {
            return self.place_order(goal, with);
        }
        self.read_back_order(&goal);
        goal.read_back = Some(with);
        self.state.goal = Some(Goal::Order(Box::new(goal)));
        self.state.awaited = Some(Awaited::Consent);
        Ok(())
    }

    /// Whether the message gives the last thing that was missing and says in so many words that the order, whose
    /// things were read back before, shall be placed.
    fn confirms_known_lines(&self, goal: &OrderGoal) -> bool {
        let Some(Goal::Order(before)) = &self.before.goal else {
            return false;
        };
        !before.lines.is_empty() && before.lines == goal.lines && self.confirms()
    }

    /// Takes out what was deleted from the menu meanwhile.
    fn drop_what_is_gone(&mut self, goal: &mut OrderGoal) {
        let dishes = &self.business.dishes;
        let there = |line: &BasketLine| dishes.iter().any(|dish| dish.id.to_string() == line.item);
        goal.lines.retain(there);
    }

    /// Takes out what is not sold at the branch where the order is fetched, and says where it is.
    fn drop_what_is_elsewhere(&mut self, goal: &mut OrderGoal) {
        let branch = goal
            .branch
            .filter(|_| goal.handing == Some(Handing::Pickup));
        let Some(branch) = branch.and_then(|id| self.business.branch(id)) else {
            return;
        };
        let dishes = &self.business.dishes;
        let dish = |line: &BasketLine| dishes.iter().find(|dish| dish.id.to_string() == line.item);
        for line in &goal.lines {
            let Some(dish) = dish(line).filter(|dish| !dish.is_sold_at(branch.id)) else {
                continue;
            };
            let others = self
                .business
                .branches
                .iter()
                .filter(|it| dish.is_sold_at(it.id));
            let others: Vec<&str> = others.map(|it| it.name.as_str()).collect();
            let others = self.voice.and(&others);
            let filling = [
                ("item", dish.name.as_str()),
                ("branch", &branch.name),
                ("others", &others),
            ];
            self.say(Phrase::OrderElsewhere, &filling);
        }
        goal.lines
            .retain(|line| dish(line).is_none_or(|dish| dish.is_sold_at(branch.id)));
    }

    /// The branches that may bring an order, where the customer chose none: first those whose name the address has.
    fn bringing_branches(&self, goal: &OrderGoal) -> Vec<Option<String>> {
        let brings = goal.handing == Some(Handing::Delivery) && goal.branch.is_none();
        let branches = &self.business.branches;
        if !brings || branches.len() < 2 {
            return vec![None];
        }
        let address = format!(
            "{} {}",
            goal.address.as_deref().unwrap_or_default(),
            goal.zone.as_deref().unwrap_or_default()
        );
        let near = self.business.names.branches.named_in_full(&address);
        let near = |id: Uuid| near.iter().any(|named| named.id == id);
        let mut known: Vec<_> = branches.iter().collect();
        known.sort_by_key(|branch| (!near(branch.id), !branch.open_now));
        known.truncate(MOST_BRANCHES);
        known.into_iter().map(|it| Some(it.name.clone())).collect()
    }

    /// Says what is not clear of the order, one thing at a time. `false` when all of it is.
    fn tell_unclear(&mut self, goal: &mut OrderGoal) -> bool {
        let mut missed: Vec<String> = Vec::new();
        let mut gone: Vec<String> = Vec::new();
        goal.unclear.retain(|line| match line {
            Line::Unknown { said, near, .. } if near.is_empty() => {
                missed.push(said.clone());
                false
            }
            Line::Unavailable { item, .. } => {
                gone.push(item.name.clone());
                false
            }
            _ => true,
        });
        for item in gone {
            self.say(Phrase::MenuUnavailable, &[("item", &item)]);
        }
        if !missed.is_empty() {
            let list = self.voice.and(&missed);
            self.say(Phrase::OrderMissed, &[("list", &list)]);
        }
        let question = goal
            .unclear
            .first()
            .and_then(|line| line.question(self.voice.language));
        let Some(question) = question else {
            goal.unclear.clear();
            return false;
        };
        let items = self.told_lines(goal);
        self.say(
            Phrase::AskUnclear,
            &[("items", &items), ("question", &question)],
        );
        self.state.awaited = Some(Awaited::Items);
        true
    }

    /// Asks for what is missing, one thing at a time. `true` once nothing is.
    fn settle_order(&mut self, goal: &mut OrderGoal) -> Known<bool> {
        if goal.lines.is_empty() {
            self.say(Phrase::AskItems, &[]);
            self.state.awaited = Some(Awaited::Items);
            return Ok(false);
        }
        if self.tell_closed_kitchen(goal) {
            return Ok(false);
        }
        let items = self.told_lines(goal);
        let terms = &self.business.contact.orders;
        if goal.handing.is_none() {
            goal.handing = match (terms.pickup, terms.delivery) {
                (true, false) => Some(Handing::Pickup),
                (false, true) => Some(Handing::Delivery),
                _ => None,
            };
        }
        let Some(handing) = goal.handing else {
            self.say(Phrase::AskPickupOrDelivery, &[("items", &items)]);
            self.state.awaited = Some(Awaited::Handing);
            return Ok(false);
        };
        let placed = match handing {
            Handing::Delivery => self.settle_address(goal, &items),
            Handing::Pickup => self.settle_order_branch(goal, &items),
        };
        if !placed {
            return Ok(false);
        }
        self.drop_what_is_elsewhere(goal);
        if goal.lines.is_empty() {
            self.say(Phrase::AskItems, &[]);
            self.state.awaited = Some(Awaited::Items);
            return Ok(false);
        }
        let items = self.told_lines(goal);
        if self.is_below_minimum(goal, &items) {
            return Ok(false);
        }
        // Who comes for it pays at the counter, as they like.
        let methods = &self.business.contact.payment_methods;
        let brings = handing == Handing::Delivery;
        if brings && goal.payment.is_none() && methods.len() > 1 {
            let among = match goal.payment_among.as_slice() {
                [] => methods,
                among => among,
            };
            let list = self.voice.and(among);
            self.say(Phrase::AskPayment, &[("items", &items), ("list", &list)]);
            self.state.awaited = Some(Awaited::Payment);
            return Ok(false);
        }
        if goal.name.is_none() && self.customer_name().is_none() {
            self.say(Phrase::AskName, &[]);
            self.state.awaited = Some(Awaited::Name);
            return Ok(false);
        }
        self.settle_reward(goal)
    }

    /// Says that nothing is made now, and offers to take the order for later. `false` when it is.
    fn tell_closed_kitchen(&mut self, goal: &OrderGoal) -> bool {
        let branches = &self.business.branches;
        let chosen = branches
            .iter()
            .filter(|branch| goal.branch.is_none_or(|id| branch.id == id));
        let chosen: Vec<_> = chosen.collect();
        let open = chosen.is_empty() || chosen.iter().any(|branch| branch.open_now);
        if open || goal.scheduled.is_some() {
            return false;
        }
        let opens = chosen.iter().filter_map(|branch| branch.opens()).min();
        let told = opens
            .map(|(date, minute)| format!("{} {}", self.voice.day(date), self.voice.at(minute)));
        let told = told.unwrap_or_default();
        if matches!(
            self.before.awaited,
            Some(Awaited::Offer(OfferedGoal::OrderLater { .. }))
        ) {
            let items = self.told_lines(goal);
            self.say(
                Phrase::OrderClosedAgain,
                &[("items", &items), ("opens", &told)],
            );
        } else {
            self.say(Phrase::OrderClosed, &[("opens", &told)]);
        }
        if let Some((date, minute)) = opens {
            self.state.awaited = Some(Awaited::Offer(OfferedGoal::OrderLater { date, minute }));
        }
        true
    }

    fn settle_address(&mut self, goal: &mut OrderGoal, items: &str) -> bool {
        let zones = &self.business.zones;
        if goal.address.is_none() {
            self.say(Phrase::AskAddress, &[("items", items)]);
            self.state.awaited = Some(Awaited::Address);
            return false;
        }
        if zones.is_empty() || goal.zone.is_some() {
            return true;
        }
        let address = goal.address.clone().unwrap_or_default();
        let question = match zone_for(&address, zones) {
            ZoneMatch::Found(zone) => {
                goal.zone = Some(zone.name.clone());
                return true;
            }
            other => other.question(self.voice.language),
        };
        if let [only] = zones.as_slice() {
            goal.zone = Some(only.name.clone());
            return true;
        }
        // Who named a place that no zone has is told where orders are brought.
        let place = self.heard.of(SpanKind::Address).next();
        let asked_before = self.before.awaited == Some(Awaited::Address);
        if let Some(place) = place.filter(|_| asked_before && self.before.goal.is_some()) {
            let names: Vec<&str> = zones.iter().map(|zone| zone.name.as_str()).collect();
            let list = self.voice.and(&names);
            let place = bounded(&place.text);
            self.say(
                Phrase::DeliveryNotServed,
                &[("place", &place), ("list", &list)],
            );
            let pickup = self.business.contact.orders.pickup;
            self.state.awaited = Some(if pickup {
                Awaited::Offer(OfferedGoal::Pickup)
            } else {
                Awaited::Address
            });
            return false;
        }
        if let Some(question) = question {
            self.say(Phrase::AskUnclearAddress, &[("question", &question)]);
        }
        self.state.awaited = Some(Awaited::Address);
        false
    }

    fn settle_order_branch(&mut self, goal: &mut OrderGoal, items: &str) -> bool {
        match self.business.branches.as_slice() {
            [_, _, ..] if goal.branch.is_none() => {
                let names: Vec<&str> = self
                    .business
                    .branches
                    .iter()
                    .map(|it| it.name.as_str())
                    .collect();
                let list = self.voice.or(&names);
                self.say(Phrase::AskOrderBranch, &[("items", items), ("list", &list)]);
                self.state.awaited = Some(Awaited::Branch);
                false
            }
            _ => true,
        }
    }

    fn is_below_minimum(&mut self, goal: &OrderGoal, items: &str) -> bool {
        let Some(subtotal) = self.subtotal(goal) else {
            return false;
        };
        let zone = self.zone_of(goal).and_then(|zone| zone.minimum);
        let minimum = zone.or(self.business.contact.orders.minimum);
        let Some(minimum) = minimum.filter(|minimum| subtotal.is_at_least(*minimum) == Ok(false))
        else {
            return false;
        };
        let language = self.voice.language;
        let (total, minimum) = (subtotal.format(language), minimum.format(language));
        let filling = [
            ("items", items),
            ("total", total.as_str()),
            ("minimum", &minimum),
        ];
        self.say(Phrase::OrderBelow, &filling);
        self.state.awaited = Some(Awaited::Items);
        true
    }

    fn place_order(&mut self, mut goal: OrderGoal, with: Value) -> Known<()> {
        let mut asked = with.clone();
        if let Some(mut reward) = goal.reward.take() {
            let code = match reward.code.take() {
                Some(code) => Some(code),
                None => self.redeemed_code(&reward)?,
            };
            let Some(code) = code else {
                goal.read_back = None;
                self.state.goal = Some(Goal::Order(Box::new(goal)));
                return Ok(());
            };
            asked["redemption_code"] = json!(code);
            // An order that fails is placed again with the code that there is.
            reward.code = Some(code);
            goal.reward = Some(reward);
        }
        let mut placed = None;
        for branch in self.bringing_branches(&goal) {
            if let Some(branch) = branch {
                asked["branch_name"] = json!(branch);
            }
            let answer = self.facts.change("create_order", asked.clone())?;
            let refused = matches!(answer, Err(error) if error.code() == ErrorCode::OrderRefused);
            placed = Some(answer);
            if !refused {
                break;
            }
        }
        let Some(placed) = placed else {
            return Ok(());
        };
        let placed = match placed {
            Ok(placed) => placed,
            Err(error) => {
                goal.read_back = None;
                self.could_not_order(goal, error);
                return Ok(());
            }
        };
        self.informed = true;
        let text = |name: &str| placed[name].as_str().unwrap_or_default().to_owned();
        let number = placed["order_number"]
            .as_i64()
            .map(|number| number.to_string());
        let number = number.unwrap_or_default();
        let minutes = placed["estimated_minutes"].as_i64().unwrap_or_default();
        let items = self.told_lines(&goal);
        let fee = self.zone_of(&goal).filter(|zone| !zone.fee.is_zero());
        let fee = fee.map(|_| text("delivery_fee")).unwrap_or_default();
        let discount = goal
            .reward
            .as_ref()
            .map(|_| text("discount"))
            .unwrap_or_default();
        let total = text("total_text");
        let told = minutes.to_string();
        let mut filling = vec![
            ("number", number.as_str()),
            ("items", &items),
            ("total", &total),
            ("fee", &fee),
            ("discount", &discount),
        ];
        let (day, time) = match goal.scheduled {
            Some((date, minute)) => (self.voice.day(date), self.voice.at(minute)),
            None => (String::new(), String::new()),
        };
        if goal.scheduled.is_some() || minutes > MOST_MINUTES {
            filling.extend([("day", day.as_str()), ("time", &time)]);
            let phrase = if goal.scheduled.is_some() {
                Phrase::DoneOrderedFor
            } else {
                Phrase::DoneOrdered
            };
            filling.push(("minutes", &told));
            self.say(phrase, &filling);
        } else {
            filling.push(("minutes", &told));
            self.say(Phrase::DoneOrdered, &filling);
        }
        self.state.remember(DoneDeed {
            tool: "create_order".to_owned(),
            with,
            total: Some(total.clone()),
            number: Some(number.clone()),
        });
        self.state.warm(Temperature::Hot);
        self.state.topic.own = Some(OwnKind::Order);
        self.state.end();
        self.advance()
    }

    fn could_not_order(&mut self, goal: OrderGoal, error: &Error) {
        if matches!(
            error.code(),
            ErrorCode::OrderRefused | ErrorCode::OrderUnclear
        ) {
            let message = error.message(self.voice.language);
            let reason = message
                .split_once(": ")
                .map_or(&*message, |(_, reason)| reason);
            let reason = reason.trim_end_matches('.').to_owned();
            self.say(Phrase::OrderRefused, &[("reason", &reason)]);
        } else {
            self.explain(error);
        }
        self.state.goal = Some(Goal::Order(Box::new(goal)));
        self.state.awaited = Some(Awaited::Items);
    }
}
