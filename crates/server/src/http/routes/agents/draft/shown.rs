use crate::http::AppState;
use crate::http::routes::agents::saved::AgentWarning;
use axum::http::HeaderMap;
use quipu_app::Actor;
use quipu_app::agents::ShownDraft;
use quipu_core::Result;
use serde::Serialize;
use utoipa::ToSchema;

/// A draft with what of it will not work.
#[derive(Serialize, ToSchema)]
pub(super) struct SavedDraft {
    #[serde(flatten)]
    draft: ShownDraft,
    /// What will not work as it is set, such as a model without a key.
    warnings: Vec<AgentWarning>,
}

impl SavedDraft {
    pub(super) async fn of(
        state: &AppState,
        actor: &Actor,
        headers: &HeaderMap,
        draft: ShownDraft,
    ) -> Result<Self> {
        Ok(Self {
            warnings: AgentWarning::all(state, actor, headers, &draft.agent).await?,
            draft,
        })
    }
}
