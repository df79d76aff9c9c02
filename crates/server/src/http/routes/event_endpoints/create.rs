use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::events::{self, CreateEventEndpoint, CreatedEventEndpoint};

/// Have an address told what happens.
///
/// Events are posted as [Standard Webhooks](https://www.standardwebhooks.com) and signed with the secret of the
/// answer, which is shown this once.
#[utoipa::path(
    post,
    path = "/api/v1/event-endpoints",
    tag = "event-endpoints",
    operation_id = "create_event_endpoint",
    request_body = CreateEventEndpoint,
    security(("bearer" = [])),
    responses((status = 201, body = CreatedEventEndpoint))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<CreateEventEndpoint>,
) -> Result<(StatusCode, Json<CreatedEventEndpoint>), ApiError> {
    let created = events::create(&state.app, &actor, input).await?;
    Ok((StatusCode::CREATED, Json(created)))
}
