use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::prices;
use quipu_core::chat::OwnPrices;

/// The prices of models that the tenant set for itself. All others are those that providers publish.
#[utoipa::path(
    get,
    path = "/api/v1/usage/prices",
    tag = "usage",
    operation_id = "get_prices",
    security(("bearer" = [])),
    responses((status = 200, body = OwnPrices))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
) -> Result<Json<OwnPrices>, ApiError> {
    Ok(Json(prices::get(&state.app, &actor).await?))
}
