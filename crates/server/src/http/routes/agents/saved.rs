//! An agent as its settings were saved, with what of them will not work.

use crate::http::AppState;
use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use quipu_app::Actor;
use quipu_app::agents::{self, SettingWarning};
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
}

#[derive(Serialize, ToSchema)]
struct AgentWarning {
    #[schema(example = "MODEL_MISCONFIGURED")]
    code: &'static str,
    #[schema(example = "settings.model")]
    field: String,
    /// For people, in the language of `Accept-Language` (es or en).
    message: String,
}

impl SavedAgent {
    pub(super) async fn of(
        state: &AppState,
        actor: &Actor,
        headers: &HeaderMap,
        agent: Agent,
    ) -> Result<Self> {
        let accepted = headers.get(ACCEPT_LANGUAGE);
        let accepted = accepted.and_then(|value| value.to_str().ok());
        let language = Language::from_accept_language(accepted);
        let warnings = agents::warnings(&state.app, actor, &agent).await?;
        let told = |SettingWarning { field, error }| AgentWarning {
            code: error.code().as_str(),
            field,
            message: error.message(language),
        };
        Ok(Self {
            agent,
            warnings: warnings.into_iter().map(told).collect(),
        })
    }
}
