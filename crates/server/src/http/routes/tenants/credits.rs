use crate::http::extract::{Caller, Headers, Json, Path};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::tenants;
use quipu_core::TenantId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GrantCredits {
    #[schema(minimum = 1, maximum = 1_000_000_000)]
    amount: i64,
    /// What the credits are for, such as an invoice number.
    #[schema(min_length = 1, max_length = 100, example = "F001-123")]
    reference: String,
}

#[derive(Serialize, ToSchema)]
pub(super) struct CreditsBalance {
    balance: i64,
}

/// Add credits to a tenant's ledger. The same reference counts once. For `super_admin`.
#[utoipa::path(
    post,
    path = "/api/v1/tenants/{tenant_id}/credits",
    tag = "platform",
    operation_id = "grant_credits",
    params(("tenant_id" = TenantId, Path)),
    request_body = GrantCredits,
    security(("bearer" = [])),
    responses((status = 200, body = CreditsBalance))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Caller(principal): Caller,
    Headers { request, .. }: Headers,
    Path(id): Path<TenantId>,
    Json(input): Json<GrantCredits>,
) -> Result<Json<CreditsBalance>, ApiError> {
    let GrantCredits { amount, reference } = input;
    let balance =
        tenants::grant_credits(&state.app, &principal, id, amount, &reference, request).await?;
    Ok(Json(CreditsBalance { balance }))
}
