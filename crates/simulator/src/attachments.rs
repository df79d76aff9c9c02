//! The bytes of what customers have sent.

use crate::account::SimulatedChannel;
use crate::outgoing::json_response;
use crate::state::{FileRecord, SimulatorState};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Response};
use serde_json::json;
use std::sync::Arc;

/// WhatsApp and `TikTok` want to see the key of the account, each in its own place. What was sent to a
/// page is open to whoever knows the address.
pub(crate) async fn download(
    State(state): State<Arc<SimulatorState>>,
    Path(file_id): Path<String>,
    headers: HeaderMap,
) -> Response<Body> {
    let found = state.read(|records| {
        let file = records.file(&file_id)?;
        Some((file.clone(), records.account(&file.account_id)?.clone()))
    });
    let Some((file, account)) = found else {
        return json_response(404, &json!({ "error": "there is no such file" }), None);
    };
    let shown = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let allowed = match account.channel {
        SimulatedChannel::Whatsapp => {
            let token = shown("authorization").and_then(|value| value.strip_prefix("Bearer "));
            token == Some(&account.token)
        }
        SimulatedChannel::Tiktok => shown("x-user") == Some(&account.token),
        _ => true,
    };
    if !allowed {
        return json_response(
            401,
            &json!({ "error": "the token is not that of the account" }),
            None,
        );
    }
    file_response(&file)
}

/// A file as it was sent. Nothing in it is ever run by a browser.
pub(crate) fn file_response(file: &FileRecord) -> Response<Body> {
    let mut response = Response::new(Body::from(file.bytes.as_slice().to_vec()));
    let otherwise = HeaderValue::from_static("application/octet-stream");
    let kind = HeaderValue::from_str(&file.mime_type).unwrap_or(otherwise);
    let headers = response.headers_mut();
    headers.insert("content-type", kind);
    headers.insert(
        "x-content-type-options",
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(
        "content-security-policy",
        HeaderValue::from_static("sandbox; default-src 'none'"),
    );
    response
}
