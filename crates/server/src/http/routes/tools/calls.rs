use crate::http::extract::{InTenant, Json, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::tools;
use quipu_core::ConversationId;
use quipu_core::page::{Page, PageRequest};
use quipu_core::tool_call::ToolCall;
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct ToolCallParams {
    conversation_id: Option<ConversationId>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// What agents changed through their tools, newest first, refusals included.
#[utoipa::path(
    get,
    path = "/api/v1/tool-calls",
    tag = "tools",
    operation_id = "list_tool_calls",
    params(ToolCallParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<ToolCall>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(params): Query<ToolCallParams>,
) -> Result<Json<Page<ToolCall>>, ApiError> {
    let page = PageRequest::parse(params.limit, params.cursor.as_deref())?;
    let calls = tools::calls(&state.app, &actor, params.conversation_id, page).await?;
    Ok(Json(calls))
}
