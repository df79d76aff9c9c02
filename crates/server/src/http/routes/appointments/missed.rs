use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::appointments;
use quipu_commerce::appointment::Appointment;
use quipu_core::AppointmentId;

/// Say that nobody came. It must have begun.
#[utoipa::path(
    post,
    path = "/api/v1/appointments/{appointment_id}/no-show",
    tag = "appointments",
    operation_id = "miss_appointment",
    params(("appointment_id" = AppointmentId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = Appointment))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<AppointmentId>,
) -> Result<Json<Appointment>, ApiError> {
    Ok(Json(appointments::missed(&state.app, &actor, id).await?))
}
