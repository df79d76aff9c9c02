use crate::http::extract::{Caller, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::plans;
use quipu_core::plan::{Plan, PlanLimits};
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PutPlan {
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    limits: PlanLimits,
}

/// Make or change a plan. Its tenants are under the new limits at once. For `super_admin`.
#[utoipa::path(
    put,
    path = "/api/v1/plans/{plan_slug}",
    tag = "platform",
    operation_id = "put_plan",
    params(("plan_slug" = String, Path, min_length = 1, max_length = 50, pattern = "^[a-z0-9]+(-[a-z0-9]+)*$")),
    request_body = PutPlan,
    security(("bearer" = [])),
    responses((status = 200, body = Plan))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
    Path(slug): Path<String>,
    Json(input): Json<PutPlan>,
) -> Result<Json<Plan>, ApiError> {
    let plan = Plan {
        slug,
        name: input.name,
        limits: input.limits,
    };
    Ok(Json(plans::put(&state.app, &principal, plan).await?))
}
