use crate::http::extract::{InTenant, Json, Path};
use crate::http::routes::agents::saved::language_of;
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::HeaderMap;
use quipu_app::agents::UnsavedAgent;
use quipu_app::chat::{self, ModelTrial};
use quipu_core::chat::{TrialOutcome, Usage};
use quipu_core::language::Language;
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub(super) struct ModelTrials {
    data: Vec<TriedModel>,
}

#[derive(Serialize, ToSchema)]
pub(super) struct TriedModel {
    /// Where the settings name it.
    #[schema(example = "settings.model")]
    field: &'static str,
    #[schema(example = "openai/gpt-4o-mini")]
    model: String,
    /// Whether it can be used.
    works: bool,
    outcome: TrialOutcome,
    /// What to do, for people, in the language of `Accept-Language` (es or en).
    message: String,
    /// How long the first word took. Absent where none came.
    first_word_ms: Option<u64>,
    elapsed_ms: u64,
    usage: Usage,
    /// In millionths of a US dollar, where the price of the model is known.
    cost_micros: Option<i64>,
}

impl TriedModel {
    fn told(trial: ModelTrial, language: Language) -> Self {
        let message = match &trial.problem {
            Some(problem) => problem.message(language),
            None => trial.outcome.text(language).to_owned(),
        };
        Self {
            field: trial.field,
            model: trial.model,
            works: trial.outcome.works(),
            outcome: trial.outcome,
            message,
            first_word_ms: trial.first_word.map(millis),
            elapsed_ms: millis(trial.elapsed),
            usage: trial.usage,
            cost_micros: trial.cost,
        }
    }
}

fn millis(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}

/// Ask the models of an agent for a word, to see whether they can be used.
///
/// Each model that the settings name, as they are or with changes that are not saved. What it takes is counted
/// like any other use of the model.
#[utoipa::path(
    post,
    path = "/api/v1/agents/{agent}/model/try",
    tag = "agents",
    operation_id = "try_agent_models",
    params(("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50)),
    request_body = UnsavedAgent,
    security(("bearer" = [])),
    responses((status = 200, body = ModelTrials))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    headers: HeaderMap,
    Json(unsaved): Json<UnsavedAgent>,
) -> Result<Json<ModelTrials>, ApiError> {
    let language = language_of(&headers);
    let trials = chat::try_models(&state.app, &actor, &agent, unsaved).await?;
    let data = trials.into_iter();
    let data = data
        .map(|trial| TriedModel::told(trial, language))
        .collect();
    Ok(Json(ModelTrials { data }))
}
