use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::turns;
use quipu_core::health::ProviderHealth;

/// The providers that were asked lately, and whether they are being asked: one that fails too often is
/// left alone for a while. Each process of the server knows its own.
#[utoipa::path(
    get,
    path = "/api/v1/statistics/providers",
    tag = "turns",
    operation_id = "get_provider_health",
    security(("bearer" = [])),
    responses((status = 200, body = Vec<ProviderHealth>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
) -> Result<Json<Vec<ProviderHealth>>, ApiError> {
    Ok(Json(turns::providers(&state.app, &actor)?))
}
