use crate::http::error::ErrorBody;
use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::documents::AddText;
use quipu_app::knowledge;
use quipu_core::knowledge::Document;

/// Add a text to the agent's knowledge. It is searchable as soon as its status is `completed`.
#[utoipa::path(
    post,
    path = "/api/v1/agents/{agent}/knowledge",
    tag = "knowledge",
    operation_id = "add_agent_knowledge",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    request_body = AddText,
    security(("bearer" = [])),
    responses((status = 202, body = Document), (status = 402, description = "Not enough credits", body = ErrorBody))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    Json(input): Json<AddText>,
) -> Result<(StatusCode, Json<Document>), ApiError> {
    let document = knowledge::add_text(&state.app, &actor, &agent, input).await?;
    Ok((StatusCode::ACCEPTED, Json(document)))
}
