use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::profile;
use quipu_commerce::business::BusinessProfile;

/// Say what the business is. What is left out is emptied.
#[utoipa::path(
    put,
    path = "/api/v1/business",
    tag = "business",
    operation_id = "put_business",
    request_body = BusinessProfile,
    security(("bearer" = [])),
    responses((status = 200, body = BusinessProfile))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<BusinessProfile>,
) -> Result<Json<BusinessProfile>, ApiError> {
    Ok(Json(profile::put(&state.app, &actor, input).await?))
}
