//! Whose model makes the vectors of a knowledge base, and the work of making them behind those that
//! are searched.
//!
//! A knowledge base names the model that is wanted and the one that is searched. They differ while
//! the wanted one's vectors are made: after the model was changed, and with the built-in encoder
//! after every document, which is found by its quick vectors at once.

mod metered;

pub use metered::{EmbeddingLog, flush};

use crate::{Actor, App, after, secrets};
use async_trait::async_trait;
use metered::metered;
use quipu_core::access::Permission;
use quipu_core::embedding::{EmbeddingConfig, EmbeddingProvider};
use quipu_core::job::{ClaimedJob, NewJob};
use quipu_core::knowledge::KnowledgeBase;
use quipu_core::ports::{Embedder, Purpose, QuestionVectors};
use quipu_core::tenancy::TenantScope;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{
    ChunkId, DocumentId, Error, ErrorCode, KnowledgeBaseId, Result, TenantId, UserId,
};
use quipu_knowledge::{embedding_text, tokens};
use quipu_store::TenantTx;
use quipu_store::tenant::Unembedded;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The job that makes the vectors which a knowledge base lacks.
pub(crate) const EMBED_CHUNKS: &str = "embed_chunks";

/// Chunks embedded in one go.
const BATCH: u64 = 64;
/// How long one turn of the job lasts. Then it waits for its next, so that documents which people
/// wait for are not kept waiting by vectors that nobody does.
const TURN: Duration = Duration::from_secs(5);

/// What one request may have embedded.
const MAX_TEXTS: usize = 256;
const MAX_TEXT_CHARS: usize = 32_000;

/// Keys of the installation, for tenants that bring none of their own.
#[derive(Clone, Debug, Default)]
pub struct ProviderKeys {
    pub openai: Option<SecretString>,
    pub cohere: Option<SecretString>,
}

/// What a tenant calls the key of a provider among its secrets.
pub(crate) const fn secret_name(provider: EmbeddingProvider) -> Option<&'static str> {
    match provider {
        EmbeddingProvider::Openai => Some("openai_api_key"),
        EmbeddingProvider::Cohere => Some("cohere_api_key"),
        EmbeddingProvider::Custom => Some("custom_embedding_api_key"),
        EmbeddingProvider::Builtin | EmbeddingProvider::Local => None,
    }
}

/// The embedder of a configuration, with the tenant's own key or else the installation's. What it
/// takes is counted.
pub(crate) async fn embedder(
    app: &App,
    scope: TenantScope,
    config: &EmbeddingConfig,
) -> Result<Arc<dyn Embedder>> {
    let address = config.base_url.as_deref();
    let key = provider_key(app, scope, config.provider, address).await?;
    let embedder = app.embedders.of(scope.tenant_id(), config, key)?;
    let log = Arc::clone(&app.embedding_log);
    Ok(metered(embedder, log, scope.tenant_id(), config))
}

/// Whether a model can be used as things are. It is asked inside a transaction, and asks for no
/// second connection.
pub(crate) async fn check(app: &App, tx: &TenantTx, config: &EmbeddingConfig) -> Result<()> {
    let offered = app.embedders.offered();
    if !offered.contains(&config.provider) {
        let names: Vec<&str> = offered.iter().map(|provider| provider.as_str()).collect();
        let allowed = names.join(", ");
        let mut checks = Checks::new();
        checks.problem("embedding_config.provider", Problem::Unknown { allowed });
        checks.finish()?;
    }
    let key = key_in(app, tx, config.provider, config.base_url.as_deref()).await?;
    app.embedders.of(tx.tenant_id(), config, key).map(drop)
}

/// The tenant's own key for a provider, or else the installation's, for use at this address.
pub(crate) async fn provider_key(
    app: &App,
    scope: TenantScope,
    provider: EmbeddingProvider,
    address: Option<&str>,
) -> Result<Option<SecretString>> {
    if secret_name(provider).is_none() {
        return Ok(None);
    }
    let tx = app.store.read(scope).await?;
    key_in(app, &tx, provider, address).await
}

async fn key_in(
    app: &App,
    tx: &TenantTx,
    provider: EmbeddingProvider,
    address: Option<&str>,
) -> Result<Option<SecretString>> {
    let Some(name) = secret_name(provider) else {
        return Ok(None);
    };
    let code = ErrorCode::EmbeddingMisconfigured;
    let own = secrets::key_for(app, tx, name, address, code).await?;
    Ok(match (own, provider) {
        (Some(own), _) => Some(own),
        // The installation's keys are for their providers alone.
        (None, EmbeddingProvider::Openai) if address.is_none() => app.provider_keys.openai.clone(),
        (None, EmbeddingProvider::Cohere) if address.is_none() => app.provider_keys.cohere.clone(),
        (None, _) => None,
    })
}

/// What a new knowledge base gets when nobody says anything: `OpenAI` where there is a key for it,
/// the built-in model otherwise.
pub(crate) async fn default_config(app: &App, tx: &TenantTx) -> Result<EmbeddingConfig> {
    let own = match secret_name(EmbeddingProvider::Openai) {
        Some(name) => tx.secrets().find_sealed(name).await?.is_some(),
        None => false,
    };
    if own || app.provider_keys.openai.is_some() {
        return Ok(EmbeddingConfig::openai());
    }
    Ok(EmbeddingConfig::default())
}

/// Embeds a tenant's questions.
pub(crate) struct TenantVectors<'a> {
    pub(crate) app: &'a App,
    pub(crate) scope: TenantScope,
}

#[async_trait]
impl QuestionVectors for TenantVectors<'_> {
    async fn embed(&self, config: &EmbeddingConfig, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        let embedder = embedder(self.app, self.scope, config).await?;
        Ok(embedder.embed(texts, Purpose::Question).await?.vectors)
    }
}

/// Vectors of texts that somebody sent, and the tokens that they are.
#[derive(Clone, Debug)]
pub struct EmbeddedTexts {
    pub vectors: Vec<Vec<f32>>,
    pub tokens: u64,
}

/// Embeds texts that are kept nowhere.
///
/// # Errors
/// `VALIDATION_FAILED` for a model that is not known or texts that are too many or too long,
/// `EMBEDDING_UNAVAILABLE` or `EMBEDDING_REFUSED` when the model does not answer.
pub async fn embed_texts(
    app: &App,
    actor: &Actor,
    model: &str,
    dimensions: Option<u32>,
    texts: &[String],
) -> Result<EmbeddedTexts> {
    actor.require(Permission::KnowledgeRead)?;
    let mut checks = Checks::new();
    if texts.is_empty() {
        checks.problem("input", Problem::Empty);
    } else if texts.len() > MAX_TEXTS {
        let max = i64::try_from(MAX_TEXTS).unwrap_or(i64::MAX);
        checks.problem("input", Problem::Range { min: 1, max });
    }
    for (i, text) in texts.iter().enumerate().take(MAX_TEXTS) {
        checks.text(&format!("input[{i}]"), text, MAX_TEXT_CHARS);
    }
    let config = EmbeddingConfig::named(model, dimensions);
    if let Some(config) = &config {
        config.check(&mut checks);
    } else {
        let allowed = EmbeddingConfig::NAMES.join(", ");
        checks.problem("model", Problem::Unknown { allowed });
    }
    checks.finish()?;
    let config = config.unwrap_or_default();
    let embedder = embedder(app, actor.scope(), &config).await?;
    let made = embedder.embed(texts, Purpose::Passage).await?;
    let counted = || texts.iter().map(|text| tokens::count(text) as u64).sum();
    Ok(EmbeddedTexts {
        tokens: made.tokens.unwrap_or_else(counted),
        vectors: made.vectors,
    })
}

#[derive(Debug, Serialize, Deserialize)]
struct Payload {
    knowledge_base_id: KnowledgeBaseId,
}

/// Orders the vectors that a knowledge base lacks, if it lacks any.
pub(crate) async fn order(app: &App, tx: &TenantTx, kb: &KnowledgeBase) -> Result<()> {
    if kb.embedding_config.vector_model() == kb.searched_with.vector_model() {
        return Ok(());
    }
    let job = order_at(app, kb.id, kb.owner_user_id, Duration::ZERO);
    tx.jobs().enqueue(&job).await?;
    Ok(())
}

/// Orders the vectors of the built-in model where they are of another version than this program's:
/// the old ones cannot be compared with its questions. Until the wanted ones are there, the quick
/// ones are searched. Returns for how many knowledge bases.
///
/// # Errors
/// When the database cannot be read or written.
pub async fn renew(app: &App) -> Result<usize> {
    let tx = app.store.platform_read().await?;
    let partitions = tx.upkeep().knowledge_bases().await?;
    drop(tx);
    let mut renewed = 0;
    for partition in partitions.into_keys() {
        let scope = TenantScope::of(partition.tenant());
        let tx = app.store.read(scope).await?;
        let Some(kb) = tx.vectors().kb(partition.knowledge_base()).await? else {
            continue;
        };
        let searched = &kb.searched_with;
        if searched.provider != EmbeddingProvider::Builtin {
            continue;
        }
        let model = searched.vector_model();
        let complete = tx.vectors().missing(kb.id, &model, 1).await?.is_empty();
        // One that has some of them is on its way already.
        let begun = tx.vectors().any_of(kb.id, &model).await?;
        drop(tx);
        if complete || begun {
            continue;
        }
        let tx = app.store.begin(scope).await?;
        tx.vectors().search_with(kb.id, &searched.first()).await?;
        let job = order_at(app, kb.id, kb.owner_user_id, Duration::ZERO);
        tx.jobs().enqueue(&job).await?;
        tx.commit().await?;
        renewed += 1;
    }
    Ok(renewed)
}

fn order_at(app: &App, kb: KnowledgeBaseId, owner: Option<UserId>, wait: Duration) -> NewJob {
    NewJob {
        kind: EMBED_CHUNKS,
        payload: json!(Payload {
            knowledge_base_id: kb
        }),
        dedup_key: Some(kb.to_string()),
        run_at: after(app.now(), wait),
        max_attempts: app.job_attempts,
        owner,
    }
}

/// Does the job for one turn. Returns `false` when the lease was lost.
///
/// # Errors
/// When the model or the database fails; the queue then tries again.
pub(crate) async fn embed_missing(app: &App, tenant: TenantId, job: &ClaimedJob) -> Result<bool> {
    let payload: Payload = serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    let scope = TenantScope::of(tenant);
    let began = Instant::now();
    loop {
        let tx = app.store.read(scope).await?;
        let Some(kb) = tx.vectors().kb(payload.knowledge_base_id).await? else {
            return finish(app, scope, job, None).await;
        };
        let (config, missing) = lacking(&tx, &kb).await?;
        let model = config.vector_model();
        drop(tx);
        if missing.is_empty() {
            if let Some(held) = switch(app, scope, job, &kb).await? {
                return Ok(held);
            }
            continue;
        }
        if began.elapsed() > TURN {
            return finish(app, scope, job, Some(&kb)).await;
        }
        let embedder = embedder(app, scope, &config).await?;
        let vectors = embed(embedder.as_ref(), &kb, &missing).await?;
        let tokens = missing.iter().map(|chunk| i64::from(chunk.tokens)).sum();
        let documents: BTreeSet<DocumentId> = missing.iter().map(|chunk| chunk.document).collect();

        let tx = app.store.begin(scope).await?;
        if !tx.jobs().holds(job).await? {
            return Ok(false);
        }
        // What was deleted or read anew meanwhile needs none.
        let ids: Vec<ChunkId> = vectors.iter().map(|(chunk, _)| *chunk).collect();
        let there = tx.vectors().hold(&ids).await?;
        let mut vectors = vectors;
        vectors.retain(|(chunk, _)| there.contains(chunk));
        tx.ingest()
            .add_vectors(kb.id, &model, &vectors, tokens)
            .await?;
        let mut whole = Vec::new();
        for document in documents {
            let vectors = tx.vectors();
            if vectors.count_missing(kb.id, &model, Some(document)).await? == 0 {
                whole.push(document);
            }
        }
        tx.index_changes().note(kb.id, &whole).await?;
        tx.commit().await?;
    }
}

/// The next chunks that lack a vector, and of which model: the quick one that documents begin with
/// comes before the wanted one, because the next document falls back on it.
async fn lacking(tx: &TenantTx, kb: &KnowledgeBase) -> Result<(EmbeddingConfig, Vec<Unembedded>)> {
    let first = kb.embedding_config.first();
    let vectors = tx.vectors();
    let missing = vectors.missing(kb.id, &first.vector_model(), BATCH).await?;
    if !missing.is_empty() {
        return Ok((first, missing));
    }
    let wanted = kb.embedding_config.clone();
    let missing = vectors
        .missing(kb.id, &wanted.vector_model(), BATCH)
        .await?;
    Ok((wanted, missing))
}

async fn embed(
    embedder: &dyn Embedder,
    kb: &KnowledgeBase,
    missing: &[Unembedded],
) -> Result<Vec<(ChunkId, Vec<f32>)>> {
    let texts: Vec<String> = missing
        .iter()
        .map(|chunk| {
            let title = chunk.title.as_deref();
            let title = title.filter(|_| kb.chunking_config.include_title);
            embedding_text(title, &chunk.headings, &chunk.content)
        })
        .collect();
    let vectors = embedder.embed(&texts, Purpose::Passage).await?.vectors;
    Ok(missing
        .iter()
        .map(|chunk| chunk.chunk)
        .zip(vectors)
        .collect())
}

/// Searches with the wanted model from now on, and ends the job with that. `None` when something
/// came in meanwhile: then there is more to do.
async fn switch(
    app: &App,
    scope: TenantScope,
    job: &ClaimedJob,
    kb: &KnowledgeBase,
) -> Result<Option<bool>> {
    let tx = app.store.begin(scope).await?;
    if !tx.jobs().holds(job).await? {
        return Ok(Some(false));
    }
    // Whoever publishes a document writes the same row, so that this and that come one after the
    // other.
    tx.vectors()
        .search_with(kb.id, &kb.embedding_config)
        .await?;
    let model = kb.embedding_config.vector_model();
    let now = tx.vectors().kb(kb.id).await?;
    let changed = now.is_some_and(|now| now.embedding_config.vector_model() != model);
    if changed || tx.vectors().count_missing(kb.id, &model, None).await? > 0 {
        return Ok(None);
    }
    let models = [model, kb.embedding_config.first().vector_model()];
    tx.vectors().keep_only(kb.id, &models).await?;
    if !tx.jobs().complete(job).await? {
        return Ok(Some(false));
    }
    tx.commit().await?;
    Ok(Some(true))
}

/// Ends the job, and orders its next turn where there is more to do.
async fn finish(
    app: &App,
    scope: TenantScope,
    job: &ClaimedJob,
    more: Option<&KnowledgeBase>,
) -> Result<bool> {
    let tx = app.store.begin(scope).await?;
    if !tx.jobs().complete(job).await? {
        return Ok(false);
    }
    if let Some(kb) = more {
        let next = order_at(app, kb.id, kb.owner_user_id, Duration::from_millis(100));
        tx.jobs().enqueue(&next).await?;
    }
    tx.commit().await?;
    Ok(true)
}
