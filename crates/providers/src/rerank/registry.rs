//! The reranker for a configuration.

#[cfg(feature = "local-models")]
use super::cross_encoder::{CrossEncoder, LocalReranker};
use super::encoder::EncoderReranker;
use super::judge::JudgeReranker;
use super::memory::TextMemory;
use super::service::{self, Order, ServiceReranker};
use super::settings::RerankSettings;
use crate::embedding::EncoderEmbedder;
#[cfg(feature = "local-models")]
use crate::local::LocalModels;
use crate::network::{Clients, Guard, Target};
use crate::recent::Recent;
use quipu_core::health::{ProviderHealth, ProviderRole};
use quipu_core::ports::{Reranker, Rerankers};
use quipu_core::reranking::{RerankConfig, RerankProvider};
use quipu_core::{Error, ErrorCode, Result, TenantId};
use secrecy::{ExposeSecret, SecretString};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// How many rerankers are kept; more of them are made anew when needed.
const KEPT_RERANKERS: usize = 256;
/// How many breakers are kept, which are small and must outlive a change of the configuration.
const KEPT_GUARDS: usize = 2_048;

/// All rerankers of the product.
pub struct ProviderRerankers {
    settings: RerankSettings,
    clients: Arc<Clients>,
    /// Vectors of passages, and judgements of passages for questions.
    vectors: Arc<TextMemory<Vec<f32>>>,
    judged: Arc<TextMemory<f32>>,
    kept: Mutex<Recent<(TenantId, RerankConfig), Kept>>,
    /// A breaker belongs to one tenant and server, so that a key that was revoked or a server that
    /// is down holds up nobody else.
    guards: Mutex<Recent<(TenantId, String), Arc<Guard>>>,
    #[cfg(feature = "local-models")]
    local: Arc<LocalModels<CrossEncoder>>,
}

struct Kept {
    key: Option<SecretString>,
    reranker: Arc<dyn Reranker>,
}

impl ProviderRerankers {
    #[must_use]
    pub fn new(settings: RerankSettings) -> Self {
        Self {
            clients: Arc::new(Clients::new(settings.connect_timeout)),
            vectors: Arc::new(TextMemory::new(settings.cached_passages)),
            judged: Arc::new(TextMemory::new(settings.cached_passages)),
            kept: Mutex::new(Recent::new(KEPT_RERANKERS)),
            guards: Mutex::new(Recent::new(KEPT_GUARDS)),
            #[cfg(feature = "local-models")]
            local: Arc::new(LocalModels::new(settings.local.clone())),
            settings,
        }
    }

    fn make(
        &self,
        tenant: TenantId,
        config: &RerankConfig,
        key: Option<SecretString>,
    ) -> Result<Option<Arc<dyn Reranker>>> {
        match config.provider {
            RerankProvider::None => Ok(None),
            RerankProvider::Encoder => {
                let (encoder, vectors) = (Arc::new(EncoderEmbedder::new()), self.vectors.clone());
                let reranker = EncoderReranker::remembering(encoder, vectors, tenant);
                Ok(Some(Arc::new(reranker)))
            }
            RerankProvider::Cohere => self.service(tenant, config, key).map(Some),
            RerankProvider::Local if config.is_bundled() => {
                let judge = JudgeReranker::remembering(self.judged.clone(), tenant);
                Ok(Some(Arc::new(judge)))
            }
            RerankProvider::Local => self.local(config).map(Some),
        }
    }

    fn service(
        &self,
        tenant: TenantId,
        config: &RerankConfig,
        key: Option<SecretString>,
    ) -> Result<Arc<dyn Reranker>> {
        let target = if let Some(address) = &config.base_url {
            let allowed = &self.settings.allow_hosts;
            Target::of_tenant(&service::base(address), service::PATH, allowed)
        } else {
            if key.is_none() {
                return Err(key_missing());
            }
            let base = service::base(&self.settings.cohere_base_url);
            Target::of_operator(&base, service::PATH)
        };
        let target = target.map_err(|why| {
            misconfigured(
                "la dirección del servidor no está permitida",
                "the address of the server is not allowed",
            )
            .caused_by(why)
        })?;
        let guard = self.guard(tenant, &target);
        let order = Order {
            name: config.model().unwrap_or_default().to_owned(),
            target,
            key,
        };
        let clients = self.clients.clone();
        let reranker = ServiceReranker::new(order, &self.settings, clients, guard);
        Ok(Arc::new(reranker))
    }

    #[cfg(feature = "local-models")]
    fn local(&self, config: &RerankConfig) -> Result<Arc<dyn Reranker>> {
        if self.settings.local.models_dir.is_none() {
            return Err(no_local_models());
        }
        let name = config.model().ok_or_else(|| {
            misconfigured(
                "falta el nombre del modelo",
                "the name of the model is missing",
            )
        })?;
        let reranker = LocalReranker::new(self.local.clone(), name.to_owned());
        Ok(Arc::new(reranker))
    }

    #[cfg(not(feature = "local-models"))]
    #[expect(clippy::unused_self, reason = "with the feature it is needed")]
    fn local(&self, _: &RerankConfig) -> Result<Arc<dyn Reranker>> {
        Err(no_local_models())
    }

    fn guard(&self, tenant: TenantId, target: &Target) -> Arc<Guard> {
        let mut guards = self.guards.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (tenant, target.origin());
        if let Some(guard) = guards.get(&key) {
            return guard.clone();
        }
        let name = format!("rerank/{}", RerankProvider::Cohere.as_str());
        let guard = Arc::new(Guard::new(self.settings.breaker, name));
        guards.insert(key, guard.clone());
        guard
    }
}

impl Rerankers for ProviderRerankers {
    fn of(
        &self,
        tenant: TenantId,
        config: &RerankConfig,
        key: Option<SecretString>,
    ) -> Result<Option<Arc<dyn Reranker>>> {
        let key = key.filter(|key| !key.expose_secret().trim().is_empty());
        let place = (tenant, config.clone());
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.get(&place)
            && exposed(known.key.as_ref()) == exposed(key.as_ref())
        {
            return Ok(Some(known.reranker.clone()));
        }
        let Some(reranker) = self.make(tenant, config, key.clone())? else {
            return Ok(None);
        };
        kept.insert(
            place,
            Kept {
                key,
                reranker: reranker.clone(),
            },
        );
        Ok(Some(reranker))
    }

    fn health(&self, tenant: TenantId) -> Vec<ProviderHealth> {
        let guards = self.guards.lock().unwrap_or_else(PoisonError::into_inner);
        let own = guards.iter().filter(|(key, _)| key.0 == tenant);
        let health = own.map(|((_, origin), guard)| ProviderHealth {
            role: ProviderRole::Reranker,
            name: format!("{} ({origin})", RerankProvider::Cohere.as_str()),
            state: guard.state().condition(),
        });
        health.collect()
    }
}

impl fmt::Debug for ProviderRerankers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderRerankers")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

fn exposed(key: Option<&SecretString>) -> Option<&str> {
    key.map(ExposeSecret::expose_secret)
}

fn key_missing() -> Error {
    misconfigured(
        "falta la clave del proveedor; guárdala en los secretos del tenant",
        "the key of the provider is missing; save it among the secrets of the tenant",
    )
}

fn no_local_models() -> Error {
    misconfigured(
        "este servidor no ejecuta modelos locales",
        "this server runs no local models",
    )
}

fn misconfigured(es: &str, en: &str) -> Error {
    Error::new(ErrorCode::RerankMisconfigured).with_texts("reason", es.to_owned(), en.to_owned())
}
