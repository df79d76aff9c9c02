use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::prompting;
use quipu_commerce::business::Prompting;

/// How agents are told what the business has.
#[utoipa::path(
    get,
    path = "/api/v1/business/prompting",
    tag = "business",
    operation_id = "get_prompting",
    security(("bearer" = [])),
    responses((status = 200, body = Prompting))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
) -> Result<Json<Prompting>, ApiError> {
    Ok(Json(prompting::get(&state.app, &actor).await?))
}
