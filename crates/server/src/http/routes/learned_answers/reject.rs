use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::learning;
use quipu_core::LearnedAnswerId;
use quipu_core::learning::LearnedAnswer;

/// Decide that a proposal is not worth knowing.
#[utoipa::path(
    post,
    path = "/api/v1/learned-answers/{learned_answer_id}/reject",
    tag = "business",
    operation_id = "reject_learned_answer",
    params(("learned_answer_id" = LearnedAnswerId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = LearnedAnswer))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<LearnedAnswerId>,
) -> Result<Json<LearnedAnswer>, ApiError> {
    Ok(Json(learning::reject(&state.app, &actor, id).await?))
}
