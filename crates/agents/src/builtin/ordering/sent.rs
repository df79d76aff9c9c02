//! Changes to an order that was placed already. No tool changes what the kitchen has, so that the
//! customer hears that, and never gets a second order without knowing.

use super::super::folded::{begins, says};
use super::super::scene::{Draft, Scene};
use super::super::templates::Templates;
use super::super::transcript::Goal;
use super::changes::amends;
use super::edits;
use quipu_core::Result;
use quipu_core::ports::Speaker;
use serde_json::json;

/// What says that something is ordered beside the order that was placed.
pub(in super::super) const APART: &[&str] = &[
    "aparte",
    "otro pedido",
    "otra orden",
    "nuevo pedido",
    "nueva orden",
    "pedido nuevo",
    "another order",
    "new order",
    "separate",
    "separately",
    "second order",
];

impl Scene<'_> {
    /// Answers whoever changes the order that was just placed: it is sent, and a person may still do
    /// something about it. `false` when the message changes nothing of it.
    pub(in super::super) async fn change_sent(&self, draft: &mut Draft) -> Result<bool> {
        let placed = self.state.completed.last() == Some(&Goal::Order);
        let open =
            self.state.awaiting.is_none() && matches!(self.state.goal, None | Some(Goal::Order));
        let asks_for_more = begins(&self.words, &["agreg", "añad", "sumal", "quit"]);
        let changes = amends(self.text) || edits(self.text) || asks_for_more;
        let apart = says(&self.words, APART) || begins(&self.words, &["cancel", "anul"]);
        if !placed || !open || !changes || apart || self.state.left.is_some() {
            return Ok(false);
        }
        // Something has to be ordered or left out, and not only be better some other way.
        if self.text.contains('?') && !asks_for_more && !edits(self.text) {
            return Ok(false);
        }
        let number = self.number_of_sent().await;
        draft.say(self.voice, "order.sent", &[("number", &number)]);
        Ok(true)
    }

    /// Says once that what is ordered now comes apart from the order that was placed before it.
    pub(super) async fn tell_apart(&self, draft: &mut Draft) {
        let since = self.messages.get(self.state.since..).unwrap_or_default();
        let told = since.iter().any(|turn| {
            turn.speaker == Speaker::Agent && {
                let said = Templates::get().recognise(&turn.text);
                said.iter().any(|said| said.key == "order.apart")
            }
        });
        if self.state.completed.last() == Some(&Goal::Order) && !told && self.may_change {
            let number = self.number_of_sent().await;
            draft.say(self.voice, "order.apart", &[("number", &number)]);
        }
    }

    async fn number_of_sent(&self) -> String {
        if !self.setting.has_customer {
            return String::new();
        }
        let order = self.office.call("get_order_status", json!({})).await;
        let number = order.ok().map(|order| order["order_number"].to_string());
        number.unwrap_or_default()
    }
}
