use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::tenants;
use quipu_core::removal::StoreCounts;

/// What would go if the tenant were deleted.
#[utoipa::path(
    get,
    path = "/api/v1/tenant/deletion",
    tag = "tenant",
    operation_id = "preview_tenant_deletion",
    security(("bearer" = [])),
    responses((status = 200, body = StoreCounts))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
) -> Result<Json<StoreCounts>, ApiError> {
    Ok(Json(tenants::what_ends(&state.app, &actor).await?))
}
