//! What vectors take: tokens, calls and their price, by tenant and month.
//!
//! It is counted with each call and written some calls at a time, a moment later, so that nobody who
//! asks a question waits for that.

use crate::{App, prices};
use async_trait::async_trait;
use quipu_core::chat::Usage;
use quipu_core::embedding::{EmbeddingConfig, EmbeddingProvider};
use quipu_core::ports::{EmbedError, Embedded, Embedder, Purpose};
use quipu_core::tenancy::TenantScope;
use quipu_core::{Result, TenantId};
use quipu_knowledge::tokens;
use quipu_store::TenantTx;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// What waits to be written, by tenant and model.
#[derive(Debug, Default)]
pub struct EmbeddingLog(Mutex<BTreeMap<TenantId, Vec<Taken>>>);

/// What one model of a tenant took.
#[derive(Clone, Debug)]
struct Taken {
    provider: EmbeddingProvider,
    model: String,
    calls: u64,
    tokens: u64,
}

impl EmbeddingLog {
    fn note(&self, tenant: TenantId, provider: EmbeddingProvider, model: &str, tokens: u64) {
        let mut waiting = self.lock();
        let taken = waiting.entry(tenant).or_default();
        let known = taken
            .iter()
            .position(|one| one.provider == provider && one.model == model);
        if let Some(at) = known {
            taken[at].calls += 1;
            taken[at].tokens = taken[at].tokens.saturating_add(tokens);
        } else {
            taken.push(Taken {
                provider,
                model: model.to_owned(),
                calls: 1,
                tokens,
            });
        }
    }

    fn take(&self) -> BTreeMap<TenantId, Vec<Taken>> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<TenantId, Vec<Taken>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes down what waits.
///
/// # Errors
/// When the database cannot be written; what was not written is gone.
pub async fn flush(app: &App) -> Result<()> {
    let mut failed = None;
    for (tenant, taken) in app.embedding_log.take() {
        let written = async {
            let tx = app.store.begin(TenantScope::of(tenant)).await?;
            write(&tx, &taken).await?;
            tx.commit().await
        };
        // A tenant that was deleted meanwhile has nothing to count; the others do.
        if let Err(error) = written.await {
            failed = Some(error);
        }
    }
    failed.map_or(Ok(()), Err)
}

async fn write(tx: &TenantTx, taken: &[Taken]) -> Result<()> {
    let own = prices::load(tx).await?;
    let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let (mut calls, mut tokens, mut cost) = (0, 0, 0_i64);
    for one in taken {
        calls += one.calls;
        tokens += one.tokens;
        let usage = Usage {
            input_tokens: one.tokens,
            ..Usage::default()
        };
        let price = own.cost(one.provider, &one.model, &usage);
        cost = cost.saturating_add(price.unwrap_or(0));
    }
    let amounts = [
        ("embedding_calls", signed(calls)),
        ("embedding_tokens", signed(tokens)),
        ("embedding_cost_micros", cost),
    ];
    tx.usage().add(&amounts).await
}

/// The same embedder, whose calls across the network are counted for the tenant. What the product
/// makes itself costs nobody anything.
pub(super) fn metered(
    inner: Arc<dyn Embedder>,
    log: Arc<EmbeddingLog>,
    tenant: TenantId,
    config: &EmbeddingConfig,
) -> Arc<dyn Embedder> {
    Arc::new(MeteredEmbedder {
        inner,
        log,
        tenant,
        provider: config.provider,
        model: config.model.clone(),
    })
}

struct MeteredEmbedder {
    inner: Arc<dyn Embedder>,
    log: Arc<EmbeddingLog>,
    tenant: TenantId,
    provider: EmbeddingProvider,
    model: String,
}

#[async_trait]
impl Embedder for MeteredEmbedder {
    fn model(&self) -> &str {
        self.inner.model()
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Embedded, EmbedError> {
        let began = Instant::now();
        let made = self.inner.embed(texts, purpose).await?;
        let what = match purpose {
            Purpose::Question => "question",
            Purpose::Passage => "passage",
        };
        let provider = self.provider.as_str();
        metrics::histogram!("quipu_embedding_seconds", "provider" => provider, "purpose" => what)
            .record(began.elapsed());
        let is_paid = !matches!(
            self.provider,
            EmbeddingProvider::Builtin | EmbeddingProvider::Local
        );
        if is_paid {
            let counted = || texts.iter().map(|text| tokens::count(text) as u64).sum();
            let tokens = made.tokens.unwrap_or_else(counted);
            // Questions that were remembered asked nobody.
            if tokens > 0 {
                self.log
                    .note(self.tenant, self.provider, &self.model, tokens);
                metrics::counter!("quipu_embedding_tokens_total", "provider" => provider)
                    .increment(tokens);
            }
        }
        Ok(made)
    }
}
