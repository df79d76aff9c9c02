use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::orders::{self, OrderDetails};
use quipu_core::OrderId;

/// One order with its history.
#[utoipa::path(
    get,
    path = "/api/v1/orders/{order_id}",
    tag = "orders",
    operation_id = "get_order",
    params(("order_id" = OrderId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = OrderDetails))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<OrderId>,
) -> Result<Json<OrderDetails>, ApiError> {
    Ok(Json(orders::get(&state.app, &actor, id).await?))
}
