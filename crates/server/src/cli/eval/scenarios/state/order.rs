//! Whether the order is the one that a scenario asks for.

use super::super::check::Failure;
use super::super::customer::order_status;
use super::{End, PAGE, difference, differs, unreadable};
use quipu_app::{loyalty, orders};
use quipu_commerce::money::Money;
use quipu_commerce::order::{Order, OrderStatus};
use quipu_core::text::fold;
use quipu_store::tenant::OrderFilter;
use serde_json::{Map, Value, json};
use uuid::Uuid;

impl End<'_> {
    pub(super) async fn order(&self, wanted: &Value) -> anyhow::Result<Vec<Failure>> {
        let filter = OrderFilter {
            lead: Some(self.known.lead),
            ..OrderFilter::default()
        };
        let actor = &self.business.actor;
        let all = orders::list(self.app, actor, &filter, PAGE).await?.data;
        let is_new = |order: &&Order| !self.known.orders.contains_key(&order.id);
        let newest = all.iter().filter(is_new).max_by_key(|order| order.number);
        let Some(wanted) = wanted.as_object() else {
            let live = newest.filter(|order| order.status != OrderStatus::Cancelled);
            return Ok(match (wanted, live) {
                (Value::Null, None) => Vec::new(),
                (Value::Null, Some(order)) => vec![Failure::State(format!(
                    "an order that is not expected: {}",
                    order.totals.total.plain()
                ))],
                (other, _) => vec![unreadable("order", other)],
            });
        };
        let order = newest.or_else(|| all.iter().max_by_key(|order| order.number));
        let Some(order) = order else {
            return Ok(vec![Failure::State("no order was placed".to_owned())]);
        };
        if newest.is_some() && all.iter().filter(is_new).count() > 1 {
            let text = "more than one order was placed".to_owned();
            return Ok(vec![Failure::State(text)]);
        }
        let reward = self.reward_of(order).await?;
        let mut failures = Vec::new();
        for (key, wanted) in wanted {
            failures.extend(self.compare_order(order, reward.as_deref(), key, wanted));
        }
        Ok(failures)
    }

    /// The reward that was applied to an order.
    async fn reward_of(&self, order: &Order) -> anyhow::Result<Option<String>> {
        let (actor, lead) = (&self.business.actor, self.known.lead);
        let all = loyalty::redemptions(self.app, actor, lead, PAGE)
            .await?
            .data;
        let used = all
            .into_iter()
            .find(|it| Some(it.id) == order.redemption_id);
        Ok(used.map(|used| used.reward_name))
    }

    fn compare_order(
        &self,
        order: &Order,
        reward: Option<&str>,
        key: &str,
        wanted: &Value,
    ) -> Vec<Failure> {
        let name = format!("order.{key}");
        let totals = &order.totals;
        let text = |found: Option<&str>| match (wanted, found) {
            (Value::Null, None) => Vec::new(),
            (Value::String(wanted), Some(found))
                if fold(found).contains(&fold(wanted)) || fold(wanted).contains(&fold(found)) =>
            {
                Vec::new()
            }
            _ => vec![difference(&name, wanted, &json!(found))],
        };
        match key {
            "id" => text(self.known.orders.get(&order.id).map(String::as_str)),
            "items" => differs(&name, wanted, &self.items(order)),
            // A thing that a reward pays for is among the items and not in their sum.
            "subtotal" if reward.is_some_and(|it| self.is_given(it)) => {
                let paid = totals.subtotal.minus(totals.discount);
                differs(&name, wanted, &paid.map_or(Value::Null, units))
            }
            "subtotal" => differs(&name, wanted, &units(totals.subtotal)),
            "discount" => differs(&name, wanted, &units(totals.discount)),
            "delivery_fee" => differs(&name, wanted, &units(totals.delivery)),
            "total" => differs(&name, wanted, &units(totals.total)),
            "discount_reward" => text(reward),
            "payment" | "payment_method" => text(order.payment_method.as_deref()),
            "address" | "delivery_address" => text(order.delivery_address.as_deref()),
            "zone" | "delivery_zone" => text(order.delivery_zone.as_deref()),
            "customer" => text(order.customer_name.as_deref()),
            "type" | "order_type" => text(Some(order.order_type.as_str())),
            "status" => match order_status(wanted.as_str().unwrap_or_default()) {
                // Placed and not taken back.
                Ok(None) if order.status != OrderStatus::Cancelled => Vec::new(),
                Ok(Some(wanted)) if order.status == wanted => Vec::new(),
                _ => vec![difference(&name, wanted, &json!(order.status))],
            },
            _ => vec![Failure::NotChecked(format!("final_state.{name}"))],
        }
    }

    fn is_given(&self, reward: &str) -> bool {
        self.business.given_things.iter().any(|it| it == reward)
    }

    /// How many of each thing, as the file calls them.
    fn items(&self, order: &Order) -> Value {
        let mut items: Map<String, Value> = Map::new();
        for line in &order.lines {
            let id = line.item.id.parse::<Uuid>().ok();
            let name = id.and_then(|id| self.business.dishes.name_of(id));
            let name = name.unwrap_or(&line.item.name).to_owned();
            let before = items.get(&name).and_then(Value::as_u64).unwrap_or(0);
            items.insert(name, json!(before + u64::from(line.quantity)));
        }
        Value::Object(items)
    }
}

/// An amount as files write it: whole units where there are no parts of them.
fn units(money: Money) -> Value {
    let text = money.plain();
    match text.split_once('.') {
        Some((_, parts)) if parts.chars().any(|c| c != '0') => {
            json!(text.parse::<f64>().unwrap_or(f64::NAN))
        }
        Some((whole, _)) => json!(whole.parse::<i64>().ok()),
        None => json!(text.parse::<i64>().ok()),
    }
}
