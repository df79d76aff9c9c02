use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::api_keys::{self, CreateApiKey, CreatedApiKey};

/// Make a key. It is shown in this answer and never again.
#[utoipa::path(
    post,
    path = "/api/v1/api-keys",
    tag = "api-keys",
    operation_id = "create_api_key",
    request_body = CreateApiKey,
    security(("bearer" = [])),
    responses((status = 201, body = CreatedApiKey))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<CreateApiKey>,
) -> Result<(StatusCode, Json<CreatedApiKey>), ApiError> {
    Ok((
        StatusCode::CREATED,
        Json(api_keys::create(&state.app, &actor, input).await?),
    ))
}
