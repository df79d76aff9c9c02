use crate::http::extract::{InTenant, Json, Path, Query, invalid_parameter};
use crate::http::routes::agents::difference::AgentDifference;
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::agents::{self, ComparedWith};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Compared {
    /// `live`, which is meant when it is left out, `draft`, or the number of a version.
    #[serde(default)]
    #[param(
        pattern = "^(live|draft|[1-9][0-9]{0,8})$",
        max_length = 9,
        example = "live"
    )]
    against: Option<String>,
}

/// What a version of an agent and another state of it differ in.
///
/// The version of the path is what comes before, and what it is compared with what comes after.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent}/versions/{version_number}/difference",
    tag = "agents",
    operation_id = "get_agent_version_difference",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50), ("version_number" = u32, Path, description = "The number of the version", minimum = 1), Compared),
    security(("bearer" = [])),
    responses((status = 200, body = AgentDifference))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path((agent, number)): Path<(String, u32)>,
    Query(compared): Query<Compared>,
) -> Result<Json<AgentDifference>, ApiError> {
    let against = compared.against.as_deref().unwrap_or("live");
    let with = ComparedWith::parse(against).ok_or_else(|| {
        invalid_parameter(
            "against es live, draft o el número de una versión",
            "against is live, draft or the number of a version",
        )
    })?;
    let data = agents::version_difference(&state.app, &actor, &agent, number, with).await?;
    Ok(Json(AgentDifference { data }))
}
