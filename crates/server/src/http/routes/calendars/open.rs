use crate::http::extract::Path;
use crate::http::{ApiError, AppState};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use quipu_app::appointments;

/// The calendar behind a link (iCalendar). The link itself is the key.
#[utoipa::path(
    get,
    path = "/calendars/{calendar_token}",
    tag = "platform",
    operation_id = "open_calendar",
    params(("calendar_token" = String, Path, min_length = 1, max_length = 300)),
    security(),
    responses((status = 200, description = "The calendar", body = String, content_type = "text/calendar"))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    Path(token): Path<String>,
) -> Result<impl IntoResponse, ApiError> {
    let calendar = appointments::open(&state.app, &token).await?;
    let headers = [
        (CONTENT_TYPE, "text/calendar; charset=utf-8"),
        (CACHE_CONTROL, "private, max-age=300"),
    ];
    Ok((headers, calendar))
}
