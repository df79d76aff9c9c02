use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::appointments::{self, AppointmentWithHistory};
use quipu_core::AppointmentId;

/// An appointment with everything that happened to it.
#[utoipa::path(
    get,
    path = "/api/v1/appointments/{appointment_id}",
    tag = "appointments",
    operation_id = "get_appointment",
    params(("appointment_id" = AppointmentId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = AppointmentWithHistory))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<AppointmentId>,
) -> Result<Json<AppointmentWithHistory>, ApiError> {
    Ok(Json(appointments::get(&state.app, &actor, id).await?))
}
