//! What an invoice in Mexico asks of a customer: the tax number (RFC), the tax regime and the use
//! that will be made of the invoice (CFDI 4.0).

mod catalogues;
mod cfdi;
mod rfc;

pub use cfdi::{CfdiUse, InvoiceProblem, TaxRegime, check_invoice};
pub use quipu_core::validate::RfcProblem;
pub use rfc::{Person, Rfc, RfcKind};
