use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::orders::{self, OrderQuote, PlaceOrder};

/// What an order would come to, without placing it.
#[utoipa::path(
    post,
    path = "/api/v1/orders/quote",
    tag = "orders",
    operation_id = "quote_order",
    request_body = PlaceOrder,
    security(("bearer" = [])),
    responses((status = 200, body = OrderQuote))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<PlaceOrder>,
) -> Result<Json<OrderQuote>, ApiError> {
    Ok(Json(orders::quote(&state.app, &actor, input).await?))
}
