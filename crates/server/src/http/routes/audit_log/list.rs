use crate::http::extract::{InTenant, Json, Paging, PagingParams};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::audit;
use quipu_core::audit::AuditEntry;
use quipu_core::page::Page;

/// The audit log, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/audit-log",
    tag = "audit",
    operation_id = "list_audit_log",
    params(PagingParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<AuditEntry>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Paging(page): Paging,
) -> Result<Json<Page<AuditEntry>>, ApiError> {
    Ok(Json(audit::list(&state.app, &actor, page).await?))
}
