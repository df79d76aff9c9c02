use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::n8n::{self, N8nSettings};

/// Have the tenant's own n8n answer on channels, or the agents again. The secret `n8n_shared_secret` is stored
/// before.
#[utoipa::path(
    put,
    path = "/api/v1/n8n",
    tag = "n8n-mode",
    operation_id = "put_n8n",
    request_body = N8nSettings,
    security(("bearer" = [])),
    responses((status = 200, body = N8nSettings))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<N8nSettings>,
) -> Result<Json<N8nSettings>, ApiError> {
    Ok(Json(n8n::put(&state.app, &actor, input).await?))
}
