use crate::http::extract::{Caller, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::auth;
use secrecy::SecretString;
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangePassword {
    #[schema(value_type = String, max_length = 200)]
    current_password: SecretString,
    #[schema(value_type = String, min_length = 10, max_length = 200)]
    new_password: SecretString,
}

/// Change the own password. The other sessions end.
#[utoipa::path(
    post,
    path = "/api/v1/auth/password",
    tag = "auth",
    operation_id = "change_password",
    request_body = ChangePassword,
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
    Json(input): Json<ChangePassword>,
) -> Result<StatusCode, ApiError> {
    auth::change_password(
        &state.app,
        &principal,
        &input.current_password,
        &input.new_password,
    )
    .await?;
    Ok(StatusCode::NO_CONTENT)
}
