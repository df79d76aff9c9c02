use crate::http::extract::Json;
use crate::http::{ApiError, AppState};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub(super) struct Readiness {
    #[schema(example = "ready")]
    status: &'static str,
    #[schema(example = "sqlite")]
    database: &'static str,
    queue: QueueReadiness,
}

#[derive(Serialize, ToSchema)]
struct QueueReadiness {
    queued: u64,
    running: u64,
    dead: u64,
    /// Held by a worker that gives no sign of life; taken back within a quarter of a lease.
    expired: u64,
}

/// The database and the queue can be used.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "operations",
    operation_id = "readyz",
    security(),
    responses((status = 200, body = Readiness))
)]
pub(super) async fn handler(State(state): State<AppState>) -> Result<Json<Readiness>, ApiError> {
    let depth = state
        .app
        .store
        .platform_read()
        .await?
        .queue()
        .depth()
        .await?;
    Ok(Json(Readiness {
        status: "ready",
        database: if state.app.store.is_postgres() {
            "postgresql"
        } else {
            "sqlite"
        },
        queue: QueueReadiness {
            queued: depth.queued,
            running: depth.running,
            dead: depth.dead,
            expired: depth.expired,
        },
    }))
}
