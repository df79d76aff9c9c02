use crate::http::extract::{Caller, Json, Paging, PagingParams};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::tenants;
use quipu_core::page::Page;
use quipu_core::tenancy::Tenant;

/// All tenants, newest first. For `super_admin`.
#[utoipa::path(
    get,
    path = "/api/v1/tenants",
    tag = "platform",
    operation_id = "list_tenants",
    params(PagingParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<Tenant>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
    Paging(page): Paging,
) -> Result<Json<Page<Tenant>>, ApiError> {
    Ok(Json(tenants::list(&state.app, &principal, page).await?))
}
