use crate::http::extract::{InTenant, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::secrets;

/// Delete a secret.
#[utoipa::path(
    delete,
    path = "/api/v1/secrets/{secret_name}",
    tag = "secrets",
    operation_id = "delete_secret",
    params(("secret_name" = String, Path, min_length = 1, max_length = 64, pattern = "^[a-z][a-z0-9_]*$", example = "n8n_shared_secret")),
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(name): Path<String>,
) -> Result<StatusCode, ApiError> {
    secrets::delete(&state.app, &actor, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}
