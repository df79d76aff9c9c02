//! Whether the business is in the state afterwards that a scenario asks for.

use super::business::Business;
use super::check::Failure;
use super::customer::{Known, order_status};
use super::play::Course;
use quipu_app::tools::{self, CallTool};
use quipu_app::{App, appointments, conversations, leads, loyalty, orders};
use quipu_core::appointment::{Appointment, AppointmentStatus};
use quipu_core::conversation::HandoffMode;
use quipu_core::loyalty::RedemptionStatus;
use quipu_core::money::Money;
use quipu_core::order::{Order, OrderStatus};
use quipu_core::page::PageRequest;
use quipu_core::text::fold;
use quipu_store::tenant::{AppointmentFilter, OrderFilter};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// More than a conversation makes.
const PAGE: PageRequest = PageRequest {
    limit: 200,
    after: None,
};

/// How a scenario ended.
pub(super) struct End<'a> {
    pub(super) app: &'a App,
    pub(super) business: &'a Business,
    pub(super) known: &'a Known,
    pub(super) course: &'a Course,
}

impl End<'_> {
    /// Compares the state with what is expected of it. What is not named is not compared.
    pub(super) async fn check(
        &self,
        expected: &Map<String, Value>,
    ) -> anyhow::Result<Vec<Failure>> {
        let mut failures = Vec::new();
        for (key, wanted) in expected {
            let found = match key.as_str() {
                "appointments" => self.appointments(wanted).await?,
                "order" => self.order(wanted).await?,
                "tokens_balance" => {
                    let balance = loyalty::balance(self.app, &self.business.actor, self.known.lead);
                    differs(key, wanted, &json!(balance.await?.spendable))
                }
                "redeemed" => self.redeemed(wanted).await?,
                "handoff" => self.handoff(wanted).await?,
                "urgency_level_min" => self.urgency(wanted).await?,
                "lead_temperature" => self.temperature(wanted).await?,
                _ => vec![Failure::NotChecked(format!("final_state.{key}"))],
            };
            failures.extend(found);
        }
        Ok(failures)
    }

    async fn appointments(&self, wanted: &Value) -> anyhow::Result<Vec<Failure>> {
        let Some(wanted) = wanted.as_array() else {
            return Ok(vec![unreadable("appointments", wanted)]);
        };
        let filter = AppointmentFilter {
            lead: Some(self.known.lead),
            ..AppointmentFilter::default()
        };
        let actor = &self.business.actor;
        let mut all = appointments::list(self.app, actor, &filter, PAGE)
            .await?
            .data;
        let described = |all: &[Appointment]| {
            let all: Vec<String> = all.iter().map(|it| self.described(it)).collect();
            if all.is_empty() {
                "none".to_owned()
            } else {
                all.join("; ")
            }
        };
        let there = described(&all);
        let mut failures = Vec::new();
        for one in wanted {
            let Some(fields) = one.as_object() else {
                failures.push(unreadable("appointments", one));
                continue;
            };
            failures.extend(
                fields
                    .keys()
                    .filter(|key| !APPOINTMENT_KEYS.contains(&key.as_str()))
                    .map(|key| Failure::NotChecked(format!("final_state.appointments.{key}"))),
            );
            match all.iter().position(|found| self.is(found, fields)) {
                Some(at) => drop(all.remove(at)),
                None => {
                    let text = format!("no appointment is {one}; there is {there}");
                    failures.push(Failure::State(text));
                }
            }
        }
        // What was there before may stay unless nothing is to be left; what was made must be wanted.
        all.retain(|found| found.status.keeps_time());
        all.retain(|found| wanted.is_empty() || !self.known.appointments.contains_key(&found.id));
        if !all.is_empty() {
            let text = format!("not expected: {}", described(&all));
            failures.push(Failure::State(text));
        }
        Ok(failures)
    }

    fn is(&self, found: &Appointment, wanted: &Map<String, Value>) -> bool {
        let business = self.business;
        let named = |id: Option<Uuid>, ids: &super::business::Ids| {
            id.and_then(|id| ids.name_of(id)).map(str::to_owned)
        };
        let same = |(key, wanted): (&String, &Value)| {
            let text = match key.as_str() {
                "id" => self.known.appointments.get(&found.id).cloned(),
                "service" => named(found.service_id, &business.services),
                "branch" => named(Some(found.branch_id.uuid()), &business.branches),
                "staff" => named(found.staff_id.map(|id| id.uuid()), &business.staff),
                "start" => Some(local(&found.local_start)),
                "customer" => found.customer_name.clone(),
                "status" => Some(found.status.as_str().to_owned()),
                "party" => return wanted.as_u64() == Some(found.party.into()),
                _ => return true,
            };
            match wanted {
                Value::Null => text.is_none(),
                Value::String(wanted) if key == "start" => text == Some(local(wanted)),
                Value::String(wanted) => {
                    text.is_some_and(|text| fold(text.trim()) == fold(wanted.trim()))
                }
                _ => false,
            }
        };
        let lives = wanted.contains_key("status") || found.status.keeps_time();
        lives && wanted.iter().all(same)
    }

    fn described(&self, found: &Appointment) -> String {
        let staff = found.staff_name.as_deref().unwrap_or("nobody");
        let customer = found.customer_name.as_deref().unwrap_or("nobody");
        let status = match found.status {
            AppointmentStatus::Confirmed => String::new(),
            other => format!(" ({})", other.as_str()),
        };
        let (service, branch) = (&found.service_name, &found.branch_name);
        let start = local(&found.local_start);
        format!("{service}, {branch}, {staff}, {start}, for {customer}{status}")
    }

    async fn order(&self, wanted: &Value) -> anyhow::Result<Vec<Failure>> {
        let filter = OrderFilter {
            lead: Some(self.known.lead),
            ..OrderFilter::default()
        };
        let actor = &self.business.actor;
        let all = orders::list(self.app, actor, filter, PAGE).await?.data;
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

    async fn redeemed(&self, wanted: &Value) -> anyhow::Result<Vec<Failure>> {
        let (actor, lead) = (&self.business.actor, self.known.lead);
        let mut all = loyalty::redemptions(self.app, actor, lead, PAGE)
            .await?
            .data;
        all.retain(|it| it.status != RedemptionStatus::Cancelled);
        let names: Vec<&str> = all.iter().map(|it| it.reward_name.as_str()).collect();
        let found = match (wanted, names.as_slice()) {
            (Value::Array(_), names) => json!(names),
            (_, []) => Value::Null,
            (_, [one]) => json!(one),
            (_, several) => json!(several),
        };
        Ok(differs("redeemed", wanted, &found))
    }

    async fn handoff(&self, wanted: &Value) -> anyhow::Result<Vec<Failure>> {
        let mode = match self.course.conversation {
            Some(id) => {
                let actor = &self.business.actor;
                conversations::get(self.app, actor, id).await?.handoff.mode
            }
            None => HandoffMode::Ai,
        };
        let found = match mode {
            HandoffMode::Ai => Value::Null,
            // Somebody of the business was asked for, whether or not they are there yet.
            HandoffMode::PendingHuman | HandoffMode::Human => json!("human"),
        };
        Ok(differs("handoff", wanted, &found))
    }

    /// The highest urgency that was found, by asking the tool again what it was asked.
    async fn urgency(&self, wanted: &Value) -> anyhow::Result<Vec<Failure>> {
        const TOOL: &str = "check_dental_urgency";
        let Some(least) = wanted.as_u64() else {
            return Ok(vec![unreadable("urgency_level_min", wanted)]);
        };
        let (actor, agent) = (&self.business.actor, &self.business.agent.slug);
        let mut highest = None;
        for call in self.course.calls.iter().filter(|call| call.tool == TOOL) {
            let input = CallTool {
                arguments: call.arguments.clone(),
                ..CallTool::default()
            };
            // What the tool refused has no level.
            let told = tools::call(self.app, actor, agent, TOOL, input).await;
            let level = told
                .ok()
                .and_then(|told| told.result["urgency_level"].as_u64());
            highest = highest.max(level);
        }
        if highest.is_some_and(|highest| highest >= least) {
            return Ok(Vec::new());
        }
        Ok(vec![difference(
            "urgency_level_min",
            wanted,
            &json!(highest),
        )])
    }

    async fn temperature(&self, wanted: &Value) -> anyhow::Result<Vec<Failure>> {
        // Nothing is expected of it.
        if wanted.is_null() {
            return Ok(Vec::new());
        }
        let lead = leads::get(self.app, &self.business.actor, self.known.lead).await?;
        let found = lead.temperature.map(|it| it.as_str().to_uppercase());
        Ok(differs("lead_temperature", wanted, &json!(found)))
    }
}

const APPOINTMENT_KEYS: &[&str] = &[
    "id", "service", "branch", "staff", "start", "customer", "status", "party",
];

/// The date and the minute of a start.
fn local(start: &str) -> String {
    start.chars().take("2026-01-31T10:30".len()).collect()
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

fn differs(name: &str, wanted: &Value, found: &Value) -> Vec<Failure> {
    let same = match (wanted, found) {
        (Value::String(wanted), Value::String(found)) => fold(wanted) == fold(found),
        (Value::Number(wanted), Value::Number(found)) => wanted.as_f64() == found.as_f64(),
        (wanted, found) => wanted == found,
    };
    if same {
        return Vec::new();
    }
    vec![difference(name, wanted, found)]
}

fn difference(name: &str, wanted: &Value, found: &Value) -> Failure {
    Failure::State(format!("{name} should be {wanted} and is {found}"))
}

fn unreadable(name: &str, wanted: &Value) -> Failure {
    Failure::NotChecked(format!("final_state.{name} cannot be {wanted}"))
}
