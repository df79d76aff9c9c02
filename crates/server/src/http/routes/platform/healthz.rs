/// The process is up.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "operations",
    operation_id = "healthz",
    security(),
    responses((status = 200, body = String, content_type = "text/plain"))
)]
pub(super) async fn handler() -> &'static str {
    "ok"
}
