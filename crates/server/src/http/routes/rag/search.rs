use crate::http::extract::{ClientAddress, Headers, InTenant, Json};
use crate::http::routes::n8n::presented_secret;
use crate::http::{ApiError, AppState};
use axum::extract::{FromRequest, Request, State};
use quipu_agents::clean_passages;
use quipu_app::search::{self, Names, SearchInput};
use quipu_core::agent::Agent;
use quipu_core::{AgentId, ChunkId, TenantId};
use serde::{Deserialize, Serialize};
use std::time::Instant;
use utoipa::ToSchema;

const NAMES: Names = Names {
    top_k: "limit",
    threshold: "threshold",
};

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct RagRequest {
    #[schema(min_length = 1, max_length = 50)]
    agent_id: String,
    #[schema(min_length = 1, max_length = 50)]
    project_id: String,
    #[schema(min_length = 1, max_length = 4000)]
    query: String,
    #[serde(default = "five")]
    #[schema(minimum = 1, maximum = 20, default = 5)]
    limit: usize,
    #[serde(default = "seven_tenths")]
    #[schema(minimum = 0, maximum = 1, default = 0.7)]
    threshold: f32,
}

fn five() -> usize {
    5
}

fn seven_tenths() -> f32 {
    0.7
}

#[derive(Serialize, ToSchema)]
pub(super) struct RagResponse {
    success: bool,
    results: Vec<RagResult>,
    metadata: RagMetadata,
}

#[derive(Serialize, ToSchema)]
#[schema(as = RagSearchResult)]
struct RagResult {
    id: ChunkId,
    content: String,
    title: Option<String>,
    /// `manual`, `website`, `business`, or the type of the file, such as `pdf` or `csv`.
    source: &'static str,
    similarity: f32,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RagMetadata {
    agent_id: AgentId,
    agent_name: String,
    project_id: TenantId,
    project_name: String,
    query_length: usize,
    results_count: usize,
    threshold: f32,
    timing: RagTiming,
}

/// Milliseconds.
#[derive(Serialize, ToSchema)]
struct RagTiming {
    embedding: u64,
    search: u64,
    total: u64,
}

/// Search what an agent knows, with the tenant's shared secret.
#[utoipa::path(
    post,
    path = "/api/rag/search",
    tag = "n8n",
    operation_id = "rag_search",
    request_body = RagRequest,
    security(("n8n" = [])),
    responses((status = 200, body = RagResponse))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Headers { request: info, .. }: Headers,
    ClientAddress(address): ClientAddress,
    request: Request,
) -> Result<Json<RagResponse>, ApiError> {
    let started = Instant::now();
    let (parts, body) = request.into_parts();
    let secret = presented_secret(&parts.headers)?;
    let whole = Request::from_parts(parts.clone(), body);
    let Json(input) = Json::<RagRequest>::from_request(whole, &state).await?;
    let principal =
        quipu_app::auth::authenticate_n8n(&state.app, &input.project_id, &secret, address).await?;
    let InTenant(actor) =
        InTenant::enter(&state, &parts, principal, Some(&input.project_id), info).await?;

    let RagRequest {
        agent_id,
        query,
        limit,
        threshold,
        ..
    } = input;
    let query_length = query.chars().count();
    let asked = SearchInput::new(query, limit, threshold);
    let (agent, searched) = search::search(&state.app, &actor, &agent_id, &asked, NAMES).await?;
    let mut found = searched.retrieval;
    // A workflow hands this to a model of its own.
    clean_passages(&mut found.passages);
    let Agent {
        id: agent_id,
        name: agent_name,
        ..
    } = agent;
    let timings = found.timings;
    let results: Vec<RagResult> = found
        .passages
        .into_iter()
        .map(|passage| RagResult {
            id: passage.chunk_id,
            content: passage.content,
            title: passage.title,
            source: passage.source.type_name(passage.file_type),
            similarity: passage.similarity,
        })
        .collect();
    Ok(Json(RagResponse {
        success: true,
        metadata: RagMetadata {
            agent_id,
            agent_name,
            project_id: actor.tenant_id(),
            project_name: actor.tenant().name.clone(),
            query_length,
            results_count: results.len(),
            threshold,
            timing: RagTiming {
                embedding: millis(timings.embedding),
                search: millis(timings.search + timings.rerank + timings.reading),
                total: millis(started.elapsed()),
            },
        },
        results,
    }))
}

fn millis(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
