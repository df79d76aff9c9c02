//! Appointments as a calendar that other programs follow.

use crate::{Actor, App, catalogue};
use jiff::SignedDuration;
use quipu_core::access::Permission;
use quipu_core::appointment::{Appointment, AppointmentStatus};
use quipu_core::business::{Branch, Staff};
use quipu_core::feed::{FeedEvent, FeedStatus, feed as write};
use quipu_core::{BranchId, Result, StaffId};
use quipu_store::tenant::AppointmentFilter;

/// How far back and ahead a calendar goes.
const DAYS_BACK: i64 = 30;
const DAYS_AHEAD: i64 = 366;
const MOST: u64 = 5_000;

/// Whose calendar it is.
#[derive(Clone, Copy, Debug)]
pub enum Feed {
    Branch(BranchId),
    Staff(StaffId),
}

/// # Errors
/// `NOT_FOUND` when there is no such branch or person.
pub async fn feed(app: &App, actor: &Actor, of: Feed) -> Result<String> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let mut filter = AppointmentFilter::default();
    let name = match of {
        Feed::Branch(id) => {
            filter.branch = Some(id);
            catalogue::load::<Branch>(&tx, id.uuid()).await?.data.name
        }
        Feed::Staff(id) => {
            filter.resource = Some(id.uuid());
            catalogue::load::<Staff>(&tx, id.uuid()).await?.data.name
        }
    };
    let now = tx.now();
    let days = |days: i64| SignedDuration::from_hours(24 * days);
    filter.from = Some(now.saturating_sub(days(DAYS_BACK))?);
    filter.to = Some(now.saturating_add(days(DAYS_AHEAD))?);
    let found = tx.appointments().agenda(&filter, MOST).await?;
    let events: Vec<FeedEvent> = found
        .iter()
        .filter_map(|appointment| {
            let status = match appointment.status_at(now) {
                AppointmentStatus::Held => FeedStatus::Tentative,
                AppointmentStatus::Cancelled => FeedStatus::Cancelled,
                AppointmentStatus::Expired => return None,
                _ => FeedStatus::Confirmed,
            };
            Some(event(appointment, status))
        })
        .collect();
    Ok(write(&name, now, &events))
}

fn event(appointment: &Appointment, status: FeedStatus) -> FeedEvent {
    let customer = appointment.customer_name.as_deref();
    let with = [&appointment.staff_name, &appointment.table_name];
    let with = with.into_iter().flatten().map(String::as_str);
    let notes = appointment.notes.as_deref();
    let lines: Vec<&str> = with.chain(notes).collect();
    FeedEvent {
        uid: format!("{}@quipu", appointment.id),
        starts_at: appointment.starts_at,
        ends_at: appointment.ends_at,
        summary: match customer {
            Some(customer) => format!("{} · {customer}", appointment.service_name),
            None => appointment.service_name.clone(),
        },
        description: (!lines.is_empty()).then(|| lines.join("\n")),
        location: Some(appointment.branch_name.clone()),
        status,
        sequence: appointment.revision,
        updated_at: appointment.updated_at,
    }
}
