//! Bodies that are too large, too slow or of the wrong kind.

use crate::site::{Site, fault};
use axum::Router;
use axum::body::Body;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use futures::stream;
use quipu_core::extraction::Failure;
use quipu_core::ports::PageFetcher;
use quipu_fetch::{FetchSettings, GuardedFetcher};
use std::convert::Infallible;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const MB: usize = 1024 * 1024;

fn typed(content_type: &'static str, body: impl Into<Body>) -> Response {
    ([(CONTENT_TYPE, content_type)], body.into()).into_response()
}

fn packed(encoding: &'static str, body: impl Into<Body>) -> Response {
    let headers = [(CONTENT_TYPE, "text/html"), (CONTENT_ENCODING, encoding)];
    (headers, body.into()).into_response()
}

/// Pieces without end, counted as they are taken.
fn endless(piece: Vec<u8>, taken: Arc<AtomicUsize>) -> Body {
    Body::from_stream(stream::repeat_with(move || {
        taken.fetch_add(piece.len(), Ordering::SeqCst);
        Ok::<_, Infallible>(piece.clone())
    }))
}

#[tokio::test]
async fn a_body_without_end_is_cut_at_the_limit_of_its_kind() {
    let taken = Arc::new(AtomicUsize::new(0));
    let counter = taken.clone();
    let site = Site::open(Router::new().route(
        "/",
        get(move || async move { typed("text/html", endless(vec![b'a'; 64 * 1024], counter)) }),
    ))
    .await;
    assert_eq!(site.fault("/").await, (Failure::UrlTooLarge, false));
    let taken = taken.load(Ordering::SeqCst);
    assert!(
        (10 * MB..20 * MB).contains(&taken),
        "{taken} bytes were taken"
    );
}

#[tokio::test]
async fn a_body_that_announces_too_much_is_not_read() {
    let site = Site::open(
        Router::new()
            .route("/html", get(|| async { Html(vec![b'a'; 10 * MB + 1]) }))
            .route("/justo", get(|| async { Html(vec![b'a'; 10 * MB]) }))
            .route(
                "/pdf",
                get(|| async {
                    let mut body = b"%PDF-1.7\n".to_vec();
                    body.resize(12 * MB, b' ');
                    typed("application/pdf", body)
                }),
            ),
    )
    .await;
    assert_eq!(site.fault("/html").await, (Failure::UrlTooLarge, false));
    assert_eq!(site.fetch("/justo").await.unwrap().body.len(), 10 * MB);
    assert_eq!(site.fetch("/pdf").await.unwrap().body.len(), 12 * MB);
}

/// A gzip stream whose every repeated block unpacks to a megabyte: two thousand of them, some
/// two megabytes on the way, would be two gigabytes.
fn gzip_bomb() -> Vec<u8> {
    let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(&vec![b'a'; MB]).unwrap();
    // A flush ends the block on a whole byte.
    packer.flush().unwrap();
    let block = packer.get_ref().clone();
    let mut bomb = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    for _ in 0..2048 {
        bomb.extend_from_slice(&block);
    }
    bomb
}

#[tokio::test]
async fn bombs_are_counted_unpacked() {
    let bomb = gzip_bomb();
    assert!(bomb.len() < 5 * MB, "{} bytes", bomb.len());
    let mut brotli = Vec::new();
    let params = brotli::enc::BrotliEncoderParams {
        quality: 1,
        ..Default::default()
    };
    brotli::BrotliCompress(&mut &vec![b'a'; 11 * MB][..], &mut brotli, &params).unwrap();
    assert!(brotli.len() < MB, "{} bytes", brotli.len());

    let site = Site::open(
        Router::new()
            .route("/gzip", get(move || async { packed("gzip", bomb) }))
            .route("/br", get(move || async { packed("br", brotli) })),
    )
    .await;
    for path in ["/gzip", "/br"] {
        assert_eq!(
            site.fault(path).await,
            (Failure::UrlTooLarge, false),
            "{path}"
        );
    }
}

#[tokio::test]
async fn honest_compression_is_unpacked() {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(b"<html>hola</html>").unwrap();
    let gzip = packer.finish().unwrap();
    let mut brotli = Vec::new();
    brotli::BrotliCompress(
        &mut &b"<html>hola</html>"[..],
        &mut brotli,
        &brotli::enc::BrotliEncoderParams::default(),
    )
    .unwrap();
    let twice = gzip.clone();
    let site = Site::open(
        Router::new()
            .route("/gzip", get(move || async { packed("gzip", gzip) }))
            .route("/br", get(move || async { packed("br", brotli) }))
            .route("/dos", get(move || async { packed("gzip, gzip", twice) }))
            .route("/otro", get(|| async { packed("zstd", "x") }))
            .route("/roto", get(|| async { packed("gzip", "no es gzip") })),
    )
    .await;
    for path in ["/gzip", "/br"] {
        let page = site.fetch(path).await.unwrap();
        assert_eq!(&page.body[..], b"<html>hola</html>", "{path}");
    }
    for path in ["/dos", "/otro"] {
        assert_eq!(
            site.fault(path).await,
            (Failure::UrlContentType, false),
            "{path}"
        );
    }
    assert_eq!(site.fault("/roto").await.0, Failure::UrlUnreachable);
}

#[tokio::test]
async fn slow_servers_are_left() {
    async fn drip() -> Response {
        let drops = stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            Some((Ok::<_, Infallible>("gota "), ()))
        });
        typed("text/html", Body::from_stream(drops))
    }
    async fn silence() {
        tokio::time::sleep(Duration::from_mins(1)).await;
    }
    let site = Site::open(
        Router::new()
            .route("/gotas", get(drip))
            .route("/silencio", get(silence)),
    )
    .await;
    let fetcher = GuardedFetcher::new(FetchSettings {
        total_timeout: Duration::from_millis(700),
        ..site.settings()
    });
    for path in ["/gotas", "/silencio"] {
        let started = Instant::now();
        let result = fetcher.fetch(&site.url(path)).await;
        assert_eq!(fault(result), (Failure::UrlUnreachable, true), "{path}");
        let took = started.elapsed();
        assert!(
            took >= Duration::from_millis(600) && took < Duration::from_secs(5),
            "{took:?}"
        );
    }
}

#[tokio::test]
async fn only_what_can_be_read_is_taken() {
    const ELF: &[u8] = b"\x7fELF\x02\x01\x01\x03\x04\x05\x06\x07";
    let site = Site::open(
        Router::new()
            .route("/png", get(|| async { typed("image/png", "x") }))
            .route(
                "/zip",
                get(|| async { typed("application/zip", "PK\x03\x04") }),
            )
            .route("/js", get(|| async { typed("text/javascript", "x") }))
            .route(
                "/elf",
                get(|| async { typed("application/octet-stream", ELF) }),
            )
            .route("/elf.html", get(|| async { typed("text/html", ELF) }))
            .route("/elf.pdf", get(|| async { typed("application/pdf", ELF) }))
            .route(
                "/carta",
                get(|| async { typed("application/octet-stream", "%PDF-1.4\n") }),
            )
            .route("/mudo", get(|| async { Body::from("hola") })),
    )
    .await;
    for path in ["/png", "/zip", "/js", "/elf", "/elf.html", "/elf.pdf"] {
        assert_eq!(
            site.fault(path).await,
            (Failure::UrlContentType, false),
            "{path}"
        );
    }
    assert_eq!(site.fetch("/carta").await.unwrap().filename, "carta.pdf");
    assert_eq!(site.fetch("/mudo").await.unwrap().filename, "mudo.txt");
}
