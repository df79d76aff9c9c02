use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::knowledge_bases::{self, Assign};
use quipu_core::KnowledgeBaseId;
use quipu_core::knowledge::Assignment;

/// Let an agent read a knowledge base, or change how much it counts there.
#[utoipa::path(
    post,
    path = "/api/v1/knowledge-bases/{kb_id}/assignments",
    tag = "knowledge",
    operation_id = "assign_knowledge_base",
    params(("kb_id" = KnowledgeBaseId, Path)),
    request_body = Assign,
    security(("bearer" = [])),
    responses((status = 200, body = Assignment))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
    Json(input): Json<Assign>,
) -> Result<Json<Assignment>, ApiError> {
    Ok(Json(
        knowledge_bases::assign(&state.app, &actor, kb, input).await?,
    ))
}
