//! Putting the house together from its configuration.

use crate::clock::SystemClock;
use crate::config::{Config, SearchEngine};
use crate::master_key;
use anyhow::{Context, bail};
use quipu_app::chat::{ModelKeys, Prompts, ReadMessages, TurnLog, TurnQueue};
use quipu_app::embeddings::ProviderKeys;
use quipu_app::heavy::HeavyWork;
use quipu_app::index::{DatabaseLog, Unsearched};
use quipu_app::live::LiveFeed;
use quipu_app::passwords::Passwords;
use quipu_app::rate::RateLimits;
use quipu_app::retrievals::RetrievalLog;
use quipu_app::search::Reranking;
use quipu_app::vault::Vault;
use quipu_app::{AccessSettings, App};
use quipu_channels::{ChannelClient, ChannelEndpoints};
use quipu_core::Clock;
use quipu_core::engine::Engine;
use quipu_core::ports::Responder;
use quipu_core::reranking::RerankConfig;
use quipu_extract::{ChildExtractor, ExtractSettings};
use quipu_fetch::{FetchSettings, GuardedFetcher, GuardedSender};
use quipu_index::{EmbeddedEngine, EmbeddedSettings, QdrantEngine, QdrantSettings};
use quipu_knowledge::Deadlines;
use quipu_providers::{
    BreakerSettings, BuiltinReader, BuiltinResponder, BuiltinWords, EmbeddingSettings,
    GuardedEngine, GuardedResponder, LocalSettings, ModelSettings, ProviderEmbedders,
    ProviderModels, ProviderRerankers, RerankSettings,
};
use quipu_store::{
    DatabaseSettings, Originals, OriginalsSettings, PgvectorEngine, PgvectorSettings, Store,
};
use secrecy::{ExposeSecret, SecretString};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// Opens the database. Nothing is migrated.
///
/// # Errors
/// When the data folder or the database cannot be used.
pub async fn open_store(config: &Config, clock: Arc<dyn Clock>) -> anyhow::Result<Store> {
    make_private_folder(&config.data.dir)?;
    if let Some(file) = config.sqlite_file() {
        crate::private::keep_database(&file)?;
    }
    for path in config.private_paths() {
        crate::private::keep(&path);
    }
    let settings = DatabaseSettings {
        url: config.database_url().expose_secret().to_owned(),
        max_connections: config.database.max_connections,
        acquire_timeout: Duration::from_secs(config.database.acquire_timeout_seconds),
    };
    Store::open(&settings, clock).await.with_context(|| {
        let url = crate::config::without_password(&settings.url);
        format!("the database {url} cannot be opened (database.url)")
    })
}

/// Everything the use cases need, on a database that is brought up to date.
///
/// # Errors
/// When the data folder, the database, the master key or the search engine cannot be used.
pub async fn build_app(config: &Config) -> anyhow::Result<App> {
    let (store, clock, master_key) = foundations(config).await?;
    store.migrate().await?;
    assemble(config, store, clock, &master_key).await
}

/// The same for a process that answers no questions. An engine of its own would be searched by
/// nobody; one that processes share is at hand.
///
/// # Errors
/// When the data folder, the database, the master key or the search engine cannot be used, or the
/// schema is not up to date.
pub async fn build_worker_app(config: &Config) -> anyhow::Result<App> {
    let (store, clock, master_key) = foundations(config).await?;
    if store.pending_migrations().await? > 0 {
        bail!(
            "the database's schema is not up to date; run `quipu migrate` or start a server first"
        );
    }
    if config.search.engine == SearchEngine::Embedded {
        return join(config, store, clock, &master_key, Arc::new(Unsearched));
    }
    assemble(config, store, clock, &master_key).await
}

/// The same for a process that has nothing to do with knowledge.
///
/// # Errors
/// When the data folder, the database or the master key cannot be used.
pub async fn build_unsearched_app(config: &Config) -> anyhow::Result<App> {
    let (store, clock, master_key) = foundations(config).await?;
    join(config, store, clock, &master_key, Arc::new(Unsearched))
}

/// The same for a process that makes the index anew.
///
/// # Errors
/// When a server uses the index of the data folder, or anything cannot be used.
pub async fn build_indexing_app(config: &Config) -> anyhow::Result<App> {
    let (store, clock, master_key) = foundations(config).await?;
    if config.search.engine != SearchEngine::Embedded {
        store.migrate().await?;
        return assemble(config, store, clock, &master_key).await;
    }
    let log = Arc::new(DatabaseLog::new(store.clone()));
    let Some(engine) = embedded_in(config, 1, log).await? else {
        bail!(
            "a server uses the index {}; stop it first. Damaged files it makes anew by itself",
            config.index_dir(1).display()
        );
    };
    store.migrate().await?;
    join(config, store, clock, &master_key, Arc::new(engine))
}

async fn foundations(config: &Config) -> anyhow::Result<(Store, Arc<dyn Clock>, [u8; 32])> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let store = open_store(config, clock.clone()).await?;
    let from_environment = std::env::var("QUIPU_MASTER_KEY")
        .ok()
        .map(SecretString::from);
    let master_key = master_key::load(&config.data.dir, from_environment.as_ref())?;
    Ok((store, clock, master_key))
}

/// Opens the storage of original files.
///
/// # Errors
/// When the settings make no sense or the folder cannot be made.
pub fn open_originals(config: &Config) -> anyhow::Result<Originals> {
    let url = config.storage_url();
    let settings = OriginalsSettings {
        url: url.clone(),
        options: config
            .storage
            .options
            .iter()
            .map(|(name, value)| (name.clone(), value.expose_secret().to_owned()))
            .collect(),
    };
    Originals::open(&settings)
        .with_context(|| format!("the storage {url} cannot be opened (storage.url)"))
}

/// Reads files in children of this very program.
///
/// # Errors
/// When the program does not know where it is.
pub fn extractor(config: &Config) -> anyhow::Result<ChildExtractor> {
    let settings = &config.extraction;
    let defaults = ExtractSettings::default();
    Ok(ChildExtractor::new(
        own_program()?,
        ExtractSettings {
            memory_bytes: settings.memory_bytes,
            wall: Duration::from_secs(settings.wall_seconds),
            cpu: Duration::from_secs(settings.cpu_seconds),
            at_once: match settings.at_once {
                // A file must never wait for a place while its worker holds one.
                0 => defaults.at_once.max(config.jobs.workers),
                some => some,
            },
            ocr_max_pages: usize::try_from(settings.ocr_max_pages)?,
            ..defaults
        },
    ))
}

/// This program. Tests run the use cases in a program of their own and name the real one.
fn own_program() -> anyhow::Result<PathBuf> {
    match std::env::var_os("QUIPU_TEST_PROGRAM") {
        Some(program) => Ok(program.into()),
        None => std::env::current_exe().context("this program does not know where it is"),
    }
}

fn channels(config: &Config) -> anyhow::Result<ChannelClient> {
    let servers = &config.channels;
    ChannelClient::new(ChannelEndpoints {
        graph: servers.graph_url.clone(),
        instagram: servers.instagram_url.clone(),
        tiktok: servers.tiktok_url.clone(),
        vapi: servers.vapi_url.clone(),
        graph_version: servers.graph_version.clone(),
    })
    .context("the client of the channels cannot be made")
}

/// How web pages are read, and where tenants may be told something.
fn fetching(config: &Config) -> anyhow::Result<FetchSettings> {
    let allow_networks = config
        .fetch
        .allow_networks
        .iter()
        .map(|network| network.parse())
        .collect::<Result<_, _>>()
        .context("fetch.allow_networks")?;
    Ok(FetchSettings {
        allow_networks,
        total_timeout: Duration::from_secs(config.fetch.timeout_seconds),
        ..FetchSettings::default()
    })
}

/// Joins the use cases to what they work with. The store must go by the same clock.
///
/// # Errors
/// When the operating system gives no random bytes, or the storage of files cannot be used.
pub async fn assemble(
    config: &Config,
    store: Store,
    clock: Arc<dyn Clock>,
    master_key: &[u8; 32],
) -> anyhow::Result<App> {
    let engine = engine(config, &store).await?;
    join(config, store, clock, master_key, engine)
}

fn join(
    config: &Config,
    store: Store,
    clock: Arc<dyn Clock>,
    master_key: &[u8; 32],
    engine: Arc<dyn Engine>,
) -> anyhow::Result<App> {
    let builtin: Arc<dyn Responder> = Arc::new(BuiltinResponder::default());
    let fetching = fetching(config)?;
    Ok(App {
        store,
        started_at: clock.now(),
        clock,
        vault: Vault::new(master_key),
        passwords: Passwords::new(config.auth.password_hashes_at_once)?,
        responder: Arc::new(GuardedResponder::new(
            builtin,
            None,
            BreakerSettings::default(),
        )),
        originals: open_originals(config)?,
        extractor: Arc::new(extractor(config)?),
        embedders: Arc::new(embedders(config)),
        provider_keys: ProviderKeys {
            openai: given(&config.embeddings.openai_api_key),
            cohere: given(&config.embeddings.cohere_api_key),
        },
        embedding_log: Arc::default(),
        engine,
        deadlines: Deadlines {
            embedding: Duration::from_millis(config.search.embedding_deadline_milliseconds),
            search: Duration::from_millis(config.search.search_deadline_milliseconds),
            rerank: Duration::from_millis(config.rerank.deadline_milliseconds),
        },
        words: Arc::new(BuiltinWords::default()),
        read_messages: ReadMessages::new(Arc::new(BuiltinReader::default())),
        reranking: reranking(config),
        retrieval_log: RetrievalLog::default(),
        models: Arc::new(models(config)),
        model_keys: ModelKeys {
            anthropic: given(&config.models.anthropic_api_key),
            gemini: given(&config.models.gemini_api_key),
        },
        model_patience: config.model_patience(),
        prompts: Prompts::default(),
        turn_log: TurnLog::default(),
        turns: TurnQueue::default(),
        live: LiveFeed::default(),
        channels: channels(config)?,
        webhooks: Arc::new(GuardedSender::new(&fetching)),
        fetcher: Arc::new(GuardedFetcher::new(fetching)),
        public_url: config.server.public_url.trim_end_matches('/').to_owned(),
        site_pause: Duration::from_millis(config.fetch.site_pause_milliseconds),
        rate: RateLimits::new(config.auth.sign_ins_per_minute),
        access: AccessSettings {
            session_ttl: Duration::from_secs(config.auth.session_hours * 3600),
            reset_ttl: Duration::from_secs(config.auth.reset_hours * 3600),
            lockout_failures: config.auth.lockout_failures,
            lockout: Duration::from_secs(config.auth.lockout_minutes * 60),
        },
        heavy: HeavyWork::default(),
        new_work: Notify::new(),
        job_attempts: config.jobs.max_attempts,
    })
}

async fn engine(config: &Config, store: &Store) -> anyhow::Result<Arc<dyn Engine>> {
    let log = Arc::new(DatabaseLog::new(store.clone()));
    match config.search.engine {
        SearchEngine::Embedded => Ok(Arc::new(embedded(config, log).await?)),
        SearchEngine::Pgvector => {
            let mut settings = PgvectorSettings::default();
            let waits = Duration::from_millis(config.search.search_deadline_milliseconds);
            settings.patience = settings.patience.max(waits);
            let engine = PgvectorEngine::open(store, settings, log).await;
            Ok(Arc::new(engine.context("search.engine is pgvector")?))
        }
        SearchEngine::Qdrant => {
            let engine = Arc::new(qdrant(config, log)?);
            Ok(Arc::new(GuardedEngine::new(engine, resting(config))))
        }
    }
}

/// When a server that searches is left alone for a while. It gives up on a search before whoever asked
/// does, so that one that hangs is noticed.
fn resting(config: &Config) -> BreakerSettings {
    BreakerSettings {
        cool_down: Duration::from_secs(10),
        deadline: Duration::from_millis(config.search.search_deadline_milliseconds * 9 / 10),
        ..BreakerSettings::default()
    }
}

fn qdrant(config: &Config, log: Arc<DatabaseLog>) -> anyhow::Result<QdrantEngine> {
    let qdrant = &config.qdrant;
    let certificates = (!qdrant.certificates.as_os_str().is_empty())
        .then(|| std::fs::read(&qdrant.certificates))
        .transpose()
        .with_context(|| {
            let file = qdrant.certificates.display();
            format!("{file} cannot be read (qdrant.certificates)")
        })?;
    let settings = QdrantSettings {
        api_key: given(&qdrant.api_key),
        certificates,
        prefix: qdrant.prefix.clone(),
        replicas: (qdrant.replicas > 1).then_some(qdrant.replicas),
        timeout: Duration::from_secs(qdrant.timeout_seconds),
        ..QdrantSettings::new(&qdrant.url)
    };
    QdrantEngine::new(&settings, log).context("search.engine is qdrant")
}

/// The embedded engine in the first folder that no other process has: `index`, `index-2`, and so
/// on. Each process reads the change log for itself, so that none waits for another.
async fn embedded(config: &Config, log: Arc<DatabaseLog>) -> anyhow::Result<EmbeddedEngine> {
    for number in 1..=Config::MOST_PROCESSES {
        if let Some(engine) = embedded_in(config, number, log.clone()).await? {
            clear_abandoned(config, number + 1).await;
            return Ok(engine);
        }
    }
    bail!(
        "{} processes use the data folder {} already",
        Config::MOST_PROCESSES,
        config.data.dir.display()
    )
}

async fn embedded_in(
    config: &Config,
    number: usize,
    log: Arc<DatabaseLog>,
) -> anyhow::Result<Option<EmbeddedEngine>> {
    let root = config.index_dir(number);
    make_private_folder(&root)?;
    let settings = EmbeddedSettings {
        memory_bytes: config.search.memory_bytes,
        max_open: config.search.max_open,
        ..EmbeddedSettings::new(root)
    };
    let opened = EmbeddedEngine::open(settings, log).await;
    opened.context("the index cannot be opened")
}

/// Removes the folders of processes that are gone: nobody would clear them of what is deleted.
async fn clear_abandoned(config: &Config, from: usize) {
    for number in from..=Config::MOST_PROCESSES {
        let root = config.index_dir(number);
        if root.exists()
            && let Err(error) = quipu_index::clear(&root).await
        {
            tracing::warn!(%error, "{} is left behind", root.display());
        }
    }
}

fn embedders(config: &Config) -> ProviderEmbedders {
    let embeddings = &config.embeddings;
    ProviderEmbedders::new(EmbeddingSettings {
        openai_base_url: embeddings.openai_base_url.clone(),
        cohere_base_url: embeddings.cohere_base_url.clone(),
        allow_hosts: embeddings.allow_hosts.clone(),
        question_timeout: question_timeout(config),
        passage_timeout: Duration::from_secs(embeddings.passage_timeout_seconds),
        cached_questions: embeddings.cached_questions,
        local: local(config),
        ..EmbeddingSettings::default()
    })
}

fn models(config: &Config) -> ProviderModels {
    let models = &config.models;
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    ProviderModels::new(ModelSettings {
        openai_base_url: models.openai_base_url.clone(),
        anthropic_base_url: models.anthropic_base_url.clone(),
        gemini_base_url: models.gemini_base_url.clone(),
        ollama_base_url: text(&models.ollama_base_url),
        allow_hosts: models.allow_hosts.clone(),
        first_timeout: Duration::from_secs(models.first_timeout_seconds)
            .min(config.model_patience()),
        idle_timeout: Duration::from_secs(models.idle_timeout_seconds),
        breaker: BreakerSettings {
            cool_down: Duration::from_secs(models.breaker_seconds),
            ..BreakerSettings::default()
        },
        ..ModelSettings::default()
    })
}

/// A little less than a search waits, so that a provider that is always late is left alone.
fn question_timeout(config: &Config) -> Duration {
    let waits = Duration::from_millis(config.search.embedding_deadline_milliseconds * 3 / 4);
    waits.min(Duration::from_secs(
        config.embeddings.question_timeout_seconds,
    ))
}

fn reranking(config: &Config) -> Reranking {
    let rerank = &config.rerank;
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let settings = RerankSettings {
        cohere_base_url: config.embeddings.cohere_base_url.clone(),
        // The operator alone names the server, and it may well be next door.
        allow_hosts: own_host(&rerank.base_url).into_iter().collect(),
        local: local(config),
        // A little less than a search waits, so that a server that is always late is left alone.
        timeout: Duration::from_millis(rerank.deadline_milliseconds * 3 / 4),
        ..RerankSettings::default()
    };
    Reranking {
        rerankers: Arc::new(ProviderRerankers::new(settings)),
        config: RerankConfig {
            provider: rerank.provider,
            model: text(&rerank.model),
            base_url: text(&rerank.base_url),
        },
        key: given(&rerank.api_key),
        always: rerank.always,
    }
}

/// The host of an address, with its port where it names one.
fn own_host(address: &str) -> Option<String> {
    let url = reqwest::Url::parse(address).ok()?;
    let host = url.host_str()?;
    Some(match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    })
}

/// The models that this process runs itself, where it is built to.
fn local(config: &Config) -> LocalSettings {
    let embeddings = &config.embeddings;
    let dir = &embeddings.models_dir;
    LocalSettings {
        models_dir: (!dir.as_os_str().is_empty()).then(|| dir.clone()),
        download: embeddings.models_download,
        ..LocalSettings::default()
    }
}

fn given(key: &SecretString) -> Option<SecretString> {
    (!key.expose_secret().is_empty()).then(|| key.clone())
}

fn make_private_folder(dir: &std::path::Path) -> anyhow::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir).with_context(|| {
        format!(
            "the data folder {} cannot be made (data.dir)",
            dir.display()
        )
    })
}
