use crate::http::extract::{InTenant, Json, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::appointments;
use quipu_commerce::appointment::{Appointment, AppointmentOrder, AppointmentStatus};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{BranchId, ConversationId, LeadId, StaffId};
use quipu_store::tenant::AppointmentFilter;
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct AppointmentParams {
    #[param(inline)]
    status: Option<AppointmentStatus>,
    branch_id: Option<BranchId>,
    staff_id: Option<StaffId>,
    lead_id: Option<LeadId>,
    conversation_id: Option<ConversationId>,
    /// Those that begin then or later: an instant, or a date on the clock of the business.
    #[param(max_length = 40, example = "2026-11-24")]
    from: Option<String>,
    /// Those that begin before this instant, or until the end of this date.
    #[param(max_length = 40, example = "2026-11-30")]
    to: Option<String>,
    /// Which come first: `newest`, those that were made last, unless `start` is asked for, those that
    /// begin first.
    #[param(inline)]
    sort: Option<AppointmentOrder>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// The tenant's appointments, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/appointments",
    tag = "appointments",
    operation_id = "list_appointments",
    params(AppointmentParams),
    security(("bearer" = [])),
    responses((status = 200, body = Page<Appointment>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(params): Query<AppointmentParams>,
) -> Result<Json<Page<Appointment>>, ApiError> {
    let page = PageRequest::parse(params.limit, params.cursor.as_deref())?;
    let from = params.from.as_deref();
    let from = from.map(|text| appointments::first_instant(&actor, "from", text));
    let to = params.to.as_deref();
    let to = to.map(|text| appointments::instant_past(&actor, "to", text));
    let filter = AppointmentFilter {
        status: params.status,
        branch: params.branch_id,
        resource: params.staff_id.map(StaffId::uuid),
        lead: params.lead_id,
        conversation: params.conversation_id,
        from: from.transpose()?,
        to: to.transpose()?,
    };
    let order = params.sort.unwrap_or_default();
    let found = appointments::list(&state.app, &actor, &filter, order, page).await?;
    Ok(Json(found))
}
