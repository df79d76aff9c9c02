use crate::http::extract::{InTenant, Json};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::StatusCode;
use quipu_app::invoices::{self, RequestInvoice};
use quipu_commerce::invoice::InvoiceRequest;

/// Ask for an invoice of a ticket.
#[utoipa::path(
    post,
    path = "/api/v1/invoice-requests",
    tag = "invoices",
    operation_id = "create_invoice_request",
    request_body = RequestInvoice,
    security(("bearer" = [])),
    responses((status = 201, body = InvoiceRequest))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Json(input): Json<RequestInvoice>,
) -> Result<(StatusCode, Json<InvoiceRequest>), ApiError> {
    Ok((
        StatusCode::CREATED,
        Json(invoices::create(&state.app, &actor, input).await?),
    ))
}
