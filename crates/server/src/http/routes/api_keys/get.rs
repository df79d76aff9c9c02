use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::api_keys;
use quipu_core::ApiKeyId;
use quipu_core::access::ApiKey;

/// One key.
#[utoipa::path(
    get,
    path = "/api/v1/api-keys/{api_key_id}",
    tag = "api-keys",
    operation_id = "get_api_key",
    params(("api_key_id" = ApiKeyId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = ApiKey))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<ApiKeyId>,
) -> Result<Json<ApiKey>, ApiError> {
    Ok(Json(api_keys::get(&state.app, &actor, id).await?))
}
