use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::appointments::{self, CancelAppointment};
use quipu_commerce::appointment::Appointment;
use quipu_core::AppointmentId;

/// Cancel an appointment; its time is free again.
#[utoipa::path(
    post,
    path = "/api/v1/appointments/{appointment_id}/cancel",
    tag = "appointments",
    operation_id = "cancel_appointment",
    params(("appointment_id" = AppointmentId, Path)),
    request_body = CancelAppointment,
    security(("bearer" = [])),
    responses((status = 200, body = Appointment))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<AppointmentId>,
    Json(input): Json<CancelAppointment>,
) -> Result<Json<Appointment>, ApiError> {
    Ok(Json(
        appointments::cancel(&state.app, &actor, id, &input).await?,
    ))
}
