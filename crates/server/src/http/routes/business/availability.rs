use crate::http::extract::{InTenant, Json, Query};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use jiff::civil::Date;
use quipu_app::availability::{self, Availability, Wanted};
use quipu_core::{AppointmentId, BranchId, StaffId};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct AvailabilityParams {
    /// May be left out when only one can be booked.
    service_id: Option<Uuid>,
    branch_id: Option<BranchId>,
    staff_id: Option<StaffId>,
    /// The first day, on the clock of the business; today when left out. `from` means the same.
    #[serde(alias = "from")]
    #[param(value_type = Option<String>, format = Date, example = "2026-11-20")]
    date: Option<Date>,
    /// How many days: one when a date is given, else seven.
    #[param(minimum = 1, maximum = 90)]
    days: Option<u16>,
    /// A time of the clock of the branch. What begins nearest to it comes first, on whichever of the
    /// days; of two that are as near, the later.
    #[param(pattern = "^([01]?[0-9]|2[0-3]):[0-5][0-9]$", example = "17:00")]
    time: Option<String>,
    /// How many people come.
    #[param(minimum = 1, maximum = 1000)]
    party: Option<u16>,
    /// How many are told at once. Where more is free, the answer says so and has a `next_cursor`.
    #[param(minimum = 1, maximum = 500, default = 500)]
    limit: Option<u16>,
    /// The `next_cursor` of the answer before, with everything else asked for as there.
    #[param(max_length = 40)]
    cursor: Option<String>,
    /// For whoever cannot wait: no notice is needed.
    #[serde(default)]
    urgent: bool,
    /// An appointment that is to be moved: its own time counts as free. It takes `customers:read`.
    moving: Option<AppointmentId>,
}

/// What can be booked, soonest first, or nearest to a time.
#[utoipa::path(
    get,
    path = "/api/v1/availability",
    tag = "appointments",
    operation_id = "find_availability",
    params(AvailabilityParams),
    security(("bearer" = [])),
    responses((status = 200, body = Availability))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(params): Query<AvailabilityParams>,
) -> Result<Json<Availability>, ApiError> {
    let wanted = Wanted {
        service_id: params.service_id,
        branch_id: params.branch_id,
        staff_id: params.staff_id,
        date: params.date,
        days: params.days,
        time: params.time,
        party: params.party,
        limit: params.limit,
        cursor: params.cursor,
        urgent: params.urgent,
        moving: params.moving,
    };
    Ok(Json(availability::find(&state.app, &actor, &wanted).await?))
}
