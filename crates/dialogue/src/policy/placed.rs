//! Orders that were placed: how they are getting on, and calling them off.

use super::PolicyRun;
use crate::facts::Known;
use crate::read::Consent;
use crate::say::Phrase;
use crate::state::{Awaited, CancelOrderGoal, DoneDeed, Goal, OfferedGoal, OwnKind};
use quipu_core::reading::{Act, SpanKind};
use serde_json::{Value, json};

/// From here on whoever asks for their order is not happy with it.
const UNHAPPY: f32 = 0.2;

impl PolicyRun<'_> {
    /// Offers a person to whoever wants an order at another time that was placed a moment ago: no tool moves one.
    pub(super) fn moves_placed_order(&mut self) -> bool {
        let heard = self.heard;
        let last = self.before.done.last();
        let placed = last.is_some_and(|deed| deed.tool == "create_order");
        let moves =
            heard.does(Act::Reschedule) || heard.does(Act::Correct) && heard.has(SpanKind::Time);
        if !placed || !moves || self.state.goal.is_some() || heard.says("names_visit") {
            return false;
        }
        self.say(Phrase::OrderChangedByTeam, &[]);
        if !self.offer_person() {
            self.say_with_contact(Phrase::ContactOwn, &[]);
        }
        true
    }

    // --- Orders that were placed ----------------------------------------------------------------------------------

    /// How the customer's order is getting on.
    pub(super) fn own_order(&self, number: Option<i64>) -> Known<Option<Value>> {
        if !self.profile.has_customer || !self.profile.has("get_order_status") {
            return Ok(None);
        }
        let asked = number.map_or_else(|| json!({}), |number| json!({ "order_number": number }));
        let told = self.facts.look("get_order_status", asked)?;
        Ok(told.ok().cloned())
    }

    pub(super) fn tell_order_status(&mut self) -> Known<()> {
        let Some(order) = self.own_order(None)? else {
            // Whoever waits for food that nobody here knows of needs a person, and no second order.
            if self.heard.act(Act::Complain) >= UNHAPPY && self.profile.has("escalate_to_human") {
                self.say(Phrase::OrderUnseen, &[]);
                self.offer_person();
                return Ok(());
            }
            self.say(Phrase::OrderNone, &[]);
            if self.profile.sells() && self.state.goal.is_none() {
                self.state.awaited = Some(Awaited::Offer(OfferedGoal::Order));
            }
            return Ok(());
        };
        self.state.topic.own = Some(OwnKind::Order);
        let number = order["order_number"]
            .as_i64()
            .unwrap_or_default()
            .to_string();
        let status = order["status"].as_str().unwrap_or_default();
        let ended = matches!(status, "completed" | "cancelled");
        let time = order["estimated_time"]
            .as_str()
            .and_then(|at| at.split_once('T'));
        let time = time.and_then(|(_, time)| quipu_commerce::calendar::read_minute(time));
        let time = time.filter(|_| !ended).map(|minute| self.voice.at(minute));
        let status = self.status_name(status);
        let filling = [
            ("number", number.as_str()),
            ("status", status),
            ("time", time.as_deref().unwrap_or_default()),
        ];
        self.say(Phrase::OrderStatus, &filling);
        Ok(())
    }

    /// When the order that was placed will be there.
    pub(super) fn tell_order_time(&mut self) -> Known<bool> {
        if self.state.last_done("create_order").is_none() {
            return Ok(false);
        }
        let Some(order) = self.own_order(None)? else {
            return Ok(false);
        };
        let Some(minutes) = order["estimated_minutes"].as_i64() else {
            return Ok(false);
        };
        let minutes = minutes.to_string();
        self.say(Phrase::OrderMinutes, &[("minutes", &minutes)]);
        Ok(true)
    }

    pub(super) fn tell_order_total(&mut self) -> Known<bool> {
        let Some(order) = self.own_order(None)? else {
            return Ok(false);
        };
        let number = order["order_number"]
            .as_i64()
            .unwrap_or_default()
            .to_string();
        let total = order["total_text"].as_str().unwrap_or_default().to_owned();
        self.say(
            Phrase::OrderTotal,
            &[("number", &number), ("total", &total)],
        );
        Ok(true)
    }

    pub(super) fn status_name(&self, status: &str) -> &'static str {
        let voice = self.voice;
        match status {
            "received" => voice.pick(
                "recibido, todavía sin preparar",
                "received and not being prepared yet",
            ),
            "preparing" => voice.pick("en preparación", "being prepared"),
            "ready" => voice.pick("listo", "ready"),
            "out_for_delivery" => voice.pick("en camino", "on its way"),
            "completed" => voice.pick("entregado", "delivered"),
            "cancelled" => voice.pick("cancelado", "cancelled"),
            _ => voice.pick("en curso", "under way"),
        }
    }

    pub(super) fn advance_cancel_order(&mut self, mut goal: CancelOrderGoal) -> Known<()> {
        let Some(order) = self.own_order(goal.number)? else {
            self.state.end();
            self.say(Phrase::OrderNone, &[]);
            return Ok(());
        };
        self.state.topic.own = Some(OwnKind::Order);
        let number = order["order_number"].as_i64().unwrap_or_default();
        let status = order["status"].as_str().unwrap_or_default();
        let told = number.to_string();
        if status != "received" {
            let status = self.status_name(status);
            self.say_with_contact(Phrase::OrderTooLate, &[("status", status)]);
            self.state.end();
            return Ok(());
        }
        if self.before.awaited == Some(Awaited::Consent) && self.consent == Consent::No {
            self.state.end();
            self.say(Phrase::Left, &[]);
            return Ok(());
        }
        if self.agrees() && goal.read_back == Some(number) {
            let with = json!({ "order_number": number });
            if let Err(error) = self.facts.change("cancel_order", with.clone())? {
                self.explain(error);
                self.state.end();
                return Ok(());
            }
            self.informed = true;
            self.say(Phrase::DoneOrderCancelled, &[("number", &told)]);
            self.state.remember(DoneDeed {
                tool: "cancel_order".to_owned(),
                with,
                total: None,
                number: Some(told),
            });
            self.state.end();
            return self.advance();
        }
        self.say(Phrase::ConfirmCancelOrder, &[]);
        goal.number = Some(number);
        goal.read_back = Some(number);
        self.state.goal = Some(Goal::CancelOrder(goal));
        self.state.awaited = Some(Awaited::Consent);
        Ok(())
    }
}
