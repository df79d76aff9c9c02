use crate::http::extract::{InTenant, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::appointments::{self, Feed, FeedLink};
use quipu_core::{BranchId, StaffId};

/// A link to the calendar of a branch (iCalendar), for programs that cannot sign in.
#[utoipa::path(
    get,
    path = "/api/v1/branches/{branch_id}/calendar",
    tag = "appointments",
    operation_id = "get_branch_calendar",
    params(("branch_id" = BranchId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = FeedLink))
)]
pub(super) async fn branch(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<BranchId>,
) -> Result<Json<FeedLink>, ApiError> {
    let link = appointments::link(&state.app, &actor, Feed::Branch(id)).await?;
    Ok(Json(link))
}

/// A link to the calendar of a staff member (iCalendar), for programs that cannot sign in.
#[utoipa::path(
    get,
    path = "/api/v1/staff/{staff_id}/calendar",
    tag = "appointments",
    operation_id = "get_staff_calendar",
    params(("staff_id" = StaffId, Path)),
    security(("bearer" = [])),
    responses((status = 200, body = FeedLink))
)]
pub(super) async fn staff(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Path(id): Path<StaffId>,
) -> Result<Json<FeedLink>, ApiError> {
    let link = appointments::link(&state.app, &actor, Feed::Staff(id)).await?;
    Ok(Json(link))
}
