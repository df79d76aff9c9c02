use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::orders::{self, ChangeStatus};
use quipu_commerce::order::Order;
use quipu_core::OrderId;

/// Take an order a step further. Completing it gives its tokens.
#[utoipa::path(
    post,
    path = "/api/v1/orders/{order_id}/status",
    tag = "orders",
    operation_id = "change_order_status",
    params(("order_id" = OrderId, Path)),
    request_body = ChangeStatus,
    security(("bearer" = [])),
    responses((status = 200, body = Order))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<OrderId>,
    Json(input): Json<ChangeStatus>,
) -> Result<Json<Order>, ApiError> {
    Ok(Json(
        orders::change_status(&state.app, &actor, id, input).await?,
    ))
}
