use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::leads::{self, CreateLead};
use quipu_core::lead::Lead;

/// Make a lead.
///
/// When a channel knows somebody so already, the refusal names that lead.
#[utoipa::path(
    post,
    path = "/api/v1/leads",
    tag = "customers",
    operation_id = "create_lead",
    request_body = CreateLead,
    security(("bearer" = [])),
    responses((status = 201, body = Lead))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<CreateLead>,
) -> Result<(StatusCode, Json<Lead>), ApiError> {
    Ok((
        StatusCode::CREATED,
        Json(leads::create(&state.app, &actor, input).await?),
    ))
}
