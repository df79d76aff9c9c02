use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::search::{self, SearchInput};
use quipu_core::retrieval::Passage;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{ChunkId, DocumentId, KnowledgeBaseId};
use quipu_knowledge::{DEFAULT_THRESHOLD, DEFAULT_TOP_K};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TrialSearch {
    #[schema(
        min_length = 1,
        max_length = 4000,
        example = "¿cuánto cuesta la limpieza?"
    )]
    query: String,
    /// How many passages are wanted.
    #[serde(default = "default_top_k")]
    #[schema(minimum = 1, maximum = 20, default = 5)]
    top_k: usize,
    /// The least similarity of a passage.
    #[serde(default = "default_threshold")]
    #[schema(minimum = 0, maximum = 1, default = 0.45)]
    similarity_threshold: f32,
}

fn default_top_k() -> usize {
    DEFAULT_TOP_K
}

fn default_threshold() -> f32 {
    DEFAULT_THRESHOLD
}

#[derive(Serialize, ToSchema)]
pub(super) struct TrialResults {
    /// The best passage first.
    results: Vec<TrialResult>,
    search_time_ms: u64,
    total_chunks_searched: usize,
}

#[derive(Serialize, ToSchema)]
struct TrialResult {
    content: String,
    document_id: DocumentId,
    document_name: Option<String>,
    page_number: Option<i32>,
    similarity_score: f32,
    chunk_id: ChunkId,
    /// Positions in characters of the document's extracted text.
    start_char: i32,
    end_char: i32,
}

impl From<Passage> for TrialResult {
    fn from(passage: Passage) -> Self {
        Self {
            content: passage.content,
            document_id: passage.document_id,
            document_name: passage.title,
            page_number: passage.page_number,
            similarity_score: passage.similarity,
            chunk_id: passage.chunk_id,
            start_char: passage.start_char,
            end_char: passage.end_char,
        }
    }
}

/// Try out what a search in this knowledge base finds, whether an agent reads it or not.
#[utoipa::path(
    post,
    path = "/api/v1/knowledge-bases/{kb_id}/search",
    tag = "knowledge",
    operation_id = "search_knowledge_base",
    params(("kb_id" = KnowledgeBaseId, Path)),
    request_body = TrialSearch,
    security(("bearer" = [])),
    responses((status = 200, body = TrialResults))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(kb): Path<KnowledgeBaseId>,
    Json(input): Json<TrialSearch>,
) -> Result<Json<TrialResults>, ApiError> {
    // The use case knows these two by other names; a problem is told by the name that was sent.
    let mut checks = Checks::new();
    let top_k = i64::try_from(input.top_k).unwrap_or(i64::MAX);
    checks.range("top_k", top_k, 1, 20);
    if !(0.0..=1.0).contains(&input.similarity_threshold) {
        checks.problem("similarity_threshold", Problem::Range { min: 0, max: 1 });
    }
    checks.finish()?;
    let asked = SearchInput {
        query: input.query,
        limit: input.top_k,
        threshold: input.similarity_threshold,
    };
    let found = search::trial(&state.app, &actor, kb, &asked).await?;
    Ok(Json(TrialResults {
        results: found.passages.into_iter().map(Into::into).collect(),
        search_time_ms: u64::try_from(found.elapsed.as_millis()).unwrap_or(u64::MAX),
        total_chunks_searched: found.total_chunks_searched,
    }))
}
