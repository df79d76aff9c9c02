//! Who writes an agent's answers.

use crate::{App, secrets};
use quipu_core::agent::{AgentSettings, Medium};
use quipu_core::chat::{ModelConfig, ModelProvider};
use quipu_core::ports::ChatModel;
use quipu_core::{Error, ErrorCode, Result};
use quipu_store::TenantTx;
use secrecy::SecretString;
use std::sync::Arc;

/// The keys of the installation for those who only write, for tenants that have none of their own.
#[derive(Clone, Debug, Default)]
pub struct ModelKeys {
    pub anthropic: Option<SecretString>,
    pub gemini: Option<SecretString>,
}

/// A model that cannot be used as it is set.
#[derive(Debug)]
pub(super) struct UnusableModel {
    pub(super) model: String,
    pub(super) error: Error,
}

/// The model of an agent with the one that stands in for it, if it has any beside the product itself;
/// and those that it should have and that cannot be used.
pub(super) async fn model(
    app: &App,
    tx: &TenantTx,
    settings: &AgentSettings,
    medium: Medium,
) -> (Option<Arc<dyn ChatModel>>, Vec<UnusableModel>) {
    let wanted = [
        Some(settings.model_for(medium)),
        settings.fallback_model.as_ref(),
    ];
    let remote = |config: &&ModelConfig| config.provider != ModelProvider::Builtin;
    // Once the product itself is asked, nobody is asked after it.
    let wanted = wanted.into_iter().flatten().take_while(remote);
    first_of(app, tx, wanted).await
}

/// One model out of several configurations, each asked when those before it do not answer; and those
/// of them that cannot be used.
pub(super) async fn first_of(
    app: &App,
    tx: &TenantTx,
    wanted: impl Iterator<Item = &ModelConfig>,
) -> (Option<Arc<dyn ChatModel>>, Vec<UnusableModel>) {
    let mut models = Vec::new();
    let mut unusable = Vec::new();
    for config in wanted {
        match of(app, tx, config).await {
            Ok(model) => models.push(model),
            Err(error) => {
                let (tenant, model) = (tx.tenant_id(), config.name());
                tracing::warn!(tenant.id = %tenant, %error, "model {model} cannot be used");
                unusable.push(UnusableModel { model, error });
            }
        }
    }
    let model = match models.len() {
        0 => None,
        1 => models.pop(),
        _ => Some(app.models.first_of(models)),
    };
    (model, unusable)
}

/// Why the model of a configuration cannot be used, as far as that can be told without asking it.
pub(crate) async fn problem(app: &App, tx: &TenantTx, config: &ModelConfig) -> Option<Error> {
    if config.provider == ModelProvider::Builtin {
        return None;
    }
    of(app, tx, config).await.err()
}

/// The model of a configuration, with the tenant's own key or else the installation's.
pub(super) async fn of(
    app: &App,
    tx: &TenantTx,
    config: &ModelConfig,
) -> Result<Arc<dyn ChatModel>> {
    let key = key(app, tx, config).await?;
    app.models.of(tx.tenant_id(), config, key)
}

async fn key(app: &App, tx: &TenantTx, config: &ModelConfig) -> Result<Option<SecretString>> {
    let Some(name) = config.provider.secret() else {
        return Ok(None);
    };
    let address = config.base_url.as_deref();
    let code = ErrorCode::ModelMisconfigured;
    if let Some(own) = secrets::key_for(app, tx, name, address, code).await? {
        return Ok(Some(own));
    }
    Ok(match config.provider {
        // The installation's keys are for their providers alone.
        _ if address.is_some() => None,
        ModelProvider::Openai => app.provider_keys.openai.clone(),
        ModelProvider::Anthropic => app.model_keys.anthropic.clone(),
        ModelProvider::Gemini => app.model_keys.gemini.clone(),
        ModelProvider::Builtin | ModelProvider::Ollama | ModelProvider::OpenaiCompatible => None,
    })
}
