use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::jobs;
use quipu_core::JobId;
use quipu_core::job::Job;

/// Give a dead or cancelled job a fresh set of attempts.
#[utoipa::path(
    post,
    path = "/api/v1/jobs/{job_id}/retry",
    tag = "jobs",
    operation_id = "retry_job",
    params(("job_id" = JobId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = Job))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<JobId>,
) -> Result<Json<Job>, ApiError> {
    Ok(Json(jobs::retry(&state.app, &actor, id).await?))
}
