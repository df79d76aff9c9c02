use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::profile;
use quipu_commerce::business::BusinessProfile;

/// What the business says of itself.
#[utoipa::path(
    get,
    path = "/api/v1/business",
    tag = "business",
    operation_id = "get_business",
    security(("bearer" = [])),
    responses((status = 200, body = BusinessProfile))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
) -> Result<Json<BusinessProfile>, ApiError> {
    Ok(Json(profile::get(&state.app, &actor).await?))
}
