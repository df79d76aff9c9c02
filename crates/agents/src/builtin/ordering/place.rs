//! From a basket to an order that was placed.

use super::super::consent::is_doubtful;
use super::super::folded::{begins, field, folded, says};
use super::super::refusals;
use super::super::scene::{Draft, Scene};
use super::basket::contrasts;
use super::changes::{amends, number};
use super::handing::places;
use super::{Item, Order, Place, listed, reward_thing};
use jiff::civil::DateTime;
use quipu_core::agent::Medium;
use quipu_core::lead::Temperature;
use quipu_core::money::Money;
use quipu_core::ordering::{AskedItem, Line, MAX_QUANTITY, match_item};
use quipu_core::ports::Speaker;
use quipu_core::{Error, ErrorCode, Result};
use serde_json::{Value, json};

/// Up to here a time is told in minutes.
const MOST_MINUTES: f64 = 180.0;
/// So many digits are a telephone.
const TELEPHONE: usize = 7;

impl Scene<'_> {
    /// Asks for what is missing, one thing at a time, and places the order after a yes.
    pub(super) async fn settle_order(
        &self,
        draft: &mut Draft,
        order: &Order,
        place: Place<'_>,
    ) -> Result<()> {
        let told = listed(self, &order.basket.items);
        let Some(handed) = self.handed_over(draft, order, place, &told) else {
            return Ok(());
        };
        if self.tells_too_small(draft, order, &handed, place) {
            return Ok(());
        }
        let mut customer = self.customer(&[]);
        let named = self.named_for(place.menu, &places(place.info, place.branches));
        customer.name = named.or(customer.name);
        if !self.setting.has_customer && !self.has_contacts(draft, &customer) {
            return Ok(());
        }
        draft.temperature = Some(Temperature::Hot);
        let agreed = self.confirmed() && self.state.said.contains(&"confirm.order");
        // A yes to something else than was read back is a yes to nothing yet.
        // Whoever says "but" wants something otherwise, and what was not understood of it is asked again.
        let otherwise = amends(self.text)
            || order.amended
            || contrasts(&self.words)
            || agreed && !self.was_read_back(order, handed.address.as_deref())
            || agreed && self.counts_anew();
        if otherwise || !(agreed || self.may_change && self.orders_now()) {
            self.ask_to_confirm_order(draft, order, &handed, place, customer.name.as_deref());
            return Ok(());
        }
        let kind = if handed.brings { "delivery" } else { "pickup" };
        let told = self.allergies_told();
        let mut asked = json!({ "order_type": kind });
        let texts = [
            ("delivery_address", handed.address.as_deref()),
            (
                "branch_name",
                handed.branch.as_deref().or(order.branch.as_deref()),
            ),
            ("payment_method", order.terms.payment.as_deref()),
            ("scheduled_time", order.scheduled.as_deref()),
            ("customer_name", customer.name.as_deref()),
            ("notes", told.as_deref()),
        ];
        for (name, value) in texts {
            if let Some(value) = value {
                asked[name] = json!(value);
            }
        }
        self.place(draft, order, asked).await
    }

    /// Whether what would be placed is what the customer heard last: each thing, and where it is handed over.
    fn was_read_back(&self, order: &Order, address: Option<&str>) -> bool {
        // What is spoken has no signs to compare.
        if self.setting.medium == Medium::Voice {
            return true;
        }
        let said = self.heard_last();
        let heard = |text: &str| said.contains(&folded(text));
        let mut things = order.basket.items.iter().take(12);
        let fetched = order.branch.as_deref().filter(|_| address.is_none());
        things.all(|item| heard(&listed(self, std::slice::from_ref(item))))
            && address.is_none_or(heard)
            && fetched.is_none_or(heard)
    }

    /// Whether a yes comes with a number that was not read back, and that is none of a telephone.
    fn counts_anew(&self) -> bool {
        let digits = self.text.chars().filter(char::is_ascii_digit).count();
        let said = self.heard_last();
        let known: Vec<u32> = said.split(' ').filter_map(number).collect();
        let mut numbers = self.words.split(' ').filter_map(number);
        digits < TELEPHONE
            && numbers.any(|count| (2..=MAX_QUANTITY).contains(&count) && !known.contains(&count))
    }

    /// What the customer was told last, folded.
    fn heard_last(&self) -> String {
        let mut said = self.messages.iter().rev();
        let said = said.find(|turn| turn.speaker == Speaker::Agent);
        said.map(|turn| folded(&turn.text)).unwrap_or_default()
    }

    async fn place(&self, draft: &mut Draft, order: &Order, mut asked: Value) -> Result<()> {
        let mut things = order.basket.items.clone();
        if let Some(reward) = &order.reward {
            match self
                .office
                .call("redeem_reward", json!({ "reward_name": reward }))
                .await
            {
                Ok(redeemed) => {
                    asked["redemption_code"] = redeemed["code"].clone();
                    self.add_reward(&mut things, reward).await;
                    self.say_redeemed(draft, &redeemed).await;
                }
                Err(error) => {
                    self.explain_loyalty(draft, &error).await;
                    return Ok(());
                }
            }
        }
        let lines = things.iter().map(|item| {
            json!({
                "name": item.name,
                "quantity": item.quantity,
                "options": item.options,
                "notes": (!item.notes.is_empty()).then(|| item.notes.join(", ")),
            })
        });
        asked["items"] = json!(lines.collect::<Vec<_>>());
        strip_nulls(&mut asked);
        match self.office.call("create_order", asked).await {
            Ok(placed) => self.say_placed(draft, order, &things, &placed),
            Err(error) => self.explain_order(draft, &error).await,
        }
        Ok(())
    }

    /// A reward that is a thing of the menu is brought with the order.
    async fn add_reward(&self, things: &mut Vec<Item>, reward: &str) {
        let Ok(menu) = self.menu().await else {
            return;
        };
        let asked = AskedItem {
            name: reward_thing(reward),
            ..AskedItem::default()
        };
        if let Line::Matched(line) = match_item(&asked, &menu) {
            let name = line.item.name.clone();
            match things.iter_mut().find(|item| item.name == name) {
                Some(item) => item.quantity += 1,
                None => things.push(Item {
                    name,
                    quantity: 1,
                    options: Vec::new(),
                    notes: Vec::new(),
                }),
            }
        }
    }

    /// Whether the message itself places the order.
    fn orders_now(&self) -> bool {
        let ordered =
            begins(&self.words, &["confirm"]) || says(&self.words, &["place it", "go ahead"]);
        ordered
            && !is_doubtful(self.text)
            && !self.text.contains('?')
            && self.state.affirms != Some(false)
    }

    fn say_placed(&self, draft: &mut Draft, order: &Order, things: &[Item], placed: &Value) {
        let voice = self.voice;
        let number = placed["order_number"].to_string();
        let total: Option<Money> = serde_json::from_value(placed["total"].clone()).ok();
        let total = total.map(|total| total.format(voice.language));
        let total = total
            .as_deref()
            .or(field(placed, "total_text"))
            .unwrap_or_default();
        let some = |name: &str| {
            let amount = field(placed, name)?;
            let nothing = !amount.chars().any(|c| ('1'..='9').contains(&c));
            (!nothing).then_some(amount)
        };
        let estimated: Option<DateTime> =
            field(placed, "estimated_time").and_then(|time| time.parse().ok());
        // What is estimated is told to the minute.
        let now = self.setting.now.datetime();
        let now = now.with().second(0).subsec_nanosecond(0).build();
        let now = now.unwrap_or_else(|_| self.setting.now.datetime());
        let minutes = estimated.and_then(|at| now.until(at).ok()?.total(jiff::Unit::Minute).ok());
        let mut filling = vec![
            ("number", number.clone()),
            // As it was read back, so that both can be compared.
            ("items", listed(self, things)),
            ("total", total.to_owned()),
            ("fee", some("delivery_fee").unwrap_or_default().to_owned()),
            ("discount", some("discount").unwrap_or_default().to_owned()),
        ];
        // Nobody counts the minutes of an afternoon.
        let later = order.scheduled.is_some() || minutes.is_some_and(|it| it > MOST_MINUTES);
        if let Some(at) = estimated {
            let minute =
                u16::try_from(i32::from(at.hour()) * 60 + i32::from(at.minute())).unwrap_or(0);
            filling.push(("day", voice.day(at.date())));
            filling.push(("time", voice.at(minute)));
        }
        filling.push(("minutes", format!("{:.0}", minutes.unwrap_or(0.0).max(0.0))));
        let filling: Vec<(&str, &str)> = filling
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        draft.say(
            voice,
            if later {
                "done.ordered_for"
            } else {
                "done.ordered"
            },
            &filling,
        );
        draft.awaiting = None;
        draft.temperature = Some(Temperature::Hot);
    }

    async fn explain_order(&self, draft: &mut Draft, error: &Error) {
        if error.code() != ErrorCode::OrderUnclear {
            let names = refusals::allowed(error);
            if error.code() == ErrorCode::NotFound && !names.is_empty() {
                let list = self.voice.and(&names);
                draft.say(self.voice, "menu.list", &[("list", &list)]);
                return;
            }
            return self.explain(draft, error).await;
        }
        let question = &error.details()["questions"];
        let question = field(question, self.voice.language.as_str());
        let about = error.details().get("about").and_then(Value::as_str);
        let key = match about {
            Some("delivery_address") => "ask.unclear_address",
            Some("branch_id") => "ask.unclear_branch",
            _ => "ask.unclear",
        };
        if let Some(question) = question {
            draft.say(self.voice, key, &[("question", question)]);
        }
        if draft.is_empty() {
            draft.say(self.voice, "ask.items", &[]);
        }
    }
}

/// Tools take fields that are left out, and models write null.
fn strip_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(strip_nulls);
        }
        Value::Array(things) => things.iter_mut().for_each(strip_nulls),
        _ => {}
    }
}
