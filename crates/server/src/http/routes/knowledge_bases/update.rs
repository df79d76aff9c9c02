use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::knowledge_bases::{self, UpdateKnowledgeBase};
use quipu_core::KnowledgeBaseId;
use quipu_core::knowledge::CountedKb;

/// Change a knowledge base, archive it, or bring it back.
#[utoipa::path(
    patch,
    path = "/api/v1/knowledge-bases/{kb_id}",
    tag = "knowledge",
    operation_id = "update_knowledge_base",
    params(("kb_id" = KnowledgeBaseId, Path)),
    request_body = UpdateKnowledgeBase,
    security(("bearer" = [])),
    responses((status = 200, body = CountedKb))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
    Json(input): Json<UpdateKnowledgeBase>,
) -> Result<Json<CountedKb>, ApiError> {
    Ok(Json(
        knowledge_bases::update(&state.app, &actor, kb, input).await?,
    ))
}
