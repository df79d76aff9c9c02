//! Requests for invoices.

use crate::once::{self, Once};
use crate::{Actor, App, customer, profile};
use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quipu_commerce::invoice::{InvoiceRequest, InvoiceStatus};
use quipu_commerce::money::Money;
use quipu_commerce::ordering::check_price;
use quipu_commerce::receipt;
use quipu_commerce::tax::{CfdiUse, InvoiceProblem, Rfc, TaxRegime, check_invoice};
use quipu_core::access::Permission;
use quipu_core::history::{HistoryEntry, Subject};
use quipu_core::language::Language;
use quipu_core::page::{Page, PageRequest};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{ConversationId, Error, ErrorCode, InvoiceRequestId, LeadId, Result};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// For as long as the tax authority has a business keep its books.
const OLDEST_TICKET_YEARS: i64 = 5;

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestInvoice {
    /// The folio of the ticket.
    #[schema(min_length = 1, max_length = 60, example = "A-00123")]
    pub folio: String,
    #[schema(min_length = 12, max_length = 40, example = "EKU9003173C9")]
    pub rfc: String,
    /// As the authority has it.
    #[schema(min_length = 1, max_length = 300)]
    pub name: String,
    /// The code of the tax regime.
    #[schema(max_length = 10, example = "601")]
    pub tax_regime: String,
    /// The code of the use of the CFDI.
    #[schema(max_length = 10, example = "G03")]
    pub cfdi_use: String,
    #[schema(max_length = 254)]
    pub email: String,
    #[serde(default)]
    #[schema(pattern = "^[0-9]{5}$", example = "06700")]
    pub postal_code: Option<String>,
    #[serde(default)]
    pub total: Option<Money>,
    #[serde(default)]
    #[schema(format = Date)]
    pub ticket_date: Option<Date>,
    #[serde(default)]
    pub lead_id: Option<LeadId>,
    #[serde(default)]
    pub conversation_id: Option<ConversationId>,
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resolution {
    /// The number of the invoice, or why there is none.
    #[schema(min_length = 1, max_length = 500)]
    pub resolution: String,
}

/// A request and what happened to it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct InvoiceRequestDetails {
    #[serde(flatten)]
    pub request: InvoiceRequest,
    /// Oldest first.
    pub history: Vec<HistoryEntry>,
}

/// Asks for an invoice.
///
/// # Errors
/// `VALIDATION_FAILED` with the values that are allowed, `DUPLICATE_INVOICE` when the ticket has a
/// request already, `NOT_FOUND` for a lead or conversation that is not there.
pub async fn create(app: &App, actor: &Actor, input: RequestInvoice) -> Result<InvoiceRequest> {
    actor.require(Permission::CustomersWrite)?;
    let tx = match once::begin(app, actor, "invoice_request.create", &input).await? {
        Once::Again(request) => return Ok(request),
        Once::First(tx) => tx,
    };
    let request = create_in(&tx, &actor.name(), &input).await?;
    let target = format!("invoice_request:{}", request.id);
    let details = json!({ "folio": request.folio });
    actor
        .audit(&tx, "invoice_request.create", target, details)
        .await?;
    tx.commit(&request).await?;
    Ok(request)
}

/// # Errors
/// Those of [`create`].
pub async fn create_in(
    tx: &TenantTx,
    actor: &str,
    input: &RequestInvoice,
) -> Result<InvoiceRequest> {
    let mut checks = Checks::new();
    let folio = checks.line("folio", &input.folio, 60);
    let key = receipt::folio_key(&folio);
    if key.is_empty() && !folio.is_empty() {
        checks.problem("folio", Problem::Empty);
    }
    let name = checks.line("name", &input.name, 300);
    let email = checks.email("email", &input.email);
    let postal_code = input
        .postal_code
        .as_ref()
        .map(|code| code.trim().to_owned());
    let five_digits = |code: &String| code.len() == 5 && code.bytes().all(|b| b.is_ascii_digit());
    if postal_code.as_ref().is_some_and(|code| !five_digits(code)) {
        checks.problem("postal_code", Problem::NotAPostalCode);
    }
    if let Some(total) = input.total {
        check_price(&mut checks, "total", total, profile::currency(tx).await?);
        if total.minor == 0 {
            checks.problem("total.amount", Problem::Zero);
        }
    }
    if let Some(date) = input.ticket_date {
        check_ticket_date(&mut checks, date, today(tx).await?);
    }
    let taxes = check_taxes(input, &mut checks);
    checks.finish()?;
    let (rfc, regime, usage) =
        taxes.ok_or_else(|| Error::internal("tax data that were not checked"))?;
    let lead = customer::known(tx, input.lead_id, input.conversation_id).await?;
    let lead_id = lead.map(|lead| lead.id);
    let now = tx.now();
    let request = InvoiceRequest {
        id: InvoiceRequestId::generate(now),
        status: InvoiceStatus::Requested,
        folio,
        ticket_date: input.ticket_date,
        total: input.total,
        warnings: warnings(tx, &rfc).await?,
        rfc: rfc.value,
        name,
        tax_regime: regime.code.to_owned(),
        cfdi_use: usage.code.to_owned(),
        postal_code,
        email,
        lead_id,
        conversation_id: input.conversation_id,
        resolution: None,
        created_at: now,
        updated_at: now,
    };
    tx.invoice_requests().insert(&request, &key).await?;
    record(tx, actor, request.id, request.status).await?;
    Ok(request)
}

/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn list(
    app: &App,
    actor: &Actor,
    status: Option<InvoiceStatus>,
    lead: Option<LeadId>,
    page: PageRequest,
) -> Result<Page<InvoiceRequest>> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    tx.invoice_requests().list(status, lead, page).await
}

/// # Errors
/// `NOT_FOUND` when there is no such request.
pub async fn get(app: &App, actor: &Actor, id: InvoiceRequestId) -> Result<InvoiceRequestDetails> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let request = find(&tx, id).await?;
    let history = tx.history().of(Subject::InvoiceRequest, id.uuid()).await?;
    Ok(InvoiceRequestDetails { request, history })
}

/// The invoice was issued.
///
/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, or `INVOICE_STATE` when it was dealt with already.
pub async fn complete(
    app: &App,
    actor: &Actor,
    id: InvoiceRequestId,
    input: Resolution,
) -> Result<InvoiceRequest> {
    resolve(app, actor, id, InvoiceStatus::Completed, &input).await
}

/// There will be no invoice for this request; the ticket can be asked for again.
///
/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, or `INVOICE_STATE` when it was dealt with already.
pub async fn reject(
    app: &App,
    actor: &Actor,
    id: InvoiceRequestId,
    input: Resolution,
) -> Result<InvoiceRequest> {
    resolve(app, actor, id, InvoiceStatus::Rejected, &input).await
}

async fn resolve(
    app: &App,
    actor: &Actor,
    id: InvoiceRequestId,
    status: InvoiceStatus,
    input: &Resolution,
) -> Result<InvoiceRequest> {
    actor.require(Permission::CustomersWrite)?;
    let mut checks = Checks::new();
    checks.text("resolution", &input.resolution, 500);
    checks.finish()?;
    let tx = app.store.begin(actor.scope()).await?;
    let mut request = find(&tx, id).await?;
    request.status = status;
    request.resolution = Some(input.resolution.trim().to_owned());
    request.updated_at = tx.now();
    if !tx.invoice_requests().resolve(&request).await? {
        return Err(Error::new(ErrorCode::InvoiceState));
    }
    record(&tx, &actor.name(), id, status).await?;
    let details = json!({ "status": status });
    let target = format!("invoice_request:{id}");
    actor
        .audit(&tx, "invoice_request.resolve", target, details)
        .await?;
    tx.commit().await?;
    Ok(request)
}

async fn find(tx: &TenantTx, id: InvoiceRequestId) -> Result<InvoiceRequest> {
    let found = tx.invoice_requests().find(id).await?;
    found.ok_or_else(|| Error::not_found("invoice_request"))
}

async fn record(
    tx: &TenantTx,
    actor: &str,
    id: InvoiceRequestId,
    status: InvoiceStatus,
) -> Result<()> {
    let subject = Subject::InvoiceRequest;
    tx.history()
        .add(subject, id.uuid(), status.as_str(), actor, json!({}))
        .await
}

/// Number, regime and use, when they go together; what does not is told with what would.
fn check_taxes(
    input: &RequestInvoice,
    checks: &mut Checks,
) -> Option<(Rfc, &'static TaxRegime, &'static CfdiUse)> {
    let rfc = match Rfc::parse(&input.rfc) {
        Ok(rfc) => rfc,
        Err(problem) => {
            checks.problem("rfc", Problem::NotAnRfc(problem));
            return None;
        }
    };
    let problem = match check_invoice(&rfc, &input.tax_regime, &input.cfdi_use) {
        Ok((regime, usage)) => return Some((rfc, regime, usage)),
        Err(problem) => problem,
    };
    let person = rfc.person();
    let regimes = || {
        let codes = TaxRegime::of(person).map(|regime| regime.code);
        codes.collect::<Vec<_>>().join(", ")
    };
    let uses = || {
        let regime = TaxRegime::find(&input.tax_regime).filter(|regime| regime.is_for(person));
        let uses: Vec<&str> = match regime {
            Some(regime) => CfdiUse::of(person, regime)
                .map(|usage| usage.code)
                .collect(),
            None => CfdiUse::ALL.iter().map(|usage| usage.code).collect(),
        };
        uses.join(", ")
    };
    let with = |what: &str| what.to_owned();
    match problem {
        InvoiceProblem::UnknownRegime => {
            let allowed = regimes();
            checks.problem("tax_regime", Problem::Unknown { allowed });
        }
        InvoiceProblem::UnknownUse => {
            let allowed = uses();
            checks.problem("cfdi_use", Problem::Unknown { allowed });
        }
        InvoiceProblem::RegimeOfOthers => {
            let (with, allowed) = (with("rfc"), regimes());
            checks.problem("tax_regime", Problem::NotTogether { with, allowed });
        }
        InvoiceProblem::UseOfOthers => {
            let with = format!("tax_regime {}", input.tax_regime.trim());
            let allowed = uses();
            checks.problem("cfdi_use", Problem::NotTogether { with, allowed });
        }
        InvoiceProblem::Generic => {
            for (field, said, allowed) in [
                ("tax_regime", &input.tax_regime, "616"),
                ("cfdi_use", &input.cfdi_use, "S01"),
            ] {
                if said.trim().eq_ignore_ascii_case(allowed) {
                    continue;
                }
                let (with, allowed) = (with("rfc"), allowed.to_owned());
                checks.problem(field, Problem::NotTogether { with, allowed });
            }
        }
    }
    None
}

/// The day it is where the business is.
async fn today(tx: &TenantTx) -> Result<Date> {
    let tenant = tx.profile().get().await?;
    let zone = TimeZone::get(&tenant.time_zone).unwrap_or(TimeZone::UTC);
    Ok(tx.now().to_zoned(zone).date())
}

/// A ticket was printed already, and not so long ago that nobody could issue an invoice for it.
fn check_ticket_date(checks: &mut Checks, date: Date, today: Date) {
    let oldest = today.saturating_sub(OLDEST_TICKET_YEARS.years());
    if date > today {
        checks.problem("ticket_date", Problem::InTheFuture);
    } else if date < oldest {
        let years = OLDEST_TICKET_YEARS;
        checks.problem("ticket_date", Problem::TooOld { years });
    }
}

/// What staff should look at, in the tenant's language.
async fn warnings(tx: &TenantTx, rfc: &Rfc) -> Result<Vec<String>> {
    let tenant = tx.profile().get().await?;
    let language = tenant.locale.split('-').next().unwrap_or_default();
    let language = Language::parse_or_default(language);
    Ok(rfc.warning(language).into_iter().collect())
}
