use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::n8n::{self, N8nSettings};

/// Whether the tenant's own n8n answers on channels, and what happens where it does not.
#[utoipa::path(
    get,
    path = "/api/v1/n8n",
    tag = "n8n-mode",
    operation_id = "get_n8n",
    security(("bearer" = [])),
    responses((status = 200, body = N8nSettings))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
) -> Result<Json<N8nSettings>, ApiError> {
    Ok(Json(n8n::get(&state.app, &actor).await?))
}
