//! Where calls may go.

use crate::server::{Server, Step, embed, embedder, permanent, tenant};
use quipu_core::ErrorCode;
use quipu_core::embedding::{EmbeddingConfig, EmbeddingProvider};
use quipu_core::ports::{Embedders, Purpose};
use quipu_providers::{EmbeddingSettings, ProviderEmbedders};

fn custom(base: &str) -> EmbeddingConfig {
    EmbeddingConfig {
        provider: EmbeddingProvider::Custom,
        model: "modelo".to_owned(),
        dimensions: 2,
        base_url: Some(base.to_owned()),
        ..EmbeddingConfig::default()
    }
}

#[tokio::test]
async fn a_tenant_does_not_reach_into_the_house() {
    let server = Server::open(&[]).await;
    let port = server.address.port();
    let closed = ProviderEmbedders::new(EmbeddingSettings {
        allow_hosts: vec![
            format!("127.0.0.1:{}", port.wrapping_add(1)),
            "otro".to_owned(),
        ],
        ..server.settings()
    });
    for host in [
        "127.0.0.1",
        "0x7f.1",
        "2130706433",
        "[::ffff:7f00:1]",
        "0.0.0.0",
        "10.0.0.1",
    ] {
        let config = custom(&format!("http://{host}:{port}/v1"));
        let error = closed.of(tenant(1), &config, None).err().unwrap();
        assert_eq!(error.code(), ErrorCode::EmbeddingMisconfigured, "{host}");
    }
    for base in [
        "ftp://127.0.0.1/",
        "http://ana:clave@modelos.example/v1",
        "modelos",
        "",
    ] {
        let error = closed.of(tenant(1), &custom(base), None).err().unwrap();
        assert_eq!(error.code(), ErrorCode::EmbeddingMisconfigured, "{base}");
        assert!(!error.to_string().contains("clave@"));
    }
    // A name is only known to point into the house when it is looked up.
    for name in ["localhost", "LOCALHOST"] {
        let config = custom(&format!("http://{name}:{port}/v1"));
        let embedder = closed.of(tenant(1), &config, None).unwrap();
        let why = permanent(embed(embedder.as_ref(), &["uno"], Purpose::Passage).await);
        assert!(why.contains("not public"), "{why}");
    }
    assert_eq!(server.requests(), 0);
    // The same call is answered when the operator allows it: the refusals were not by chance.
    server.passages(&["uno"]).await.unwrap();
}

#[tokio::test]
async fn an_allowed_name_is_reached() {
    let server = Server::open(&[]).await;
    let port = server.address.port();
    let open = ProviderEmbedders::new(EmbeddingSettings {
        allow_hosts: vec![format!("localhost:{port}")],
        ..server.settings()
    });
    let config = custom(&format!("http://localhost:{port}/v1"));
    let embedder = open.of(tenant(1), &config, None).unwrap();
    embed(embedder.as_ref(), &["uno"], Purpose::Passage)
        .await
        .unwrap();
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let house = Server::open(&[]).await;
    for provider in [EmbeddingProvider::Custom, EmbeddingProvider::Openai] {
        let server = Server::open(&[Step::Redirect(format!("{}/embeddings", house.base()))]).await;
        let embedder = server.embedder(provider);
        let why = permanent(embed(embedder.as_ref(), &["uno"], Purpose::Passage).await);
        assert!(why.contains("307"), "{why}");
        assert_eq!((server.requests(), house.requests()), (1, 0));
    }
}

#[tokio::test]
async fn the_address_of_a_configuration_counts_for_custom_servers_only() {
    let (right, wrong) = (Server::open(&[]).await, Server::open(&[]).await);
    let mut config = right.config(EmbeddingProvider::Openai);
    config.base_url = Some(wrong.base());
    let embedder = embedder(&right.settings(), &config);
    embed(embedder.as_ref(), &["uno"], Purpose::Passage)
        .await
        .unwrap();
    assert_eq!((right.requests(), wrong.requests()), (1, 0));
}
