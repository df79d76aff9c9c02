use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::gaps::{self, AnswerGap};
use quipu_core::TurnId;
use quipu_core::gap::KnowledgeGap;

/// Make a frequent question of a gap. Every agent knows it then.
#[utoipa::path(
    post,
    path = "/api/v1/gaps/{turn_id}/answer",
    tag = "turns",
    operation_id = "answer_gap",
    params(("turn_id" = TurnId, Path, description = "The gap's id, or any turn of it")),
    request_body = AnswerGap,
    security(("bearer" = [])),
    responses((status = 200, body = KnowledgeGap))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<TurnId>,
    Json(input): Json<AnswerGap>,
) -> Result<Json<KnowledgeGap>, ApiError> {
    Ok(Json(gaps::answer(&state.app, &actor, id, input).await?))
}
