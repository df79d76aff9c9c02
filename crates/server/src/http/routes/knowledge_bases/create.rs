use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::knowledge_bases::{self, CreateKnowledgeBase};
use quipu_core::knowledge::CountedKb;

/// Make a knowledge base: a `global` one for the tenant, or a `personal` one for yourself alone.
#[utoipa::path(
    post,
    path = "/api/v1/knowledge-bases",
    tag = "knowledge",
    operation_id = "create_knowledge_base",
    request_body = CreateKnowledgeBase,
    security(("bearer" = [])),
    responses((status = 201, body = CountedKb))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<CreateKnowledgeBase>,
) -> Result<(StatusCode, Json<CountedKb>), ApiError> {
    let made = knowledge_bases::create(&state.app, &actor, input).await?;
    Ok((StatusCode::CREATED, Json(made)))
}
