//! How an order is getting on, and taking one back.

use super::super::folded::{field, says};
use super::super::scene::{Draft, Scene};
use super::super::templates::Templates;
use super::super::transcript::Goal;
use jiff::civil::DateTime;
use quipu_core::money::Money;
use quipu_core::ports::Speaker;
use quipu_core::{ErrorCode, Result};
use serde_json::{Value, json};

/// What asks about the order that was just placed, whatever else may stand beside it.
const AMOUNT: &[&str] = &["cuanto", "total", "cuenta", "much", "owe"];
const WAITING: &[&str] = &[
    "mero",
    "merito",
    "falta",
    "tarda",
    "tardara",
    "tardan",
    "demora",
    "demoran",
    "listo",
    "lista",
    "llega",
    "llegan",
    "viene",
    "vienen",
    "sale",
    "salio",
    "ready",
    "long",
    "coming",
    "when",
    "cuando",
    "va",
    "tiempo",
    "quedo",
    "entro",
    "registrado",
    "confirmado",
    "placed",
    "through",
    "status",
    "estado",
];
/// What asks whether there is an order, or what is in it.
const PLACED: &[&str] = &["pedi", "pedimos", "ordene", "ordered", "in"];
/// The words that such a question is made of besides. With any other, it is about something else.
const BESIDE: &str = "y e oye oigan hola perdon disculpa entonces cuanto cuanta fue es era seria salio sale total \
    en el la lo de del mi pedido orden cuenta debo pago va a ser tengo que pagar todo ya mero merito falta \
    tarda tardara tardan demora demoran listo lista esta estara estan llega llegan viene vienen como cuando \
    tiempo mucho para por favor porfa mas menos aprox how much was is it what s the my order do i owe again \
    and long will take be ready when coming sorry hey so does for to until more que si se hizo quedo entro \
    registrado confirmado pedi pedimos ordene aun did go through has been placed in ordered have already status \
    estado cual an";

impl Scene<'_> {
    /// Answers a question about the order that was placed in this conversation: what it came to, or
    /// how it is getting on. `false` when the message asks nothing of the kind.
    pub(in super::super) async fn follow_order(&self, draft: &mut Draft) -> Result<bool> {
        let placed = self.state.completed.last() == Some(&Goal::Order);
        let words = || self.words.split(' ');
        let known = |word: &str| BESIDE.split_whitespace().any(|known| known == word);
        if !placed || self.state.awaiting.is_some() || !words().all(known) {
            return Ok(false);
        }
        let waits =
            words().any(|word| WAITING.contains(&word)) && !says(&self.words, &["va a ser"]);
        let counts = words().any(|word| AMOUNT.contains(&word));
        let placed = words().any(|word| PLACED.contains(&word));
        // "Sí, va" says nothing of how it is getting on.
        let asks = self.text.contains('?') || words().count() > 2;
        if !waits && !counts && !placed || !asks && !counts {
            return Ok(false);
        }
        // Nobody else can look the order up, and what was said of it still holds.
        if !self.setting.has_customer {
            let agent = self.messages.iter().rev();
            let told = agent
                .filter(|turn| turn.speaker == Speaker::Agent)
                .find(|turn| {
                    let said = Templates::get().recognise(&turn.text);
                    said.iter().any(|said| said.key.starts_with("done.ordered"))
                });
            if let Some(told) = told {
                draft.add(told.text.clone());
            }
            return Ok(told.is_some());
        }
        if waits || placed {
            self.order_status(draft).await?;
            return Ok(true);
        }
        let order = self.office.call("get_order_status", json!({})).await?;
        let total: Option<Money> = serde_json::from_value(order["total"].clone()).ok();
        let total = total.map(|total| total.format(self.voice.language));
        let number = order["order_number"].to_string();
        let filling = [
            ("number", number.as_str()),
            ("total", total.as_deref().unwrap_or_default()),
        ];
        draft.say(self.voice, "order.total", &filling);
        Ok(true)
    }

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
