//! Appointments as an agent makes them for the customer it talks to.

use super::Turn;
use super::business::{branch_id, staff_id};
use super::naming::{choose, wrong};
use super::services::service_id;
use crate::appointments::{
    CancelAppointment, MakeAppointment, RescheduleAppointment, cancel_in, make_in, reschedule_in,
};
use crate::availability::{self, Wanted};
use jiff::Zoned;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quipu_agents::tool::arguments::{
    AvailableSlots, CancelledAppointment, MovedAppointment, NewAppointment,
};
use quipu_commerce::appointment::{Appointment, AppointmentStatus};
use quipu_commerce::calendar::describe_moment;
use quipu_core::language::Language;
use quipu_core::{AppointmentId, Error, ErrorCode, Result};
use quipu_store::tenant::AppointmentFilter;
use serde_json::{Value, json};
use uuid::Uuid;

const DEFAULT_SLOTS: u16 = 12;
/// How many of a customer's appointments a model is told of.
const MOST_APPOINTMENTS: u64 = 20;

pub(super) async fn slots(turn: &Turn<'_>, asked: AvailableSlots) -> Result<Value> {
    let given = given_by_name(
        asked.service_id.is_none() && asked.service_name.is_some(),
        asked.branch_id.is_none() && asked.branch_name.is_some(),
        asked.staff_id.is_none() && asked.staff_name.is_some(),
    );
    let named = asked.service_name.as_deref();
    let service = service_id(turn, asked.service_id, named, asked.urgent).await?;
    let wanted = Wanted {
        service_id: service,
        branch_id: branch_id(turn, asked.branch_id, asked.branch_name.as_deref()).await?,
        staff_id: staff_id(turn, asked.staff_id, asked.staff_name.as_deref()).await?,
        date: asked.date,
        days: asked.days,
        time: asked.time,
        party: asked.party_size,
        limit: Some(asked.limit.unwrap_or(DEFAULT_SLOTS)),
        cursor: None,
        urgent: asked.urgent,
        moving: None,
    };
    let found = availability::find_in(turn.tx, turn.scene.actor, &wanted).await;
    let found = found.map_err(|error| for_model(error, &given))?;
    let mut told = serde_json::to_value(found).map_err(Error::internal)?;
    // Who wants to see more names a day or an hour.
    if let Some(told) = told.as_object_mut() {
        told.remove("next_cursor");
    }
    Ok(told)
}

pub(super) async fn make(turn: &Turn<'_>, asked: NewAppointment) -> Result<Value> {
    let given = given_by_name(
        asked.service_id.is_none() && asked.service_name.is_some(),
        asked.branch_id.is_none() && asked.branch_name.is_some(),
        asked.staff_id.is_none() && asked.staff_name.is_some(),
    );
    let named = asked.service_name.as_deref();
    // A slot is one of a service already, however urgent it is.
    let any_urgent = asked.urgent && asked.slot_id.is_none();
    let service = service_id(turn, asked.service_id, named, any_urgent).await?;
    // Nobody would know whom to expect, nor could the customer find it again, move it or cancel it.
    let lead = turn.lead()?;
    let input = MakeAppointment {
        start: start(asked.slot_id.as_deref(), asked.date, asked.time.as_deref())?,
        slot_id: asked.slot_id,
        service_id: service,
        branch_id: branch_id(turn, asked.branch_id, asked.branch_name.as_deref()).await?,
        staff_id: staff_id(turn, asked.staff_id, asked.staff_name.as_deref()).await?,
        party: asked.party_size,
        lead_id: Some(lead.id),
        conversation_id: turn.conversation_id(),
        customer_name: asked.customer_name.or_else(|| lead.name.clone()),
        notes: asked.notes.filter(|notes| !notes.trim().is_empty()),
        hold: false,
        urgent: asked.urgent,
    };
    let agent = Some(turn.scene.agent.id);
    let made = make_in(turn.scene.app, turn.tx, turn.scene.actor, agent, &input).await;
    let made = made.map_err(|error| for_model(error, &given))?;
    Ok(tell(turn, &made, "agendada", "booked"))
}

pub(super) async fn reschedule(turn: &Turn<'_>, asked: MovedAppointment) -> Result<Value> {
    let appointment = own(turn, asked.appointment_id).await?;
    let input = RescheduleAppointment {
        start: start(asked.slot_id.as_deref(), asked.date, asked.time.as_deref())?,
        slot_id: asked.slot_id,
        branch_id: None,
        staff_id: staff_id(turn, None, asked.staff_name.as_deref()).await?,
        urgent: false,
    };
    let (app, actor) = (turn.scene.app, turn.scene.actor);
    let moved = reschedule_in(app, turn.tx, actor, appointment.id, &input).await;
    let given = given_by_name(false, false, true);
    let moved = moved.map_err(|error| for_model(error, &given))?;
    Ok(tell(turn, &moved, "cambiada", "moved"))
}

pub(super) async fn cancel(turn: &Turn<'_>, asked: CancelledAppointment) -> Result<Value> {
    let appointment = own(turn, asked.appointment_id).await?;
    let input = CancelAppointment {
        reason: asked.reason.filter(|reason| !reason.trim().is_empty()),
    };
    let cancelled = cancel_in(turn.tx, turn.scene.actor, appointment.id, &input).await?;
    Ok(tell(turn, &cancelled, "cancelada", "cancelled"))
}

/// What the customer has ahead, however it was made.
pub(super) async fn ahead(turn: &Turn<'_>) -> Result<Value> {
    let ahead = own_ahead(turn).await?;
    let told = ahead.iter().map(|appointment| {
        let local = local_start(appointment);
        json!({
            "appointment_id": appointment.id,
            "status": appointment.status,
            "service": appointment.service_name,
            "date": local.date(),
            "time": local.strftime("%H:%M").to_string(),
            "branch_name": appointment.branch_name,
            "staff_name": appointment.staff_name,
            "table_name": appointment.table_name,
            "party_size": appointment.party,
        })
    });
    Ok(json!({ "appointments": told.collect::<Vec<_>>() }))
}

/// The appointments of the customer that still keep their time, the next one first.
async fn own_ahead(turn: &Turn<'_>) -> Result<Vec<Appointment>> {
    let now = turn.tx.now();
    let filter = AppointmentFilter {
        lead: Some(turn.lead()?.id),
        from: Some(now),
        ..AppointmentFilter::default()
    };
    let appointments = turn.tx.appointments();
    let mut ahead = appointments.agenda(&filter, MOST_APPOINTMENTS).await?;
    ahead.retain(|found| found.status_at(now).keeps_time());
    Ok(ahead)
}

/// The customer's own appointment: the one that is named, or the only one ahead.
async fn own(turn: &Turn<'_>, id: Option<Uuid>) -> Result<Appointment> {
    let lead = turn.lead()?.id;
    if let Some(id) = id {
        let id = AppointmentId::from_uuid(id);
        let found = turn.tx.appointments().find(id).await?;
        let found = found.filter(|found| found.lead_id == Some(lead));
        return found.ok_or_else(|| Error::not_found("appointment"));
    }
    let mut found = own_ahead(turn).await?.into_iter();
    match (found.next(), found.next()) {
        (None, _) => {
            Err(Error::not_found("appointment")
                .with("hint", "the customer has no appointment ahead"))
        }
        (Some(only), None) => Ok(only),
        (Some(first), Some(second)) => {
            let all = [first, second].into_iter().chain(found);
            let allowed = all.map(|found| {
                format!(
                    "{} ({}, {})",
                    found.id, found.service_name, found.local_start
                )
            });
            Err(choose("appointment_id", allowed.collect(), "several"))
        }
    }
}

/// A start out of a day and a time. A slot says both by itself, and what is said of both besides must
/// not contradict it.
fn start(slot: Option<&str>, date: Option<Date>, time: Option<&str>) -> Result<Option<String>> {
    match (slot, date, time) {
        (_, Some(date), Some(time)) => Ok(Some(format!("{date}T{time:0>5}"))),
        (Some(_), _, _) => Ok(None),
        (None, None, None) => Err(wrong(
            "slot_id",
            "falta cuándo: indica slot_id, o bien date y time".to_owned(),
            "it is not said when: give slot_id, or date and time".to_owned(),
        )),
        (None, None, Some(_)) => Err(wrong(
            "date",
            "falta date: time necesita un día".to_owned(),
            "date is missing: time needs a day".to_owned(),
        )),
        (None, Some(_), None) => Err(wrong(
            "time",
            "falta time: date necesita una hora".to_owned(),
            "time is missing: date needs a time".to_owned(),
        )),
    }
}

/// What was said by its name is not spoken of as an id.
fn given_by_name(service: bool, branch: bool, staff: bool) -> Vec<(&'static str, &'static str)> {
    let names = [
        (service, ("service_id", "service_name")),
        (branch, ("branch_id", "branch_name")),
        (staff, ("staff_id", "staff_name")),
    ];
    let given = names.into_iter().filter(|(by_name, _)| *by_name);
    given.map(|(_, renamed)| renamed).collect()
}

/// Names what is wrong as the arguments are called. A model whose time is taken should ask what is
/// free.
fn for_model(error: Error, given: &[(&str, &str)]) -> Error {
    let error = error.with_fields_renamed(&[("start", "time"), ("party", "party_size")]);
    let error = error.with_fields_renamed(given);
    if error.code() == ErrorCode::SlotUnavailable {
        return error.with("hint", "call get_available_slots and offer what it returns");
    }
    error
}

/// The start on the clock of the branch.
fn local_start(appointment: &Appointment) -> Zoned {
    let zone = TimeZone::get(&appointment.time_zone).unwrap_or(TimeZone::UTC);
    appointment.starts_at.to_zoned(zone)
}

fn tell(turn: &Turn<'_>, appointment: &Appointment, es: &str, en: &str) -> Value {
    let local = local_start(appointment);
    let language = turn.language();
    let when = describe_moment(local.datetime(), language);
    let (what, with, done) = match language {
        Language::Es => ("Cita", "con", es),
        Language::En => ("Appointment", "with", en),
    };
    let what = match appointment.service_name.as_str() {
        "" => what,
        service => service,
    };
    let staff = appointment.staff_name.as_ref();
    let staff = staff.map_or_else(String::new, |name| format!(" {with} {name}"));
    let message = format!("{what} {done}: {when}{staff}, {}.", appointment.branch_name);
    json!({
        "success": true,
        "appointment_id": appointment.id,
        "status": match appointment.status {
            AppointmentStatus::Held => "held",
            other => other.as_str(),
        },
        "service": appointment.service_name,
        "date": local.date(),
        "time": local.strftime("%H:%M").to_string(),
        "branch_name": appointment.branch_name,
        "staff_name": appointment.staff_name,
        "table_name": appointment.table_name,
        "party_size": appointment.party,
        "confirmation_message": message,
    })
}
