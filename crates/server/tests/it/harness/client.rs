use super::form::{Field, written};
use super::operations::Content;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, RequestBuilder};
use serde_json::Value;

/// Somebody who talks to the server: an address and the headers that say who it is.
#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    base: String,
    headers: HeaderMap,
}

impl Client {
    pub(super) fn new(http: reqwest::Client, base: String) -> Self {
        Self {
            http,
            base,
            headers: HeaderMap::new(),
        }
    }

    /// The same somebody, with one header more or another value in it.
    pub(crate) fn with(&self, name: &'static str, value: &str) -> Self {
        let mut client = self.clone();
        let value = HeaderValue::from_str(value).unwrap();
        client.headers.insert(HeaderName::from_static(name), value);
        client
    }

    pub(crate) fn bearer(&self, token: &str) -> Self {
        self.with("authorization", &format!("Bearer {token}"))
    }

    pub(crate) fn in_tenant(&self, tenant: &str) -> Self {
        self.with("x-quipu-tenant", tenant)
    }

    /// The token this client sends.
    pub(crate) fn token(&self) -> &str {
        let value = self.headers["authorization"].to_str().unwrap();
        value.strip_prefix("Bearer ").unwrap()
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http
            .request(method, format!("{}{path}", self.base))
            .headers(self.headers.clone())
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Reply {
        let mut request = self.request(method, path);
        if let Some(body) = body {
            request = request.json(body);
        }
        Reply::of(request).await
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, path, None).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Reply {
        self.send(Method::DELETE, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Reply {
        self.send(Method::POST, path, Some(&body)).await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Reply {
        self.send(Method::PUT, path, Some(&body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: Value) -> Reply {
        self.send(Method::PATCH, path, Some(&body)).await
    }

    /// The same, or a form with a small file in its place.
    pub(crate) async fn call(&self, method: Method, path: &str, body: &Content) -> Reply {
        match body {
            Content::Nothing => self.send(method, path, None).await,
            Content::Json(body) => self.send(method, path, Some(body)).await,
            Content::File(text) => {
                let file = Field::file("nota.txt", text.as_bytes());
                self.form(method, path, &[file]).await
            }
            Content::Csv(table) => {
                let request = self.request(method, path);
                let request = request.header("content-type", "text/csv");
                Reply::of(request.body(table.clone())).await
            }
        }
    }

    pub(crate) async fn form(&self, method: Method, path: &str, fields: &[Field<'_>]) -> Reply {
        let (kind, body) = written(fields);
        let request = self.request(method, path).header("content-type", kind);
        Reply::of(request.body(body)).await
    }

    /// A POST that carries nothing.
    pub(crate) async fn poke(&self, path: &str) -> Reply {
        self.send(Method::POST, path, None).await
    }
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) async fn of(request: RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        Self {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            text: response.text().await.unwrap(),
        }
    }

    /// The body as JSON; `null` when there is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// The body of an answer that must have this status.
    #[track_caller]
    pub(crate) fn ok(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()
    }

    /// The code of an error, or nothing.
    pub(crate) fn code(&self) -> String {
        let body = self.json();
        body["error"]["code"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// The error of an answer that must be this refusal, in the one shape errors have.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, code: &str) -> Value {
        let body = self.json();
        let error = &body["error"];
        assert_eq!(
            (self.status, &*self.code()),
            (status, code),
            "{}",
            self.text
        );
        let message = error["message"].as_str().unwrap_or_default();
        assert!(!message.is_empty(), "{}", self.text);
        assert_eq!(self.header("x-request-id"), error["request_id"], "{body}");
        assert!(error["details"].is_object(), "{body}");
        error.clone()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }
}
