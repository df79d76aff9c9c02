//! Making an appointment: a hold that has to be confirmed, or a confirmed one at once.

use super::place::{Place, Request};
use super::reminders;
use crate::once::{self, Once};
use crate::{Actor, App, after, customer, events, profile};
use quipu_commerce::appointment::{Appointment, AppointmentStatus};
use quipu_core::access::Permission;
use quipu_core::event::EventKind;
use quipu_core::history::Subject;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{AgentId, AppointmentId, BranchId, ConversationId, LeadId, Result, StaffId};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::time::Duration;
use utoipa::ToSchema;
use uuid::Uuid;

pub(super) const LONGEST_NOTE: usize = 2_000;

#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MakeAppointment {
    /// A slot that was offered. It stands for the start, the service, the branch and the person or
    /// table; what is said of those besides must not contradict it.
    #[schema(max_length = 200)]
    pub slot_id: Option<String>,
    /// The start, on the clock of the branch or as an instant.
    #[schema(max_length = 40, example = "2026-11-20T10:30")]
    pub start: Option<String>,
    /// May be left out when only one can be booked, or with a slot.
    pub service_id: Option<Uuid>,
    /// Any when left out.
    pub branch_id: Option<BranchId>,
    /// Whoever is free when left out.
    pub staff_id: Option<StaffId>,
    /// How many people come; one when left out.
    #[schema(minimum = 1, maximum = 1000)]
    pub party: Option<u16>,
    pub lead_id: Option<LeadId>,
    pub conversation_id: Option<ConversationId>,
    #[schema(max_length = 120)]
    pub customer_name: Option<String>,
    #[schema(max_length = 2000)]
    pub notes: Option<String>,
    /// Whether it is only kept for a while until it is confirmed.
    pub hold: bool,
    /// No notice is needed.
    pub urgent: bool,
}

/// # Errors
/// `SLOT_UNAVAILABLE` with the reason, `NOT_FOUND`, `VALIDATION_FAILED`, `SERVICE_REQUIRED`.
pub async fn make(app: &App, actor: &Actor, input: MakeAppointment) -> Result<Appointment> {
    actor.require(Permission::CustomersWrite)?;
    let tx = match once::begin(app, actor, "appointment.create", &input).await? {
        Once::Again(appointment) => return Ok(appointment),
        Once::First(tx) => tx,
    };
    let appointment = make_in(app, &tx, actor, None, &input).await?;
    tx.commit(&appointment).await?;
    Ok(appointment)
}

/// The same as part of a larger transaction, perhaps by an agent.
pub(crate) async fn make_in(
    app: &App,
    tx: &TenantTx,
    actor: &Actor,
    agent: Option<AgentId>,
    input: &MakeAppointment,
) -> Result<Appointment> {
    let mut checks = Checks::new();
    let customer_name = checks.optional_line("customer_name", input.customer_name.as_deref(), 120);
    if let Some(notes) = &input.notes {
        checks.text("notes", notes, LONGEST_NOTE);
    }
    if let Some(party) = input.party {
        checks.range("party", party.into(), 1, 1_000);
    }
    if input.slot_id.is_none() && input.start.is_none() {
        checks.problem("start", Problem::Empty);
    }
    checks.finish()?;
    let lead = customer::known(tx, input.lead_id, input.conversation_id).await?;
    let place = Place::read(tx, actor, &Request::from(input)).await?;
    let now = tx.now();
    let profile = profile::load(tx).await?;
    let id = AppointmentId::generate(now);
    let service = place.asked.service.as_ref();
    // What is on offer when somebody books is what they were told.
    let today = now.to_zoned(profile::time_zone(actor)).date();
    let prices = service.map(|service| service.data.prices_on(today));
    let (price_min, price_max) = prices.unwrap_or_default();
    let hold = Duration::from_secs(u64::from(profile.hold_minutes) * 60);
    let mut appointment = Appointment {
        id,
        status: if input.hold {
            AppointmentStatus::Held
        } else {
            AppointmentStatus::Confirmed
        },
        service_id: service.map(|service| service.id),
        service_name: service.map_or_else(String::new, |service| service.data.name.clone()),
        branch_id: place.what.branch(),
        branch_name: String::new(),
        staff_id: None,
        staff_name: None,
        table_id: None,
        table_name: None,
        party: input.party.unwrap_or(1),
        starts_at: place.start,
        ends_at: place.start,
        time_zone: String::new(),
        local_start: String::new(),
        price_min,
        price_max,
        lead_id: lead.as_ref().map(|lead| lead.id),
        customer_name: customer_name.or_else(|| lead?.name),
        conversation_id: input.conversation_id,
        agent_id: agent,
        notes: input.notes.clone(),
        hold_expires_at: input.hold.then(|| after(now, hold)),
        revision: 0,
        created_at: now,
        updated_at: now,
    };
    place.put_into(&mut appointment);
    tx.appointments().insert(&appointment, place.held()).await?;
    place.take(tx, id).await?;
    let action = appointment.status.as_str();
    let details = json!({ "starts_at": appointment.starts_at });
    tx.history()
        .add(
            Subject::Appointment,
            id.uuid(),
            action,
            &actor.name(),
            details,
        )
        .await?;
    actor
        .audit(
            tx,
            "appointment.create",
            format!("appointment:{id}"),
            json!({}),
        )
        .await?;
    if appointment.status == AppointmentStatus::Confirmed {
        reminders::enqueue(app, tx, &appointment, &profile.reminder_minutes).await?;
    }
    events::appointment(tx, EventKind::AppointmentCreated, &appointment).await?;
    Ok(appointment)
}
