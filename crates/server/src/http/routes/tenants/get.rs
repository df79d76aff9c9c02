use crate::http::extract::{Caller, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::tenants;
use quipu_core::TenantId;
use quipu_core::tenancy::Tenant;

/// One tenant. For `super_admin`.
#[utoipa::path(
    get,
    path = "/api/v1/tenants/{tenant_id}",
    tag = "platform",
    operation_id = "get_tenant",
    params(("tenant_id" = TenantId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = Tenant))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
    Path(id): Path<TenantId>,
) -> Result<Json<Tenant>, ApiError> {
    Ok(Json(tenants::get(&state.app, &principal, id).await?))
}
