//! A tenant with room for everything on a server of our own, reached as its users reach it.

use super::own_server::OwnServer;
use anyhow::{Context, bail};
use reqwest::multipart::{Form, Part};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;

/// How often the state of a document is asked for.
const EVERY: Duration = Duration::from_millis(50);

pub(super) struct OwnTenant {
    http: reqwest::Client,
    url: String,
    token: String,
    slug: String,
}

/// How the way of a file ended.
pub(super) struct Ended {
    /// `completed`, `failed`, or `refused` when it was not even taken.
    pub(super) status: String,
    /// Why, when it was not completed.
    pub(super) code: Option<String>,
    pub(super) document_id: Option<String>,
}

impl OwnTenant {
    /// Signs in as the administrator of a server that was just started for the first time, and
    /// makes a tenant on a plan without bounds.
    pub(super) async fn make(server: &OwnServer, slug: &str) -> anyhow::Result<Self> {
        let (email, once) = server
            .administrator()
            .context("the server made no administrator")?;
        let mut tenant = Self {
            http: reqwest::Client::builder()
                .timeout(Duration::from_mins(10))
                .build()?,
            url: server.url.clone(),
            token: String::new(),
            slug: slug.to_owned(),
        };
        let body = json!({ "email": email, "password": once });
        let signed_in = tenant.post("/api/v1/auth/login", &body).await?;
        tenant.token = text(&signed_in, "token")?;
        let change = json!({ "current_password": once, "new_password": format!("{once} {once}") });
        tenant.post("/api/v1/auth/password", &change).await?;
        let plan = json!({
            "name": "Without bounds",
            "limits": {
                "ai_agents_enabled": true,
                "max_agents": null,
                "max_members": null,
                "max_knowledge_bases": null,
                "max_documents_per_kb": null,
                "max_kb_bytes": null,
                "max_storage_bytes": null,
                "monthly_credits": 1_000_000_000_u32,
                "requests_per_minute": 1_000_000,
            },
        });
        let path = "/api/v1/plans/boundless";
        tenant.ok(Method::PUT, path, Some(&plan)).await?;
        tenant.another(slug).await
    }

    /// One more tenant on the same server.
    pub(super) async fn another(&self, slug: &str) -> anyhow::Result<Self> {
        let body = json!({ "name": slug, "slug": slug, "plan": "boundless" });
        self.post("/api/v1/tenants", &body).await?;
        Ok(Self {
            http: self.http.clone(),
            url: self.url.clone(),
            token: self.token.clone(),
            slug: slug.to_owned(),
        })
    }

    /// The same administrator in a tenant that is there already, at another address of its server.
    pub(super) fn inside(&self, slug: &str, url: &str) -> Self {
        Self {
            http: self.http.clone(),
            url: url.to_owned(),
            token: self.token.clone(),
            slug: slug.to_owned(),
        }
    }

    /// Makes a knowledge base and gives its id.
    pub(super) async fn knowledge_base(&self, name: &str) -> anyhow::Result<String> {
        let body = json!({ "name": name });
        let made = self.post("/api/v1/knowledge-bases", &body).await?;
        text(&made, "id")
    }

    /// Uploads a file and waits until it is through, at most so long.
    pub(super) async fn take_in(
        &self,
        kb: &str,
        name: &str,
        bytes: Vec<u8>,
        patience: Duration,
    ) -> anyhow::Result<Ended> {
        let path = format!("/api/v1/knowledge-bases/{kb}/documents");
        let form = Form::new().part("file", Part::bytes(bytes).file_name(name.to_owned()));
        let request = self.request(Method::POST, &path).multipart(form);
        let (status, answer) = answer(request).await?;
        if status.is_client_error() {
            return Ok(Ended {
                status: "refused".to_owned(),
                code: find_code(&answer),
                document_id: None,
            });
        }
        if status != StatusCode::ACCEPTED {
            bail!("{name}: {status} {answer}");
        }
        let id = text(&answer, "document_id")?;
        let path = format!("{path}/{id}/status");
        let waited = async {
            loop {
                let state = self.ok(Method::GET, &path, None).await?;
                let status = text(&state, "status")?;
                if matches!(status.as_str(), "completed" | "failed") {
                    return anyhow::Ok((status, find_code(&state)));
                }
                tokio::time::sleep(EVERY).await;
            }
        };
        let (status, code) = match tokio::time::timeout(patience, waited).await {
            Ok(ended) => ended?,
            Err(_) => ("stuck".to_owned(), None),
        };
        Ok(Ended {
            status,
            code,
            document_id: Some(id),
        })
    }

    pub(super) async fn document(&self, kb: &str, id: &str) -> anyhow::Result<Value> {
        let path = format!("/api/v1/knowledge-bases/{kb}/documents/{id}");
        self.ok(Method::GET, &path, None).await
    }

    /// The texts of a document's chunks, in order.
    pub(super) async fn chunks(&self, kb: &str, document: &str) -> anyhow::Result<Vec<String>> {
        let path = format!("/api/v1/knowledge-bases/{kb}/documents/{document}/chunks?limit=200");
        let mut texts = Vec::new();
        let mut cursor = String::new();
        loop {
            let path = format!("{path}{cursor}");
            let page = self.ok(Method::GET, &path, None).await?;
            let items = page["data"].as_array().context("a page has no data")?;
            for item in items {
                texts.push(text(item, "content")?);
            }
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return Ok(texts),
            }
        }
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        self.ok(Method::POST, path, Some(body)).await
    }

    pub(super) async fn ok(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<Value> {
        let mut request = self.request(method.clone(), path);
        if let Some(body) = body {
            request = request.json(body);
        }
        let (status, answer) = answer(request).await?;
        if !status.is_success() {
            bail!("{method} {path}: {status} {answer}");
        }
        Ok(answer)
    }

    fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http
            .request(method, format!("{}{path}", self.url))
            .bearer_auth(&self.token)
            .header("x-quipu-tenant", &self.slug)
    }
}

async fn answer(request: reqwest::RequestBuilder) -> anyhow::Result<(StatusCode, Value)> {
    let response = request.send().await?;
    let status = response.status();
    let bytes = response.bytes().await?;
    Ok((
        status,
        serde_json::from_slice(&bytes).unwrap_or(Value::Null),
    ))
}

pub(super) fn text(value: &Value, field: &str) -> anyhow::Result<String> {
    let found = value[field].as_str();
    Ok(found
        .with_context(|| format!("there is no {field} in {value}"))?
        .to_owned())
}

/// The code of a failure: in the body of an error, or in the state of a document.
fn find_code(answer: &Value) -> Option<String> {
    let code = answer["error"]["code"].as_str();
    code.or(answer["error_code"].as_str()).map(str::to_owned)
}
