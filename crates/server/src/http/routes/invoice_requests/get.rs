use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::invoices::{self, InvoiceRequestDetails};
use quipu_core::InvoiceRequestId;

/// One request for an invoice with its history.
#[utoipa::path(
    get,
    path = "/api/v1/invoice-requests/{invoice_request_id}",
    tag = "invoices",
    operation_id = "get_invoice_request",
    params(("invoice_request_id" = InvoiceRequestId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = InvoiceRequestDetails))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<InvoiceRequestId>,
) -> Result<Json<InvoiceRequestDetails>, ApiError> {
    Ok(Json(invoices::get(&state.app, &actor, id).await?))
}
