use crate::http::extract::{InTenant, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::api_keys;
use quipu_core::ApiKeyId;

/// Revoke a key. It stops working with the next request.
#[utoipa::path(
    delete,
    path = "/api/v1/api-keys/{api_key_id}",
    tag = "api-keys",
    operation_id = "revoke_api_key",
    params(("api_key_id" = ApiKeyId, Path)),
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ApiKeyId>,
) -> Result<StatusCode, ApiError> {
    api_keys::revoke(&state.app, &actor, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
