//! Servers that are left alone for a while, and models behind one another.

use super::harness::{PROVIDERS, config, kind, model, question, settings, transient};
use crate::server::{KEY, tenant};
use quipu_core::chat::{ChatAnswer, ChatError, ModelConfig, RefusalKind, gather};
use quipu_core::ports::{ChatModel, ChatModels};
use quipu_providers::{BreakerSettings, BreakerState, Chain, ModelSettings, ProviderModels};
use quipu_testkit::model::{ScriptedModel, Step};
use std::time::Duration;
use tokio::time;

const COOL_DOWN: Duration = Duration::from_secs(30);

fn brittle(server: &ScriptedModel) -> ProviderModels {
    let mut settings = ModelSettings {
        breaker: BreakerSettings {
            failures: 2,
            cool_down: COOL_DOWN,
            ..BreakerSettings::default()
        },
        ..settings(server)
    };
    settings.retry.attempts = 1;
    ProviderModels::new(settings)
}

async fn ask(
    models: &ProviderModels,
    number: u8,
    config: &ModelConfig,
) -> Result<ChatAnswer, ChatError> {
    let model = models.of(tenant(number), config, Some(KEY.into())).unwrap();
    gather(model.chat(&question("¿?")).await?).await
}

/// Moves the clock of the breaker on. It may stand still only meanwhile: with nothing else to do,
/// a clock that stands still jumps to the next deadline of a call.
async fn pass(duration: Duration) {
    time::pause();
    time::advance(duration).await;
    time::resume();
}

#[tokio::test]
async fn it_opens_for_one_tenant_model_and_server_and_closes_again() {
    for provider in PROVIDERS {
        // Two failures open it, the probe fails once more, and then all is well.
        let fails = Step::status(503, "unavailable").when(|asked| asked.model() == "modelo");
        let steps = [fails.times(3), Step::says("Sí").always()];
        let server = ScriptedModel::start(steps).await;
        let models = brittle(&server);
        let config = config(&server, provider);
        let name = config.name();
        let state = || models.breakers(tenant(1));
        for _ in 0..2 {
            transient(ask(&models, 1, &config).await);
        }
        assert_eq!(state(), [(name.clone(), BreakerState::Open)]);
        let why = transient(ask(&models, 1, &config).await);
        assert!(why.contains("resting"), "{why}");
        assert_eq!(server.requests().len(), 2, "an open breaker does not call");

        let mut other = config.clone();
        other.model = "otro".to_owned();
        ask(&models, 1, &other)
            .await
            .expect("another model's breaker is its own");

        pass(COOL_DOWN).await;
        assert_eq!(state()[0], (name.clone(), BreakerState::HalfOpen));
        assert!(
            transient(ask(&models, 1, &config).await).contains("503"),
            "the probe"
        );
        assert!(transient(ask(&models, 1, &config).await).contains("resting"));
        assert_eq!(server.requests().len(), 4);
        ask(&models, 2, &config)
            .await
            .expect("another tenant's breaker is its own");

        pass(COOL_DOWN).await;
        ask(&models, 1, &config).await.unwrap();
        assert_eq!(state()[0], (name, BreakerState::Closed), "{provider:?}");
        ask(&models, 1, &config).await.unwrap();
    }
}

#[tokio::test]
async fn half_answers_open_it_and_refusals_do_not() {
    for provider in PROVIDERS {
        let server = ScriptedModel::start([Step::ends_early(&["Sí"]).always()]).await;
        let models = brittle(&server);
        let own = config(&server, provider);
        for _ in 0..2 {
            let why = transient(ask(&models, 1, &own).await);
            assert!(why.contains("before its end"), "{why}");
        }
        assert!(transient(ask(&models, 1, &own).await).contains("resting"));

        let server = ScriptedModel::start([Step::status(401, "no").always()]).await;
        let models = brittle(&server);
        let own = config(&server, provider);
        for _ in 0..5 {
            assert_eq!(kind(ask(&models, 1, &own).await), RefusalKind::BadKey);
        }
        assert_eq!(server.requests().len(), 5);
    }
}

#[tokio::test]
async fn a_probe_that_answers_lets_others_through_before_its_end() {
    let steps = [
        Step::status(500, "no").times(2),
        Step::falls_silent(&["Sí, "]),
        Step::says("También"),
    ];
    let server = ScriptedModel::start(steps).await;
    let models = brittle(&server);
    let own = config(&server, PROVIDERS[0]);
    for _ in 0..2 {
        transient(ask(&models, 1, &own).await);
    }
    pass(COOL_DOWN).await;
    let probe = models.of(tenant(1), &own, Some(KEY.into())).unwrap();
    let slow = probe.chat(&question("¿?")).await.unwrap();
    assert_eq!(ask(&models, 1, &own).await.unwrap().text, "También");
    drop(slow);
}

#[tokio::test]
async fn whoever_answers_first_is_named() {
    let down = ScriptedModel::start([Step::status(503, "unavailable").always()]).await;
    let strange = ScriptedModel::start([Step::status(401, "no").always()]).await;
    let well = ScriptedModel::start([Step::says("Sí").always()]).await;
    let models = vec![
        model(&down, PROVIDERS[0]),
        model(&strange, PROVIDERS[2]),
        model(&well, PROVIDERS[4]),
    ];
    let chain = Chain::new(models, Duration::from_secs(20));
    let answer = gather(chain.chat(&question("¿?")).await.unwrap()).await;
    let answer = answer.unwrap();
    assert_eq!(answer.model.as_deref(), Some("ollama/modelo"));
    assert_eq!(answer.text, "Sí");
    let skipped: Vec<String> = answer
        .skipped
        .iter()
        .map(|skipped| format!("{} {}", skipped.model, skipped.error))
        .collect();
    assert_eq!(
        skipped,
        [
            "openai/modelo status 503, unavailable, unavailable",
            "anthropic/modelo bad_key: status 401, no",
        ]
    );
}
