//! How an order is getting on, and taking one back.

use super::super::folded::field;
use super::super::scene::{Draft, Scene};
use jiff::civil::DateTime;
use quipu_core::{ErrorCode, Result};
use serde_json::{Value, json};

impl Scene<'_> {
    pub(in super::super) async fn order_status(&self, draft: &mut Draft) -> Result<()> {
        if !self.setting.has_customer {
            draft.say(self.voice, "ask.contact", &[]);
            return Ok(());
        }
        let mut asked = json!({});
        if let Some(number) = self.order_number() {
            asked["order_number"] = json!(number);
        }
        match self.office.call("get_order_status", asked).await {
            Ok(order) => self.say_status(draft, &order),
            Err(error) if error.code() == ErrorCode::NotFound => {
                draft.say(self.voice, "order.none", &[]);
            }
            Err(error) => self.explain(draft, &error).await,
        }
        Ok(())
    }

    /// A number that the message names an order by.
    fn order_number(&self) -> Option<i64> {
        let mut words = self.words.split(' ').skip_while(|word| {
            !matches!(*word, "pedido" | "orden" | "order" | "numero" | "number")
        });
        let number: Option<i64> = words.find_map(|word| word.parse().ok());
        number.filter(|number| (1..1_000_000_000).contains(number))
    }

    fn say_status(&self, draft: &mut Draft, order: &Value) {
        let voice = self.voice;
        let status = self.status_name(order);
        let going = matches!(
            field(order, "status"),
            Some("received" | "preparing" | "out_for_delivery")
        );
        let estimated: Option<DateTime> =
            field(order, "estimated_time").and_then(|time| time.parse().ok());
        let time = estimated.filter(|_| going).map(|at| {
            let minute =
                u16::try_from(i32::from(at.hour()) * 60 + i32::from(at.minute())).unwrap_or(0);
            voice.at(minute)
        });
        let number = order["order_number"].to_string();
        let filling = [
            ("number", number.as_str()),
            ("status", status),
            ("time", time.as_deref().unwrap_or_default()),
        ];
        draft.say(voice, "order.status", &filling);
    }

    fn status_name(&self, order: &Value) -> &'static str {
        match field(order, "status") {
            Some("received") => self.voice.pick("recibido", "received"),
            Some("preparing") => self.voice.pick("en preparación", "being prepared"),
            Some("ready") => self.voice.pick("listo", "ready"),
            Some("out_for_delivery") => self.voice.pick("en camino", "on its way"),
            Some("completed") => self.voice.pick("entregado", "completed"),
            Some("cancelled") => self.voice.pick("cancelado", "cancelled"),
            _ => self.voice.pick("registrado", "on record"),
        }
    }

    /// Takes the next step of cancelling an order, which is never done without a yes.
    pub(in super::super) async fn cancel_order(&self, draft: &mut Draft) -> Result<()> {
        if self.refused() {
            draft.say(self.voice, "left", &[]);
            return Ok(());
        }
        let asked = self.state.said.contains(&"confirm.cancel_order");
        if !(self.confirmed() && asked) {
            draft.say(self.voice, "confirm.cancel_order", &[]);
            return Ok(());
        }
        match self.office.call("cancel_order", json!({})).await {
            Ok(order) => {
                let number = order["order_number"].to_string();
                draft.say(self.voice, "done.order_cancelled", &[("number", &number)]);
            }
            Err(error) if error.code() == ErrorCode::NotFound => {
                draft.say(self.voice, "order.none", &[]);
            }
            Err(error) if error.code() == ErrorCode::OrderState => {
                let status = self.status_name(&Value::Object(error.details().clone()));
                self.say_with_contact(draft, "order.too_late", &[("status", status)])
                    .await;
            }
            Err(error) => self.explain(draft, &error).await,
        }
        Ok(())
    }
}
