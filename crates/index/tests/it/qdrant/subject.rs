//! The engine with collections of its own on the server that the environment names, or on a
//! stand-in.

use crate::subject::scope;
use async_trait::async_trait;
use quipu_core::engine::{ChangeLog, Engine};
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{KnowledgeBaseId, TenantId};
use quipu_index::{QdrantEngine, QdrantSettings};
use quipu_testkit::engine_suite::Subject;
use quipu_testkit::qdrant::{KEY, QdrantStandIn};
use std::io::Write as _;
use std::sync::{Arc, Once};
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
            skipped();
            return None;
        };
        let mut settings = QdrantSettings::new(url);
        settings.api_key = std::env::var("QUIPU_TEST_QDRANT_API_KEY")
            .ok()
            .map(Into::into);
        settings.certificates = std::env::var("QUIPU_TEST_QDRANT_CERTIFICATES")
            .ok()
            .map(|path| std::fs::read(path).unwrap());
        settings.prefix = format!("quipu_test_{}", Uuid::now_v7().simple());
        settings.timeout = Duration::from_mins(1);
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

/// Says once what was not tested, past the capturing of what tests print, which is not shown for
/// those that pass.
fn skipped() {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        let said = "\nSKIPPED on Qdrant: QUIPU_TEST_QDRANT_URL is not set, so no real server was \
                    tested\n";
        drop(std::io::stderr().write_all(said.as_bytes()));
    });
}

/// Settings with waits that a test bears.
pub(crate) fn settings(fake: &QdrantStandIn) -> QdrantSettings {
    let mut settings = QdrantSettings::new(fake.url());
    settings.api_key = Some(KEY.into());
    settings.first_wait = Duration::from_millis(1);
    settings.writer_silence = Duration::from_millis(500);
    settings
}

/// The engine on a server of this process.
pub(crate) struct StandIn {
    pub(crate) fake: QdrantStandIn,
    pub(crate) settings: QdrantSettings,
}

impl StandIn {
    pub(crate) async fn open(change: impl FnOnce(&mut QdrantSettings)) -> Self {
        let fake = QdrantStandIn::open().await;
        let mut settings = settings(&fake);
        settings.writer_silence = Duration::from_secs(10);
        change(&mut settings);
        Self { fake, settings }
    }
}

#[async_trait]
impl Subject for StandIn {
    async fn start(&self, log: Arc<dyn ChangeLog>) -> Arc<dyn Engine> {
        drop(self.fake.seen());
        Arc::new(QdrantEngine::new(&self.settings, log).unwrap())
    }

    fn scope(&self, tenant: TenantId, kbs: &[KnowledgeBaseId]) -> RetrievalScope {
        scope(tenant, kbs)
    }
}

async fn drop_collections(settings: &QdrantSettings) -> Result<(), reqwest::Error> {
    let mut client = reqwest::Client::builder().no_proxy();
    if let Some(pem) = &settings.certificates {
        client = client.tls_certs_merge(reqwest::Certificate::from_pem_bundle(pem)?);
    }
    let client = client.build()?;
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
