use crate::http::extract::InTenant;
use crate::http::layers::AsStored;
use crate::http::routes::documents::attachment;
use crate::http::{ApiError, AppState};
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use futures::StreamExt;
use quipu_app::export;

/// Everything of the tenant in one archive: a file of JSON lines for each table and the files that
/// people sent. Needs the permission to read all of it, which admins have. Keys and secrets are not in
/// it, nor what is somebody else's own.
#[utoipa::path(
    get,
    path = "/api/v1/tenant/export",
    tag = "tenant",
    operation_id = "export_tenant",
    security(("bearer" = [])),
    responses((status = 200, description = "A tar.gz, as it is put together", content_type = "application/gzip"))
)]
pub(super) async fn handler(
    State(state): State<AppState>,
    InTenant(actor): InTenant,
) -> Result<impl IntoResponse, ApiError> {
    let place = state
        .exports
        .enter(actor.tenant_id(), actor.rate_caller())?;
    let day = state.app.now().strftime("%Y-%m-%d");
    let name = format!("{}-{day}.tar.gz", actor.tenant().slug);
    let archive = export::begin(state.app.clone(), actor).await?;
    // The place is given back when the last piece was read or nobody reads any more.
    let body = archive.inspect(move |_| {
        let _ = &place;
    });
    Ok((
        [
            (CONTENT_TYPE, "application/gzip".to_owned()),
            (CONTENT_DISPOSITION, attachment(&name)),
        ],
        Extension(AsStored),
        Body::from_stream(body),
    ))
}
