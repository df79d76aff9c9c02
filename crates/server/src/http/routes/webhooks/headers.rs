use axum::http::HeaderMap;
use quipu_app::channels::DeliveryHeaders;

/// The headers by which channels show that it is them.
pub(in crate::http::routes) fn vouched(headers: &HeaderMap) -> DeliveryHeaders {
    let header = |name: &str| {
        let value = headers.get(name)?.to_str().ok()?;
        Some(value.to_owned())
    };
    DeliveryHeaders {
        hub_signature: header("x-hub-signature-256"),
        tiktok_signature: header("tiktok-signature"),
        vapi_secret: header("x-vapi-secret"),
        authorization: header("authorization"),
    }
}
