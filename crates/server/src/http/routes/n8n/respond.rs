use super::presented_secret;
use crate::http::extract::{ClientAddress, Headers, InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::{FromRequest, Request, State};
use quipu_app::auth;
use quipu_app::n8n::{self, N8nReplied, N8nReply};

/// Say what n8n answers, with the tenant's shared secret. It goes out through the channel of the conversation.
#[utoipa::path(
    post,
    path = "/api/ai/respond",
    tag = "n8n",
    operation_id = "n8n_respond",
    request_body = N8nReply,
    security(("n8n" = [])),
    responses((status = 200, body = N8nReplied))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Headers { request: info, .. }: Headers,
    ClientAddress(address): ClientAddress,
    request: Request,
) -> Result<Json<N8nReplied>, ApiError> {
    let (parts, body) = request.into_parts();
    let secret = presented_secret(&parts.headers)?;
    let whole = Request::from_parts(parts.clone(), body);
    let Json(input) = Json::<N8nReply>::from_request(whole, &state).await?;
    let project = input.project_id.clone();
    let principal = auth::authenticate_n8n(&state.app, &project, &secret, address).await?;
    let InTenant(actor) = InTenant::enter(&state, &parts, principal, Some(&project), info).await?;
    Ok(Json(n8n::respond(&state.app, &actor, input).await?))
}
