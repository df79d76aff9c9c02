use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_agents::tool::{self, Access};
use quipu_app::tools::{self, CallTool, ToolResult};

/// Call a tool as the agent would, for a lead or in a conversation.
#[utoipa::path(
    post,
    path = "/api/v1/agents/{agent}/tools/{tool_name}",
    tag = "tools",
    operation_id = "call_tool",
    params(
        ("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50),
        ("tool_name" = String, Path, min_length = 1, max_length = 64),
    ),
    request_body = CallTool,
    security(("bearer" = [])),
    responses(
        (status = 200, description = "Looked up", body = ToolResult),
        (status = 201, description = "Done", body = ToolResult),
    )
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((agent, tool)): Path<(String, String)>,
    Json(input): Json<CallTool>,
) -> Result<(StatusCode, Json<ToolResult>), ApiError> {
    let result = tools::call(&state.app, &actor, &agent, &tool, input).await?;
    // Only what changes something makes something.
    let status = match tool::find(&result.tool).map(|tool| tool.access) {
        Some(Access::Write) => StatusCode::CREATED,
        Some(Access::Read) | None => StatusCode::OK,
    };
    Ok((status, Json(result)))
}
