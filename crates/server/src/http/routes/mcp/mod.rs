//! An agent's tools and documents over the Model Context Protocol.
//!
//! Nothing is kept between two requests: each says who asks, and is answered with JSON and no
//! stream. What HTTP itself refuses (who asks, which agent, a body that is no message) is an error
//! like everybody's; what the protocol refuses is an error of JSON-RPC; what a tool refuses is a
//! result of that tool, for a model to read.

mod annotations;
mod customer;
mod error;
mod message;
mod methods;
mod post;
mod protocol;
mod resources;
#[cfg(test)]
mod tests;
mod tools;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// There is no `GET` and no `DELETE`: the protocol has a server without streams and without sessions
/// answer both with 405.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(post::handler))
}
