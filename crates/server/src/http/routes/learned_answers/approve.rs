use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::learning::{self, ApproveAnswer};
use quipu_core::LearnedAnswerId;
use quipu_core::learning::LearnedAnswer;

/// Make a frequent question of a proposal, in its own or in better words. Every agent knows it then.
#[utoipa::path(
    post,
    path = "/api/v1/learned-answers/{learned_answer_id}/approve",
    tag = "business",
    operation_id = "approve_learned_answer",
    params(("learned_answer_id" = LearnedAnswerId, Path)),
    request_body = ApproveAnswer,
    security(("bearer" = [])),
    responses((status = 200, body = LearnedAnswer))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<LearnedAnswerId>,
    Json(input): Json<ApproveAnswer>,
) -> Result<Json<LearnedAnswer>, ApiError> {
    let decided = learning::approve(&state.app, &actor, id, input).await?;
    Ok(Json(decided))
}
