use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::secrets;
use quipu_core::access::SecretInfo;

/// The tenant's secrets: names and masks, never values.
#[utoipa::path(
    get,
    path = "/api/v1/secrets",
    tag = "secrets",
    operation_id = "list_secrets",
    security(("bearer" = [])),
    responses((status = 200, body = Vec<SecretInfo>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
) -> Result<Json<Vec<SecretInfo>>, ApiError> {
    Ok(Json(secrets::list(&state.app, &actor).await?))
}
