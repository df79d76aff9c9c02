use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::orders::{self, PlaceOrder};
use quipu_commerce::order::Order;

/// Place an order, thing by thing or in the customer's own words.
#[utoipa::path(
    post,
    path = "/api/v1/orders",
    tag = "orders",
    operation_id = "create_order",
    request_body = PlaceOrder,
    security(("bearer" = [])),
    responses((status = 201, body = Order))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<PlaceOrder>,
) -> Result<(StatusCode, Json<Order>), ApiError> {
    Ok((
        StatusCode::CREATED,
        Json(orders::create(&state.app, &actor, input).await?),
    ))
}
