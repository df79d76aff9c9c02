//! The place in the agenda that an appointment takes.

use super::make::MakeAppointment;
use crate::availability::{Asked, Choice, Names, SlotId, Which, local_start};
use crate::{Actor, catalogue};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use quipu_commerce::appointment::Appointment;
use quipu_commerce::business::{Premises, Service, resource_id};
use quipu_commerce::calendar::{Bookable, Span, Unavailable};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{AppointmentId, BranchId, Error, ErrorCode, Result, StaffId, Timestamp};
use quipu_store::TenantTx;
use uuid::Uuid;

/// What is wanted: when, for what, where and with whom.
pub(super) struct Request<'a> {
    pub(super) slot_id: Option<&'a str>,
    pub(super) start: Option<&'a str>,
    pub(super) service: Choice,
    pub(super) branch_id: Option<BranchId>,
    pub(super) staff_id: Option<StaffId>,
    pub(super) party: Option<u16>,
    pub(super) urgent: bool,
    /// An appointment that is moved, which is not in its own way, and what it takes now.
    pub(super) moved: Option<(AppointmentId, Uuid)>,
}

impl<'a> From<&'a MakeAppointment> for Request<'a> {
    fn from(input: &'a MakeAppointment) -> Self {
        Self {
            slot_id: input.slot_id.as_deref(),
            start: input.start.as_deref(),
            service: Choice::of(input.service_id),
            branch_id: input.branch_id,
            staff_id: input.staff_id,
            party: input.party,
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
        let slot = request
            .slot_id
            .map(|slot| SlotId::read(slot).ok_or_else(|| not_a("slot_id")));
        let slot = slot.transpose()?;
        let mut which = Which {
            service: request.service,
            branch: request.branch_id,
            staff: request.staff_id,
            party: request.party,
        };
        if let Some(slot) = &slot {
            which.branch = Some(slot.branch);
            if let (Choice::Meant, Some(service)) = (which.service, slot.service) {
                which.service = Choice::This(service);
            }
            agrees(slot, request)?;
        }
        let asked = Asked::load(tx, actor, which).await;
        let mut asked = asked.map_err(|error| match &slot {
            Some(_) => named_by_slot(error, request),
            None => error,
        })?;
        if request.moved.is_none() {
            asked.check_party(request.party)?;
        }
        if let Some(slot) = &slot {
            if !is_there(&asked.premises, slot.resource) {
                return Err(Error::not_found("slot"));
            }
            asked
                .agenda
                .retain(|what| resource_id(what) == slot.resource);
        }
        if request.urgent {
            asked.agenda.waive_notice();
        }
        if asked.lacks_duration() {
            return Err(Unavailable::NoDuration.into());
        }
        let text = request.start.map(|text| read_start(text, asked.zone()));
        let start = match (slot, text) {
            (_, Some(None)) | (None, None) => return Err(not_a("start")),
            (Some(slot), Some(Some(start))) if slot.start != start => {
                return Err(contradiction("start"));
            }
            (Some(SlotId { start, .. }), _) | (None, Some(Some(start))) => start,
        };
        let mut ids = asked.agenda.resource_ids();
        if ids.is_empty() {
            return Err(Unavailable::NotBookable.into());
        }
        let of_agenda = ids.clone();
        ids.extend(request.moved.map(|(_, resource)| resource));
        // Whoever deletes the service looks for appointments first, under the same lock.
        let service = asked.service.as_ref().map(|service| service.id);
        ids.extend(service);
        tx.catalogue().lock(&ids).await?;
        if let Some(id) = service {
            catalogue::load::<Service>(tx, id).await?;
        }
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
        let (what, places) = asked
            .agenda
            .choose(start, tx.now(), request.party.unwrap_or(1))?;
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
        appointment.local_start = local_start(&local);
    }
}

/// Refuses what says otherwise than the slot.
fn agrees(slot: &SlotId, request: &Request<'_>) -> Result<()> {
    let mut wrong = Vec::new();
    if request
        .branch_id
        .is_some_and(|branch| branch != slot.branch)
    {
        wrong.push("branch_id");
    }
    if request
        .staff_id
        .is_some_and(|staff| staff.uuid() != slot.resource)
    {
        wrong.push("staff_id");
    }
    let mut checks = Checks::new();
    if let (Choice::This(service), Some(of_slot)) = (request.service, slot.service)
        && service != of_slot
    {
        // What is moved keeps its service, so that the slot is what is wrong.
        if request.moved.is_some() {
            let field = "service_id";
            checks.problem("slot_id", Problem::Contradicts { field });
        } else {
            wrong.push("service_id");
        }
    }
    contradicting(&mut checks, &wrong);
    checks.finish()
}

fn contradicting(checks: &mut Checks, fields: &[&str]) {
    for name in fields {
        checks.problem(name, Problem::Contradicts { field: "slot_id" });
    }
}

fn contradiction(field: &str) -> Error {
    let mut checks = Checks::new();
    contradicting(&mut checks, &[field]);
    checks.finish().expect_err("a problem was added")
}

/// What only the slot names and is not there makes the slot one that is not there.
fn named_by_slot(error: Error, request: &Request<'_>) -> Error {
    let missing = error
        .details()
        .get("resource")
        .and_then(|name| name.as_str());
    let of_slot = match missing {
        Some("branch") => true,
        Some("service") => matches!(request.service, Choice::Meant),
        _ => false,
    };
    if error.code() == ErrorCode::NotFound && of_slot {
        return Error::not_found("slot");
    }
    error
}

/// Whether there is such a person, table or branch, be it active or not.
fn is_there(premises: &Premises, resource: Uuid) -> bool {
    premises.staff_member(resource.into()).is_some()
        || premises.table(resource.into()).is_some()
        || premises.branch(resource.into()).is_some()
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
    // The last day that can be written has no instant, and is far off all the same.
    Some(ambiguous.compatible().unwrap_or(Timestamp::MAX))
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
