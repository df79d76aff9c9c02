//! A whole Quipu in the test's own process: the real router on a port of its own, the real use
//! cases over a database of the test's own, and a clock that the test turns.

mod business;
mod channels;
mod client;
mod customers;
mod events;
mod files;
mod form;
mod knowledge;
mod mind;
mod operations;
mod operations_business;
mod operations_channels;
mod operations_customers;
mod operations_events;
mod operations_mcp;
mod operations_mind;
mod operations_sales;
mod populated;
mod sales;

pub(crate) use business::{KINDS, open_every_day, sample};
pub(crate) use client::{Client, Reply};
pub(crate) use customers::{
    CONVERSATIONS, LEADS, attach, conversation_path, make_conversation, make_lead, say,
};
pub(crate) use files::{docx, png};
pub(crate) use form::{Field, written};
pub(crate) use knowledge::{
    KBS, assign, document_path, documents_path, found, kb_path, make_kb, make_personal_kb, ready,
    settled, teach_file, teach_text, upload, upload_file,
};
pub(crate) use mind::{a_turn, a_turn_with, keep_lesson, keep_turn, rehearsed};
pub(crate) use operations::{
    Content, Documented, Ids, Needs, ONLY_PEOPLE, Operation, documented, operations,
};
pub(crate) use populated::{Populated, add_website};
pub(crate) use sales::{
    Shop, add_conversation, add_item, add_lead, amount, dish, programme, put_profile, reward,
};

use metrics_exporter_prometheus::PrometheusHandle;
use quipu_app::{App, plans, token};
use quipu_core::access::{Permission, Role};
use quipu_core::engine::Engine;
use quipu_core::plan::PlanLimits;
use quipu_core::ports::{Extractor, PageFetcher, Responder};
use quipu_core::tenancy::TenantScope;
use quipu_core::{Clock, TenantId, Timestamp, UserId};
use quipu_extract::{ChildExtractor, ExtractSettings};
use quipu_server::config::{Config, Overrides};
use quipu_server::http::{self, AppState, router};
use quipu_server::worker::WorkerSettings;
use quipu_server::{setup, telemetry, worker};
use quipu_store::PlatformTx;
use quipu_store::platform::{NewSession, NewTenant, NewUser};
use quipu_store::tenant::NewApiKey;
use quipu_testkit::{ManualClock, TestDatabase};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::OnceCell;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The password of everybody who has one.
pub(crate) const PASSWORD: &str = "una frase de prueba";
/// A plan without limits that a test would meet by accident.
pub(crate) const OPEN_PLAN: &str = "enterprise";

pub(crate) struct TestApp {
    pub(crate) app: Arc<App>,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) url: String,
    pub(crate) db: TestDatabase,
    http: reqwest::Client,
    jobs: WorkerSettings,
    pub(crate) stop: CancellationToken,
    data: TempDir,
}

/// What a test may want otherwise.
pub(crate) struct Options {
    pub(crate) config: Config,
    /// Without workers, jobs wait until [`TestApp::start_workers`].
    pub(crate) workers: bool,
    /// Answers in the place of the built-in responder.
    pub(crate) responder: Option<Arc<dyn Responder>>,
    /// Reads web pages in the place of the guarded one.
    pub(crate) fetcher: Option<Arc<dyn PageFetcher>>,
    /// Reads files in the place of children of the real program.
    pub(crate) extractor: Option<Arc<dyn Extractor>>,
    /// Searches in the place of the configured one.
    pub(crate) engine: Option<Arc<dyn Engine>>,
}

/// A tenant and the first of its admins.
#[derive(Clone)]
pub(crate) struct Tenant {
    pub(crate) id: TenantId,
    pub(crate) slug: String,
    pub(crate) admin: Person,
}

/// Somebody with an account, and a client that is signed in as them.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) id: UserId,
    pub(crate) email: String,
    pub(crate) client: Client,
}

impl Tenant {
    pub(crate) fn scope(&self) -> TenantScope {
        TenantScope::of(self.id)
    }
}

impl TestApp {
    pub(crate) async fn start(db: TestDatabase) -> Self {
        Self::start_with(db, |_| {}).await
    }

    pub(crate) async fn start_with(db: TestDatabase, change: impl FnOnce(&mut Options)) -> Self {
        let metrics = metrics();
        let data = tempfile::tempdir().unwrap();
        let mut config = Config::load(None, Overrides::default()).unwrap();
        config.data.dir = data.path().to_owned();
        config.database.url = db.url().to_owned().into();
        // A busy machine stands still for seconds; only the tests of a limit want a short one.
        config.database.acquire_timeout_seconds = 60;
        config.server.request_timeout_seconds = 120;
        config.search.embedding_deadline_milliseconds = 60_000;
        config.search.search_deadline_milliseconds = 60_000;
        config.rerank.deadline_milliseconds = 60_000;
        config.auth.sign_ins_per_minute = 10_000;
        config.jobs.poll_milliseconds = 20;
        config.jobs.shutdown_seconds = 1;
        channels::reach_no_channel(&mut config);
        let mut options = Options {
            config,
            workers: true,
            responder: None,
            fetcher: None,
            extractor: None,
            engine: None,
        };
        change(&mut options);
        let config = options.config;

        let clock = Arc::new(ManualClock::default());
        Box::pin(db.fill(async |url| migrate(&config, url).await)).await;
        let store = setup::open_store(&config, clock.clone()).await.unwrap();
        let mut app = setup::assemble(&config, store, clock.clone(), &[7; 32])
            .await
            .unwrap();
        // This program is the test's own; files are read by children of the real one.
        let program = env!("CARGO_BIN_EXE_quipu").into();
        app.extractor = Arc::new(ChildExtractor::new(program, ExtractSettings::default()));
        if let Some(responder) = options.responder {
            app.responder = responder;
        }
        if let Some(fetcher) = options.fetcher {
            app.fetcher = fetcher;
        }
        if let Some(extractor) = options.extractor {
            app.extractor = extractor;
        }
        if let Some(engine) = options.engine {
            app.engine = engine;
        }
        let app = Arc::new(app);
        let tx = app.store.platform().await.unwrap();
        for plan in plans::starting_plans() {
            tx.plans().add_missing(&plan).await.unwrap();
        }
        tx.commit().await.unwrap();

        let stop = CancellationToken::new();
        let url = serve(&app, &config, metrics, stop.clone()).await;
        let this = Self {
            app,
            clock,
            url,
            db,
            http: reqwest::Client::builder()
                .redirect(reqwest::redirect::Policy::none())
                .build()
                .unwrap(),
            jobs: WorkerSettings::from(&config),
            stop,
            data,
        };
        if options.workers {
            this.start_workers();
        }
        this
    }

    /// Another process with the same database, as far as anybody can tell from outside.
    pub(crate) async fn another_server(&self) -> Client {
        let mut config = Config::load(None, Overrides::default()).unwrap();
        config.data.dir = self.data.path().join("another");
        config.database.url = self.db.url().to_owned().into();
        channels::reach_no_channel(&mut config);
        let store = setup::open_store(&config, self.clock.clone())
            .await
            .unwrap();
        let app = setup::assemble(&config, store, self.clock.clone(), &[7; 32])
            .await
            .unwrap();
        let url = serve(&Arc::new(app), &config, metrics(), self.stop.clone()).await;
        Client::new(self.http.clone(), url)
    }

    /// Where the index lies.
    pub(crate) fn index(&self) -> PathBuf {
        self.data.path().join("index")
    }

    /// Where the originals of uploaded files lie.
    pub(crate) fn originals(&self) -> PathBuf {
        self.data.path().join("originals")
    }

    /// Every original that is kept.
    pub(crate) fn kept_files(&self) -> Vec<PathBuf> {
        files_below(&self.originals())
    }

    /// Workers that can be stopped again.
    pub(crate) fn start_some_workers(&self) -> Workers {
        let stop = self.stop.child_token();
        let task = tokio::spawn(worker::run(self.app.clone(), self.jobs, stop.clone()));
        Workers { stop, task }
    }

    pub(crate) fn start_workers(&self) {
        tokio::spawn(worker::run(self.app.clone(), self.jobs, self.stop.clone()));
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn later(&self, by: Duration) -> Timestamp {
        self.now() + by
    }

    /// Somebody the server does not know.
    pub(crate) fn stranger(&self) -> Client {
        Client::new(self.http.clone(), self.url.clone())
    }

    pub(crate) async fn platform(&self) -> PlatformTx {
        self.app.store.platform().await.unwrap()
    }

    /// Somebody without a password, as an account is before its first token is used. Most tests
    /// need no password, and checking one is slow on purpose.
    pub(crate) async fn person(&self, email: &str) -> Person {
        self.add_person(email, |_| {}).await
    }

    pub(crate) async fn person_with_password(&self, email: &str) -> Person {
        static HASH: OnceCell<String> = OnceCell::const_new();
        let hash = HASH.get_or_init(async || {
            let password = PASSWORD.to_owned().into();
            self.app.passwords.hash(&password).await.unwrap()
        });
        let hash = hash.await.clone();
        self.add_person(email, |new| new.password_hash = Some(hash))
            .await
    }

    pub(crate) async fn super_admin(&self) -> Person {
        let email = format!("root-{}@quipu.test", fresh());
        self.add_person(&email, |new| new.super_admin = true).await
    }

    pub(crate) async fn add_person(
        &self,
        email: &str,
        change: impl FnOnce(&mut NewUser),
    ) -> Person {
        let mut new = NewUser {
            email: email.to_owned(),
            name: format!("Persona {email}"),
            password_hash: None,
            super_admin: false,
            must_change_password: false,
        };
        change(&mut new);
        let tx = self.platform().await;
        let user = tx.users().insert(&new).await.unwrap();
        tx.commit().await.unwrap();
        Person {
            id: user.id,
            email: user.email,
            client: self.sign_in(user.id).await,
        }
    }

    /// A new session, made past the slow check of a password.
    pub(crate) async fn sign_in(&self, user: UserId) -> Client {
        let token = token::generate(token::SESSION).unwrap();
        let tx = self.platform().await;
        tx.sessions()
            .insert(&NewSession {
                user,
                token_hash: token::hash(&token),
                user_agent: Some("test".to_owned()),
                expires_at: self.later(self.app.access.session_ttl),
            })
            .await
            .unwrap();
        tx.commit().await.unwrap();
        self.stranger().bearer(&token)
    }

    pub(crate) async fn tenant(&self, slug: &str) -> Tenant {
        self.tenant_on(slug, OPEN_PLAN).await
    }

    pub(crate) async fn tenant_on(&self, slug: &str, plan: &str) -> Tenant {
        let tx = self.platform().await;
        let new = NewTenant {
            slug: slug.to_owned(),
            name: format!("Empresa {slug}"),
            plan: plan.to_owned(),
            locale: "es-PE".to_owned(),
            time_zone: "America/Lima".to_owned(),
            creation: None,
        };
        let id = tx.tenants().insert(&new).await.unwrap().id;
        tx.commit().await.unwrap();
        let admin = self.person(&format!("admin@{slug}.test")).await;
        self.join(id, admin.id, Role::Admin).await;
        Tenant {
            id,
            slug: slug.to_owned(),
            admin,
        }
    }

    /// A new person of the tenant.
    pub(crate) async fn member(&self, tenant: &Tenant, role: Role) -> Person {
        let email = format!("{}-{}@{}.test", role.as_str(), fresh(), tenant.slug);
        let person = self.person(&email).await;
        self.join(tenant.id, person.id, role).await;
        person
    }

    pub(crate) async fn join(&self, tenant: TenantId, user: UserId, role: Role) {
        let tx = self.platform().await;
        let tx = tx.enter_tenant(TenantScope::of(tenant)).await.unwrap();
        tx.members().insert(user, role).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// A program with a key that nobody in particular made.
    pub(crate) async fn program(&self, tenant: &Tenant, scopes: &[Permission]) -> Client {
        let key = self.api_key(tenant, scopes).await;
        self.stranger().bearer(&key)
    }

    /// A key of a tenant.
    pub(crate) async fn api_key(&self, tenant: &Tenant, scopes: &[Permission]) -> String {
        let key = token::generate(token::API_KEY).unwrap();
        let tx = self.app.store.begin(tenant.scope()).await.unwrap();
        tx.api_keys()
            .insert(&NewApiKey {
                name: format!("{}-key", tenant.slug),
                prefix: key.chars().take(10).collect(),
                key_hash: token::hash(&key),
                scopes: scopes.to_vec(),
                created_by: None,
                expires_at: None,
                made_with: None,
            })
            .await
            .unwrap();
        tx.commit().await.unwrap();
        key
    }

    /// Makes or changes a plan that has no limits but those `change` sets.
    pub(crate) async fn plan(&self, slug: &str, change: impl FnOnce(&mut PlanLimits)) {
        let mut plan = plans::starting_plans()
            .into_iter()
            .find(|plan| plan.slug == OPEN_PLAN)
            .unwrap();
        slug.clone_into(&mut plan.slug);
        change(&mut plan.limits);
        let tx = self.platform().await;
        tx.plans().put(&plan).await.unwrap();
        tx.commit().await.unwrap();
    }
}

pub(crate) struct Workers {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Workers {
    pub(crate) async fn stop(self) {
        self.stop.cancel();
        self.task.await.unwrap();
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                files_below(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

impl Drop for TestApp {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn migrate(config: &Config, url: &str) {
    let mut config = config.clone();
    config.database.url = url.to_owned().into();
    let store = setup::open_store(&config, Arc::new(ManualClock::default()));
    let store = store.await.unwrap();
    store.migrate().await.unwrap();
    store.close().await.unwrap();
}

async fn serve(
    app: &Arc<App>,
    config: &Config,
    metrics: PrometheusHandle,
    stop: CancellationToken,
) -> String {
    let service = router(AppState::new(app.clone(), config, metrics, stop.clone()));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (limits, grace) = (http::ConnectionLimits::from(config), Duration::ZERO);
    tokio::spawn(http::serve(listener, service, limits, stop, grace));
    format!("http://{address}")
}

/// One recorder for the whole process, as the server has it.
fn metrics() -> PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE
        .get_or_init(|| telemetry::start_metrics().unwrap())
        .clone()
}

/// A number that was not given out before, for names that must not collide.
pub(crate) fn fresh() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A machine that others use too takes its time.
const PATIENCE: Duration = Duration::from_mins(3);

/// Asks again and again until the answer is there.
pub(crate) async fn eventually<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(started.elapsed() < PATIENCE, "{what} did not happen");
        // Less often the longer it takes, so that nobody asks more than a minute allows.
        let wait = started.elapsed() / 20;
        tokio::time::sleep(wait.clamp(Duration::from_millis(15), Duration::from_millis(250))).await;
    }
}

pub(crate) async fn make_agent(client: &Client, name: &str) -> Value {
    let body = json!({ "name": name });
    client.post("/api/v1/agents", body).await.ok(201)
}

/// Adds a text without waiting for its processing.
pub(crate) async fn add_text(client: &Client, agent: &str, title: &str, text: &str) -> Value {
    let path = format!("/api/v1/agents/{agent}/knowledge");
    let body = json!({ "title": title, "content": text });
    client.post(&path, body).await.ok(202)
}

/// Adds a text and waits until it can be searched.
pub(crate) async fn teach(client: &Client, agent: &str, title: &str, text: &str) -> Value {
    let added = add_text(client, agent, title, text).await;
    completed(client, agent, &added).await
}

pub(crate) async fn completed(client: &Client, agent: &str, document: &Value) -> Value {
    let path = format!("/api/v1/agents/{agent}/knowledge/{}", id(document));
    eventually("completion of the document", async || {
        let document = client.get(&path).await.ok(200);
        assert_ne!(document["status"], "failed", "{document}");
        (document["status"] == "completed").then_some(document)
    })
    .await
}

pub(crate) async fn ask(client: &Client, agent: &str, question: &str) -> Value {
    let path = format!("/api/agents/{agent}/chat");
    let messages = json!([{ "role": "user", "content": question }]);
    let body = json!({ "messages": messages, "stream": false });
    client.post(&path, body).await.ok(200)
}

pub(crate) fn id(resource: &Value) -> String {
    resource["id"].as_str().unwrap().to_owned()
}

/// Every page of a listing, put together.
pub(crate) async fn all_pages(client: &Client, path: &str, limit: usize) -> Vec<Value> {
    let mut all = Vec::new();
    let mut cursor = None::<String>;
    let sign = if path.contains('?') { '&' } else { '?' };
    loop {
        let after = cursor.map_or_else(String::new, |cursor| format!("&cursor={cursor}"));
        let page = client
            .get(&format!("{path}{sign}limit={limit}{after}"))
            .await;
        let page = page.ok(200);
        let data = page["data"].as_array().unwrap();
        assert!(data.len() <= limit);
        all.extend(data.iter().cloned());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => return all,
        }
    }
}
