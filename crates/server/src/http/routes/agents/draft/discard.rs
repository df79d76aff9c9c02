use crate::http::extract::{InTenant, Path, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::agents;
use quipu_core::DraftRevisionId;
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct DiscardParams {
    /// The revision that was looked at: another one is refused. Left out, it is not compared.
    revision: Option<DraftRevisionId>,
}

/// Throw the draft of an agent away. What is live stays as it is.
#[utoipa::path(
    delete,
    path = "/api/v1/agents/{agent}/draft",
    tag = "agents",
    operation_id = "discard_agent_draft",
    params(
        ("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50),
        DiscardParams
    ),
    security(("bearer" = [])),
    responses((status = 204))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    Query(params): Query<DiscardParams>,
) -> Result<StatusCode, ApiError> {
    agents::discard_draft(&state.app, &actor, &agent, params.revision).await?;
    Ok(StatusCode::NO_CONTENT)
}
