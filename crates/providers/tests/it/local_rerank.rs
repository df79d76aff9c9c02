//! Cross-encoders that run here, against what the reference makes of the same files.

use crate::local::tiny::{self, Family};
use crate::server::{Server, tenant};
use quipu_core::ErrorCode;
use quipu_core::ports::{RerankError, Reranked, Reranker, Rerankers};
use quipu_core::reranking::{RerankConfig, RerankProvider};
use quipu_providers::{LocalSettings, ProviderRerankers, RerankSettings};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

const MODELS: [(&str, Family); 2] = [("bert", Family::Bert), ("roberta", Family::Roberta)];

/// What a model makes of a question and each of some passages.
#[derive(Deserialize)]
struct Case {
    question: String,
    passages: Vec<String>,
    relevances: Vec<f32>,
}

fn golden() -> BTreeMap<String, Vec<Case>> {
    serde_json::from_str(include_str!("local_rerank/golden.json")).unwrap()
}

fn settings(root: &Path) -> RerankSettings {
    RerankSettings {
        local: LocalSettings {
            models_dir: Some(root.to_owned()),
            ..LocalSettings::default()
        },
        ..RerankSettings::default()
    }
}

fn config(name: &str) -> RerankConfig {
    RerankConfig {
        provider: RerankProvider::Local,
        model: Some(name.to_owned()),
        base_url: None,
    }
}

fn local(settings: RerankSettings, name: &str) -> Arc<dyn Reranker> {
    let rerankers = ProviderRerankers::new(settings);
    let found = rerankers.of(tenant(1), &config(name), None).unwrap();
    found.unwrap()
}

async fn judge(
    reranker: &dyn Reranker,
    question: &str,
    passages: &[String],
) -> Result<Vec<f32>, RerankError> {
    match reranker.rerank(question, passages).await? {
        Reranked::Relevances(relevances) => Ok(relevances),
        other @ Reranked::Cosines { .. } => panic!("{other:?}"),
    }
}

/// To the digits that the reference was written down with.
fn near_enough(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-5, "{found:?} {expected:?}");
    }
}

#[test]
#[ignore = "for computing what is expected anew"]
fn write_the_judges_for_the_reference() {
    let root = std::env::var("QUIPU_TEST_MODELS").unwrap();
    for (name, family) in MODELS {
        tiny::write_judge(&Path::new(&root).join(name), family);
    }
}

#[tokio::test]
async fn relevances_are_those_of_the_reference() {
    let root = tempfile::tempdir().unwrap();
    for (name, family) in MODELS {
        tiny::write_judge(&root.path().join(name), family);
        let reranker = local(settings(root.path()), name);
        assert_eq!(reranker.model(), format!("local/{name}"));
        for case in &golden()[name] {
            let judged = judge(reranker.as_ref(), &case.question, &case.passages).await;
            near_enough(&judged.unwrap(), &case.relevances);
            // Beside longer ones a pair is padded, and alone it is not.
            for (passage, expected) in case.passages.iter().zip(&case.relevances) {
                let passage = std::slice::from_ref(passage);
                let alone = judge(reranker.as_ref(), &case.question, passage).await;
                near_enough(&alone.unwrap(), &[*expected]);
            }
        }
        let none = judge(reranker.as_ref(), "hola", &[]).await;
        assert!(none.unwrap().is_empty());
    }
}

#[tokio::test]
async fn models_that_cannot_be_run_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    let spoil = |name: &str, file: &str, text: &str| {
        tiny::write_judge(&at(name), Family::Bert);
        fs::write(at(name).join(file), text).unwrap();
    };
    spoil("corto", "model.safetensors", "nada");
    spoil("mudo", "tokenizer.json", "{}");
    spoil("roto", "config.json", "{");
    spoil(
        "breve",
        "tokenizer_config.json",
        r#"{"model_max_length": 2}"#,
    );
    // A sentence transformer judges nothing.
    tiny::write(&at("vector"), Family::Bert, "pooling_mode_mean_tokens");
    tiny::write_judge(&at("ajeno"), Family::Bert);
    let other = fs::read_to_string(at("ajeno").join("config.json")).unwrap();
    let other = other.replace("\"bert\"", "\"t5\"");
    fs::write(at("ajeno").join("config.json"), other).unwrap();
    for name in [
        "corto", "mudo", "roto", "breve", "vector", "ajeno", "ninguno", "../x",
    ] {
        let reranker = local(settings(root.path()), name);
        let judged = judge(reranker.as_ref(), "hola", &["mundo".to_owned()]).await;
        let Err(RerankError::Permanent(why)) = judged else {
            panic!("{name}: {judged:?}");
        };
        assert!(why.contains(name), "{why}");
    }
    let nowhere = ProviderRerankers::new(RerankSettings::default());
    let error = nowhere.of(tenant(1), &config("bert"), None).err().unwrap();
    assert_eq!(error.code(), ErrorCode::RerankMisconfigured);
    let nameless = RerankConfig {
        model: None,
        ..config("")
    };
    let somewhere = ProviderRerankers::new(settings(root.path()));
    let error = somewhere.of(tenant(1), &nameless, None).err().unwrap();
    assert_eq!(error.code(), ErrorCode::RerankMisconfigured);
}

#[tokio::test]
async fn a_model_is_fetched_from_the_hub_when_the_operator_allows_it() {
    let (source, root) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    tiny::write_judge(source.path(), Family::Roberta);
    let hub = Server::open(&[]).await;
    hub.files(source.path(), "/org/juez/resolve/main");
    let mut settings = settings(root.path());
    settings.local.hub_base_url = format!("http://{}/", hub.address);
    let case = &golden()["roberta"][0];
    let closed = local(settings.clone(), "org/juez");
    let judged = judge(closed.as_ref(), &case.question, &case.passages).await;
    assert!(matches!(judged, Err(RerankError::Permanent(_))));
    assert_eq!(hub.requests(), 0);
    settings.local.download = true;
    let open = local(settings, "org/juez");
    let judged = judge(open.as_ref(), &case.question, &case.passages).await;
    near_enough(&judged.unwrap(), &case.relevances);
}
