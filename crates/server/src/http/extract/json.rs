use crate::http::ApiError;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, Request};
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use quipu_core::{Error, ErrorCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A JSON body, in or out. Unknown fields are refused by the types themselves.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let bytes = json_bytes(request, state).await?;
        // Serde would also take a list, as the fields in the order they have in our source.
        if bytes.trim_ascii_start().first() == Some(&b'[') {
            return Err(invalid("se espera un objeto", "an object is expected").into());
        }
        serde_json::from_slice(&bytes)
            .map(Self)
            .map_err(|error| quipu_core::unreadable::unreadable_in(&bytes, &error).into())
    }
}

/// The bytes of a body that says it is JSON, within the limit of its size. What cannot be kept in a
/// database is refused here, before anybody reads further.
pub(crate) async fn json_bytes<S: Send + Sync>(
    request: Request,
    state: &S,
) -> Result<Bytes, ApiError> {
    if !is_json(&request) || is_encoded(&request) {
        return Err(Error::new(ErrorCode::UnsupportedMediaType).into());
    }
    let bytes = Bytes::from_request(request, state)
        .await
        .map_err(|r| unreadable(&r))?;
    if holds_nul(&bytes) {
        let es = "un texto contiene un carácter nulo (\\u0000)";
        return Err(invalid(es, "a text holds a NUL (\\u0000)").into());
    }
    Ok(bytes)
}

/// Whether a body says it is JSON. What is changed in part is a merge patch, and some clients say so.
fn is_json(request: &Request) -> bool {
    let kind = request.headers().get(CONTENT_TYPE);
    let kind = kind.and_then(|value| value.to_str().ok());
    let kind = kind.and_then(|value| value.split(';').next());
    kind.is_some_and(|kind| {
        let is = |name: &str| kind.trim().eq_ignore_ascii_case(name);
        let patches = request.method() == Method::PATCH;
        is("application/json") || (patches && is("application/merge-patch+json"))
    })
}

/// Whether a body says it is compressed, which nobody here undoes.
fn is_encoded(request: &Request) -> bool {
    let encoding = request.headers().get(CONTENT_ENCODING);
    encoding.is_some_and(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity"))
}

/// Whether a text in the JSON holds a NUL, which PostgreSQL can neither keep nor look for. Unescaped
/// ones are no JSON and are refused by the parser.
fn holds_nul(json: &[u8]) -> bool {
    let mut rest = json;
    while let Some(at) = rest.iter().position(|&byte| byte == b'\\') {
        if rest[at + 1..].starts_with(b"u0000") {
            return true;
        }
        // Whatever is escaped is passed over, so that an escaped backslash begins nothing.
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    false
}

fn unreadable(rejection: &BytesRejection) -> Error {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return Error::new(ErrorCode::BodyTooLarge);
    }
    invalid("llegó incompleto", "the body ended early")
}

fn invalid(es: &str, en: &str) -> Error {
    Error::new(ErrorCode::InvalidJson)
        .with("reason", en)
        .with_texts("reason", es.to_owned(), en.to_owned())
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}
