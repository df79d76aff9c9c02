use crate::http::extract::{Caller, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::auth::{self, Me, UpdateMe};

/// Say which language you read.
#[utoipa::path(
    patch,
    path = "/api/v1/auth/me",
    tag = "auth",
    operation_id = "update_me",
    request_body = UpdateMe,
    security(("bearer" = [])),
    responses((status = 200, body = Me))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
    Json(input): Json<UpdateMe>,
) -> Result<Json<Me>, ApiError> {
    Ok(Json(auth::update_me(&state.app, &principal, &input).await?))
}
