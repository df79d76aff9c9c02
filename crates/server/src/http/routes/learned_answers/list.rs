use crate::http::extract::{InTenant, Json, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::learning;
use quipu_core::learning::{LearnedAnswer, LearnedStatus};
use quipu_core::page::{Page, PageRequest};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct LearnedParams {
    #[param(inline)]
    status: Option<LearnedStatus>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// What people answered in an agent's place, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/learned-answers",
    tag = "business",
    operation_id = "list_learned_answers",
    params(LearnedParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<LearnedAnswer>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(params): Query<LearnedParams>,
) -> Result<Json<Page<LearnedAnswer>>, ApiError> {
    let page = PageRequest::parse(params.limit, params.cursor.as_deref())?;
    let found = learning::list(&state.app, &actor, params.status, page).await?;
    Ok(Json(found))
}
