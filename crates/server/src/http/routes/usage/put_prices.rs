use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::prices;
use quipu_core::chat::OwnPrices;

/// Set the tenant's own prices of models, in the place of those it had. They count from now on.
#[utoipa::path(
    put,
    path = "/api/v1/usage/prices",
    tag = "usage",
    operation_id = "put_prices",
    request_body = OwnPrices,
    security(("bearer" = [])),
    responses((status = 200, body = OwnPrices))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<OwnPrices>,
) -> Result<Json<OwnPrices>, ApiError> {
    Ok(Json(prices::put(&state.app, &actor, input).await?))
}
