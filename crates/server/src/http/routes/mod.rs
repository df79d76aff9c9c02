//! Every route, one file per handler.

mod agents;
mod api_keys;
mod audit_log;
mod auth;
mod chat;
mod jobs;
mod knowledge;
mod members;
mod plans;
mod platform;
mod rag;
mod secrets;
mod tenant;
mod tenants;
mod usage;
mod users;

use super::{AppState, docs, layers, openapi};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::Redirect;
use axum::routing::get;
use quipu_core::{Error, ErrorCode};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
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
        .merge(jobs::router())
        .merge(agents::router())
        .merge(knowledge::router())
        .merge(chat::router())
        .merge(rag::router())
        .merge(platform::router())
}

/// What the handlers say of themselves.
pub(super) fn collected() -> utoipa::openapi::OpenApi {
    api().into_openapi()
}

/// The whole service, with everything that happens around its handlers.
pub fn router(state: AppState) -> Router {
    let (routes, _) = api().split_for_parts();
    let document = openapi::document();
    let http = state.http.clone();
    let around = ServiceBuilder::new()
        .layer(from_fn(layers::request_id))
        .option_layer(layers::cors(&http.cors_origins))
        .layer(from_fn(layers::security_headers))
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(http.max_body_bytes, layers::finish))
        .layer(from_fn(layers::rate_headers))
        .layer(CatchPanicLayer::custom(layers::panicked))
        .layer(from_fn_with_state(http.timeout, layers::timeout));
    routes
        .route(
            "/openapi.json",
            get(move || async move { axum::Json(document) }),
        )
        .route("/", get(|| async { Redirect::temporary("/docs/") }))
        .merge(docs::router())
        .route_layer(from_fn(layers::measure))
        .fallback(|| async { super::ApiError(Error::new(ErrorCode::RouteNotFound)) })
        .layer(DefaultBodyLimit::max(http.max_body_bytes))
        .layer(around)
        .with_state(state)
}
