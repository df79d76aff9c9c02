//! The documentation page, with everything it needs inside the binary.

use axum::Router;
use utoipa_swagger_ui::{Config, SwaggerUi};

pub(super) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let config = Config::from("/openapi.json")
        .try_it_out_enabled(true)
        .persist_authorization(false)
        .with_credentials(true);
    Router::from(SwaggerUi::new("/docs").config(config))
}
