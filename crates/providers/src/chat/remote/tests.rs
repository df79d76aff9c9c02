use crate::chat::{ModelSettings, ProviderModels};
use crate::recorded::Recorded;
use crate::{BreakerSettings, RetrySettings};
use quipu_core::TenantId;
use quipu_core::chat::{ChatMessage, ChatRequest, ModelConfig, ModelProvider, gather};
use quipu_core::ports::ChatModels;
use quipu_testkit::model::{Dialect, ScriptedModel, Step};

#[tokio::test]
async fn calls_tokens_and_breakers_are_measured() {
    let recorder = Recorded::default();
    let _here = metrics::set_default_local_recorder(&recorder);
    let server = ScriptedModel::start([
        Step::says("Sí").using(100, 60, 7),
        Step::says("No").using(50, 0, 3),
        Step::status(401, "no"),
        Step::ends_early(&["Ta"]),
        Step::status(503, "no"),
    ])
    .await;
    let models = ProviderModels::new(ModelSettings {
        openai_base_url: server.base(Dialect::Openai),
        retry: RetrySettings {
            attempts: 1,
            ..RetrySettings::default()
        },
        breaker: BreakerSettings {
            failures: 2,
            ..BreakerSettings::default()
        },
        ..ModelSettings::default()
    });
    let config = ModelConfig {
        provider: ModelProvider::Openai,
        model: "modelo".to_owned(),
        ..ModelConfig::default()
    };
    let tenant: TenantId = "00000000-0000-7000-8000-000000000001".parse().unwrap();
    let model = models.of(tenant, &config, Some("clave".into())).unwrap();
    let request = ChatRequest {
        messages: vec![ChatMessage::user("¿?")],
        ..ChatRequest::default()
    };
    for _ in 0..6 {
        // How each of them ends is for other tests to say.
        if let Ok(stream) = model.chat(&request).await {
            let _ = gather(stream).await;
        }
    }
    assert_eq!(
        server.requests().len(),
        5,
        "the last one was not let through"
    );
    for (kind, tokens) in [("input", 150), ("cached_input", 60), ("output", 10)] {
        let name = format!("quipu_model_tokens_total openai {kind}");
        assert_eq!(recorder.value(&name), tokens, "{kind}");
    }
    for (outcome, times) in [
        ("ok", 2),
        ("permanent", 1),
        ("transient", 2),
        ("short_circuit", 1),
    ] {
        let name = format!("quipu_provider_calls_total model/openai {outcome}");
        assert_eq!(recorder.value(&name), times, "{outcome}");
    }
    for (state, breakers) in [("closed", "0"), ("open", "1")] {
        let name = format!("quipu_model_breaker_state model/openai {state}");
        let shown = f64::from_bits(recorder.value(&name)).to_string();
        assert_eq!(shown, breakers, "{state}");
    }
}
