use crate::http::extract::{Caller, Headers, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::tenants::{self, UpdateTenant};
use quipu_core::TenantId;
use quipu_core::tenancy::Tenant;

/// Change a tenant's plan, status or description. For `super_admin`.
#[utoipa::path(
    patch,
    path = "/api/v1/tenants/{tenant_id}",
    tag = "platform",
    operation_id = "update_tenant",
    params(("tenant_id" = TenantId, Path)),
    request_body = UpdateTenant,
    security(("bearer" = [])),
    responses((status = 200, body = Tenant))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
    Headers { request, .. }: Headers,
    Path(id): Path<TenantId>,
    Json(input): Json<UpdateTenant>,
) -> Result<Json<Tenant>, ApiError> {
    Ok(Json(
        tenants::update(&state.app, &principal, id, input, &request).await?,
    ))
}
