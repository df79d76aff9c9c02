use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::jobs;
use quipu_core::JobId;
use quipu_core::job::Job;

/// One job.
#[utoipa::path(
    get,
    path = "/api/v1/jobs/{job_id}",
    tag = "jobs",
    operation_id = "get_job",
    params(("job_id" = JobId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = Job))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<JobId>,
) -> Result<Json<Job>, ApiError> {
    Ok(Json(jobs::get(&state.app, &actor, id).await?))
}
