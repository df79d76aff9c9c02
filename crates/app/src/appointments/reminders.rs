//! Reminding customers of what they booked.

use crate::App;
use crate::conversations::append;
use crate::conversations::outgoing::MessageExtras;
use jiff::SignedDuration;
use jiff::tz::TimeZone;
use quipu_commerce::appointment::{Appointment, AppointmentStatus};
use quipu_commerce::business::ResponseTemplate;
use quipu_commerce::calendar::describe_date;
use quipu_core::conversation::{MessageRole, NewMessage};
use quipu_core::history::Subject;
use quipu_core::job::{ClaimedJob, NewJob};
use quipu_core::language::Language;
use quipu_core::phrases;
use quipu_core::tenancy::TenantScope;
use quipu_core::{AppointmentId, Error, Result};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(crate) const REMIND: &str = "remind_appointment";

#[derive(Debug, Serialize, Deserialize)]
struct Reminder {
    appointment_id: AppointmentId,
    /// An appointment that was moved since has reminders of its own.
    revision: u32,
    minutes: u32,
}

/// Queues the reminders that are still to come. A reminder whose time has passed already would
/// only disturb.
pub(super) async fn enqueue(
    app: &App,
    tx: &TenantTx,
    appointment: &Appointment,
    reminder_minutes: &[u32],
) -> Result<()> {
    for minutes in reminder_minutes {
        let ahead = SignedDuration::from_mins(i64::from(*minutes));
        let Ok(run_at) = appointment.starts_at.checked_sub(ahead) else {
            continue;
        };
        if run_at <= tx.now() {
            continue;
        }
        let reminder = Reminder {
            appointment_id: appointment.id,
            revision: appointment.revision,
            minutes: *minutes,
        };
        let key = format!(
            "{REMIND}:{}:{}:{minutes}",
            appointment.id, appointment.revision
        );
        tx.jobs()
            .enqueue(&NewJob {
                kind: REMIND,
                payload: serde_json::to_value(&reminder).map_err(Error::internal)?,
                dedup_key: Some(key),
                run_at,
                max_attempts: app.job_attempts,
                owner: None,
            })
            .await?;
    }
    Ok(())
}

/// Reminds of an appointment that still stands, and writes it into its history. Returns `false`
/// when the lease was lost.
pub(crate) async fn remind(app: &App, scope: TenantScope, job: &ClaimedJob) -> Result<bool> {
    let reminder: Reminder =
        serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    let tx = app.store.begin(scope).await?;
    if !tx.jobs().complete(job).await? {
        return Ok(false);
    }
    let id = reminder.appointment_id;
    if let Some((appointment, _)) = tx.appointments().lock(id).await?
        && appointment.status == AppointmentStatus::Confirmed
        && appointment.revision == reminder.revision
        && appointment.starts_at > tx.now()
    {
        say(&tx, &appointment).await?;
        let details = json!({ "minutes": reminder.minutes });
        tx.history()
            .add(
                Subject::Appointment,
                id.uuid(),
                "reminded",
                "system",
                details,
            )
            .await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// Says it in the conversation in which the appointment was made: in the words of the template of
/// the business that is called like that, or in ours.
async fn say(tx: &TenantTx, appointment: &Appointment) -> Result<()> {
    let Some(conversation) = appointment.conversation_id else {
        return Ok(());
    };
    let Some(conversation) = tx.conversations().lock(conversation).await? else {
        return Ok(());
    };
    let locale = tx.profile().get().await?.locale;
    let language = Language::parse_or_default(locale.split('-').next().unwrap_or_default());
    let name = match language {
        Language::Es => "Recordatorio de cita",
        Language::En => "Appointment reminder",
    };
    let zone = TimeZone::get(&appointment.time_zone).unwrap_or(TimeZone::UTC);
    let local = appointment.starts_at.to_zoned(zone);
    let date = describe_date(local.date(), language);
    let time = local.strftime("%H:%M").to_string();
    let template = tx
        .catalogue()
        .find_by_name::<ResponseTemplate>(name)
        .await?
        .filter(|template| template.data.active);
    let text = match template {
        Some(template) => template.data.fill(|variable| match variable {
            "nombre" | "name" => Some(appointment.customer_name.as_deref().unwrap_or_default()),
            "servicio" | "service" => Some(&appointment.service_name),
            "fecha" | "date" => Some(&date),
            "hora" | "time" => Some(&time),
            "sucursal" | "branch" | "sede" => Some(&appointment.branch_name),
            "profesional" | "staff" => Some(appointment.staff_name.as_deref().unwrap_or_default()),
            _ => None,
        }),
        None => phrases::reminder(
            &appointment.service_name,
            &date,
            &time,
            &appointment.branch_name,
            language,
        ),
    };
    let name = appointment.customer_name.clone().unwrap_or_default();
    let extras = MessageExtras {
        template_values: vec![
            name,
            appointment.service_name.clone(),
            date.clone(),
            time.clone(),
            appointment.branch_name.clone(),
        ],
        ..MessageExtras::default()
    };
    let message = NewMessage {
        role: MessageRole::System,
        author: "system".to_owned(),
        text,
        metadata: extras.into(json!({ "appointment_id": appointment.id, "kind": "reminder" }))?,
    };
    append(tx, &conversation, &message).await?;
    Ok(())
}
