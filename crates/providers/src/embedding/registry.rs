//! The embedder of every knowledge base, by its configuration.

use super::cached::Cached;
use super::encoder::EncoderEmbedder;
#[cfg(feature = "local-models")]
use super::local::{LocalEmbedder, Model};
use super::remote::{Order, Protocol, RemoteEmbedder};
use super::settings::EmbeddingSettings;
use super::static_table::StaticEmbedder;
#[cfg(feature = "local-models")]
use crate::local::LocalModels;
use crate::network::{Clients, Guard, Target};
use crate::recent::Recent;
use quipu_core::embedding::{BUILTIN_ENCODER, EmbeddingConfig, EmbeddingProvider};
use quipu_core::health::{ProviderHealth, ProviderRole};
use quipu_core::ports::{Embedder, Embedders};
use quipu_core::{Error, ErrorCode, Result, TenantId};
use secrecy::{ExposeSecret, SecretString};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// How many embedders are kept with what they remember; more of them are made anew when needed.
const KEPT_EMBEDDERS: usize = 256;
/// How many breakers are kept, which are small and must outlive a change of the configuration.
const KEPT_GUARDS: usize = 2_048;

/// All embedders of the product.
pub struct ProviderEmbedders {
    settings: EmbeddingSettings,
    clients: Arc<Clients>,
    kept: Mutex<Recent<(TenantId, EmbeddingConfig), Kept>>,
    guards: Mutex<Recent<GuardKey, Arc<Guard>>>,
    #[cfg(feature = "local-models")]
    local: Arc<LocalModels<Model>>,
}

/// A breaker belongs to one tenant, so that a key that was revoked or a server that is down holds
/// up nobody else.
type GuardKey = (TenantId, EmbeddingProvider, String);

struct Kept {
    key: Option<SecretString>,
    embedder: Arc<dyn Embedder>,
}

impl ProviderEmbedders {
    #[must_use]
    pub fn new(settings: EmbeddingSettings) -> Self {
        Self {
            clients: Arc::new(Clients::new(settings.connect_timeout)),
            kept: Mutex::new(Recent::new(KEPT_EMBEDDERS)),
            guards: Mutex::new(Recent::new(KEPT_GUARDS)),
            #[cfg(feature = "local-models")]
            local: Arc::new(LocalModels::new(settings.local.clone())),
            settings,
        }
    }

    fn make(
        &self,
        tenant: TenantId,
        config: &EmbeddingConfig,
        key: Option<SecretString>,
    ) -> Result<Arc<dyn Embedder>> {
        match config.provider {
            EmbeddingProvider::Builtin if config.model == BUILTIN_ENCODER => {
                Ok(self.cached(Arc::new(EncoderEmbedder::giving_way())))
            }
            EmbeddingProvider::Builtin => Ok(Arc::new(StaticEmbedder::new())),
            EmbeddingProvider::Openai => {
                let base = &self.settings.openai_base_url;
                let key = Some(key.ok_or_else(key_missing)?);
                let target = Target::of_operator(base, Protocol::Openai.path());
                self.remote(tenant, config, Protocol::Openai, target, key)
            }
            EmbeddingProvider::Cohere => {
                let base = &self.settings.cohere_base_url;
                let key = Some(key.ok_or_else(key_missing)?);
                let target = Target::of_operator(base, Protocol::Cohere.path());
                self.remote(tenant, config, Protocol::Cohere, target, key)
            }
            EmbeddingProvider::Custom => {
                let base = config.base_url.as_deref().unwrap_or_default();
                let allowed = &self.settings.allow_hosts;
                let target = Target::of_tenant(base, Protocol::Custom.path(), allowed);
                self.remote(tenant, config, Protocol::Custom, target, key)
            }
            EmbeddingProvider::Local => self.local(config),
        }
    }

    #[cfg(feature = "local-models")]
    fn local(&self, config: &EmbeddingConfig) -> Result<Arc<dyn Embedder>> {
        if self.settings.local.models_dir.is_none() {
            return Err(no_local_models());
        }
        let embedder = LocalEmbedder::new(
            self.local.clone(),
            config.vector_model(),
            config.model.clone(),
            size(config.dimensions),
        );
        Ok(self.cached(Arc::new(embedder)))
    }

    #[cfg(not(feature = "local-models"))]
    #[expect(clippy::unused_self, reason = "with the feature it is needed")]
    fn local(&self, _: &EmbeddingConfig) -> Result<Arc<dyn Embedder>> {
        Err(no_local_models())
    }

    fn remote(
        &self,
        tenant: TenantId,
        config: &EmbeddingConfig,
        protocol: Protocol,
        target: Result<Target, &'static str>,
        key: Option<SecretString>,
    ) -> Result<Arc<dyn Embedder>> {
        let target = target.map_err(|why| {
            misconfigured(
                "la dirección del servidor no está permitida",
                "the address of the server is not allowed",
            )
            .caused_by(why)
        })?;
        let guard = self.guard(tenant, config.provider, &target);
        let order = Order {
            model: config.vector_model(),
            name: config.model.clone(),
            dimensions: size(config.dimensions),
            batch_size: size(config.batch_size),
            concurrent_batches: size(config.concurrent_batches),
            protocol,
            target,
            key,
        };
        let clients = self.clients.clone();
        let embedder = RemoteEmbedder::new(order, &self.settings, clients, guard);
        Ok(self.cached(Arc::new(embedder)))
    }

    fn cached(&self, embedder: Arc<dyn Embedder>) -> Arc<dyn Embedder> {
        Arc::new(Cached::new(embedder, self.settings.cached_questions))
    }

    fn guard(&self, tenant: TenantId, provider: EmbeddingProvider, target: &Target) -> Arc<Guard> {
        let mut guards = self.guards.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (tenant, provider, target.origin());
        if let Some(guard) = guards.get(&key) {
            return guard.clone();
        }
        let name = format!("embedding/{}", provider.as_str());
        let guard = Arc::new(Guard::new(self.settings.breaker, name));
        guards.insert(key, guard.clone());
        guard
    }
}

impl Embedders for ProviderEmbedders {
    fn of(
        &self,
        tenant: TenantId,
        config: &EmbeddingConfig,
        key: Option<SecretString>,
    ) -> Result<Arc<dyn Embedder>> {
        let key = key.filter(|key| !key.expose_secret().trim().is_empty());
        let place = (tenant, config.clone());
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.get(&place)
            && exposed(known.key.as_ref()) == exposed(key.as_ref())
        {
            return Ok(known.embedder.clone());
        }
        let embedder = self.make(tenant, config, key.clone())?;
        kept.insert(
            place,
            Kept {
                key,
                embedder: embedder.clone(),
            },
        );
        Ok(embedder)
    }

    fn offered(&self) -> Vec<EmbeddingProvider> {
        let mut offered = EmbeddingProvider::ALL.to_vec();
        offered.retain(|provider| {
            cfg!(feature = "local-models") || *provider != EmbeddingProvider::Local
        });
        offered
    }

    fn health(&self, tenant: TenantId) -> Vec<ProviderHealth> {
        let guards = self.guards.lock().unwrap_or_else(PoisonError::into_inner);
        let own = guards.iter().filter(|(key, _)| key.0 == tenant);
        let mut health: Vec<ProviderHealth> = own
            .map(|((_, provider, origin), guard)| ProviderHealth {
                role: ProviderRole::Embedding,
                name: format!("{} ({origin})", provider.as_str()),
                state: guard.state().condition(),
            })
            .collect();
        health.sort_by(|a, b| a.name.cmp(&b.name));
        health
    }
}

impl fmt::Debug for ProviderEmbedders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderEmbedders")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

fn exposed(key: Option<&SecretString>) -> Option<&str> {
    key.map(ExposeSecret::expose_secret)
}

fn size(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
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
    Error::new(ErrorCode::EmbeddingMisconfigured).with_texts("reason", es.to_owned(), en.to_owned())
}
