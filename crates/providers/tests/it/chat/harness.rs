//! One server that plays every provider.

use crate::server::{KEY, tenant};
use futures::StreamExt;
use quipu_core::chat::{
    ChatAnswer, ChatError, ChatEvent, ChatMessage, ChatRequest, ModelConfig, ModelProvider,
    RefusalKind, gather,
};
use quipu_core::ports::{ChatModel, ChatModels};
use quipu_providers::{BreakerSettings, ModelSettings, ProviderModels, RetrySettings};
use quipu_testkit::model::{Dialect, ScriptedModel};
use std::sync::Arc;
use std::time::Duration;

/// Every provider with the protocol that it speaks.
pub(super) const PROVIDERS: [(ModelProvider, Dialect); 5] = [
    (ModelProvider::Openai, Dialect::Openai),
    (ModelProvider::OpenaiCompatible, Dialect::Openai),
    (ModelProvider::Anthropic, Dialect::Anthropic),
    (ModelProvider::Gemini, Dialect::Gemini),
    (ModelProvider::Ollama, Dialect::Ollama),
];

/// Settings under which the server plays every provider, with waits that a test bears.
pub(super) fn settings(server: &ScriptedModel) -> ModelSettings {
    ModelSettings {
        openai_base_url: server.base(Dialect::Openai),
        anthropic_base_url: server.base(Dialect::Anthropic),
        gemini_base_url: server.base(Dialect::Gemini),
        ollama_base_url: None,
        allow_hosts: vec![server.host()],
        connect_timeout: Duration::from_secs(2),
        first_timeout: Duration::from_secs(20),
        idle_timeout: Duration::from_secs(20),
        retry: RetrySettings {
            attempts: 3,
            first_wait: Duration::from_millis(1),
            longest_wait: Duration::from_secs(2),
        },
        breaker: BreakerSettings {
            failures: 1_000,
            ..BreakerSettings::default()
        },
        ..ModelSettings::default()
    }
}

pub(super) fn config(
    server: &ScriptedModel,
    (provider, dialect): (ModelProvider, Dialect),
) -> ModelConfig {
    let named = matches!(
        provider,
        ModelProvider::OpenaiCompatible | ModelProvider::Ollama
    );
    ModelConfig {
        provider,
        model: "modelo".to_owned(),
        base_url: named.then(|| server.base(dialect)),
        ..ModelConfig::default()
    }
}

pub(super) fn made(settings: ModelSettings, config: &ModelConfig) -> Arc<dyn ChatModel> {
    let models = ProviderModels::new(settings);
    models.of(tenant(1), config, Some(KEY.into())).unwrap()
}

pub(super) fn model(
    server: &ScriptedModel,
    provider: (ModelProvider, Dialect),
) -> Arc<dyn ChatModel> {
    made(settings(server), &config(server, provider))
}

pub(super) fn question(text: &str) -> ChatRequest {
    ChatRequest {
        system: "Eres Maya.".to_owned(),
        messages: vec![ChatMessage::user(text)],
        ..ChatRequest::default()
    }
}

/// A whole answer to a question. No error of any test holds the key.
pub(super) async fn ask(model: &dyn ChatModel) -> Result<ChatAnswer, ChatError> {
    let answer = async { gather(model.chat(&question("¿Hay citas?")).await?).await };
    let answer = answer.await;
    if let Err(error) = &answer {
        assert!(!error.to_string().contains(KEY), "{error}");
    }
    answer
}

/// All events of an answer, up to its end.
pub(super) async fn events(model: &dyn ChatModel) -> Vec<Result<ChatEvent, ChatError>> {
    let stream = model.chat(&question("¿Hay citas?")).await.unwrap();
    stream.collect().await
}

pub(super) fn transient(answer: Result<ChatAnswer, ChatError>) -> String {
    match answer {
        Err(ChatError::Transient { why, .. }) => why,
        other => panic!("{other:?}"),
    }
}

pub(super) fn kind(answer: Result<ChatAnswer, ChatError>) -> RefusalKind {
    match answer {
        Err(ChatError::Permanent { kind, .. }) => kind,
        other => panic!("{other:?}"),
    }
}
