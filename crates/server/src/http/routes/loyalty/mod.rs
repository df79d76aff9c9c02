//! The loyalty programme and the tokens of leads.

mod adjust;
mod balance;
mod cancel;
mod get_programme;
mod put_programme;
mod redeem;
mod redemptions;
mod transactions;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(get_programme::handler, put_programme::handler))
        .routes(routes!(balance::handler))
        .routes(routes!(transactions::handler))
        .routes(routes!(adjust::handler))
        .routes(routes!(redemptions::handler, redeem::handler))
        .routes(routes!(cancel::handler))
}
