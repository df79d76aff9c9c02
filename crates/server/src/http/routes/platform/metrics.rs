use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::response::IntoResponse;
use quipu_core::{Error, ErrorCode};
use secrecy::ExposeSecret;
use subtle::ConstantTimeEq;

/// Figures for Prometheus. No label names a tenant or a person.
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "operations",
    operation_id = "metrics",
    security(),
    responses(
        (status = 200, body = String, content_type = "text/plain"),
        (status = 401, description = "telemetry.metrics_token is set and was not sent", body = crate::http::error::ErrorBody),
    )
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, ApiError> {
    if let Some(token) = &state.http.metrics_token {
        let sent = headers
            .get(AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "))
            .unwrap_or_default();
        if !bool::from(sent.as_bytes().ct_eq(token.expose_secret().as_bytes())) {
            return Err(Error::new(ErrorCode::Unauthenticated).into());
        }
    }
    // Figures that nobody increments are read off when somebody looks.
    if let Ok(tx) = state.app.store.platform_read().await
        && let Ok(depth) = tx.queue().depth().await
    {
        for (state, value) in [
            ("queued", depth.queued),
            ("running", depth.running),
            ("dead", depth.dead),
            ("expired", depth.expired),
        ] {
            metrics::gauge!("quipu_jobs", "state" => state)
                .set(f64::from(u32::try_from(value).unwrap_or(u32::MAX)));
        }
    }
    Ok((
        [(CONTENT_TYPE, "text/plain; version=0.0.4")],
        state.metrics.render(),
    ))
}
