use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::invoices::{self, Resolution};
use quipu_commerce::invoice::InvoiceRequest;
use quipu_core::InvoiceRequestId;

/// There will be no invoice for this request; the ticket can be asked for again.
#[utoipa::path(
    post,
    path = "/api/v1/invoice-requests/{invoice_request_id}/reject",
    tag = "invoices",
    operation_id = "reject_invoice_request",
    params(("invoice_request_id" = InvoiceRequestId, Path)),
    request_body = Resolution,
    security(("bearer" = [])),
    responses((status = 200, body = InvoiceRequest))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<InvoiceRequestId>,
    Json(input): Json<Resolution>,
) -> Result<Json<InvoiceRequest>, ApiError> {
    Ok(Json(invoices::reject(&state.app, &actor, id, input).await?))
}
