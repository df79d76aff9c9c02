use crate::http::extract::{Caller, Headers, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::tenants::{self, CreateTenant};
use quipu_core::tenancy::Tenant;

/// Make a tenant. For `super_admin`.
#[utoipa::path(
    post,
    path = "/api/v1/tenants",
    tag = "platform",
    operation_id = "create_tenant",
    request_body = CreateTenant,
    security(("bearer" = [])),
    responses((status = 201, body = Tenant))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
    Headers { request, .. }: Headers,
    Json(input): Json<CreateTenant>,
) -> Result<(StatusCode, Json<Tenant>), ApiError> {
    let tenant = tenants::create(&state.app, &principal, input, &request).await?;
    Ok((StatusCode::CREATED, Json(tenant)))
}
