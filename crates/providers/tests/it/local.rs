//! Models that run here, against what the reference makes of the same files.

pub(crate) mod tiny;

use crate::server::{Server, Step, embed, near, permanent, tenant, transient};
use quipu_core::ErrorCode;
use quipu_core::embedding::{EmbeddingConfig, EmbeddingProvider};
use quipu_core::ports::{Embedder, Embedders, Purpose};
use quipu_providers::{EmbeddingSettings, LocalSettings, ProviderEmbedders};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tiny::{Family, WIDTH};

const MEAN: &str = "pooling_mode_mean_tokens";
const FIRST: &str = "pooling_mode_cls_token";

const MODELS: [(&str, Family, &str); 4] = [
    ("bert-mean", Family::Bert, MEAN),
    ("bert-first", Family::Bert, FIRST),
    ("roberta-mean", Family::Roberta, MEAN),
    ("roberta-first", Family::Roberta, FIRST),
];

#[derive(Deserialize)]
struct Case {
    tokens: u64,
    vector: Vec<f32>,
}

fn golden() -> BTreeMap<String, BTreeMap<String, Case>> {
    serde_json::from_str(include_str!("local/golden.json")).unwrap()
}

fn settings(root: &Path) -> EmbeddingSettings {
    EmbeddingSettings {
        local: LocalSettings {
            models_dir: Some(root.to_owned()),
            ..LocalSettings::default()
        },
        ..EmbeddingSettings::default()
    }
}

fn config(name: &str) -> EmbeddingConfig {
    EmbeddingConfig {
        provider: EmbeddingProvider::Local,
        model: name.to_owned(),
        dimensions: u32::try_from(WIDTH).unwrap(),
        ..EmbeddingConfig::default()
    }
}

fn local(settings: EmbeddingSettings, name: &str) -> Arc<dyn Embedder> {
    ProviderEmbedders::new(settings)
        .of(tenant(1), &config(name), None)
        .unwrap()
}

#[test]
#[ignore = "for computing what is expected anew"]
fn write_the_models_for_the_reference() {
    let root = std::env::var("QUIPU_TEST_MODELS").unwrap();
    for (name, family, pooling) in MODELS {
        tiny::write(&Path::new(&root).join(name), family, pooling);
    }
}

#[tokio::test]
async fn vectors_are_those_of_the_reference() {
    let root = tempfile::tempdir().unwrap();
    let golden = golden();
    for (name, family, pooling) in MODELS {
        tiny::write(&root.path().join(name), family, pooling);
        let embedder = local(settings(root.path()), name);
        assert_eq!(embedder.model(), format!("local/{name}@{WIDTH}"));
        let cases = &golden[name];
        let together: Vec<&str> = cases.keys().map(String::as_str).collect();
        let answer = embed(embedder.as_ref(), &together, Purpose::Passage).await;
        let answer = answer.unwrap();
        let expected: Vec<Vec<f32>> = cases.values().map(|case| case.vector.clone()).collect();
        near_enough(&answer.vectors, &expected);
        assert_eq!(
            answer.tokens,
            Some(cases.values().map(|case| case.tokens).sum())
        );
        // Beside longer ones a text is padded, and alone it is not.
        for (text, case) in cases {
            let alone = embed(embedder.as_ref(), &[text], Purpose::Question).await;
            near_enough(&alone.unwrap().vectors, std::slice::from_ref(&case.vector));
        }
    }
}

/// To the digits that the reference was written down with.
fn near_enough(found: &[Vec<f32>], expected: &[Vec<f32>]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-5, "{found:?} {expected:?}");
        }
    }
}

#[tokio::test]
async fn e5_is_told_what_a_text_is_for() {
    let root = tempfile::tempdir().unwrap();
    tiny::write(&root.path().join("org/tiny-e5"), Family::Roberta, MEAN);
    let embedder = local(settings(root.path()), "org/tiny-e5");
    let cases = &golden()["roberta-mean"];
    for (purpose, prefixed) in [
        (Purpose::Question, "query: hola mundo"),
        (Purpose::Passage, "passage: hola mundo"),
    ] {
        let answer = embed(embedder.as_ref(), &["hola mundo"], purpose).await;
        near_enough(
            &answer.unwrap().vectors,
            std::slice::from_ref(&cases[prefixed].vector),
        );
    }
}

/// Files as the library writes them since its sixth version.
#[tokio::test]
async fn newer_files_say_the_same_in_other_words() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("nuevo");
    tiny::write(&folder, Family::Roberta, FIRST);
    let file = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    file(
        "modules.json",
        r#"[{"path": "", "type": "sentence_transformers.base.modules.transformer.Transformer"},
            {"path": "2_Pooling", "type": "sentence_transformers.sentence_transformer.modules.pooling.Pooling"},
            {"path": "3_Normalize", "type": "sentence_transformers.base.modules.normalize.Normalize"}]"#,
    );
    fs::create_dir(folder.join("2_Pooling")).unwrap();
    file(
        "2_Pooling/config.json",
        r#"{"pooling_mode": "mean", "include_prompt": true}"#,
    );
    file(
        "sentence_bert_config.json",
        r#"{"transformer_task": "feature-extraction"}"#,
    );
    file("tokenizer_config.json", r#"{"model_max_length": 10}"#);
    file(
        "config_sentence_transformers.json",
        r#"{"prompts": {"query": "query: ", "document": ""}, "default_prompt_name": null}"#,
    );
    let embedder = local(settings(root.path()), "nuevo");
    let cases = &golden()["roberta-mean"];
    let texts: Vec<&str> = cases.keys().map(String::as_str).collect();
    let answer = embed(embedder.as_ref(), &texts, Purpose::Passage).await;
    let expected: Vec<Vec<f32>> = cases.values().map(|case| case.vector.clone()).collect();
    near_enough(&answer.unwrap().vectors, &expected);
    let answer = embed(embedder.as_ref(), &["hola mundo"], Purpose::Question).await;
    let expected = &cases["query: hola mundo"].vector;
    near_enough(&answer.unwrap().vectors, std::slice::from_ref(expected));

    file(
        "2_Pooling/config.json",
        r#"{"pooling_mode": "mean", "include_prompt": false}"#,
    );
    let embedder = local(settings(root.path()), "nuevo");
    permanent(embed(embedder.as_ref(), &["hola"], Purpose::Passage).await);
}

#[tokio::test]
async fn a_text_without_a_word_has_the_zero_vector() {
    let root = tempfile::tempdir().unwrap();
    tiny::write(&root.path().join("mio"), Family::Bert, MEAN);
    let embedder = local(settings(root.path()), "mio");
    let answer = embed(embedder.as_ref(), &["", "hola"], Purpose::Passage).await;
    let vectors = answer.unwrap().vectors;
    near(&vectors[..1], &[vec![0.0; WIDTH]]);
    assert!(vectors[1].iter().any(|x| *x != 0.0));
    assert_eq!(
        embed(embedder.as_ref(), &[], Purpose::Passage)
            .await
            .unwrap()
            .vectors
            .len(),
        0
    );
}

#[tokio::test]
async fn models_that_cannot_be_run_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    let spoil = |name: &str, file: &str, text: &str| {
        tiny::write(&at(name), Family::Bert, MEAN);
        fs::write(at(name).join(file), text).unwrap();
    };
    let kind = fs::read_to_string;
    spoil("corto", "model.safetensors", "nada");
    spoil("mudo", "tokenizer.json", "{}");
    spoil(
        "suma",
        "1_Pooling/config.json",
        r#"{"pooling_mode_max_tokens": true}"#,
    );
    spoil(
        "denso",
        "modules.json",
        r#"[{"type": "sentence_transformers.models.Dense"}]"#,
    );
    spoil("roto", "config.json", "{");
    tiny::write(&at("ajeno"), Family::Bert, MEAN);
    let other = kind(at("ajeno").join("config.json")).unwrap();
    fs::write(
        at("ajeno").join("config.json"),
        other.replace("\"bert\"", "\"t5\""),
    )
    .unwrap();
    tiny::write(&at("ancho"), Family::Bert, MEAN);
    let wide = kind(at("ancho").join("config.json")).unwrap();
    fs::write(at("ancho").join("config.json"), wide.replace(":8", ":16")).unwrap();
    for name in [
        "corto", "mudo", "suma", "denso", "roto", "ajeno", "ancho", "ninguno", "../x",
    ] {
        let embedder = local(settings(root.path()), name);
        let why = permanent(embed(embedder.as_ref(), &["hola"], Purpose::Passage).await);
        assert!(why.contains(name), "{why}");
    }

    tiny::write(&at("mio"), Family::Bert, MEAN);
    let longer = EmbeddingConfig {
        dimensions: 9,
        ..config("mio")
    };
    let embedders = ProviderEmbedders::new(settings(root.path()));
    let embedder = embedders.of(tenant(1), &longer, None).unwrap();
    let why = permanent(embed(embedder.as_ref(), &["hola"], Purpose::Passage).await);
    assert!(why.contains('9'), "{why}");

    let mut small = settings(root.path());
    small.local.most_bytes = 100;
    let why = permanent(embed(local(small, "mio").as_ref(), &["hola"], Purpose::Passage).await);
    assert!(why.contains("bytes"), "{why}");

    let nowhere = ProviderEmbedders::new(EmbeddingSettings::default());
    let error = nowhere.of(tenant(1), &config("mio"), None).err().unwrap();
    assert_eq!(error.code(), ErrorCode::EmbeddingMisconfigured);
}

/// A hub that has one model, and everything else not.
async fn hub(model: &Path) -> Server {
    let server = Server::open(&[]).await;
    server.files(model, "/org/tiny-e5/resolve/main");
    server
}

#[tokio::test]
async fn a_model_is_fetched_from_the_hub_when_the_operator_allows_it() {
    let (source, root) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    tiny::write(source.path(), Family::Roberta, MEAN);
    fs::remove_file(source.path().join("modules.json")).unwrap();
    let hub = hub(source.path()).await;
    let mut settings = settings(root.path());
    settings.local.hub_base_url = format!("http://{}/", hub.address);
    let closed = local(settings.clone(), "org/tiny-e5");
    permanent(embed(closed.as_ref(), &["hola mundo"], Purpose::Question).await);
    assert_eq!(hub.requests(), 0);

    settings.local.download = true;
    let open = local(settings.clone(), "org/tiny-e5");
    let (one, two) = tokio::join!(
        embed(open.as_ref(), &["hola mundo"], Purpose::Passage),
        embed(open.as_ref(), &["hola mundo"], Purpose::Passage),
    );
    let expected = golden()["roberta-mean"]["passage: hola mundo"]
        .vector
        .clone();
    near_enough(&one.unwrap().vectors, std::slice::from_ref(&expected));
    near_enough(&two.unwrap().vectors, &[expected]);
    assert_eq!(hub.requests(), 8, "each file once");
    assert!(root.path().join("org/tiny-e5/model.safetensors").exists());

    let other = local(settings.clone(), "org/otro");
    permanent(embed(other.as_ref(), &["hola"], Purpose::Passage).await);
    let odd = local(settings.clone(), "org/a/b");
    permanent(embed(odd.as_ref(), &["hola"], Purpose::Passage).await);

    fs::remove_dir_all(root.path().join("org")).unwrap();
    settings.local.most_bytes = 100;
    let large = local(settings.clone(), "org/tiny-e5");
    let why = permanent(embed(large.as_ref(), &["hola"], Purpose::Passage).await);
    assert!(why.contains("100 bytes"), "{why}");

    let down = Server::open(&vec![Step::Status(503); 9]).await;
    settings.local.hub_base_url = format!("http://{}", down.address);
    let away = local(settings, "org/tiny-e5");
    transient(embed(away.as_ref(), &["hola"], Purpose::Passage).await);
    let left = fs::read_dir(root.path()).unwrap().count();
    assert_eq!(left, 0, "nothing half fetched stays");
}
