//! The engine with collections of its own on the server that the environment names.

use crate::subject::scope;
use async_trait::async_trait;
use quipu_core::engine::{ChangeLog, Engine};
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{KnowledgeBaseId, TenantId};
use quipu_index::{QdrantEngine, QdrantSettings};
use quipu_testkit::engine_suite::Subject;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

pub(crate) struct Remote {
    pub(crate) settings: QdrantSettings,
}

impl Remote {
    /// Collections on the server named by `QUIPU_TEST_QDRANT_URL`. Without it, says so and returns
    /// `None`.
    pub(crate) fn new() -> Option<Self> {
        let Ok(url) = std::env::var("QUIPU_TEST_QDRANT_URL") else {
            // What is printed otherwise is not shown for tests that pass.
            let test = std::thread::current();
            let name = test.name().unwrap_or("a test").to_owned();
            drop(writeln!(
                std::io::stderr(),
                "SKIPPED on Qdrant: QUIPU_TEST_QDRANT_URL is not set ({name})"
            ));
            return None;
        };
        let mut settings = QdrantSettings::new(url);
        settings.api_key = std::env::var("QUIPU_TEST_QDRANT_API_KEY")
            .ok()
            .map(Into::into);
        settings.prefix = format!("quipu_test_{}", Uuid::now_v7().simple());
        settings.timeout = Duration::from_secs(60);
        Some(Self { settings })
    }

    pub(crate) fn with(change: impl FnOnce(&mut QdrantSettings)) -> Option<Self> {
        let mut remote = Self::new()?;
        change(&mut remote.settings);
        Some(remote)
    }
}

#[async_trait]
impl Subject for Remote {
    async fn start(&self, log: Arc<dyn ChangeLog>) -> Arc<dyn Engine> {
        Arc::new(QdrantEngine::new(&self.settings, log).unwrap())
    }

    fn scope(&self, tenant: TenantId, kbs: &[KnowledgeBaseId]) -> RetrievalScope {
        scope(tenant, kbs)
    }
}

impl Drop for Remote {
    /// Deletes the collections, in a runtime of its own because the test's may be shutting down.
    fn drop(&mut self) {
        let settings = self.settings.clone();
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            runtime.map(|runtime| runtime.block_on(drop_collections(&settings)))
        });
        drop(dropped.join());
    }
}

async fn drop_collections(settings: &QdrantSettings) -> Result<(), reqwest::Error> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    let call = |method, path: &str| {
        use secrecy::ExposeSecret as _;
        let call = client.request(method, format!("{}{path}", settings.url));
        match &settings.api_key {
            Some(key) => call.header("api-key", key.expose_secret()),
            None => call,
        }
    };
    let listed = call(reqwest::Method::GET, "/collections").send().await?;
    let listed: serde_json::Value = listed.json().await?;
    let collections = listed["result"]["collections"].as_array();
    for collection in collections.into_iter().flatten() {
        let name = collection["name"].as_str().unwrap_or_default();
        if name.starts_with(&settings.prefix) {
            let path = format!("/collections/{name}");
            call(reqwest::Method::DELETE, &path).send().await?;
        }
    }
    Ok(())
}
