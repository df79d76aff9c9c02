use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::orders::{self, CancelOrder};
use quipu_commerce::order::Order;
use quipu_core::OrderId;

/// Cancel an order. A reward that was applied to it can be used again.
#[utoipa::path(
    post,
    path = "/api/v1/orders/{order_id}/cancel",
    tag = "orders",
    operation_id = "cancel_order",
    params(("order_id" = OrderId, Path)),
    request_body = CancelOrder,
    security(("bearer" = [])),
    responses((status = 200, body = Order))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<OrderId>,
    Json(input): Json<CancelOrder>,
) -> Result<Json<Order>, ApiError> {
    Ok(Json(orders::cancel(&state.app, &actor, id, input).await?))
}
