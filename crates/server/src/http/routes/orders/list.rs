use crate::http::extract::{InTenant, Json, Query, invalid_parameter};
use crate::http::{ApiError, AppState};
use axum::extract::State;
use quipu_app::orders;
use quipu_commerce::order::{Order, OrderStatus};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{BranchId, Error, LeadId};
use quipu_store::tenant::OrderFilter;
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct OrdersFilter {
    /// One status, or several with commas between them.
    #[param(max_length = 200, example = "received,preparing")]
    status: Option<String>,
    lead_id: Option<LeadId>,
    branch_id: Option<BranchId>,
    /// Entries per page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u64>,
    /// The `next_cursor` of the page before.
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// The tenant's orders, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/orders",
    tag = "orders",
    operation_id = "list_orders",
    params(OrdersFilter),
    security(("bearer" = [])),
    responses((status = 200, body = Page<Order>))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
    Query(query): Query<OrdersFilter>,
) -> Result<Json<Page<Order>>, ApiError> {
    let page = PageRequest::parse(query.limit, query.cursor.as_deref())?;
    let filter = OrderFilter {
        statuses: statuses(query.status.as_deref())?,
        lead: query.lead_id,
        branch: query.branch_id,
    };
    Ok(Json(orders::list(&state.app, &actor, &filter, page).await?))
}

fn statuses(text: Option<&str>) -> Result<Vec<OrderStatus>, Error> {
    let words = text.into_iter().flat_map(|text| text.split(','));
    let statuses = words.map(|word| {
        OrderStatus::parse(word.trim()).ok_or_else(|| {
            let names: Vec<&str> = OrderStatus::ALL.iter().map(|s| s.as_str()).collect();
            let names = names.join(", ");
            let es = format!("status: cada uno debe ser uno de {names}");
            invalid_parameter(&es, &format!("status: each must be one of {names}"))
        })
    });
    statuses.collect()
}
