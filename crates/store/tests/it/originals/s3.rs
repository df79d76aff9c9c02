//! A bucket as storage.

use super::fake_s3::{BUCKET, FakeS3, KEY_ID};
use super::shelf::{MB, content, keeps_its_promises, save, tenant, totals};
use crate::support::code;
use axum::http::StatusCode;
use bytes::Bytes;
use quipu_core::ErrorCode;
use quipu_store::originals::{Originals, OriginalsSettings};
use std::time::Duration;

fn open(endpoint: &str, bucket: &str) -> Originals {
    let options = [
        ("endpoint", endpoint),
        ("allow_http", "true"),
        ("region", "eu-west-1"),
        ("access_key_id", KEY_ID),
        ("secret_access_key", "secreta"),
    ];
    Originals::open(&OriginalsSettings {
        url: format!("s3://{bucket}/casa/originales"),
        options: options.map(|(k, v)| (k.to_owned(), v.to_owned())).to_vec(),
    })
    .unwrap()
}

#[tokio::test]
async fn a_bucket_keeps_its_promises() {
    let (fake, endpoint) = FakeS3::open().await;
    // Somebody else's things in the same bucket.
    let other = Bytes::from_static(b"ajeno");
    fake.bucket()
        .objects
        .insert("casa/originales-viejos/x".to_owned(), other.clone());
    let originals = open(&endpoint, BUCKET);
    keeps_its_promises(&originals).await;
    let left: Vec<_> = fake.bucket().objects.keys().cloned().collect();
    assert_eq!(left, ["casa/originales-viejos/x"]);
}

#[tokio::test]
async fn keys_are_the_tenant_and_the_path_letter_by_letter() {
    let (fake, endpoint) = FakeS3::open().await;
    let originals = open(&endpoint, BUCKET);
    save(&originals, tenant(1), "kb/doc/Año & 1+1.pdf", b"hola").await;
    let keys: Vec<_> = fake.bucket().objects.keys().cloned().collect();
    let wanted = format!(
        "casa/originales/{}/kb/doc/Año & 1+1.pdf",
        tenant(1).tenant_id()
    );
    assert_eq!(keys, [wanted]);
    assert_eq!(
        originals.delete_prefix(tenant(1), "kb").await.unwrap(),
        totals(1, 4)
    );
}

#[tokio::test]
async fn an_upload_that_is_dropped_leaves_no_parts() {
    let (fake, endpoint) = FakeS3::open().await;
    let originals = open(&endpoint, BUCKET);
    let mut writer = originals.writer(tenant(1), "kb/doc/a").await.unwrap();
    writer.write(content(11 * MB).into()).await.unwrap();
    assert_eq!(
        fake.bucket().uploads.len(),
        1,
        "the test needs an upload on its way"
    );
    drop(writer);
    for _ in 0..200 {
        if fake.bucket().uploads.is_empty() {
            assert!(fake.bucket().objects.is_empty());
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the parts are still there");
}

#[tokio::test]
async fn a_write_that_was_cut_short_cannot_be_finished() {
    let (fake, endpoint) = FakeS3::open().await;
    let originals = open(&endpoint, BUCKET);
    let mut writer = originals.writer(tenant(1), "kb/doc/a").await.unwrap();
    writer.write(content(6 * MB).into()).await.unwrap();
    let mut cut = Box::pin(writer.write(content(6 * MB).into()));
    // Polled once and given up, as it happens to a request whose client went away.
    assert!(futures::poll!(&mut cut).is_pending());
    drop(cut);
    assert_eq!(code(writer.finish().await), ErrorCode::StorageUnavailable);
    assert!(fake.bucket().objects.is_empty());
}

#[tokio::test]
async fn a_bucket_in_trouble_says_so_and_recovers() {
    let (fake, endpoint) = FakeS3::open().await;
    let originals = open(&endpoint, BUCKET);
    save(&originals, tenant(1), "kb/doc/a", b"hola").await;
    for trouble in [StatusCode::FORBIDDEN, StatusCode::SERVICE_UNAVAILABLE] {
        fake.bucket().trouble = Some(trouble);
        let unavailable = ErrorCode::StorageUnavailable;
        assert_eq!(code(originals.check().await), unavailable, "{trouble}");
        assert_eq!(
            code(originals.read(tenant(1), "kb/doc/a").await),
            unavailable
        );
        assert_eq!(
            code(originals.count_prefix(tenant(1), "").await),
            unavailable
        );
        assert_eq!(
            code(originals.delete_prefix(tenant(1), "").await),
            unavailable
        );
        let mut writer = originals.writer(tenant(1), "kb/doc/b").await.unwrap();
        writer.write(Bytes::from_static(b"hola")).await.unwrap();
        assert_eq!(code(writer.finish().await), unavailable);
        fake.bucket().trouble = None;
        originals.check().await.unwrap();
        assert_eq!(
            originals.count_prefix(tenant(1), "").await.unwrap(),
            totals(1, 4)
        );
    }
    let missing = open(&endpoint, "otro");
    assert_eq!(code(missing.check().await), ErrorCode::StorageUnavailable);
}
