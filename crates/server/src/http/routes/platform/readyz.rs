use crate::http::extract::Json;
use crate::http::{ApiError, AppState};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub(super) struct Readiness {
    /// `degraded` while the search engine is away: what is known is not found, all else goes on.
    #[schema(example = "ready")]
    status: &'static str,
    #[schema(example = "sqlite")]
    database: &'static str,
    queue: QueueReadiness,
    search: SearchReadiness,
}

#[derive(Serialize, ToSchema)]
struct SearchReadiness {
    #[schema(example = "embedded")]
    engine: &'static str,
    /// Whether it answers.
    available: bool,
}

#[derive(Serialize, ToSchema)]
struct QueueReadiness {
    queued: u64,
    running: u64,
    dead: u64,
    /// Held by a worker that gives no sign of life; taken back within a quarter of a lease.
    expired: u64,
}

/// The database and the queue can be used, and whether the search engine can.
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
    let engine = &state.app.engine;
    let available = engine.reachable().await.is_ok();
    Ok(Json(Readiness {
        status: if available { "ready" } else { "degraded" },
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
        search: SearchReadiness {
            engine: engine.name(),
            available,
        },
    }))
}
