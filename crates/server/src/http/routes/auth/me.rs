use crate::http::extract::{Caller, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::auth::{self, Me};

/// Who is signed in, and where they can work.
#[utoipa::path(
    get,
    path = "/api/v1/auth/me",
    tag = "auth",
    operation_id = "me",
    security(("bearer" = [])),
    responses((status = 200, body = Me))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
) -> Result<Json<Me>, ApiError> {
    Ok(Json(auth::me(&state.app, &principal).await?))
}
