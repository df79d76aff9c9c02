//! What must not be reached.

use crate::site::{Answers, Site, fault};
use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{Html, IntoResponse, Redirect};
use axum::routing::get;
use quipu_core::extraction::Failure;
use quipu_core::ports::PageFetcher;
use quipu_fetch::{FetchSettings, GuardedFetcher};

fn house() -> Router {
    Router::new()
        .route("/", get(|| async { Html("<html>secreto</html>") }))
        .route("/lejos", get(|| async { Redirect::temporary("/") }))
}

/// A page that redirects to the address in its path, written in hexadecimal.
fn redirector() -> Router {
    Router::new()
        .route("/", get(|| async { Html("<html>hola</html>") }))
        .route(
            "/a/{to}",
            get(|Path(to): Path<String>| async move {
                let to: Vec<u8> = (0..to.len() / 2)
                    .map(|i| u8::from_str_radix(&to[2 * i..2 * i + 2], 16).unwrap())
                    .collect();
                (StatusCode::FOUND, [(LOCATION, to)]).into_response()
            }),
        )
        .route("/bucle", get(|| async { Redirect::temporary("/bucle") }))
        .route("/ida", get(|| async { Redirect::permanent("/vuelta") }))
        .route("/vuelta", get(|| async { Redirect::to("/ida") }))
        .route(
            "/salto/{n}",
            get(|Path(n): Path<u32>| async move {
                let to = if n == 1 {
                    "/".to_owned()
                } else {
                    format!("/salto/{}", n - 1)
                };
                Redirect::temporary(&to)
            }),
        )
        .route("/sin-destino", get(|| async { StatusCode::FOUND }))
}

fn path_to(url: &str) -> String {
    use std::fmt::Write;
    let mut path = "/a/".to_owned();
    for byte in url.bytes() {
        write!(path, "{byte:02x}").unwrap();
    }
    path
}

#[tokio::test]
async fn without_permission_the_house_itself_is_not_read() {
    let site = Site::open(house()).await;
    let port = site.address.port();
    // Only the port is allowed: a refusal is for the address.
    let fetcher = GuardedFetcher::new(FetchSettings {
        allow_ports: vec![port],
        ..FetchSettings::default()
    });
    for host in [
        "127.0.0.1",
        "127.0.0.1.",
        "127.1",
        "0x7f.1",
        "0x7f000001",
        "2130706433",
        "017700000001",
        "localhost",
        "LOCALHOST",
        "0.0.0.0",
        "0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "10.0.0.1",
        "169.254.169.254",
        "[fd00:ec2::254]",
        "192.168.1.1",
        "100.100.100.200",
    ] {
        let result = fetcher.fetch(&format!("http://{host}:{port}/")).await;
        assert_eq!(fault(result), (Failure::UrlNotAllowed, false), "{host}");
    }
    assert_eq!(site.requests(), 0);
    // The same request is answered when an operator allows it: the refusals were not by chance.
    let page = site.fetch("/").await.unwrap();
    assert_eq!(&page.body[..], b"<html>secreto</html>");
}

#[tokio::test]
async fn a_port_that_is_not_listed_is_not_tried() {
    let site = Site::open(house()).await;
    let fetcher = GuardedFetcher::new(FetchSettings {
        allow_ports: FetchSettings::default().allow_ports,
        ..site.settings()
    });
    let result = fetcher.fetch(&site.url("/")).await;
    assert_eq!(fault(result), (Failure::UrlNotAllowed, false));
    assert_eq!(site.requests(), 0);
}

#[tokio::test]
async fn other_schemes_and_credentials_are_refused() {
    let site = Site::open(house()).await;
    let fetcher = GuardedFetcher::new(site.settings());
    let with_user = format!("http://ana:clave@{}/", site.address);
    for url in [
        "file:///etc/passwd",
        "gopher://127.0.0.1/",
        "ftp://127.0.0.1/",
        &with_user,
    ] {
        assert_eq!(
            fault(fetcher.fetch(url).await),
            (Failure::UrlNotAllowed, false),
            "{url}"
        );
    }
    assert_eq!(site.requests(), 0);
}

#[tokio::test]
async fn a_redirect_into_the_house_is_refused() {
    let inside = Site::open_at("127.0.0.2:0", house()).await;
    let outside = Site::open(redirector()).await;
    let fetcher = GuardedFetcher::new(FetchSettings {
        allow_ports: vec![outside.address.port(), inside.address.port()],
        ..outside.settings()
    });
    let port = inside.address.port();
    for to in [
        format!("http://127.0.0.2:{port}/"),
        format!("//127.0.0.2:{port}/"),
        format!("http://0x7f.2:{port}/"),
        format!("http://[::ffff:127.0.0.2]:{port}/"),
        format!("http://ana@127.0.0.1:{}/", outside.address.port()),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "file:///etc/passwd".to_owned(),
        "gopher://127.0.0.1/".to_owned(),
    ] {
        let result = fetcher.fetch(&outside.url(&path_to(&to))).await;
        assert_eq!(fault(result), (Failure::UrlNotAllowed, false), "{to}");
    }
    assert_eq!(inside.requests(), 0);
    // And an honest redirect is followed.
    let page = fetcher.fetch(&outside.url(&path_to("/"))).await.unwrap();
    assert_eq!(page.url, outside.url("/"));
}

#[tokio::test]
async fn redirects_end() {
    let site = Site::open(redirector()).await;
    assert_eq!(site.fault("/bucle").await, (Failure::UrlRefused, false));
    assert_eq!(site.requests(), 6, "the page and five redirects");
    assert_eq!(site.fault("/ida").await, (Failure::UrlRefused, false));
    assert_eq!(
        site.fault("/sin-destino").await,
        (Failure::UrlRefused, false)
    );
    assert_eq!(site.fault("/salto/6").await, (Failure::UrlRefused, false));
    assert_eq!(site.fetch("/salto/5").await.unwrap().url, site.url("/"));
}

/// A name that answers with a public address when it is checked and with one inside the house
/// when it is connected to. Here 127.0.0.1 plays the public one, and 127.0.0.2 the house.
#[tokio::test]
async fn a_name_is_asked_once_and_the_connection_goes_to_what_was_checked() {
    let outside = Site::open(redirector()).await;
    let port = outside.address.port();
    let inside = Site::open_at(&format!("127.0.0.2:{port}"), house()).await;

    let names = Answers::new(&[&["127.0.0.1"], &["127.0.0.2"]]);
    let fetcher = GuardedFetcher::with_resolver(outside.settings(), names.clone());
    let page = fetcher
        .fetch(&format!("http://rebind.example:{port}/"))
        .await
        .unwrap();
    assert_eq!(&page.body[..], b"<html>hola</html>");
    assert_eq!(names.asked(), 1);
    assert_eq!((outside.requests(), inside.requests()), (1, 0));

    // Asked again for the next hop, the name now points into the house, and is refused.
    let names = Answers::new(&[&["127.0.0.1"], &["127.0.0.2"]]);
    let fetcher = GuardedFetcher::with_resolver(outside.settings(), names.clone());
    let result = fetcher
        .fetch(&format!("http://rebind.example:{port}{}", path_to("/")))
        .await;
    assert_eq!(fault(result), (Failure::UrlNotAllowed, false));
    assert_eq!(names.asked(), 2);
    assert_eq!((outside.requests(), inside.requests()), (2, 0));
}

#[tokio::test]
async fn one_address_inside_among_public_ones_is_enough_to_refuse() {
    let site = Site::open(house()).await;
    let port = site.address.port();
    for answer in [
        &["127.0.0.1", "10.0.0.7"][..],
        &["::ffff:10.0.0.7", "127.0.0.1"],
        &["127.0.0.1", "fe80::1"],
    ] {
        let names = Answers::new(&[answer]);
        let fetcher = GuardedFetcher::with_resolver(site.settings(), names);
        let result = fetcher
            .fetch(&format!("http://mezcla.example:{port}/"))
            .await;
        assert_eq!(fault(result), (Failure::UrlNotAllowed, false), "{answer:?}");
    }
    assert_eq!(site.requests(), 0);
}

#[tokio::test]
async fn an_allowed_network_allows_nothing_else() {
    let site = Site::open(house()).await;
    let fetcher = GuardedFetcher::new(site.settings());
    let port = site.address.port();
    for host in ["127.0.0.2", "10.0.0.1", "169.254.169.254", "[::1]"] {
        let result = fetcher.fetch(&format!("http://{host}:{port}/")).await;
        assert_eq!(fault(result), (Failure::UrlNotAllowed, false), "{host}");
    }
}
