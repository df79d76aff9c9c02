use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::chat::{self, PreviewPrompt, PromptPreview};

/// Show the prompt of an agent as a model is told it, or would be with changes that are not saved.
///
/// Each section with its text, what it takes in tokens and what differs from what is live. Nothing is kept.
#[utoipa::path(
    post,
    path = "/api/v1/agents/{agent}/prompts/preview",
    tag = "agents",
    operation_id = "preview_agent_prompt",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    request_body = PreviewPrompt,
    security(("bearer" = [])),
    responses((status = 200, body = PromptPreview))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    Json(wanted): Json<PreviewPrompt>,
) -> Result<Json<PromptPreview>, ApiError> {
    let preview = chat::preview_prompt(&state.app, &actor, &agent, wanted).await?;
    Ok(Json(preview))
}
