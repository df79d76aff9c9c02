//! Somebody who talks to a server over HTTP.

use crate::home::Server;
use quipu_core::tenancy::TenantScope;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;

pub(crate) const EMAIL: &str = "admin@quipu.local";
pub(crate) const PASSWORD: &str = "una frase bastante larga";

#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    pub(crate) address: String,
    token: String,
    tenant: Option<String>,
}

/// An answer, or none when the server went away.
pub(crate) type Answer = Option<(StatusCode, Value)>;

impl Client {
    pub(crate) fn new(address: &str, token: &str) -> Self {
        let http = reqwest::Client::builder()
            .timeout(Duration::from_secs(30))
            .build()
            .expect("an HTTP client");
        Self {
            http,
            address: address.to_owned(),
            token: token.to_owned(),
            tenant: None,
        }
    }

    /// The administrator of a server that was started for the first time, with a password that
    /// may be used more than once.
    pub(crate) async fn first_sign_in(server: &Server) -> Self {
        let (_, rest) = server
            .said
            .split_once("One-time password: ")
            .expect("a one-time password");
        let once = rest.split(' ').next().unwrap_or_default();
        let client = Self::sign_in(&server.address, once).await;
        let change = json!({ "current_password": once, "new_password": PASSWORD });
        client.post("/api/v1/auth/password", &change).await;
        client
    }

    pub(crate) async fn sign_in(address: &str, password: &str) -> Self {
        let mut client = Self::new(address, "");
        let body = json!({ "email": EMAIL, "password": password });
        let signed_in = client.post("/api/v1/auth/login", &body).await;
        client.token = text(&signed_in["token"]);
        client
    }

    /// Makes a tenant with room for everything, and works in it from now on.
    pub(crate) async fn make_tenant(&mut self, slug: &str) -> TenantScope {
        let limits = json!({
            "ai_agents_enabled": true,
            "max_agents": null,
            "max_members": null,
            "max_knowledge_bases": null,
            "max_documents_per_kb": null,
            "max_kb_bytes": null,
            "max_storage_bytes": null,
            "monthly_credits": 1_000_000,
            "requests_per_minute": 1_000_000,
        });
        let plan = json!({ "name": "Without bounds", "limits": limits });
        self.ok(Method::PUT, "/api/v1/plans/boundless", Some(&plan))
            .await;
        let tenant = json!({ "name": slug, "slug": slug, "plan": "boundless" });
        let tenant = self.post("/api/v1/tenants", &tenant).await;
        self.tenant = Some(slug.to_owned());
        TenantScope::of(text(&tenant["id"]).parse().expect("an id"))
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        self.ok(Method::GET, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Value {
        self.ok(Method::POST, path, Some(body)).await
    }

    /// Every entry of a listing, page by page.
    pub(crate) async fn all(&self, path: &str) -> Vec<Value> {
        let mut entries = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = self.get(&format!("{path}?limit=200{cursor}")).await;
            entries.extend(page["data"].as_array().expect("a page").iter().cloned());
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return entries,
            }
        }
    }

    /// Sends a file. The status and the answer, or nothing when the server went away.
    pub(crate) async fn upload(&self, kb: &str, name: &str, body: Vec<u8>) -> Option<(u16, Value)> {
        let part = reqwest::multipart::Part::bytes(body).file_name(name.to_owned());
        let form = reqwest::multipart::Form::new().part("file", part);
        let path = format!("{}/api/v1/knowledge-bases/{kb}/documents", self.address);
        let mut request = self
            .http
            .post(path)
            .bearer_auth(&self.token)
            .multipart(form);
        if let Some(tenant) = &self.tenant {
            request = request.header("x-quipu-tenant", tenant);
        }
        let response = request.send().await.ok()?;
        let status = response.status().as_u16();
        let body = response.json().await.ok()?;
        Some((status, body))
    }

    /// A body that is plain text.
    pub(crate) async fn text(&self, path: &str) -> String {
        let mut request = self
            .http
            .get(format!("{}{path}", self.address))
            .bearer_auth(&self.token);
        if let Some(tenant) = &self.tenant {
            request = request.header("x-quipu-tenant", tenant);
        }
        let response = request.send().await.expect("an answer");
        assert!(
            response.status().is_success(),
            "{path}: {}",
            response.status()
        );
        response.text().await.expect("a body")
    }

    async fn ok(&self, method: Method, path: &str, body: Option<&Value>) -> Value {
        let (status, answer) = self
            .send(method.clone(), path, body, None)
            .await
            .unwrap_or_else(|| panic!("{method} {path}: the server does not answer"));
        assert!(status.is_success(), "{method} {path}: {status} {answer}");
        answer
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        idempotency_key: Option<&str>,
    ) -> Answer {
        let mut request = self
            .http
            .request(method, format!("{}{path}", self.address))
            .bearer_auth(&self.token);
        if let Some(tenant) = &self.tenant {
            request = request.header("x-quipu-tenant", tenant);
        }
        if let Some(key) = idempotency_key {
            request = request.header("idempotency-key", key);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request.send().await.ok()?;
        let status = response.status();
        // The status may have arrived and the body not: then nothing was acknowledged.
        let bytes = response.bytes().await.ok()?;
        if bytes.is_empty() {
            return Some((status, Value::Null));
        }
        let body = serde_json::from_slice(&bytes).unwrap_or_else(|error| {
            let bytes = String::from_utf8_lossy(&bytes);
            panic!("{path}: {status} with a body that is not JSON ({error}): {bytes}")
        });
        Some((status, body))
    }
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
