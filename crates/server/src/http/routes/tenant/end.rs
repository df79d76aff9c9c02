use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::tenants::{self, EndTenant};
use quipu_core::removal::DeletionReceipt;

/// Delete the tenant one works in and everything it owns. Only a person can, by writing its name; the
/// answer counts what was removed. There is no way back.
#[utoipa::path(
    post,
    path = "/api/v1/tenant/deletion",
    tag = "tenant",
    operation_id = "delete_current_tenant",
    request_body = EndTenant,
    security(("bearer" = [])),
    responses((status = 200, body = DeletionReceipt))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<EndTenant>,
) -> Result<Json<DeletionReceipt>, ApiError> {
    Ok(Json(tenants::end_own(&state.app, &actor, &input).await?))
}
