use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::appointments::{self, RescheduleAppointment};
use quipu_commerce::appointment::Appointment;
use quipu_core::AppointmentId;

/// Move an appointment. When the new time is taken, it keeps the old one.
#[utoipa::path(
    post,
    path = "/api/v1/appointments/{appointment_id}/reschedule",
    tag = "appointments",
    operation_id = "reschedule_appointment",
    params(("appointment_id" = AppointmentId, Path)),
    request_body = RescheduleAppointment,
    security(("bearer" = [])),
    responses((status = 200, body = Appointment))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<AppointmentId>,
    Json(input): Json<RescheduleAppointment>,
) -> Result<Json<Appointment>, ApiError> {
    Ok(Json(
        appointments::reschedule(&state.app, &actor, id, &input).await?,
    ))
}
