use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::appointments;
use quipu_commerce::appointment::Appointment;
use quipu_core::AppointmentId;

/// Confirm an appointment that is held.
#[utoipa::path(
    post,
    path = "/api/v1/appointments/{appointment_id}/confirm",
    tag = "appointments",
    operation_id = "confirm_appointment",
    params(("appointment_id" = AppointmentId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = Appointment))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<AppointmentId>,
) -> Result<Json<Appointment>, ApiError> {
    Ok(Json(appointments::confirm(&state.app, &actor, id).await?))
}
