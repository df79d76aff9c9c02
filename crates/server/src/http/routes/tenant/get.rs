use crate::http::extract::{InTenant, Json};
use quipu_core::tenancy::Tenant;

/// The tenant one is working in.
#[utoipa::path(
    get,
    path = "/api/v1/tenant",
    tag = "tenant",
    operation_id = "get_current_tenant",
    security(("bearer" = [])),
    responses((status = 200, body = Tenant))
)]
pub(super) async fn handler(InTenant(actor): InTenant) -> Json<Tenant> {
    Json(actor.tenant().clone())
}
