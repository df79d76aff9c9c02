use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::turns;
use quipu_core::TurnId;
use quipu_core::turn::TurnDetails;

/// One turn with its steps, and what people made of it. That of a customer needs `customers:read`.
#[utoipa::path(
    get,
    path = "/api/v1/turns/{turn_id}",
    tag = "turns",
    operation_id = "get_turn",
    params(("turn_id" = TurnId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = TurnDetails))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<TurnId>,
) -> Result<Json<TurnDetails>, ApiError> {
    Ok(Json(turns::get(&state.app, &actor, id).await?))
}
