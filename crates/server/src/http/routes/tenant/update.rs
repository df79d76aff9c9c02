use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::tenants::{self, UpdateProfile};
use quipu_core::tenancy::Tenant;

/// Change the tenant's name, locale or time zone.
#[utoipa::path(
    patch,
    path = "/api/v1/tenant",
    tag = "tenant",
    operation_id = "update_current_tenant",
    request_body = UpdateProfile,
    security(("bearer" = [])),
    responses((status = 200, body = Tenant))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<UpdateProfile>,
) -> Result<Json<Tenant>, ApiError> {
    Ok(Json(
        tenants::update_profile(&state.app, &actor, input).await?,
    ))
}
