use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::prompting;
use quipu_commerce::business::Prompting;

/// Say how agents are told what the business has. What is left out goes back to its default.
#[utoipa::path(
    put,
    path = "/api/v1/business/prompting",
    tag = "business",
    operation_id = "put_prompting",
    request_body = Prompting,
    security(("bearer" = [])),
    responses((status = 200, body = Prompting))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<Prompting>,
) -> Result<Json<Prompting>, ApiError> {
    Ok(Json(prompting::put(&state.app, &actor, input).await?))
}
