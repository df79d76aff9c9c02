use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::appointments::{self, UpdateAppointment};
use quipu_commerce::appointment::Appointment;
use quipu_core::AppointmentId;

/// Change the notes of an appointment.
#[utoipa::path(
    patch,
    path = "/api/v1/appointments/{appointment_id}",
    tag = "appointments",
    operation_id = "update_appointment",
    params(("appointment_id" = AppointmentId, Path)),
    request_body = UpdateAppointment,
    security(("bearer" = [])),
    responses((status = 200, body = Appointment))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<AppointmentId>,
    Json(input): Json<UpdateAppointment>,
) -> Result<Json<Appointment>, ApiError> {
    Ok(Json(
        appointments::update(&state.app, &actor, id, input).await?,
    ))
}
