use crate::http::extract::{InTenant, Json, Paging, PagingParams};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::members;
use quipu_core::access::Member;
use quipu_core::page::Page;

/// The people of the tenant.
#[utoipa::path(
    get,
    path = "/api/v1/members",
    tag = "members",
    operation_id = "list_members",
    params(PagingParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<Member>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Paging(page): Paging,
) -> Result<Json<Page<Member>>, ApiError> {
    Ok(Json(members::list(&state.app, &actor, page).await?))
}
