//! Making an appointment: a hold that has to be confirmed, or a confirmed one at once.

use super::reminders;
use crate::availability::{Asked, Names, SlotId};
use crate::once::{self, Once};
use crate::{Actor, App, after, customer, profile};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use quipu_core::access::Permission;
use quipu_core::appointment::{Appointment, AppointmentStatus};
use quipu_core::business::resource_id;
use quipu_core::calendar::{Bookable, Span};
use quipu_core::history::Subject;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{
    AgentId, AppointmentId, BranchId, ConversationId, Error, LeadId, Result, StaffId, Timestamp,
};
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
    /// table.
    #[schema(max_length = 200)]
    pub slot_id: Option<String>,
    /// The start, on the clock of the branch or as an instant.
    #[schema(max_length = 40, example = "2026-11-20T10:30")]
    pub start: Option<String>,
    /// The only service that can be booked when left out.
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
/// `SLOT_UNAVAILABLE` with the reason, `NOT_FOUND`, `VALIDATION_FAILED`.
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
    let lead_id = customer::known(tx, input.lead_id, input.conversation_id).await?;
    let place = Place::read(tx, actor, &Request::from(input)).await?;
    let now = tx.now();
    let profile = profile::load(tx).await?;
    let id = AppointmentId::generate(now);
    let service = place.asked.service.as_ref();
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
        price_min: service.and_then(|service| service.data.price_min),
        price_max: service.and_then(|service| service.data.price_max),
        lead_id,
        customer_name,
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
    Ok(appointment)
}

/// What is wanted: when, for what, where and with whom.
pub(super) struct Request<'a> {
    pub(super) slot_id: Option<&'a str>,
    pub(super) start: Option<&'a str>,
    pub(super) service_id: Option<Uuid>,
    pub(super) branch_id: Option<BranchId>,
    pub(super) staff_id: Option<StaffId>,
    pub(super) party: u16,
    pub(super) urgent: bool,
    /// An appointment that is moved, which is not in its own way, and what it takes now.
    pub(super) moved: Option<(AppointmentId, Uuid)>,
}

impl<'a> From<&'a MakeAppointment> for Request<'a> {
    fn from(input: &'a MakeAppointment) -> Self {
        Self {
            slot_id: input.slot_id.as_deref(),
            start: input.start.as_deref(),
            service_id: input.service_id,
            branch_id: input.branch_id,
            staff_id: input.staff_id,
            party: input.party.unwrap_or(1),
            urgent: input.urgent,
            moved: None,
        }
    }
}

/// A place in the agenda that is free and kept from others until the transaction ends.
pub(super) struct Place {
    pub(super) asked: Asked,
    pub(super) start: Timestamp,
    pub(super) what: Bookable,
    places: u16,
}

impl Place {
    /// Finds the place that is asked for and keeps others from it.
    pub(super) async fn read(tx: &TenantTx, actor: &Actor, request: &Request<'_>) -> Result<Self> {
        let mut branch = request.branch_id;
        let mut service = request.service_id;
        let mut resource = None;
        let mut start = None;
        if let Some(slot) = request.slot_id {
            let slot = SlotId::read(slot).ok_or_else(|| not_a("slot_id"))?;
            start = Some(slot.start);
            branch = Some(slot.branch);
            resource = Some(slot.resource);
            service = service.or(slot.service);
        }
        let mut asked = Asked::load(tx, actor, service, branch, request.staff_id).await?;
        if let Some(resource) = resource {
            asked.agenda.retain(|what| resource_id(what) == resource);
        }
        if request.urgent {
            asked.agenda.waive_notice();
        }
        let start = match (start, request.start) {
            (Some(start), _) => start,
            (None, Some(text)) => read_start(text, asked.zone()).ok_or_else(|| not_a("start"))?,
            (None, None) => return Err(not_a("start")),
        };
        let mut ids = asked.agenda.resource_ids();
        if ids.is_empty() {
            return Err(quipu_core::calendar::Unavailable::Closed.into());
        }
        let of_agenda = ids.clone();
        ids.extend(request.moved.map(|(_, resource)| resource));
        tx.catalogue().lock(&ids).await?;
        // First what is booked, then the bookings: everybody locks in this order.
        if let Some((moved, _)) = request.moved {
            tx.appointments().lock(moved).await?;
        }
        tx.appointments().expire_holds(&of_agenda).await?;
        let around = Span { start, end: start };
        let around = around.widened(48, 48);
        let moved = request.moved.map(|(id, _)| id);
        let busy = tx.appointments().busy(&of_agenda, around, moved).await?;
        asked.agenda.fill(&busy);
        let (what, places) = asked.agenda.choose(start, tx.now(), request.party)?;
        Ok(Self {
            asked,
            start,
            what,
            places,
        })
    }

    pub(super) fn held(&self) -> Span {
        self.asked.agenda.terms.held(self.start)
    }

    pub(super) async fn take(&self, tx: &TenantTx, id: AppointmentId) -> Result<()> {
        tx.appointments()
            .take(id, resource_id(self.what), self.places, self.held())
            .await
    }

    /// Writes where, when and with whom into an appointment.
    pub(super) fn put_into(&self, appointment: &mut Appointment) {
        let names = Names::of(&self.asked.premises, self.what);
        let minutes = i64::from(self.asked.agenda.terms.duration_minutes);
        let lasts = jiff::SignedDuration::from_mins(minutes);
        let zone = self.asked.agenda.zone(self.what.branch());
        let zone = zone.unwrap_or_else(|| self.asked.zone());
        let local = self.start.to_zoned(zone.clone());
        appointment.branch_id = self.what.branch();
        appointment.branch_name = names.branch;
        appointment.staff_id = names.staff.as_ref().map(|(id, _)| *id);
        appointment.staff_name = names.staff.map(|(_, name)| name);
        appointment.table_id = names.table.as_ref().map(|(id, _)| *id);
        appointment.table_name = names.table.map(|(_, name)| name);
        appointment.starts_at = self.start;
        appointment.ends_at = self.start.checked_add(lasts).unwrap_or(self.start);
        zone.iana_name()
            .unwrap_or("UTC")
            .clone_into(&mut appointment.time_zone);
        appointment.local_start = local.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
    }
}

/// Reads an instant, or a time on the clock of a zone. One that the clock skips is none.
fn read_start(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Some(instant);
    }
    let local: DateTime = text.parse().ok()?;
    // A date alone says no time.
    if !text.contains(':') {
        return None;
    }
    let ambiguous = zone.to_ambiguous_timestamp(local);
    if matches!(ambiguous.offset(), jiff::tz::AmbiguousOffset::Gap { .. }) {
        return None;
    }
    ambiguous.compatible().ok()
}

fn not_a(field: &str) -> Error {
    let mut checks = Checks::new();
    checks.problem(field, Problem::NotAStart);
    checks.finish().expect_err("a problem was added")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_read_on_the_clock_of_the_branch() {
        let lima = TimeZone::get("America/Lima").unwrap();
        let read = |text: &str| read_start(text, &lima).map(|at| at.to_string());
        let start = Some("2026-11-20T15:30:00Z".to_owned());
        for text in [
            "2026-11-20T10:30",
            "2026-11-20 10:30:00",
            "2026-11-20T15:30:00Z",
            "2026-11-20T10:30:00-05:00",
        ] {
            assert_eq!(read(text), start, "{text}");
        }
        for text in ["", "mañana", "2026-11-20", "2026-02-29T10:00", "10:30"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_time_that_the_clock_skips_is_none() {
        let santiago = TimeZone::get("America/Santiago").unwrap();
        // On 6 September 2026 the clocks of Chile go from midnight to one.
        assert_eq!(read_start("2026-09-06T00:30", &santiago), None);
        assert!(read_start("2026-09-06T01:00", &santiago).is_some());
    }
}
