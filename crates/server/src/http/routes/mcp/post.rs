use super::customer::Customer;
use super::error::Voice;
use super::message::{Body, Kind, McpMessage, McpResponse, read, wrong};
use super::methods::Turn;
use super::protocol::Version;
use crate::http::extract::{InTenant, KnownOrigin, Path, json_bytes};
use crate::http::layers::RequestId;
use crate::http::{ApiError, AppState};
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::ACCEPT_LANGUAGE;
use axum::response::{IntoResponse, Response};
use quipu_app::agents;
use quipu_core::Result;
use quipu_core::language::Language;

/// Speak the Model Context Protocol with an agent.
///
/// Streamable HTTP without streams and sessions: every request is answered with JSON, everything else
/// with 202. Versions 2025-06-18 and 2025-03-26; several messages at once in the latter only. `GET`
/// and `DELETE` are answered with 405. `tools/call` happens for the customer named in the headers, or
/// in `_meta` as `quipu/lead_id` and `quipu/conversation_id`.
#[utoipa::path(
    post,
    path = "/mcp/{agent}",
    tag = "tools",
    operation_id = "mcp",
    params(
        ("agent" = String, Path, description = "The agent's id or slug", min_length = 1, max_length = 50),
        ("MCP-Protocol-Version" = Option<String>, Header, description = "The version agreed on; 2025-03-26 when left out", pattern = "^2025-0(3-26|6-18)$"),
        ("X-Quipu-Lead" = Option<String>, Header, description = "The id of the lead whom tools are called for", format = Uuid),
        ("X-Quipu-Conversation" = Option<String>, Header, description = "The id of the conversation in which tools are called; its lead is meant", format = Uuid),
    ),
    request_body = McpMessage,
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The answer to a request", body = McpResponse),
        (status = 202, description = "Taken note of; nothing was asked"),
    )
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    _: KnownOrigin,
    InTenant(actor): InTenant,
    Path(agent): Path<String>,
    Extension(RequestId(request_id)): Extension<RequestId>,
    request: Request,
) -> Result<Response, ApiError> {
    let headers = request.headers();
    let (version, customer) = (Version::of(headers), Customer::of(headers)?);
    let accepted = headers
        .get(ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok());
    let accepted = accepted.and_then(Language::accepted);
    let body = read(&json_bytes(request, &state).await?)?;
    // Whoever begins has agreed on nothing yet, whatever a header says.
    let begins = matches!(&body, Body::One(message) if message.is_initialize());
    let batches = match version {
        Ok(version) => version.has_batches(),
        Err(_) if begins => false,
        Err(error) => return Err(error.into()),
    };
    let agent = agents::get(&state.app, &actor, &agent).await?;
    let voice = Voice {
        // Whoever names a language reads it; a client that names none shows what the agent speaks.
        language: accepted.unwrap_or(agent.language),
        request_id,
    };
    let turn = Turn {
        state: &state,
        actor: &actor,
        agent: &agent,
        customer,
        voice,
    };
    match body {
        Body::One(message) => Ok(match one(&turn, &message).await {
            Some(answer) => axum::Json(answer).into_response(),
            None => StatusCode::ACCEPTED.into_response(),
        }),
        Body::Batch(messages) if batches => Ok(batch(&turn, &messages).await),
        Body::Batch(_) => Err(wrong("this version of the protocol has no batches").into()),
    }
}

async fn one(turn: &Turn<'_>, message: &McpMessage) -> Option<McpResponse> {
    let Kind::Request(id, method) = message.kind() else {
        return None;
    };
    let outcome = turn.answer(method, message.params.as_ref()).await;
    Some(McpResponse::new(id.clone(), outcome))
}

/// Answers several messages, one after the other. Each counts like a request of its own.
async fn batch(turn: &Turn<'_>, messages: &[McpMessage]) -> Response {
    let mut answers = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let Kind::Request(id, _) = message.kind() else {
            continue;
        };
        let allowed = if message.is_initialize() {
            Err(wrong("initialize comes alone"))
        } else if at > 0 {
            let (tenant, plan) = (turn.actor.tenant_id(), turn.actor.plan());
            let caller = turn.actor.rate_caller();
            let counted = turn.state.app.rate.check_tenant(tenant, plan, caller);
            counted.map(drop).map_err(|(_, error)| error)
        } else {
            Ok(())
        };
        match allowed {
            Ok(()) => answers.extend(one(turn, message).await),
            Err(error) => {
                let refused = Err(turn.voice.refuse(&error));
                answers.push(McpResponse::new(id.clone(), refused));
            }
        }
    }
    if answers.is_empty() {
        return StatusCode::ACCEPTED.into_response();
    }
    axum::Json(answers).into_response()
}
