//! Agents as the models that clients choose from.

use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::{Actor, chat};
use quipu_core::agent::Agent;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub(super) struct ModelList {
    #[schema(example = "list")]
    object: &'static str,
    data: Vec<Model>,
}

#[derive(Serialize, ToSchema)]
pub(super) struct Model {
    /// The slug of the agent.
    #[schema(example = "maya")]
    id: String,
    #[schema(example = "model")]
    object: &'static str,
    /// When the agent was made, in seconds since 1970.
    created: i64,
    /// The slug of the tenant.
    owned_by: String,
    /// What people call the agent.
    name: String,
}

impl Model {
    fn of(agent: Agent, actor: &Actor) -> Self {
        Self {
            id: agent.slug,
            object: "model",
            created: agent.created_at.as_second(),
            owned_by: actor.tenant().slug.clone(),
            name: agent.name,
        }
    }
}

/// List the agents as models.
#[utoipa::path(
    get,
    path = "/v1/models",
    tag = "openai",
    operation_id = "list_models",
    security(("bearer" = [])),
    responses((status = 200, body = ModelList))
)]
pub(super) async fn list(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
) -> Result<Json<ModelList>, ApiError> {
    let agents = chat::askable(&state.app, &actor).await?;
    Ok(Json(ModelList {
        object: "list",
        data: agents
            .into_iter()
            .map(|agent| Model::of(agent, &actor))
            .collect(),
    }))
}

/// Get an agent as a model.
#[utoipa::path(
    get,
    path = "/v1/models/{agent}",
    tag = "openai",
    operation_id = "get_model",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    security(("bearer" = [])),
    responses((status = 200, body = Model))
)]
pub(super) async fn get(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
) -> Result<Json<Model>, ApiError> {
    let agent = chat::askable_agent(&state.app, &actor, &agent).await?;
    Ok(Json(Model::of(agent, &actor)))
}
