//! An agent as its settings were saved, with what of them will not work and what waits to be published.

use crate::http::AppState;
use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use quipu_app::Actor;
use quipu_app::agents::{self, AgentStanding, SettingWarning};
use quipu_core::Result;
use quipu_core::agent::Agent;
use quipu_core::language::Language;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub(super) struct SavedAgent {
    #[serde(flatten)]
    agent: Agent,
    /// What will not work as it is set, such as a model without a key. Until it is mended, the next
    /// model answers in its place, or the product itself.
    warnings: Vec<AgentWarning>,
    #[serde(flatten)]
    standing: AgentStanding,
}

#[derive(Serialize, ToSchema)]
pub(super) struct AgentWarning {
    #[schema(example = "MODEL_MISCONFIGURED")]
    code: &'static str,
    #[schema(example = "settings.model")]
    field: String,
    /// For people, in the language of `Accept-Language` (es or en).
    message: String,
}

/// The language of whoever asks.
pub(super) fn language_of(headers: &HeaderMap) -> Language {
    let accepted = headers.get(ACCEPT_LANGUAGE);
    let accepted = accepted.and_then(|value| value.to_str().ok());
    Language::from_accept_language(accepted)
}

impl AgentWarning {
    /// What of an agent's settings will not work, in the language of whoever asks.
    pub(super) async fn all(
        state: &AppState,
        actor: &Actor,
        headers: &HeaderMap,
        agent: &Agent,
    ) -> Result<Vec<Self>> {
        let language = language_of(headers);
        let warnings = agents::warnings(&state.app, actor, agent).await?;
        let told = |SettingWarning { field, error }| Self {
            code: error.code().as_str(),
            field,
            message: error.message(language),
        };
        Ok(warnings.into_iter().map(told).collect())
    }
}

impl SavedAgent {
    pub(super) async fn of(
        state: &AppState,
        actor: &Actor,
        headers: &HeaderMap,
        agent: Agent,
    ) -> Result<Self> {
        Ok(Self {
            warnings: AgentWarning::all(state, actor, headers, &agent).await?,
            standing: agents::standing(&state.app, actor, &agent).await?,
            agent,
        })
    }
}
