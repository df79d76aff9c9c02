//! What becomes of an appointment.

use super::make::LONGEST_NOTE;
use super::place::{Place, Request};
use super::{load, reminders};
use crate::availability::Choice;
use crate::loyalty::{self, Award};
use crate::{Actor, App, events, profile};
use jiff::tz::TimeZone;
use quipu_commerce::appointment::{Appointment, AppointmentStatus};
use quipu_commerce::calendar::describe_moment;
use quipu_core::access::Permission;
use quipu_core::event::EventKind;
use quipu_core::history::Subject;
use quipu_core::language::Language;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{AppointmentId, BranchId, Error, ErrorCode, Result, StaffId};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CancelAppointment {
    #[schema(max_length = 2000)]
    pub reason: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RescheduleAppointment {
    /// A slot that was offered.
    #[schema(max_length = 200)]
    pub slot_id: Option<String>,
    /// The new start, on the clock of the branch or as an instant.
    #[schema(max_length = 40, example = "2026-11-21T11:00")]
    pub start: Option<String>,
    /// Where it is when left out.
    pub branch_id: Option<BranchId>,
    /// Whoever attends now when left out.
    pub staff_id: Option<StaffId>,
    /// No notice is needed.
    pub urgent: bool,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateAppointment {
    #[schema(max_length = 2000)]
    pub notes: String,
}

/// # Errors
/// `NOT_FOUND`, or `APPOINTMENT_STATE` when it is no longer held.
pub async fn confirm(app: &App, actor: &Actor, id: AppointmentId) -> Result<Appointment> {
    actor.require(Permission::CustomersWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let appointment =
        become_status(&tx, actor, id, AppointmentStatus::Confirmed, json!({})).await?;
    let profile = profile::load(&tx).await?;
    reminders::enqueue(app, &tx, &appointment, &profile.reminder_minutes).await?;
    tx.commit().await?;
    Ok(appointment)
}

/// # Errors
/// `NOT_FOUND`, or `APPOINTMENT_STATE` when it has ended.
pub async fn cancel(
    app: &App,
    actor: &Actor,
    id: AppointmentId,
    input: &CancelAppointment,
) -> Result<Appointment> {
    actor.require(Permission::CustomersWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let appointment = cancel_in(&tx, actor, id, input).await?;
    tx.commit().await?;
    Ok(appointment)
}

pub(crate) async fn cancel_in(
    tx: &TenantTx,
    actor: &Actor,
    id: AppointmentId,
    input: &CancelAppointment,
) -> Result<Appointment> {
    if let Some(reason) = &input.reason {
        let mut checks = Checks::new();
        checks.text("reason", reason, LONGEST_NOTE);
        checks.finish()?;
    }
    let details = json!({ "reason": input.reason });
    become_status(tx, actor, id, AppointmentStatus::Cancelled, details).await
}

/// It took place, and the customer earns what the loyalty programme gives for that.
///
/// # Errors
/// `NOT_FOUND`, `APPOINTMENT_STATE` when it is not confirmed, or `APPOINTMENT_NOT_STARTED`.
pub async fn complete(app: &App, actor: &Actor, id: AppointmentId) -> Result<Appointment> {
    actor.require(Permission::CustomersWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let done = become_status(&tx, actor, id, AppointmentStatus::Completed, json!({})).await?;
    if let Some(lead) = done.lead_id {
        let source = format!("appointment:{id}");
        let award = Award::Appointment;
        loyalty::award_in(&tx, &actor.name(), lead, award, &source).await?;
    }
    tx.commit().await?;
    Ok(done)
}

/// Nobody came.
///
/// # Errors
/// `NOT_FOUND`, `APPOINTMENT_STATE` when it is not confirmed, or `APPOINTMENT_NOT_STARTED`.
pub async fn missed(app: &App, actor: &Actor, id: AppointmentId) -> Result<Appointment> {
    actor.require(Permission::CustomersWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let missed = become_status(&tx, actor, id, AppointmentStatus::NoShow, json!({})).await?;
    tx.commit().await?;
    Ok(missed)
}

/// Changes the notes.
///
/// # Errors
/// `NOT_FOUND` or `VALIDATION_FAILED`.
pub async fn update(
    app: &App,
    actor: &Actor,
    id: AppointmentId,
    input: UpdateAppointment,
) -> Result<Appointment> {
    actor.require(Permission::CustomersWrite)?;
    let mut checks = Checks::new();
    if !input.notes.is_empty() {
        checks.text("notes", &input.notes, LONGEST_NOTE);
    }
    checks.finish()?;
    let tx = app.store.begin(actor.scope()).await?;
    let locked = tx.appointments().lock(id).await?;
    let (mut appointment, held) = locked.ok_or_else(|| Error::not_found("appointment"))?;
    appointment.notes = (!input.notes.is_empty()).then_some(input.notes);
    appointment.updated_at = tx.now();
    tx.appointments().save(&appointment, held).await?;
    note(&tx, actor, id, "noted", json!({})).await?;
    events::appointment(&tx, EventKind::AppointmentChanged, &appointment).await?;
    tx.commit().await?;
    Ok(appointment)
}

/// Moves an appointment: the old time is given back and the new one taken in one transaction, so
/// that whoever asks for a time that is gone keeps the one they have.
///
/// # Errors
/// `SLOT_UNAVAILABLE` with the reason, `APPOINTMENT_STATE`, `NOT_FOUND`.
pub async fn reschedule(
    app: &App,
    actor: &Actor,
    id: AppointmentId,
    input: &RescheduleAppointment,
) -> Result<Appointment> {
    actor.require(Permission::CustomersWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let moved = reschedule_in(app, &tx, actor, id, input).await?;
    tx.commit().await?;
    Ok(moved)
}

pub(crate) async fn reschedule_in(
    app: &App,
    tx: &TenantTx,
    actor: &Actor,
    id: AppointmentId,
    input: &RescheduleAppointment,
) -> Result<Appointment> {
    if input.slot_id.is_none() && input.start.is_none() {
        let mut checks = Checks::new();
        checks.problem("start", Problem::Empty);
        checks.finish()?;
    }
    let before = load(tx, id).await?;
    if !before.status.keeps_time() {
        return Err(before.status.refused());
    }
    // Who else is wanted may be elsewhere; the same person stays where the appointment is.
    let same_staff = before.staff_id.filter(|_| input.slot_id.is_none());
    let staff_id = input.staff_id.or(same_staff);
    let same_branch = Some(before.branch_id).filter(|_| input.slot_id.is_none());
    let branch_id = input.branch_id.or(same_branch);
    let request = Request {
        slot_id: input.slot_id.as_deref(),
        start: input.start.as_deref(),
        service: before.service_id.map_or(Choice::Nothing, Choice::This),
        branch_id,
        staff_id,
        party: Some(before.party),
        urgent: input.urgent,
        moved: Some((id, before.resource())),
    };
    let place = Place::read(tx, actor, &request).await?;
    // It may have changed while we waited for the lock.
    let locked = tx.appointments().lock(id).await?;
    let (mut appointment, _) = locked.ok_or_else(|| Error::not_found("appointment"))?;
    let status = appointment.status_at(tx.now());
    if !status.keeps_time() {
        return Err(status.refused());
    }
    let from = appointment.starts_at;
    place.put_into(&mut appointment);
    appointment.revision += 1;
    appointment.updated_at = tx.now();
    tx.appointments().save(&appointment, place.held()).await?;
    tx.appointments().release(id).await?;
    place.take(tx, id).await?;
    let details = json!({ "from": from, "to": appointment.starts_at });
    note(tx, actor, id, "rescheduled", details).await?;
    events::appointment(tx, EventKind::AppointmentChanged, &appointment).await?;
    if appointment.status == AppointmentStatus::Confirmed {
        let profile = profile::load(tx).await?;
        reminders::enqueue(app, tx, &appointment, &profile.reminder_minutes).await?;
    }
    Ok(appointment)
}

/// Changes the status, gives the time back when it is no longer needed, and writes it down.
async fn become_status(
    tx: &TenantTx,
    actor: &Actor,
    id: AppointmentId,
    next: AppointmentStatus,
    details: Value,
) -> Result<Appointment> {
    let locked = tx.appointments().lock(id).await?;
    let (mut appointment, held) = locked.ok_or_else(|| Error::not_found("appointment"))?;
    appointment.status = appointment.status_at(tx.now()).becomes(next)?;
    // Nobody can have come, or not have come, to what has not begun.
    let ends_it = matches!(
        next,
        AppointmentStatus::Completed | AppointmentStatus::NoShow
    );
    if ends_it && tx.now() < appointment.starts_at {
        return Err(not_started(&appointment));
    }
    appointment.updated_at = tx.now();
    if next != AppointmentStatus::Held {
        appointment.hold_expires_at = None;
    }
    tx.appointments().save(&appointment, held).await?;
    if matches!(
        next,
        AppointmentStatus::Cancelled | AppointmentStatus::NoShow
    ) {
        tx.appointments().release(id).await?;
    }
    note(tx, actor, id, next.as_str(), details).await?;
    let kind = match next {
        AppointmentStatus::Cancelled => EventKind::AppointmentCancelled,
        _ => EventKind::AppointmentChanged,
    };
    events::appointment(tx, kind, &appointment).await?;
    Ok(appointment)
}

fn not_started(appointment: &Appointment) -> Error {
    let zone = TimeZone::get(&appointment.time_zone).unwrap_or(TimeZone::UTC);
    let local = appointment.starts_at.to_zoned(zone).datetime();
    let when = |language| describe_moment(local, language);
    Error::new(ErrorCode::AppointmentNotStarted)
        .with("starts_at", appointment.starts_at.to_string())
        .with_texts("when", when(Language::Es), when(Language::En))
}

async fn note(
    tx: &TenantTx,
    actor: &Actor,
    id: AppointmentId,
    action: &'static str,
    details: Value,
) -> Result<()> {
    tx.history()
        .add(
            Subject::Appointment,
            id.uuid(),
            action,
            &actor.name(),
            details.clone(),
        )
        .await?;
    actor
        .audit(
            tx,
            "appointment.change",
            format!("appointment:{id}"),
            json!({ "action": action }),
        )
        .await
}
