use crate::http::extract::{InTenant, Json, Paging, PagingParams};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::api_keys;
use quipu_core::access::ApiKey;
use quipu_core::page::Page;

/// The tenant's keys, newest first, revoked ones too.
#[utoipa::path(
    get,
    path = "/api/v1/api-keys",
    tag = "api-keys",
    operation_id = "list_api_keys",
    params(PagingParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<ApiKey>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Paging(page): Paging,
) -> Result<Json<Page<ApiKey>>, ApiError> {
    Ok(Json(api_keys::list(&state.app, &actor, page).await?))
}
