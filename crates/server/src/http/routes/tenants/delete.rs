use crate::http::extract::{Caller, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::tenants;
use quipu_core::TenantId;

/// Delete a tenant and everything it owns. For `super_admin`.
#[utoipa::path(
    delete,
    path = "/api/v1/tenants/{tenant_id}",
    tag = "platform",
    operation_id = "delete_tenant",
    params(("tenant_id" = TenantId, Path)),
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
    Path(id): Path<TenantId>,
) -> Result<StatusCode, ApiError> {
    tenants::delete(&state.app, &principal, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
