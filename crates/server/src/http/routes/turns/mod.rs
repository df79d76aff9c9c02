//! What happened in the turns of agents, what people made of it, and what it comes to.

mod comparison;
mod feedback;
mod get;
mod list;
mod providers;
mod series;
mod statistics;
mod tool_use;

use crate::http::AppState;
use quipu_app::turns::Period;
use quipu_core::Timestamp;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct PeriodParams {
    /// Turns from this instant on; thirty days before the end when left out.
    from: Option<Timestamp>,
    /// Turns before this instant; now when left out.
    to: Option<Timestamp>,
}

impl From<PeriodParams> for Period {
    fn from(params: PeriodParams) -> Self {
        Self {
            from: params.from,
            to: params.to,
        }
    }
}

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::handler))
        .routes(routes!(get::handler))
        .routes(routes!(feedback::handler))
        .routes(routes!(statistics::handler))
        .routes(routes!(comparison::handler))
        .routes(routes!(series::handler))
        .routes(routes!(tool_use::handler))
        .routes(routes!(providers::handler))
}
