//! Every route, one file per handler.

mod agents;
mod api_keys;
mod appointments;
mod audit_log;
mod auth;
mod business;
mod calendars;
mod catalogue;
mod channels;
mod chat;
mod conversations;
mod documents;
mod event_endpoints;
mod events;
mod gaps;
mod invoice_requests;
mod jobs;
mod knowledge;
mod knowledge_bases;
mod leads;
mod learned_answers;
mod loyalty;
mod mcp;
mod members;
mod n8n;
mod openai;
mod orders;
mod plans;
mod platform;
mod rag;
mod rehearsals;
mod retrievals;
mod searching;
mod secrets;
mod tenant;
mod tenants;
mod tools;
mod turns;
mod usage;
mod users;
mod voice;
mod web_chat;
mod webhooks;
mod websites;

use documents::attachment as saved_as;

use super::{AppState, docs, layers, openapi, web, widget};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::CorsLayer;
use utoipa_axum::router::OpenApiRouter;

fn api() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(openapi::base())
        .merge(auth::router())
        .merge(tenants::router())
        .merge(users::router())
        .merge(plans::router())
        .merge(tenant::router())
        .merge(members::router())
        .merge(api_keys::router())
        .merge(secrets::router())
        .merge(usage::router())
        .merge(audit_log::router())
        .merge(retrievals::router())
        .merge(jobs::router())
        .merge(agents::router())
        .merge(knowledge::router())
        .merge(knowledge_bases::router())
        .merge(documents::router())
        .merge(websites::router())
        .merge(events::router())
        .merge(event_endpoints::router())
        .merge(business::router())
        .merge(catalogue::router())
        .merge(channels::router())
        .merge(appointments::router())
        .merge(calendars::router())
        .merge(loyalty::router())
        .merge(orders::router())
        .merge(invoice_requests::router())
        .merge(tools::router())
        .merge(chat::router())
        .merge(mcp::router())
        .merge(leads::router())
        .merge(learned_answers::router())
        .merge(gaps::router())
        .merge(turns::router())
        .merge(rehearsals::router())
        .merge(conversations::router())
        .merge(rag::router())
        .merge(n8n::router())
        .merge(openai::router())
        .merge(webhooks::router())
        .merge(voice::router())
        .merge(platform::router())
}

/// Requests that carry files.
fn uploads() -> OpenApiRouter<AppState> {
    documents::uploads()
        .merge(conversations::uploads())
        .merge(catalogue::imports())
}

/// What the handlers say of themselves.
pub(super) fn collected() -> utoipa::openapi::OpenApi {
    api()
        .merge(uploads())
        .merge(web_chat::router())
        .into_openapi()
}

/// The whole service, with everything that happens around its handlers.
pub fn router(state: AppState) -> Router {
    let (routes, _) = api().split_for_parts();
    let (uploads, _) = uploads().split_for_parts();
    let (visitors, _) = web_chat::router().split_for_parts();
    let http = state.http.clone();
    let around = |cors: Option<CorsLayer>| {
        ServiceBuilder::new()
            .layer(from_fn(layers::request_id))
            .option_layer(cors)
            .layer(from_fn(layers::security_headers))
            .layer(layers::compression())
            .layer(from_fn_with_state(http.max_body_bytes, layers::finish))
            .layer(from_fn_with_state(state.clone(), layers::crowd))
            .layer(from_fn(layers::drain))
            .layer(from_fn(layers::rate_headers))
            .layer(CatchPanicLayer::custom(layers::panicked))
    };
    let usual = routes
        .route("/openapi.json", get(openapi::serve))
        .merge(docs::router())
        .layer(DefaultBodyLimit::max(http.max_body_bytes))
        .layer(from_fn_with_state(http.timeout, layers::timeout));
    // Files are large and lines are slow: these have limits of their own, and read their bodies
    // piece by piece.
    let uploads = uploads.layer(from_fn_with_state(http.uploads.timeout, layers::timeout));
    // What the sites of businesses ask for. Which of them may, each connection says for itself.
    let visitors = visitors
        .layer(from_fn_with_state(http.timeout, layers::timeout))
        .merge(widget::router())
        .route_layer(from_fn(layers::measure))
        .layer(around(None));
    usual
        .merge(uploads)
        .route_layer(from_fn(layers::measure))
        .fallback(web::page)
        .layer(around(layers::cors(&http.cors_origins)))
        .merge(visitors)
        .with_state(state)
}
