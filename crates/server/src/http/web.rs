//! The pages people work with, inside the binary.
//!
//! `web/` is built before the binary and lies in it, compressed already and in no other form. Every address that is no file
//! and nothing of the API is a page of the application, which finds its way by itself.

use super::ApiError;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use quipu_core::{Error, ErrorCode};
use rust_embed::{EmbeddedFile, RustEmbed};
use std::io::Read;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct WebFiles;

const ENTRY: &str = "index.html";
/// Names of files in here change with what is in them.
const ASSETS: &str = "assets/";
/// What programs ask for. Whoever mistypes such an address is told so in their language, not in a page.
const FOR_PROGRAMS: [&str; 9] = [
    "api/",
    "v1/",
    "mcp/",
    "rag/",
    "calendars/",
    "docs",
    "metrics",
    "openapi",
    "widget/",
];
/// Where the page expects what makes its styles its own.
const NONCE: &str = "@nonce@";

const NOT_BUILT: &str = "<!doctype html><html lang=\"es\"><meta charset=\"utf-8\"><title>Quipu</title>\
    <p>Este programa se compiló sin sus páginas web. <code>make build</code> las incluye. \
    La <a href=\"/docs/\">referencia de la API</a> está aquí.</p>\
    <p lang=\"en\">This program was built without its web pages. <code>make build</code> includes them. \
    The <a href=\"/docs/\">API reference</a> is here.</p></html>";

pub(super) async fn page(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let missing = || ApiError(Error::new(ErrorCode::RouteNotFound)).into_response();
    if !matches!(method, Method::GET | Method::HEAD)
        || FOR_PROGRAMS.iter().any(|prefix| path.starts_with(prefix))
    {
        return missing();
    }
    if path != ENTRY
        && let Some(asset) = WebAsset::find(path)
    {
        return asset.answer(path, &headers);
    }
    let accepts = text(&headers, &header::ACCEPT);
    if path.starts_with(ASSETS) || !(accepts.contains("text/html") || path.is_empty()) {
        return missing();
    }
    match WebFiles::get(ENTRY) {
        Some(file) => entry(&file),
        None => Html(NOT_BUILT).into_response(),
    }
}

/// The one page, with a nonce of its own: no style but ours is applied, and no script that is not a file.
fn entry(file: &EmbeddedFile) -> Response {
    let mut random = [0; 18];
    if let Err(error) = getrandom::fill(&mut random) {
        return ApiError(Error::internal(error)).into_response();
    }
    let nonce = STANDARD.encode(random);
    let page = String::from_utf8_lossy(&file.data).replace(NONCE, &nonce);
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; \
         img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'"
    );
    let mut response = Html(page).into_response();
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// A file. One that gets smaller by it lies in the binary in its compressed forms alone.
struct WebAsset {
    plain: Option<EmbeddedFile>,
    gzip: Option<EmbeddedFile>,
    brotli: Option<EmbeddedFile>,
}

impl WebAsset {
    fn find(path: &str) -> Option<Self> {
        let asset = Self {
            plain: WebFiles::get(path),
            gzip: WebFiles::get(&format!("{path}.gz")),
            brotli: WebFiles::get(&format!("{path}.br")),
        };
        (asset.plain.is_some() || asset.gzip.is_some()).then_some(asset)
    }

    /// What it is called while it stays the same.
    fn tag(&self) -> Option<String> {
        let file = self.plain.as_ref().or(self.gzip.as_ref())?;
        let tag = STANDARD.encode(&file.metadata.sha256_hash()[..18]);
        Some(format!("\"{tag}\""))
    }

    /// The smallest form that the browser takes.
    fn answer(self, path: &str, asked: &HeaderMap) -> Response {
        let cached = if path.starts_with(ASSETS) {
            "public, max-age=31536000, immutable"
        } else {
            "no-cache"
        };
        let mut headers = HeaderMap::new();
        let mut put = |name, value: &str| {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(name, value);
            }
        };
        let tag = self.tag().unwrap_or_default();
        put(header::ETAG, &tag);
        put(header::CACHE_CONTROL, cached);
        put(header::VARY, "accept-encoding");
        if text(asked, &header::IF_NONE_MATCH).contains(&tag) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        put(header::CONTENT_TYPE, media_type(path));
        let accepted = text(asked, &header::ACCEPT_ENCODING);
        for (encoding, form) in [("br", &self.brotli), ("gzip", &self.gzip)] {
            if let Some(form) = form.as_ref().filter(|_| accepted.contains(encoding)) {
                put(header::CONTENT_ENCODING, encoding);
                return (headers, form.data.clone()).into_response();
            }
        }
        match self.unpacked() {
            Ok(bytes) => (headers, bytes).into_response(),
            Err(error) => ApiError(Error::internal(error)).into_response(),
        }
    }

    fn unpacked(self) -> std::io::Result<Vec<u8>> {
        if let Some(plain) = self.plain {
            return Ok(plain.data.into_owned());
        }
        let packed = self.gzip.map(|form| form.data).unwrap_or_default();
        let mut bytes = Vec::new();
        GzDecoder::new(packed.as_ref()).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webmanifest" | "json" => "application/json",
        _ => "application/octet-stream",
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &header::HeaderName) -> &'h str {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.unwrap_or_default()
}
