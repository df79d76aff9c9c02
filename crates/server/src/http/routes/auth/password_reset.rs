use crate::http::error::ErrorBody;
use crate::http::extract::{ClientAddress, Json, OwnPage};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::auth;
use secrecy::SecretString;
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ResetPassword {
    #[schema(max_length = 100, example = "qr_…")]
    reset_token: String,
    #[schema(value_type = String, min_length = 10, max_length = 200)]
    password: SecretString,
}

/// Set a password with a one-time token. All sessions of the person end.
#[utoipa::path(
    post,
    path = "/api/v1/auth/password/reset",
    tag = "auth",
    operation_id = "reset_password",
    request_body = ResetPassword,
    security(),
    responses((status = 204), (status = 429, description = "Too many attempts", body = ErrorBody))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    _: OwnPage,
    Json(input): Json<ResetPassword>,
) -> Result<StatusCode, ApiError> {
    state.app.rate.check_sign_in(address)?;
    auth::reset_password(&state.app, &input.reset_token, &input.password, address).await?;
    Ok(StatusCode::NO_CONTENT)
}
