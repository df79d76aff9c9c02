//! The chat that a business puts on its own site: one file, as it is written, for pages of any origin.

use axum::Router;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

const SCRIPT: &str = include_str!("widget/quipu-chat.js");

/// What the file is called while it stays the same, however it is compressed on its way.
static TAG: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    SCRIPT.hash(&mut hasher);
    format!("W/\"{:016x}\"", hasher.finish())
});

/// Browsers keep it for an hour. For a week after that they show what they have while they ask whether it
/// is still the same: its address stays when it changes, and no page waits for it twice.
const KEPT: &str = "public, max-age=3600, stale-while-revalidate=604800";

pub(super) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/widget/quipu-chat.js", get(script))
}

async fn script(asked: HeaderMap) -> Response {
    let about = [
        (CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (CACHE_CONTROL, KEPT),
        (ETAG, TAG.as_str()),
        // There is nothing of anybody's in it.
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "cross-origin",
        ),
    ];
    let known = asked.get(IF_NONE_MATCH).and_then(|tag| tag.to_str().ok());
    if known.is_some_and(|known| known.contains(TAG.trim_start_matches("W/"))) {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    (about, SCRIPT).into_response()
}
