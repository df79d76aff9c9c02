//! As much of S3 as the originals need, in this process: one bucket, path-style addresses.

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use percent_encoding::percent_decode_str;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard};

pub(super) const BUCKET: &str = "originales";
pub(super) const KEY_ID: &str = "clave";
/// Few enough that lists have several pages.
const PAGE: usize = 3;
/// The smallest part S3 takes, but for the last.
const SMALLEST_PART: usize = 5 * 1024 * 1024;
const MODIFIED: &str = "Tue, 15 Nov 1994 12:45:26 GMT";

#[derive(Default)]
pub(super) struct Bucket {
    pub(super) objects: BTreeMap<String, Bytes>,
    pub(super) uploads: HashMap<String, BTreeMap<usize, Bytes>>,
    started: usize,
    /// What every request is answered with, while it is set.
    pub(super) trouble: Option<StatusCode>,
}

#[derive(Clone, Default)]
pub(super) struct FakeS3(Arc<Mutex<Bucket>>);

impl FakeS3 {
    /// Starts serving, and tells where.
    pub(super) async fn open() -> (Self, String) {
        let fake = Self::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().fallback(serve).with_state(fake.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        (fake, endpoint)
    }

    pub(super) fn bucket(&self) -> MutexGuard<'_, Bucket> {
        self.0.lock().unwrap()
    }
}

async fn serve(State(fake): State<FakeS3>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, 64 * 1024 * 1024).await.unwrap();
    let mut bucket = fake.bucket();
    if let Some(trouble) = bucket.trouble {
        return trouble.into_response();
    }
    if !is_signed(&head.headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let path = percent_decode_str(head.uri.path()).decode_utf8().unwrap();
    let (name, key) = path[1..].split_once('/').unwrap_or((&path[1..], ""));
    if name != BUCKET {
        return (
            StatusCode::NOT_FOUND,
            "<Error><Code>NoSuchBucket</Code></Error>",
        )
            .into_response();
    }
    let query = head.uri.query().unwrap_or_default();
    let query: HashMap<String, String> = url::form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect();
    if key.is_empty() {
        return match head.method {
            Method::GET => bucket.list(&query),
            Method::POST if query.contains_key("delete") => bucket.delete_many(&body),
            _ => StatusCode::NOT_IMPLEMENTED.into_response(),
        };
    }
    let upload = query.get("uploadId");
    match (head.method, upload) {
        (Method::GET, None) => bucket.get(key, true),
        (Method::HEAD, None) => bucket.get(key, false),
        (Method::PUT, None) => bucket.put(key, body),
        (Method::POST, None) if query.contains_key("uploads") => bucket.start(),
        (Method::PUT, Some(upload)) => bucket.part(upload, &query["partNumber"], body),
        (Method::POST, Some(upload)) => bucket.complete(upload, key),
        (Method::DELETE, Some(upload)) => {
            bucket.uploads.remove(upload);
            StatusCode::NO_CONTENT.into_response()
        }
        _ => StatusCode::NOT_IMPLEMENTED.into_response(),
    }
}

fn is_signed(headers: &HeaderMap) -> bool {
    let wanted = format!("AWS4-HMAC-SHA256 Credential={KEY_ID}/");
    headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.starts_with(&wanted))
}

impl Bucket {
    fn get(&self, key: &str, with_body: bool) -> Response {
        let Some(object) = self.objects.get(key) else {
            return StatusCode::NOT_FOUND.into_response();
        };
        let headers = [
            (header::CONTENT_LENGTH, object.len().to_string()),
            (header::LAST_MODIFIED, MODIFIED.to_owned()),
            (header::ETAG, "\"x\"".to_owned()),
        ];
        let body = if with_body {
            Body::from(object.clone())
        } else {
            Body::empty()
        };
        (headers, body).into_response()
    }

    fn put(&mut self, key: &str, body: Bytes) -> Response {
        self.objects.insert(key.to_owned(), body);
        [(header::ETAG, "\"x\"")].into_response()
    }

    fn start(&mut self) -> Response {
        self.started += 1;
        let id = format!("upload-{}", self.started);
        self.uploads.insert(id.clone(), BTreeMap::new());
        format!("<InitiateMultipartUploadResult><UploadId>{id}</UploadId></InitiateMultipartUploadResult>")
            .into_response()
    }

    fn part(&mut self, upload: &str, number: &str, body: Bytes) -> Response {
        let Some(parts) = self.uploads.get_mut(upload) else {
            return StatusCode::NOT_FOUND.into_response();
        };
        parts.insert(number.parse().unwrap(), body);
        [(header::ETAG, format!("\"part-{number}\""))].into_response()
    }

    fn complete(&mut self, upload: &str, key: &str) -> Response {
        let Some(parts) = self.uploads.remove(upload) else {
            return StatusCode::NOT_FOUND.into_response();
        };
        let parts: Vec<Bytes> = parts.into_values().collect();
        let (_, all_but_last) = parts.split_last().unwrap();
        if all_but_last.iter().any(|part| part.len() < SMALLEST_PART) {
            return (
                StatusCode::BAD_REQUEST,
                "<Error><Code>EntityTooSmall</Code></Error>",
            )
                .into_response();
        }
        self.objects.insert(key.to_owned(), parts.concat().into());
        "<CompleteMultipartUploadResult><ETag>\"x\"</ETag></CompleteMultipartUploadResult>"
            .into_response()
    }

    fn list(&self, query: &HashMap<String, String>) -> Response {
        let empty = String::new();
        let prefix = query.get("prefix").unwrap_or(&empty);
        let after = query.get("continuation-token").unwrap_or(&empty);
        let found: Vec<_> = self
            .objects
            .iter()
            .filter(|(key, _)| key.starts_with(prefix) && *key > after)
            .take(PAGE + 1)
            .collect();
        let mut xml = "<ListBucketResult>".to_owned();
        for (key, object) in found.iter().take(PAGE) {
            write!(
                xml,
                "<Contents><Key>{}</Key><Size>{}</Size><LastModified>1994-11-15T12:45:26Z</LastModified><ETag>x</ETag></Contents>",
                escape(key),
                object.len()
            )
            .unwrap();
        }
        if found.len() > PAGE {
            let last = escape(found[PAGE - 1].0);
            write!(xml, "<NextContinuationToken>{last}</NextContinuationToken>").unwrap();
        }
        xml.push_str("</ListBucketResult>");
        xml.into_response()
    }

    fn delete_many(&mut self, body: &[u8]) -> Response {
        let body = std::str::from_utf8(body).unwrap();
        let mut xml = "<DeleteResult>".to_owned();
        for rest in body.split("<Key>").skip(1) {
            let (key, _) = rest.split_once("</Key>").unwrap();
            self.objects.remove(&unescape(key));
            write!(xml, "<Deleted><Key>{key}</Key></Deleted>").unwrap();
        }
        xml.push_str("</DeleteResult>");
        xml.into_response()
    }
}

const ESCAPES: [(char, &str); 5] = [
    ('&', "&amp;"),
    ('<', "&lt;"),
    ('>', "&gt;"),
    ('\'', "&apos;"),
    ('"', "&quot;"),
];

fn escape(text: &str) -> String {
    let mut text = text.to_owned();
    for (plain, escaped) in ESCAPES {
        text = text.replace(plain, escaped);
    }
    text
}

fn unescape(text: &str) -> String {
    let mut text = text.to_owned();
    for (plain, escaped) in ESCAPES.iter().rev() {
        text = text.replace(escaped, &plain.to_string());
    }
    text
}
