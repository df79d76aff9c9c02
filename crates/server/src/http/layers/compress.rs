use axum::http::{Extensions, HeaderMap, StatusCode, Version};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, Predicate};

/// Marks an answer that leaves byte by byte as it is kept, with its length.
#[derive(Clone, Copy)]
pub(crate) struct AsStored;

/// Compresses what gains by it: neither streams of events, which must not wait in a buffer, nor
/// files, most of which are compressed already.
pub(crate) fn compression() -> CompressionLayer<impl Predicate> {
    let may_change = |_: StatusCode, _: Version, _: &HeaderMap, extensions: &Extensions| {
        extensions.get::<AsStored>().is_none()
    };
    CompressionLayer::new().compress_when(DefaultPredicate::new().and(may_change))
}
