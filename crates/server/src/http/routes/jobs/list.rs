use crate::http::extract::{InTenant, Json, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::jobs;
use quipu_core::job::{Job, JobStatus};
use quipu_core::page::{Page, PageRequest};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct JobsFilter {
    #[param(inline)]
    status: Option<JobStatus>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// The tenant's jobs, newest first. `status=dead` is the dead letter.
#[utoipa::path(
    get,
    path = "/api/v1/jobs",
    tag = "jobs",
    operation_id = "list_jobs",
    params(JobsFilter),
    security(("bearer" = [])),
    responses((status = 200, body = Page<Job>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(filter): Query<JobsFilter>,
) -> Result<Json<Page<Job>>, ApiError> {
    let page = PageRequest::parse(filter.limit, filter.cursor.as_deref())?;
    Ok(Json(
        jobs::list(&state.app, &actor, filter.status, page).await?,
    ))
}
