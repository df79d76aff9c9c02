//! Signing in and out, and the person's own account.

mod end_session;
mod login;
mod logout;
mod me;
mod password;
mod password_reset;
mod sessions;
mod update_me;

use crate::http::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(login::handler))
        .routes(routes!(logout::handler))
        .routes(routes!(me::handler, update_me::handler))
        .routes(routes!(password::handler))
        .routes(routes!(password_reset::handler))
        .routes(routes!(sessions::handler))
        .routes(routes!(end_session::handler))
}
