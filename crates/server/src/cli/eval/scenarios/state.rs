//! Whether the business is in the state afterwards that a scenario asks for.

mod order;

use super::business::Business;
use super::check::Failure;
use super::customer::Known;
use super::play::Course;
use quipu_app::tools::{self, CallTool};
use quipu_app::{App, appointments, conversations, leads, loyalty};
use quipu_commerce::appointment::{Appointment, AppointmentOrder, AppointmentStatus};
use quipu_commerce::loyalty::RedemptionStatus;
use quipu_core::StaffId;
use quipu_core::conversation::HandoffMode;
use quipu_core::page::PageRequest;
use quipu_core::text::fold;
use quipu_store::tenant::AppointmentFilter;
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
        let mut all = appointments::list(self.app, actor, &filter, AppointmentOrder::Newest, PAGE)
            .await?
            .data;
        let listed = |all: &[Appointment]| {
            let all: Vec<String> = all.iter().map(described).collect();
            if all.is_empty() {
                "none".to_owned()
            } else {
                all.join("; ")
            }
        };
        let there = listed(&all);
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
            if let Some(at) = all.iter().position(|found| self.is(found, fields)) {
                all.remove(at);
            } else {
                let text = format!("no appointment is {one}; there is {there}");
                failures.push(Failure::State(text));
            }
        }
        // What was there before may stay unless nothing is to be left; what was made must be wanted.
        all.retain(|found| found.status.keeps_time());
        all.retain(|found| wanted.is_empty() || !self.known.appointments.contains_key(&found.id));
        if !all.is_empty() {
            let text = format!("not expected: {}", listed(&all));
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
                "staff" => named(found.staff_id.map(StaffId::uuid), &business.staff),
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

fn described(found: &Appointment) -> String {
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

const APPOINTMENT_KEYS: &[&str] = &[
    "id", "service", "branch", "staff", "start", "customer", "status", "party",
];

/// The date and the minute of a start.
fn local(start: &str) -> String {
    start.chars().take("2026-01-31T10:30".len()).collect()
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
