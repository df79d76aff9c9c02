use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::appointments::{self, MakeAppointment};
use quipu_commerce::appointment::Appointment;

/// Make an appointment, or hold its time for a while with `hold`.
#[utoipa::path(
    post,
    path = "/api/v1/appointments",
    tag = "appointments",
    operation_id = "create_appointment",
    request_body = MakeAppointment,
    security(("bearer" = [])),
    responses((status = 201, body = Appointment))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<MakeAppointment>,
) -> Result<(StatusCode, Json<Appointment>), ApiError> {
    let made = appointments::make(&state.app, &actor, input).await?;
    Ok((StatusCode::CREATED, Json(made)))
}
