//! Where calls may go, and what a configuration needs.

use super::harness::{PROVIDERS, ask, config, kind, made, settings};
use crate::server::{KEY, tenant};
use quipu_core::chat::{ModelConfig, ModelProvider, RefusalKind};
use quipu_core::ports::{ChatModel, ChatModels};
use quipu_core::{Error, ErrorCode};
use quipu_providers::{ModelSettings, ProviderModels};
use quipu_testkit::model::{Dialect, ScriptedModel, Step};
use std::sync::Arc;

fn refused(models: &ProviderModels, config: &ModelConfig, key: Option<&str>) -> Error {
    let made = models.of(tenant(1), config, key.map(Into::into));
    let error = made.err().expect("it is refused");
    assert_eq!(error.code(), ErrorCode::ModelMisconfigured);
    error
}

#[tokio::test]
async fn a_tenant_does_not_reach_into_the_house() {
    for provider in [PROVIDERS[1], PROVIDERS[4]] {
        let server = ScriptedModel::start([Step::says("Sí").always()]).await;
        let port = server.host().rsplit(':').next().unwrap().to_owned();
        let closed = ProviderModels::new(ModelSettings {
            allow_hosts: vec!["otro".to_owned()],
            ..settings(&server)
        });
        let mut config = config(&server, provider);
        for base in [
            format!("http://127.0.0.1:{port}"),
            format!("http://2130706433:{port}/v1"),
            format!("http://[::ffff:7f00:1]:{port}/v1"),
            "http://169.254.169.254/latest".to_owned(),
            "http://ana:clave@modelos.example/v1".to_owned(),
            "ftp://modelos.example".to_owned(),
            "modelos".to_owned(),
        ] {
            config.base_url = Some(base);
            let error = refused(&closed, &config, Some(KEY));
            assert!(!error.to_string().contains("clave@"));
        }
        // A name is only known to point into the house when it is looked up.
        config.base_url = Some(format!("http://localhost:{port}/v1"));
        let model = closed.of(tenant(1), &config, None).unwrap();
        assert_eq!(kind(ask(model.as_ref()).await), RefusalKind::BadRequest);
        assert_eq!(server.requests().len(), 0);
        // The same call is answered when the operator allows it.
        config.base_url = Some(server.base(provider.1));
        ask(made(settings(&server), &config).as_ref())
            .await
            .unwrap();
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    for provider in PROVIDERS {
        let server = ScriptedModel::start([Step::status(307, "moved").always()]).await;
        let model = made(settings(&server), &config(&server, provider));
        assert_eq!(kind(ask(model.as_ref()).await), RefusalKind::BadRequest);
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn keys_are_asked_for_where_they_are_needed() {
    let server = ScriptedModel::start([Step::says("Sí").always()]).await;
    let models = ProviderModels::new(settings(&server));
    for provider in PROVIDERS {
        let config = config(&server, provider);
        refused(&models, &config, Some("clave\ncon saltos"));
        let needed = matches!(
            provider.0,
            ModelProvider::Openai | ModelProvider::Anthropic | ModelProvider::Gemini
        );
        for empty in [None, Some("  ")] {
            if needed {
                refused(&models, &config, empty);
            } else {
                let model = models
                    .of(tenant(1), &config, empty.map(Into::into))
                    .unwrap();
                ask(model.as_ref()).await.unwrap();
                let asked = server.requests().pop().unwrap();
                assert!(!asked.headers.contains_key("authorization"));
            }
        }
    }
}

#[tokio::test]
async fn an_address_counts_where_it_is_wanted() {
    let (own, other) = (
        ScriptedModel::start([Step::says("Sí").always()]).await,
        ScriptedModel::start([]).await,
    );
    // A tenant cannot send the key of a provider elsewhere.
    for provider in [PROVIDERS[0], PROVIDERS[2], PROVIDERS[3]] {
        let mut config = config(&own, provider);
        config.base_url = Some(other.base(provider.1));
        ask(made(settings(&own), &config).as_ref()).await.unwrap();
    }
    assert_eq!((own.requests().len(), other.requests().len()), (3, 0));
    // Without an address, Ollama is the operator's, should there be one.
    let mut ollama = config(&own, PROVIDERS[4]);
    ollama.base_url = None;
    let settings = ModelSettings {
        ollama_base_url: Some(own.base(Dialect::Ollama)),
        allow_hosts: Vec::new(),
        ..settings(&own)
    };
    ask(made(settings.clone(), &ollama).as_ref()).await.unwrap();
    let without = ProviderModels::new(ModelSettings {
        ollama_base_url: None,
        ..settings
    });
    refused(&without, &ollama, None);
    ollama.provider = ModelProvider::OpenaiCompatible;
    refused(&without, &ollama, None);
}

#[tokio::test]
async fn builtin_is_whatever_it_is_made_of() {
    let server = ScriptedModel::start([Step::says("Sí")]).await;
    let builtin = ModelConfig::default();
    let models = ProviderModels::new(settings(&server));
    refused(&models, &builtin, None);
    let stands_in: Arc<dyn ChatModel> = made(settings(&server), &config(&server, PROVIDERS[0]));
    let models = models.with_builtin(stands_in);
    let model = models.of(tenant(1), &builtin, None).unwrap();
    assert_eq!(ask(model.as_ref()).await.unwrap().text, "Sí");
}
