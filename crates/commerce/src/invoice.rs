//! Requests for invoices, which staff complete.

use crate::money::Money;
use jiff::civil::Date;
use quipu_core::lead::words;
use quipu_core::{ConversationId, InvoiceRequestId, LeadId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

words! {
    InvoiceStatus {
        Requested = "requested",
        /// The invoice was issued.
        Completed = "completed",
        Rejected = "rejected",
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InvoiceRequest {
    pub id: InvoiceRequestId,
    pub status: InvoiceStatus,
    /// The folio of the ticket. No two requests have the same.
    pub folio: String,
    pub ticket_date: Option<Date>,
    pub total: Option<Money>,
    /// The customer's tax number.
    pub rfc: String,
    pub name: String,
    /// The code of the tax regime, such as 612.
    pub tax_regime: String,
    /// The code of the use of the CFDI, such as G03.
    pub cfdi_use: String,
    pub postal_code: Option<String>,
    pub email: String,
    /// What should be looked at before the invoice is issued.
    pub warnings: Vec<String>,
    pub lead_id: Option<LeadId>,
    pub conversation_id: Option<ConversationId>,
    /// What staff note when they complete or reject it: the number of the invoice, or why not.
    pub resolution: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}
