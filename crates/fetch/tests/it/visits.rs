//! What a server answers to somebody who reads a whole website.

use crate::site::Site;
use axum::Router;
use axum::http::header::{ETAG, IF_NONE_MATCH, LOCATION};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse};
use axum::routing::get;
use quipu_core::extraction::Failure;
use quipu_core::ports::{PageFetcher, VisitKind, VisitRequest, VisitedPage};
use quipu_fetch::GuardedFetcher;

async fn visit(site: &Site, path: &str, kind: VisitKind, etag: Option<&str>) -> VisitedPage {
    let request = VisitRequest {
        url: &site.url(path),
        kind,
        etag,
        last_modified: None,
    };
    GuardedFetcher::new(site.settings())
        .visit(&request)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_page_that_is_known_need_not_be_sent_again() {
    let page = get(|headers: HeaderMap| async move {
        let known = headers
            .get(IF_NONE_MATCH)
            .is_some_and(|mark| mark == "\"v1\"");
        if known {
            return StatusCode::NOT_MODIFIED.into_response();
        }
        ([(ETAG, "\"v1\"")], Html("<p>Hola")).into_response()
    });
    let site = Site::open(Router::new().route("/", page)).await;
    let first = visit(&site, "/", VisitKind::Page, None).await;
    assert_eq!((first.status, first.etag.as_deref()), (200, Some("\"v1\"")));
    assert_eq!(&first.page.unwrap().body[..], b"<p>Hola");
    let again = visit(&site, "/", VisitKind::Page, Some("\"v1\"")).await;
    assert_eq!(again.status, 304);
    assert!(again.page.is_none());
}

#[tokio::test]
async fn a_redirect_of_a_page_is_told_and_that_of_a_file_followed() {
    let moved = || async { (StatusCode::MOVED_PERMANENTLY, [(LOCATION, "/nuevo#aqui")]) };
    let inside = || async { (StatusCode::FOUND, [(LOCATION, "http://10.0.0.1:8080/")]) };
    let site = Site::open(
        Router::new()
            .route("/viejo", get(moved))
            .route("/dentro", get(inside))
            .route("/nuevo", get(|| async { "User-agent: *" })),
    )
    .await;
    let page = visit(&site, "/viejo", VisitKind::Page, None).await;
    assert_eq!((page.status, page.url), (301, site.url("/nuevo")));
    assert_eq!(site.requests(), 1);
    let file = visit(&site, "/viejo", VisitKind::Robots, None).await;
    assert_eq!((file.status, file.url), (200, site.url("/nuevo")));
    // A file is followed nowhere that a page could not be read from.
    let request = VisitRequest {
        url: &site.url("/dentro"),
        kind: VisitKind::Sitemap,
        etag: None,
        last_modified: None,
    };
    let refused = GuardedFetcher::new(site.settings()).visit(&request).await;
    assert_eq!(refused.unwrap_err().failure, Failure::UrlNotAllowed);
}

#[tokio::test]
async fn what_a_server_refuses_is_told_and_what_it_sends_is_bounded() {
    let site = Site::open(
        Router::new()
            .route("/caida", get(|| async { StatusCode::SERVICE_UNAVAILABLE }))
            .route("/robots.txt", get(|| async { "#".repeat(600 * 1024) }))
            .route("/mapa.xml", get(|| async { "a".repeat(21 * 1024 * 1024) })),
    )
    .await;
    for (path, status) in [("/caida", 503), ("/nada", 404)] {
        let answer = visit(&site, path, VisitKind::Page, None).await;
        assert_eq!(answer.status, status);
        assert!(answer.page.is_none());
    }
    let rules = visit(&site, "/robots.txt", VisitKind::Robots, None).await;
    assert_eq!(rules.page.unwrap().body.len(), 512 * 1024);
    let request = VisitRequest {
        url: &site.url("/mapa.xml"),
        kind: VisitKind::Sitemap,
        etag: None,
        last_modified: None,
    };
    let refused = GuardedFetcher::new(site.settings()).visit(&request).await;
    assert_eq!(refused.unwrap_err().failure, Failure::UrlTooLarge);
}
