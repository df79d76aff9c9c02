//! The model for a configuration.

use super::anthropic::{self, Anthropic};
use super::chain::Chain;
use super::flow::Patience;
use super::gemini::{self, Gemini};
use super::ollama::{self, Ollama};
use super::openai::{self, Openai};
use super::protocol::Wire;
use super::quirks::Quirks;
use super::remote::{Health, RemoteModel};
use super::settings::ModelSettings;
use crate::breaker::BreakerState;
use crate::network::{Clients, Endpoint, Guard, Retry, Target};
use crate::recent::Recent;
use quipu_core::chat::{ModelConfig, ModelProvider};
use quipu_core::health::{ProviderHealth, ProviderRole};
use quipu_core::ports::{ChatModel, ChatModels};
use quipu_core::{Error, ErrorCode, Result, TenantId};
use secrecy::{ExposeSecret, SecretString};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How many breakers are kept, which are small and must outlive a change of the configuration.
const KEPT_HEALTHS: usize = 2_048;
/// Shows how many breakers are in which state.
const STATES: &str = "quipu_model_breaker_state";

/// All models of the product that write.
pub struct ProviderModels {
    settings: ModelSettings,
    clients: Arc<Clients>,
    healths: Mutex<Recent<HealthKey, Arc<Health>>>,
    builtin: Option<Arc<dyn ChatModel>>,
}

/// A breaker belongs to one tenant, model and server, so that a key that was revoked or a model
/// that is down holds up nobody else.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct HealthKey {
    tenant: TenantId,
    provider: ModelProvider,
    model: String,
    server: String,
}

impl ProviderModels {
    #[must_use]
    pub fn new(settings: ModelSettings) -> Self {
        Self {
            clients: Arc::new(Clients::new(settings.connect_timeout)),
            healths: Mutex::new(Recent::new(KEPT_HEALTHS)),
            builtin: None,
            settings,
        }
    }

    /// The same with a model for `builtin`, which nobody has to be connected to.
    #[must_use]
    pub fn with_builtin(mut self, model: Arc<dyn ChatModel>) -> Self {
        self.builtin = Some(model);
        self
    }

    /// The models that a tenant asked lately, by name, and how their breakers stand.
    #[must_use]
    pub fn breakers(&self, tenant: TenantId) -> Vec<(String, BreakerState)> {
        let healths = self.healths.lock().unwrap_or_else(PoisonError::into_inner);
        let own = healths.iter().filter(|(key, _)| key.tenant == tenant);
        let mut states: Vec<(String, BreakerState)> = own
            .map(|(key, health)| {
                let name = format!("{}/{}", key.provider.as_str(), key.model);
                (name, health.guard.state())
            })
            .collect();
        states.sort_by(|a, b| a.0.cmp(&b.0));
        states
    }

    fn remote(
        &self,
        tenant: TenantId,
        config: &ModelConfig,
        key: Option<SecretString>,
    ) -> Result<RemoteModel> {
        let target = self.target(config)?;
        let health = self.health(tenant, config, &target);
        let endpoint = Endpoint::new(target, key, self.clients.clone());
        let (wire, endpoint): (Box<dyn Wire>, Endpoint) = match config.provider {
            ModelProvider::Anthropic => {
                let (name, version) = anthropic::VERSION_HEADER;
                let endpoint = endpoint.with_key_in(anthropic::KEY_HEADER);
                (Box::new(Anthropic), endpoint.with_header(name, version))
            }
            ModelProvider::Gemini => (Box::new(Gemini), endpoint.with_key_in(gemini::KEY_HEADER)),
            ModelProvider::Ollama => (Box::new(Ollama), endpoint),
            provider => {
                let itself = provider == ModelProvider::Openai;
                (Box::new(Openai { itself }), endpoint)
            }
        };
        let asked = Duration::from_secs(config.timeout_seconds.into());
        Ok(RemoteModel {
            name: config.name(),
            config: config.clone(),
            wire,
            endpoint: Arc::new(endpoint),
            health,
            retry: Retry::new(self.settings.retry),
            patience: Patience {
                first: self.settings.first_timeout,
                idle: self.settings.idle_timeout,
            },
            timeout: asked.min(self.settings.longest_timeout),
        })
    }

    /// Where the model answers.
    fn target(&self, config: &ModelConfig) -> Result<Target> {
        let settings = &self.settings;
        let named = config
            .base_url
            .as_deref()
            .filter(|url| !url.trim().is_empty());
        let of_tenant = |base: &str, path| Target::of_tenant(base, path, &settings.allow_hosts);
        let target = match config.provider {
            ModelProvider::Openai => Target::of_operator(&settings.openai_base_url, openai::PATH),
            ModelProvider::Anthropic => {
                Target::of_operator(&settings.anthropic_base_url, anthropic::PATH)
            }
            ModelProvider::Gemini => {
                let path = gemini::path(&config.model);
                let (name, value) = gemini::QUERY;
                Target::of_operator(&settings.gemini_base_url, &path)
                    .map(|target| target.with_query(name, value))
            }
            ModelProvider::Ollama => match (named, &settings.ollama_base_url) {
                (Some(base), _) => of_tenant(base, ollama::PATH),
                (None, Some(base)) => Target::of_operator(base, ollama::PATH),
                (None, None) => return Err(address_missing()),
            },
            ModelProvider::OpenaiCompatible => match named {
                Some(base) => of_tenant(base, openai::PATH),
                None => return Err(address_missing()),
            },
            ModelProvider::Builtin => return Err(no_builtin()),
        };
        target.map_err(|why| {
            misconfigured(
                "la dirección del servidor no está permitida",
                "the address of the server is not allowed",
            )
            .caused_by(why)
        })
    }

    fn health(&self, tenant: TenantId, config: &ModelConfig, target: &Target) -> Arc<Health> {
        let mut healths = self.healths.lock().unwrap_or_else(PoisonError::into_inner);
        let key = HealthKey {
            tenant,
            provider: config.provider,
            model: config.model.trim().to_owned(),
            server: target.origin(),
        };
        if let Some(health) = healths.get(&key) {
            return health.clone();
        }
        let name = format!("model/{}", config.provider.as_str());
        let health = Arc::new(Health {
            guard: Guard::new(self.settings.breaker, name).showing(STATES),
            quirks: Quirks::default(),
        });
        healths.insert(key, health.clone());
        health
    }
}

impl ChatModels for ProviderModels {
    fn of(
        &self,
        tenant: TenantId,
        config: &ModelConfig,
        key: Option<SecretString>,
    ) -> Result<Arc<dyn ChatModel>> {
        if config.provider == ModelProvider::Builtin {
            return self.builtin.clone().ok_or_else(no_builtin);
        }
        let key = key.filter(|key| !key.expose_secret().trim().is_empty());
        let needs_key = matches!(
            config.provider,
            ModelProvider::Openai | ModelProvider::Anthropic | ModelProvider::Gemini
        );
        match &key {
            None if needs_key => return Err(key_missing()),
            Some(key) if !is_key(key.expose_secret().trim()) => return Err(key_wrong()),
            _ => {}
        }
        Ok(Arc::new(self.remote(tenant, config, key)?))
    }

    fn first_of(&self, models: Vec<Arc<dyn ChatModel>>) -> Arc<dyn ChatModel> {
        Arc::new(Chain::new(models, self.settings.longest_timeout))
    }

    fn health(&self, tenant: TenantId) -> Vec<ProviderHealth> {
        let states = self.breakers(tenant).into_iter();
        let health = states.map(|(name, state)| ProviderHealth {
            role: ProviderRole::Model,
            name,
            state: state.condition(),
        });
        health.collect()
    }
}

impl fmt::Debug for ProviderModels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderModels")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// What can stand in a header.
fn is_key(key: &str) -> bool {
    key.bytes().all(|b| b.is_ascii_graphic())
}

fn key_missing() -> Error {
    misconfigured(
        "falta la clave del proveedor; guárdala en los secretos del tenant",
        "the key of the provider is missing; save it among the secrets of the tenant",
    )
}

fn key_wrong() -> Error {
    misconfigured(
        "la clave del proveedor tiene caracteres que ninguna clave tiene; guárdala de nuevo",
        "the key of the provider has characters that no key has; save it again",
    )
}

fn address_missing() -> Error {
    misconfigured(
        "falta la dirección del servidor del modelo",
        "the address of the model's server is missing",
    )
}

fn no_builtin() -> Error {
    misconfigured(
        "este servidor no tiene un modelo propio que escriba",
        "this server has no model of its own that writes",
    )
}

fn misconfigured(es: &str, en: &str) -> Error {
    Error::new(ErrorCode::ModelMisconfigured).with_texts("reason", es.to_owned(), en.to_owned())
}
