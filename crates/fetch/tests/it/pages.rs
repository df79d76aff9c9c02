//! What comes back from an honest server.

use crate::site::{Answers, Site, fault};
use axum::Router;
use axum::extract::Path;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, USER_AGENT};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, Redirect};
use axum::routing::get;
use quipu_core::extraction::Failure;
use quipu_core::format::{Format, sniff};
use quipu_core::ports::PageFetcher;
use quipu_fetch::GuardedFetcher;
use std::time::Duration;

#[tokio::test]
async fn a_page_comes_with_its_address_type_and_name() {
    let site = Site::open(
        Router::new()
            .route(
                "/inicio",
                get(|| async { Redirect::permanent("/carta#postres") }),
            )
            .route(
                "/carta",
                get(|| async { Html("<!doctype html><p>Menú del día") }),
            )
            .route("/", get(|| async { Html("<html>") }))
            .route(
                "/descarga",
                get(|| async {
                    (
                        [
                            (CONTENT_TYPE, "text/csv"),
                            (
                                CONTENT_DISPOSITION,
                                "attachment; filename*=UTF-8''precios%20a%C3%B1o.csv",
                            ),
                        ],
                        "plato,precio\nsopa,5\n",
                    )
                }),
            )
            .route("/LEEME.md", get(|| async { "# Hola" })),
    )
    .await;

    let page = site.fetch("/inicio").await.unwrap();
    assert_eq!(page.url, site.url("/carta"));
    assert_eq!(
        page.content_type.as_deref(),
        Some("text/html; charset=utf-8")
    );
    assert_eq!(page.filename, "carta.html");
    assert_eq!(&page.body[..], "<!doctype html><p>Menú del día".as_bytes());

    assert_eq!(site.fetch("/").await.unwrap().filename, "127.0.0.1.html");
    assert_eq!(
        site.fetch("/descarga").await.unwrap().filename,
        "precios año.csv"
    );
    let text = site.fetch("/LEEME.md").await.unwrap();
    assert_eq!(text.filename, "LEEME.md");
    assert_eq!(sniff(&text.body, &text.filename), Some(Format::Md));
}

#[tokio::test]
async fn it_says_who_it_is_and_nothing_of_whom_it_serves() {
    let site = Site::open(Router::new().route(
        "/",
        get(|headers: HeaderMap| async move {
            let mut names: Vec<_> = headers
                .keys()
                .map(|name| name.as_str().to_owned())
                .collect();
            names.sort();
            let agent = headers[USER_AGENT].to_str().unwrap();
            format!("{agent} {}", names.join(","))
        }),
    ))
    .await;
    let page = site.fetch("/").await.unwrap();
    let text = std::str::from_utf8(&page.body).unwrap();
    assert_eq!(
        text,
        concat!(
            "Quipu/",
            env!("CARGO_PKG_VERSION"),
            " accept,accept-encoding,accept-language,host,user-agent"
        )
    );
}

#[tokio::test]
async fn statuses_say_whether_to_come_back() {
    let site = Site::open(Router::new().route(
        "/{status}",
        get(|Path(status): Path<u16>| async move { StatusCode::from_u16(status).unwrap() }),
    ))
    .await;
    for status in [400, 401, 403, 404, 410, 451, 300, 304, 206] {
        let path = format!("/{status}");
        assert_eq!(
            site.fault(&path).await,
            (Failure::UrlRefused, false),
            "{status}"
        );
    }
    for status in [408, 429, 500, 502, 503, 504] {
        let path = format!("/{status}");
        assert_eq!(
            site.fault(&path).await,
            (Failure::UrlUnreachable, true),
            "{status}"
        );
    }
}

#[tokio::test]
async fn a_server_that_does_not_listen_is_unreachable() {
    let site = Site::open(Router::new()).await;
    let mut settings = site.settings();
    // Nobody listens on port 1 of the loopback interface.
    settings.allow_ports = vec![1];
    let result = GuardedFetcher::new(settings)
        .fetch("http://127.0.0.1:1/?clave=secreta")
        .await;
    let why = result.as_ref().unwrap_err().why.clone();
    assert_eq!(fault(result), (Failure::UrlUnreachable, true));
    assert!(!why.contains("secreta"), "{why}");
}

#[tokio::test]
async fn a_name_without_address_is_not_tried_again() {
    let site = Site::open(Router::new()).await;
    let fetcher = GuardedFetcher::with_resolver(site.settings(), Answers::new(&[&[]]));
    let result = fetcher
        .fetch(&format!("http://nadie.example:{}/", site.address.port()))
        .await;
    assert_eq!(fault(result), (Failure::UrlUnreachable, false));
}

#[tokio::test]
async fn a_name_server_that_does_not_answer_is_not_waited_for() {
    struct Silent;
    #[async_trait::async_trait]
    impl quipu_fetch::Resolver for Silent {
        async fn resolve(&self, _: &str) -> std::io::Result<Vec<std::net::IpAddr>> {
            std::future::pending().await
        }
    }
    let site = Site::open(Router::new()).await;
    let mut settings = site.settings();
    settings.connect_timeout = Duration::from_millis(50);
    let fetcher = GuardedFetcher::with_resolver(settings, std::sync::Arc::new(Silent));
    let result = fetcher
        .fetch(&format!("http://lento.example:{}/", site.address.port()))
        .await;
    assert_eq!(fault(result), (Failure::UrlUnreachable, true));
}
