//! What each provider is sent, and how its answer is read.

use crate::server::{KEY, Server, Step, embed, embedder, expected, near, tenant};
use quipu_core::ErrorCode;
use quipu_core::embedding::{EmbeddingConfig, EmbeddingProvider};
use quipu_core::ports::{Embedders, Purpose};
use quipu_providers::ProviderEmbedders;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

#[tokio::test]
async fn openai_is_asked_for_a_length_and_its_order_is_put_right() {
    let server = Server::open(&[]).await;
    let config = EmbeddingConfig {
        model: "text-embedding-3-small".to_owned(),
        ..server.config(EmbeddingProvider::Openai)
    };
    let embedder = embedder(&server.settings(), &config);
    assert_eq!(embedder.model(), "openai/text-embedding-3-small@2");
    assert_eq!(embedder.dimensions(), 2);
    let texts = ["uno", "catorce", "tres"];
    let answer = embed(embedder.as_ref(), &texts, Purpose::Passage).await;
    let answer = answer.unwrap();
    near(&answer.vectors, &texts.map(expected));
    assert_eq!(answer.tokens, Some(9));
    let seen = server.seen();
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].path, "/v1/embeddings");
    assert_eq!(
        seen[0].headers["authorization"],
        format!("Bearer {KEY}").as_str()
    );
    assert_eq!(
        seen[0].body,
        json!({
            "model": "text-embedding-3-small",
            "input": texts,
            "encoding_format": "float",
            "dimensions": 2,
        })
    );
}

#[tokio::test]
async fn cohere_is_told_what_the_texts_are_for() {
    let server = Server::open(&[]).await;
    let config = EmbeddingConfig {
        model: "embed-v4.0".to_owned(),
        ..server.config(EmbeddingProvider::Cohere)
    };
    let embedder = embedder(&server.settings(), &config);
    for (purpose, kind) in [
        (Purpose::Passage, "search_document"),
        (Purpose::Question, "search_query"),
    ] {
        let answer = embed(embedder.as_ref(), &["uno", "catorce"], purpose).await;
        let answer = answer.unwrap();
        near(&answer.vectors, &["uno", "catorce"].map(expected));
        assert_eq!(answer.tokens, Some(10));
        let seen = server.seen();
        assert_eq!(seen[0].path, "/v1/embed");
        assert_eq!(
            seen[0].headers["authorization"],
            format!("Bearer {KEY}").as_str()
        );
        assert_eq!(
            seen[0].body,
            json!({
                "model": "embed-v4.0",
                "texts": ["uno", "catorce"],
                "input_type": kind,
                "embedding_types": ["float"],
                "output_dimension": 2,
            })
        );
    }
}

#[tokio::test]
async fn cohere_takes_no_more_than_96_texts_a_call() {
    let server = Server::open(&[]).await;
    let embedder = server.embedder(EmbeddingProvider::Cohere);
    let texts: Vec<String> = (0..200).map(|n| "a".repeat(n + 1)).collect();
    let answer = embedder.embed(&texts, Purpose::Passage).await.unwrap();
    let wanted: Vec<Vec<f32>> = texts.iter().map(|text| expected(text)).collect();
    near(&answer.vectors, &wanted);
    assert_eq!(answer.tokens, Some(1000));
    let mut sizes: Vec<usize> = server
        .seen()
        .iter()
        .map(|seen| seen.body["texts"].as_array().unwrap().len())
        .collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [8, 96, 96]);
}

#[tokio::test]
async fn a_custom_server_needs_no_key() {
    let server = Server::open(&[]).await;
    let embedders = ProviderEmbedders::new(server.settings());
    let config = server.config(EmbeddingProvider::Custom);
    for key in [None, Some(" ".into())] {
        let embedder = embedders.of(tenant(1), &config, key).unwrap();
        let answer = embed(embedder.as_ref(), &["uno"], Purpose::Passage).await;
        near(&answer.unwrap().vectors, &[expected("uno")]);
        let seen = server.seen();
        assert!(!seen[0].headers.contains_key("authorization"));
        assert_eq!(seen[0].body.get("dimensions"), None);
    }
}

#[tokio::test]
async fn the_others_need_one_and_it_is_never_shown() {
    let server = Server::open(&[]).await;
    let embedders = ProviderEmbedders::new(server.settings());
    for provider in [EmbeddingProvider::Openai, EmbeddingProvider::Cohere] {
        let config = server.config(provider);
        for key in [None, Some("".into())] {
            let error = embedders.of(tenant(1), &config, key).err().unwrap();
            assert_eq!(error.code(), ErrorCode::EmbeddingMisconfigured);
        }
        let odd = embedders.of(tenant(1), &config, Some(format!("{KEY}\n\u{7f}ñ").into()));
        let error = embed(odd.unwrap().as_ref(), &["uno"], Purpose::Passage).await;
        assert!(!format!("{error:?}").contains(KEY));
    }
    assert_eq!(server.requests(), 0);
    let config = server.config(EmbeddingProvider::Openai);
    let embedder = embedders.of(tenant(1), &config, Some(KEY.into())).unwrap();
    embed(embedder.as_ref(), &["uno"], Purpose::Passage)
        .await
        .unwrap();
    assert!(!format!("{embedders:?}").contains(KEY));
}

#[tokio::test]
async fn texts_without_a_word_are_not_sent() {
    let server = Server::open(&[]).await;
    let embedder = server.embedder(EmbeddingProvider::Openai);
    let answer = embed(embedder.as_ref(), &["", "uno", " \n"], Purpose::Passage).await;
    let zero = vec![0.0, 0.0];
    near(
        &answer.unwrap().vectors,
        &[zero.clone(), expected("uno"), zero.clone()],
    );
    assert_eq!(server.seen()[0].body["input"], json!(["uno"]));
    let none = embed(embedder.as_ref(), &[" "], Purpose::Question)
        .await
        .unwrap();
    assert_eq!((none.vectors, none.tokens), (vec![zero], Some(0)));
    assert_eq!(server.requests(), 0);
}

#[tokio::test]
async fn no_more_calls_are_made_at_once_than_the_knowledge_base_says() {
    let server = Server::open(&vec![Step::Slow(Duration::from_millis(50)); 12]).await;
    let config = EmbeddingConfig {
        batch_size: 1,
        concurrent_batches: 3,
        ..server.config(EmbeddingProvider::Custom)
    };
    let embedder = embedder(&server.settings(), &config);
    let texts = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff"];
    let (first, second) = tokio::join!(
        embed(embedder.as_ref(), &texts, Purpose::Passage),
        embed(embedder.as_ref(), &texts, Purpose::Passage),
    );
    near(&first.unwrap().vectors, &texts.map(expected));
    near(&second.unwrap().vectors, &texts.map(expected));
    assert_eq!((server.requests(), server.busiest()), (12, 3));
}

#[tokio::test]
async fn a_question_does_not_wait_behind_documents() {
    let slow = Step::Slow(Duration::from_millis(300));
    let server = Server::open(&[slow, Step::Right]).await;
    let config = EmbeddingConfig {
        concurrent_batches: 1,
        ..server.config(EmbeddingProvider::Custom)
    };
    let embedder = embedder(&server.settings(), &config);
    let busy = embedder.clone();
    let passages =
        tokio::spawn(async move { embed(busy.as_ref(), &["pasaje"], Purpose::Passage).await });
    while server.requests() == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    embed(embedder.as_ref(), &["uno"], Purpose::Question)
        .await
        .unwrap();
    assert!(!passages.is_finished(), "the question was waiting");
    passages.await.unwrap().unwrap();
}

#[tokio::test]
async fn questions_are_remembered_until_key_or_tenant_change() {
    let server = Server::open(&[]).await;
    let embedders = ProviderEmbedders::new(server.settings());
    let config = server.config(EmbeddingProvider::Openai);
    let ask = async |number: u8, key: &str| {
        let embedder = embedders.of(tenant(number), &config, Some(key.into()));
        let embedder = embedder.unwrap();
        embed(embedder.as_ref(), &["uno"], Purpose::Question)
            .await
            .unwrap();
        server.requests()
    };
    assert_eq!(ask(1, KEY).await, 1);
    assert_eq!(ask(1, KEY).await, 1);
    assert_eq!(ask(2, KEY).await, 2, "another tenant");
    assert_eq!(ask(1, "otra").await, 3, "another key");
    let same = embedders
        .of(tenant(1), &config, Some("otra".into()))
        .unwrap();
    let again = embedders
        .of(tenant(1), &config, Some("otra".into()))
        .unwrap();
    assert!(Arc::ptr_eq(&same, &again));
}

#[tokio::test]
async fn the_builtin_model_needs_nothing() {
    let embedders = ProviderEmbedders::new(quipu_providers::EmbeddingSettings::default());
    let embedder = embedders
        .of(tenant(1), &EmbeddingConfig::default(), None)
        .unwrap();
    let answer = embed(embedder.as_ref(), &["hola"], Purpose::Question)
        .await
        .unwrap();
    assert_eq!(answer.vectors[0].len(), 384);
}
