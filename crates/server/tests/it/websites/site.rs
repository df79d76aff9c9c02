//! A website of a test's own, and what a test asks of it and of us.

use crate::harness::{
    Client, Options, Person, Tenant, TestApp, all_pages, documents_path, eventually, id, kb_path,
    make_kb,
};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, ETAG, IF_NONE_MATCH, LOCATION};
use axum::response::{IntoResponse, Response};
use quipu_fetch::{FetchSettings, GuardedFetcher};
use quipu_testkit::TestDatabase;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

#[derive(Clone, Debug)]
pub(super) enum Answer {
    Html(String),
    /// The same with a mark of its version.
    Marked(String, &'static str),
    Plain(Bytes),
    Moved(String),
    Status(u16),
}

#[derive(Default)]
struct Kept {
    pages: Mutex<BTreeMap<String, Answer>>,
    /// What was asked for, in order.
    asked: Mutex<Vec<String>>,
    /// A page that is answered only when the test lets it be.
    slow: Mutex<Option<(String, Arc<Semaphore>)>>,
}

/// A site that changes as the test wants.
#[derive(Clone)]
pub(super) struct TestSite {
    kept: Arc<Kept>,
    pub(super) port: u16,
}

impl TestSite {
    pub(super) async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let kept = Arc::new(Kept::default());
        let router = Router::new().fallback(answer).with_state(kept.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { kept, port }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(super) fn put(&self, path: &str, answer: Answer) {
        self.kept
            .pages
            .lock()
            .unwrap()
            .insert(path.to_owned(), answer);
    }

    /// A page with a text and links.
    pub(super) fn page(&self, path: &str, text: &str, links: &[&str]) {
        let links: Vec<String> = links
            .iter()
            .map(|to| format!("<a href=\"{to}\">x</a> "))
            .collect();
        let links = links.concat();
        let html =
            format!("<!doctype html><title>Página {path}</title><nav>{links}</nav><p>{text}</p>");
        self.put(path, Answer::Html(html));
    }

    pub(super) fn sitemap(&self, path: &str, pages: &[&str]) {
        let urls: Vec<String> = pages
            .iter()
            .map(|page| format!("<url><loc>{}</loc></url>", self.url(page)))
            .collect();
        let urls = urls.concat();
        self.put(
            path,
            Answer::Plain(format!("<urlset>{urls}</urlset>").into()),
        );
    }

    pub(super) fn text(&self, path: &str, text: String) {
        self.put(path, Answer::Plain(text.into()));
    }

    pub(super) fn asked(&self) -> Vec<String> {
        self.kept.asked.lock().unwrap().clone()
    }

    pub(super) fn forget_asked(&self) {
        self.kept.asked.lock().unwrap().clear();
    }

    /// Holds a page back until a permit is added.
    pub(super) fn hold(&self, path: &str) -> Arc<Semaphore> {
        let gate = Arc::new(Semaphore::new(0));
        *self.kept.slow.lock().unwrap() = Some((path.to_owned(), gate.clone()));
        gate
    }

    /// May be read by the product, although it is on this machine.
    pub(super) fn allowed(&self, options: &mut Options) {
        options.config.fetch.site_pause_milliseconds = 0;
        options.fetcher = Some(Arc::new(GuardedFetcher::new(FetchSettings {
            allow_networks: vec!["127.0.0.1/32".parse().unwrap()],
            allow_ports: vec![self.port, 8080],
            ..FetchSettings::default()
        })));
    }
}

async fn answer(State(kept): State<Arc<Kept>>, request: Request) -> Response {
    let path = request.uri().to_string();
    kept.asked.lock().unwrap().push(path.clone());
    let slow = kept.slow.lock().unwrap().clone();
    if let Some((held, gate)) = slow
        && held == path
    {
        let _ = gate.acquire().await.unwrap();
    }
    let found = kept.pages.lock().unwrap().get(&path).cloned();
    let html = [(CONTENT_TYPE, "text/html; charset=utf-8")];
    match found {
        None => StatusCode::NOT_FOUND.into_response(),
        Some(Answer::Html(text)) => (html, text).into_response(),
        Some(Answer::Marked(text, mark)) => {
            let known = request.headers().get(IF_NONE_MATCH);
            if known.is_some_and(|known| known == mark) {
                return StatusCode::NOT_MODIFIED.into_response();
            }
            (html, [(ETAG, mark)], text).into_response()
        }
        Some(Answer::Plain(bytes)) => bytes.into_response(),
        Some(Answer::Moved(to)) => (StatusCode::FOUND, [(LOCATION, to)]).into_response(),
        Some(Answer::Status(status)) => StatusCode::from_u16(status).unwrap().into_response(),
    }
}

/// A tenant with a knowledge base for a site.
pub(super) struct Ground {
    pub(super) app: TestApp,
    pub(super) site: TestSite,
    pub(super) tenant: Tenant,
    pub(super) client: Client,
    pub(super) kb: Value,
}

impl Ground {
    pub(super) async fn new(db: TestDatabase) -> Self {
        Self::with(db, |_| {}).await
    }

    pub(super) async fn with(db: TestDatabase, change: impl FnOnce(&mut Options)) -> Self {
        let site = TestSite::open().await;
        let app = TestApp::start_with(db, |options| {
            site.allowed(options);
            change(options);
        })
        .await;
        let tenant = app.tenant("acme").await;
        let Person { client, .. } = tenant.admin.clone();
        let kb = make_kb(&client, "Sitio").await;
        Self {
            app,
            site,
            tenant,
            client,
            kb,
        }
    }

    pub(super) fn sites(&self) -> String {
        format!("{}/websites", kb_path(&self.kb))
    }

    /// Adds the site with these settings.
    pub(super) async fn add(&self, settings: Value) -> Value {
        let mut body = json!({ "address": self.site.url("/") });
        let whole = body.as_object_mut().unwrap();
        whole.extend(settings.as_object().unwrap().clone());
        self.client.post(&self.sites(), body).await.ok(202)
    }

    pub(super) async fn get(&self, site: &Value) -> Value {
        self.client.get(&path(site)).await.ok(200)
    }

    /// Waits until the reading has come to its end, well or not.
    pub(super) async fn ended(&self, site: &Value) -> Value {
        eventually("end of the reading", async || {
            let now = self.get(site).await;
            let busy = matches!(now["status"].as_str(), Some("waiting" | "reading"));
            (!busy).then_some(now)
        })
        .await
    }

    pub(super) async fn ready(&self, site: &Value) -> Value {
        let site = self.ended(site).await;
        assert_eq!(site["status"], "ready", "{site}");
        site
    }

    pub(super) async fn read_again(&self, site: &Value) -> Value {
        let order = format!("{}/read", path(site));
        self.client.post(&order, json!({})).await.ok(202);
        self.ended(site).await
    }

    /// The state of each page, by its path.
    pub(super) async fn pages(&self, site: &Value) -> BTreeMap<String, (String, Value)> {
        let pages = all_pages(&self.client, &format!("{}/pages", path(site)), 3).await;
        let root = self.site.url("");
        pages
            .iter()
            .map(|page| {
                let address = page["address"].as_str().unwrap().replace(&root, "");
                let state = page["state"].as_str().unwrap().to_owned();
                (address, (state, page["error_code"].clone()))
            })
            .collect()
    }

    /// The addresses of the documents of the knowledge base, once all of them are processed.
    pub(super) async fn documents(&self) -> Vec<String> {
        eventually("processing", async || {
            let documents = all_pages(&self.client, &documents_path(&self.kb), 200).await;
            let moving = documents.iter().any(|document| {
                matches!(document["status"].as_str(), Some("pending" | "processing"))
            });
            let root = self.site.url("");
            let mut found: Vec<String> = documents
                .iter()
                .map(|document| document["source_url"].as_str().unwrap().replace(&root, ""))
                .collect();
            found.sort();
            (!moving).then_some(found)
        })
        .await
    }
}

pub(super) fn path(site: &Value) -> String {
    format!("/api/v1/websites/{}", id(site))
}

/// What a reading came to: found, read, unchanged, changed, removed, skipped, failed.
pub(super) fn counts(site: &Value) -> [i64; 7] {
    [
        "found",
        "read",
        "unchanged",
        "changed",
        "removed",
        "skipped_by_robots",
        "failed",
    ]
    .map(|name| site["counts"][name].as_i64().unwrap())
}
