use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::gaps;
use quipu_core::TurnId;
use quipu_core::gap::KnowledgeGap;

/// Take back what was decided about a gap. A frequent question that was made of it stays.
#[utoipa::path(
    post,
    path = "/api/v1/gaps/{turn_id}/reopen",
    tag = "turns",
    operation_id = "reopen_gap",
    params(("turn_id" = TurnId, Path, description = "The gap's id, or any turn of it")),
    security(("bearer" = [])),
    responses((status = 200, body = KnowledgeGap))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<TurnId>,
) -> Result<Json<KnowledgeGap>, ApiError> {
    Ok(Json(gaps::reopen(&state.app, &actor, id).await?))
}
