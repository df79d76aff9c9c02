use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::turns::{self, GiveFeedback};
use quipu_core::TurnId;
use quipu_core::turn::Feedback;

/// Say whether an answer helped. Saying so again takes the place of what was said before. A program
/// that names the customer of the turn passes on what they said.
#[utoipa::path(
    put,
    path = "/api/v1/turns/{turn_id}/feedback",
    tag = "turns",
    operation_id = "put_turn_feedback",
    params(("turn_id" = TurnId, Path)),
    request_body = GiveFeedback,
    security(("bearer" = [])),
    responses((status = 200, body = Feedback))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<TurnId>,
    Json(input): Json<GiveFeedback>,
) -> Result<Json<Feedback>, ApiError> {
    let kept = turns::give_feedback(&state.app, &actor, id, &input).await?;
    Ok(Json(kept))
}
