use crate::http::extract::{InTenant, Json, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::audit;
use quipu_core::Timestamp;
use quipu_core::audit::AuditEntry;
use quipu_core::page::{Page, PageRequest};
use quipu_store::tenant::AuditFilter;
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct AuditParams {
    /// Who did it, such as `user:0199…` or `n8n`.
    #[param(min_length = 1, max_length = 100)]
    actor: Option<String>,
    /// What it was done to, such as `agent:0199…`.
    #[param(min_length = 1, max_length = 200)]
    target: Option<String>,
    /// What kind of thing it was about, such as `agent` or `secret`: the part of an action before its dot.
    #[param(min_length = 1, max_length = 40, pattern = "^[a-z_]+$")]
    about: Option<String>,
    /// From this instant on.
    from: Option<Timestamp>,
    /// Before this instant.
    to: Option<Timestamp>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// The audit log, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/audit-log",
    tag = "audit",
    operation_id = "list_audit_log",
    params(AuditParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<AuditEntry>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(params): Query<AuditParams>,
) -> Result<Json<Page<AuditEntry>>, ApiError> {
    let page = PageRequest::parse(params.limit, params.cursor.as_deref())?;
    let filter = AuditFilter {
        actor: params.actor,
        target: params.target,
        about: params.about,
        from: params.from,
        to: params.to,
    };
    Ok(Json(audit::list(&state.app, &actor, &filter, page).await?))
}
