//! A provider that does what its script says.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Response, StatusCode};
use quipu_core::TenantId;
use quipu_core::embedding::{EmbeddingConfig, EmbeddingProvider};
use quipu_core::ports::{EmbedError, Embedded, Embedder, Embedders, Purpose};
use quipu_providers::{BreakerSettings, EmbeddingSettings, ProviderEmbedders, RetrySettings};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;

pub(crate) const DIMENSIONS: u32 = 2;
pub(crate) const KEY: &str = "sk-muy-secreta-1234";

/// What the server does with a request.
#[derive(Clone)]
pub(crate) enum Step {
    /// Answers as the provider would: the vector of a text says how long it is.
    Right,
    /// The same after a while.
    Slow(Duration),
    Status(u16),
    RetryAfter(u16, &'static str),
    Redirect(String),
    Body(String),
    /// Sends the beginning of an answer and hangs up.
    HangUp,
}

pub(crate) struct Seen {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

#[derive(Default)]
struct Shared {
    script: Mutex<VecDeque<Step>>,
    seen: Mutex<Vec<Seen>>,
    /// A folder whose files are served under a path; nothing else is there then.
    files: Mutex<Option<(PathBuf, String)>>,
    busy: AtomicUsize,
    busiest: AtomicUsize,
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    /// Answers rightly once the script is over.
    pub(crate) async fn open(script: &[Step]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        shared.script.lock().unwrap().extend(script.iter().cloned());
        let state = shared.clone();
        let router = Router::new().fallback(move |request| answer(state.clone(), request));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, shared }
    }

    /// Serves files instead of vectors.
    #[cfg(feature = "local-models")]
    pub(crate) fn files(&self, folder: &Path, under: &str) {
        *self.shared.files.lock().unwrap() = Some((folder.to_owned(), under.to_owned()));
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub(crate) fn requests(&self) -> usize {
        self.shared.seen.lock().unwrap().len()
    }

    pub(crate) fn busiest(&self) -> usize {
        self.shared.busiest.load(Ordering::SeqCst)
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        std::mem::take(&mut *self.shared.seen.lock().unwrap())
    }

    /// Settings under which this server plays every provider, with waits that a test bears.
    pub(crate) fn settings(&self) -> EmbeddingSettings {
        EmbeddingSettings {
            openai_base_url: self.base(),
            cohere_base_url: self.base(),
            allow_hosts: vec![self.address.to_string()],
            connect_timeout: Duration::from_secs(2),
            passage_timeout: Duration::from_secs(20),
            question_timeout: Duration::from_secs(20),
            retry: RetrySettings {
                attempts: 3,
                first_wait: Duration::from_millis(1),
                longest_wait: Duration::from_secs(2),
            },
            breaker: BreakerSettings {
                failures: 1_000,
                ..BreakerSettings::default()
            },
            ..EmbeddingSettings::default()
        }
    }

    pub(crate) fn config(&self, provider: EmbeddingProvider) -> EmbeddingConfig {
        EmbeddingConfig {
            provider,
            model: "modelo".to_owned(),
            dimensions: DIMENSIONS,
            base_url: (provider == EmbeddingProvider::Custom).then(|| self.base()),
            ..EmbeddingConfig::default()
        }
    }

    pub(crate) fn embedder(&self, provider: EmbeddingProvider) -> Arc<dyn Embedder> {
        embedder(&self.settings(), &self.config(provider))
    }

    /// How the embedding of some passages by a custom server ends.
    pub(crate) async fn passages(&self, texts: &[&str]) -> Result<Embedded, EmbedError> {
        let embedder = self.embedder(EmbeddingProvider::Custom);
        embed(embedder.as_ref(), texts, Purpose::Passage).await
    }
}

pub(crate) fn embedder(
    settings: &EmbeddingSettings,
    config: &EmbeddingConfig,
) -> Arc<dyn Embedder> {
    ProviderEmbedders::new(settings.clone())
        .of(tenant(1), config, Some(KEY.into()))
        .unwrap()
}

pub(crate) fn tenant(number: u8) -> TenantId {
    format!("00000000-0000-7000-8000-0000000000{number:02x}")
        .parse()
        .unwrap()
}

pub(crate) async fn embed(
    embedder: &dyn Embedder,
    texts: &[&str],
    purpose: Purpose,
) -> Result<Embedded, EmbedError> {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    embedder.embed(&texts, purpose).await
}

pub(crate) fn transient(result: Result<Embedded, EmbedError>) -> String {
    match result {
        Err(EmbedError::Transient(why)) => checked(why),
        other => panic!("{other:?}"),
    }
}

pub(crate) fn permanent(result: Result<Embedded, EmbedError>) -> String {
    match result {
        Err(EmbedError::Permanent(why)) => checked(why),
        other => panic!("{other:?}"),
    }
}

/// No error of any test holds the key.
fn checked(why: String) -> String {
    assert!(!why.contains(KEY), "{why}");
    why
}

async fn answer(shared: Arc<Shared>, request: Request) -> Response<Body> {
    let busy = shared.busy.fetch_add(1, Ordering::SeqCst) + 1;
    shared.busiest.fetch_max(busy, Ordering::SeqCst);
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let path = parts.uri.path().to_owned();
    let step = shared.script.lock().unwrap().pop_front();
    shared.seen.lock().unwrap().push(Seen {
        path: path.clone(),
        headers: parts.headers,
        body: body.clone(),
    });
    let files = shared.files.lock().unwrap().clone();
    let response = match files {
        Some((folder, under)) => file(&folder, path.strip_prefix(&format!("{under}/"))),
        None => act(step.unwrap_or(Step::Right), &body).await,
    };
    shared.busy.fetch_sub(1, Ordering::SeqCst);
    response
}

fn file(folder: &Path, name: Option<&str>) -> Response<Body> {
    match name.and_then(|name| std::fs::read(folder.join(name)).ok()) {
        Some(bytes) => Response::new(Body::from(bytes)),
        None => Response::builder().status(404).body(Body::empty()).unwrap(),
    }
}

async fn act(step: Step, body: &Value) -> Response<Body> {
    let with = |status: u16, header: (&str, &str), body: Body| {
        Response::builder()
            .status(StatusCode::from_u16(status).unwrap())
            .header(header.0, header.1)
            .body(body)
            .unwrap()
    };
    let json = ("content-type", "application/json");
    match step {
        Step::Right => with(200, json, Body::from(right(body).to_string())),
        Step::Slow(wait) => {
            tokio::time::sleep(wait).await;
            with(200, json, Body::from(right(body).to_string()))
        }
        Step::Status(status) => {
            let said = format!("{{\"error\": \"no, {KEY}\"}}");
            with(status, json, Body::from(said))
        }
        Step::RetryAfter(status, after) => with(status, ("retry-after", after), Body::empty()),
        Step::Redirect(to) => with(307, ("location", &to), Body::empty()),
        Step::Body(body) => with(200, json, Body::from(body)),
        Step::HangUp => with(200, ("content-length", "1000"), Body::from("{\"data\": [")),
    }
}

/// The answer of whichever protocol was spoken. The vectors of OpenAI's come in another order.
fn right(body: &Value) -> Value {
    let vector = |text: &Value| json!([text.as_str().unwrap().len(), 1]);
    if let Some(texts) = body["texts"].as_array() {
        let vectors: Vec<Value> = texts.iter().map(vector).collect();
        return json!({
            "id": "1",
            "embeddings": { "float": vectors },
            "meta": { "billed_units": { "input_tokens": 5 * texts.len() } },
        });
    }
    if let Some(passages) = body["documents"].as_array() {
        return judged(passages);
    }
    let texts = body["input"].as_array().unwrap();
    let data: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(at, text)| json!({ "object": "embedding", "index": at, "embedding": vector(text) }))
        .rev()
        .collect();
    let tokens = 3 * texts.len();
    json!({ "data": data, "usage": { "prompt_tokens": tokens, "total_tokens": tokens } })
}

/// The longer a passage, the less relevant; and the last one comes first.
fn judged(passages: &[Value]) -> Value {
    let results: Vec<Value> = passages
        .iter()
        .enumerate()
        .map(|(at, text)| {
            let text = text.as_str().unwrap();
            json!({
                "index": at,
                "relevance_score": f64::from(relevance(text)),
                "document": { "text": text },
            })
        })
        .rev()
        .collect();
    json!({ "id": "1", "results": results, "meta": { "billed_units": { "search_units": 1 } } })
}

pub(crate) fn relevance(text: &str) -> f32 {
    1.0 / (1.0 + f32::from(u16::try_from(text.len()).unwrap()))
}

/// The vector of a text as the server makes it, scaled to length one.
pub(crate) fn expected(text: &str) -> Vec<f32> {
    let x = f32::from(u16::try_from(text.len()).unwrap());
    let length = (x * x + 1.0).sqrt();
    vec![x / length, 1.0 / length]
}

pub(crate) fn near(found: &[Vec<f32>], expected: &[Vec<f32>]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-6, "{found:?} {expected:?}");
        }
    }
}
