use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::catalogue::{self, InstructionStatistics};

/// How many instructions there are, and how much of the prompt they take.
#[utoipa::path(
    get,
    path = "/api/v1/instructions/statistics",
    tag = "business",
    operation_id = "get_instruction_statistics",
    security(("bearer" = [])),
    responses((status = 200, body = InstructionStatistics))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
) -> Result<Json<InstructionStatistics>, ApiError> {
    Ok(Json(catalogue::statistics(&state.app, &actor).await?))
}
