use crate::http::extract::{Caller, Headers, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::tenants;
use quipu_core::TenantId;
use quipu_core::removal::DeletionReceipt;

/// Delete a tenant and everything it owns. The answer counts what was removed. For `super_admin`.
#[utoipa::path(
    delete,
    path = "/api/v1/tenants/{tenant_id}",
    tag = "platform",
    operation_id = "delete_tenant",
    params(("tenant_id" = TenantId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = DeletionReceipt))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
    Headers { request, .. }: Headers,
    Path(id): Path<TenantId>,
) -> Result<Json<DeletionReceipt>, ApiError> {
    Ok(Json(
        tenants::delete(&state.app, &principal, id, &request).await?,
    ))
}
