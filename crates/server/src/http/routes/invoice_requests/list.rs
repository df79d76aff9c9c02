use crate::http::extract::{InTenant, Json, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::invoices;
use quipu_commerce::invoice::{InvoiceRequest, InvoiceStatus};
use quipu_core::LeadId;
use quipu_core::page::{Page, PageRequest};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct InvoiceRequestsFilter {
    #[param(inline)]
    status: Option<InvoiceStatus>,
    lead_id: Option<LeadId>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// The tenant's requests for invoices, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/invoice-requests",
    tag = "invoices",
    operation_id = "list_invoice_requests",
    params(InvoiceRequestsFilter),
    security(("bearer" = [])),
    responses((status = 200, body = Page<InvoiceRequest>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(filter): Query<InvoiceRequestsFilter>,
) -> Result<Json<Page<InvoiceRequest>>, ApiError> {
    let page = PageRequest::parse(filter.limit, filter.cursor.as_deref())?;
    let (status, lead) = (filter.status, filter.lead_id);
    Ok(Json(
        invoices::list(&state.app, &actor, status, lead, page).await?,
    ))
}
