//! Appointments: made, confirmed, moved, and what became of them.

mod bounds;
mod change;
mod feed;
mod make;
mod place;
mod reminders;

pub use bounds::{first_instant, instant_past};
pub use change::{
    CancelAppointment, RescheduleAppointment, UpdateAppointment, cancel, complete, confirm, missed,
    reschedule, update,
};
pub(crate) use change::{cancel_in, reschedule_in};
pub use feed::{Feed, FeedLink, link, open, revoke};
pub(crate) use make::make_in;
pub use make::{MakeAppointment, make};
pub(crate) use reminders::{REMIND, remind};

use crate::{Actor, App};
use quipu_commerce::appointment::{Appointment, AppointmentOrder};
use quipu_core::access::Permission;
use quipu_core::history::{HistoryEntry, Subject};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{AppointmentId, Error, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::AppointmentFilter;
use serde::Serialize;
use utoipa::ToSchema;

/// An appointment with everything that happened to it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AppointmentWithHistory {
    #[serde(flatten)]
    pub appointment: Appointment,
    pub history: Vec<HistoryEntry>,
}

/// # Errors
/// `NOT_FOUND` when the tenant has no such appointment.
pub async fn get(app: &App, actor: &Actor, id: AppointmentId) -> Result<AppointmentWithHistory> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let appointment = load(&tx, id).await?;
    let history = tx.history().of(Subject::Appointment, id.uuid()).await?;
    Ok(AppointmentWithHistory {
        appointment,
        history,
    })
}

/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn list(
    app: &App,
    actor: &Actor,
    filter: &AppointmentFilter,
    order: AppointmentOrder,
    page: PageRequest,
) -> Result<Page<Appointment>> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let now = tx.now();
    let page = tx.appointments().list(filter, order, page).await?;
    Ok(page.map(|mut found| {
        found.status = found.status_at(now);
        found
    }))
}

/// An appointment as it is now.
pub(crate) async fn load(tx: &TenantTx, id: AppointmentId) -> Result<Appointment> {
    let found = tx.appointments().find(id).await?;
    let mut found = found.ok_or_else(|| Error::not_found("appointment"))?;
    found.status = found.status_at(tx.now());
    Ok(found)
}
