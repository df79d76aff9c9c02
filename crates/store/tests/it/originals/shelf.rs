//! What every storage promises, whatever stands behind it.

use bytes::Bytes;
use futures::TryStreamExt;
use quipu_core::tenancy::TenantScope;
use quipu_core::{DocumentId, KnowledgeBaseId, TenantId};
use quipu_store::originals::{FileTotals, Originals};
use uuid::Uuid;

pub(super) const MB: usize = 1024 * 1024;

pub(super) fn tenant(n: u128) -> TenantScope {
    TenantScope::of(TenantId::from(Uuid::from_u128(n)))
}

pub(super) fn kb(n: u128) -> KnowledgeBaseId {
    Uuid::from_u128(n).into()
}

pub(super) fn document(n: u128) -> DocumentId {
    Uuid::from_u128(n).into()
}

pub(super) fn totals(files: u64, bytes: u64) -> FileTotals {
    FileTotals { files, bytes }
}

/// Content that shows when parts are lost, doubled or out of order.
pub(super) fn content(size: usize) -> Vec<u8> {
    (0..251).cycle().take(size).collect()
}

pub(super) async fn save(originals: &Originals, scope: TenantScope, path: &str, bytes: &[u8]) {
    let mut writer = originals.writer(scope, path).await.unwrap();
    for piece in bytes.chunks(60_000) {
        writer.write(Bytes::copy_from_slice(piece)).await.unwrap();
    }
    assert_eq!(writer.written(), bytes.len() as u64);
    writer.finish().await.unwrap();
}

pub(super) async fn load(originals: &Originals, scope: TenantScope, path: &str) -> Option<Vec<u8>> {
    let found = originals.read(scope, path).await.unwrap()?;
    let pieces: Vec<Bytes> = found.bytes.try_collect().await.unwrap();
    let bytes = pieces.concat();
    assert_eq!(found.size, bytes.len() as u64);
    Some(bytes)
}

/// Everything that does not depend on what the storage is.
pub(super) async fn keeps_its_promises(originals: &Originals) {
    originals.check().await.unwrap();
    what_is_written_is_read(originals).await;
    tenants_do_not_see_each_other(originals).await;
    prefixes_are_whole_names(originals).await;
    what_is_not_finished_is_not_there(originals).await;
}

async fn what_is_written_is_read(originals: &Originals) {
    let scope = tenant(1);
    let paths = [
        (1, "vacío.txt", 0),
        (1, "Menú del año — 100% \"final\" [v2] #1.pdf", 10),
        (1, "メニュー 🍲.docx", 1),
        (1, "v2", 3),
        (2, "v2", 4),
        // Just below, at and just above one part, and over several.
        (1, "a", MB - 1),
        (1, "b", MB),
        (1, "c", MB + 1),
        (1, "d", 5 * MB),
        (1, "e", 5 * MB + 1),
        (7, "largo.pdf", 12 * MB + 345),
    ]
    .map(|(version, name, size)| {
        let path = Originals::path(kb(10), document(20), version, name);
        (path, content(size))
    });
    for (path, bytes) in &paths {
        save(originals, scope, path, bytes).await;
    }
    for (path, bytes) in &paths {
        let read = load(originals, scope, path).await.expect(path);
        assert!(read == *bytes, "{path} came back changed");
    }
    // Written again, it is the new one.
    save(originals, scope, &paths[1].0, b"otro").await;
    assert_eq!(load(originals, scope, &paths[1].0).await.unwrap(), b"otro");

    assert!(originals.delete(scope, &paths[1].0).await.unwrap());
    assert!(!originals.delete(scope, &paths[1].0).await.unwrap());
    assert!(load(originals, scope, &paths[1].0).await.is_none());
    let bytes = paths.iter().map(|(_, b)| b.len() as u64).sum::<u64>() - 10;
    assert_eq!(
        originals.delete_prefix(scope, "").await.unwrap(),
        totals(10, bytes)
    );
    assert_eq!(
        originals.count_prefix(scope, "").await.unwrap(),
        totals(0, 0)
    );
}

async fn tenants_do_not_see_each_other(originals: &Originals) {
    let (ours, theirs) = (tenant(1), tenant(2));
    let path = Originals::path(kb(10), document(20), 1, "secreto.pdf");
    save(originals, theirs, &path, b"secreto").await;

    assert!(originals.read(ours, &path).await.unwrap().is_none());
    assert!(!originals.delete(ours, &path).await.unwrap());
    for prefix in ["", path.as_str(), path.split('/').next().unwrap()] {
        assert_eq!(
            originals.count_prefix(ours, prefix).await.unwrap(),
            totals(0, 0)
        );
        assert_eq!(
            originals.delete_prefix(ours, prefix).await.unwrap(),
            totals(0, 0)
        );
    }
    let them = theirs.tenant_id();
    for escape in [
        format!("../{them}/{path}"),
        format!("/{them}/{path}"),
        format!("//{them}/{path}"),
        format!("..%2f{them}%2f{path}"),
        format!("%2e%2e/{them}/{path}"),
        format!("%2E%2E%2F{them}/{path}"),
        format!("..\\{them}\\{path}"),
        format!("x/../../{them}/{path}"),
        format!("./../{them}/{path}"),
        format!(".. /{them}/{path}"),
        format!("..\0/{them}/{path}"),
        format!("\u{2024}\u{2024}/{them}/{path}"),
        format!("．．/{them}/{path}"),
        format!("file:///{them}/{path}"),
        "..".to_owned(),
        "../".to_owned(),
        "/".to_owned(),
        ".".to_owned(),
    ] {
        if let Ok(found) = originals.read(ours, &escape).await {
            assert!(found.is_none(), "read through {escape:?}");
        }
        if let Ok(found) = originals.delete(ours, &escape).await {
            assert!(!found, "deleted through {escape:?}");
        }
        for counted in [
            originals.count_prefix(ours, &escape).await,
            originals.delete_prefix(ours, &escape).await,
        ] {
            assert_eq!(
                counted.unwrap_or_default(),
                totals(0, 0),
                "through {escape:?}"
            );
        }
        if let Ok(mut writer) = originals.writer(ours, &escape).await {
            writer.write(Bytes::from_static(b"pisado")).await.unwrap();
            writer.finish().await.unwrap();
        }
        assert_eq!(
            load(originals, theirs, &path).await.unwrap(),
            b"secreto",
            "{escape:?}"
        );
        assert_eq!(
            originals.count_prefix(theirs, "").await.unwrap(),
            totals(1, 7)
        );
    }
    originals.delete_prefix(ours, "").await.unwrap();
    assert_eq!(load(originals, theirs, &path).await.unwrap(), b"secreto");
    assert_eq!(
        originals.delete_prefix(theirs, "").await.unwrap(),
        totals(1, 7)
    );
}

async fn prefixes_are_whole_names(originals: &Originals) {
    let scope = tenant(1);
    for path in ["ab/d/x", "ab/d/y", "ab/dd/x", "abc/d/x", "a/d/x"] {
        save(originals, scope, path, path.as_bytes()).await;
    }
    assert_eq!(
        originals.count_prefix(scope, "ab").await.unwrap(),
        totals(3, 19)
    );
    assert_eq!(
        originals.count_prefix(scope, "ab/d").await.unwrap(),
        totals(2, 12)
    );
    assert_eq!(
        originals.count_prefix(scope, "nada").await.unwrap(),
        totals(0, 0)
    );
    assert_eq!(
        originals.delete_prefix(scope, "ab/d").await.unwrap(),
        totals(2, 12)
    );
    assert_eq!(
        originals.delete_prefix(scope, "ab").await.unwrap(),
        totals(1, 7)
    );
    assert_eq!(
        originals.delete_prefix(scope, "ab").await.unwrap(),
        totals(0, 0)
    );
    assert_eq!(
        originals.count_prefix(scope, "").await.unwrap(),
        totals(2, 12)
    );
    assert!(load(originals, scope, "abc/d/x").await.is_some());
    assert!(load(originals, scope, "a/d/x").await.is_some());
    assert_eq!(
        originals.delete_prefix(scope, "").await.unwrap(),
        totals(2, 12)
    );
}

async fn what_is_not_finished_is_not_there(originals: &Originals) {
    let scope = tenant(1);
    for size in [10, 11 * MB] {
        for given_up in [false, true] {
            let mut writer = originals.writer(scope, "kb/doc/a").await.unwrap();
            writer.write(content(size).into()).await.unwrap();
            assert!(originals.read(scope, "kb/doc/a").await.unwrap().is_none());
            if given_up {
                writer.abort().await.unwrap();
                assert_eq!(
                    originals.count_prefix(scope, "").await.unwrap(),
                    totals(0, 0)
                );
            } else {
                drop(writer);
            }
            assert!(originals.read(scope, "kb/doc/a").await.unwrap().is_none());
        }
    }
    // What was there before stays until the new one is whole.
    save(originals, scope, "kb/doc/a", b"antes").await;
    let mut writer = originals.writer(scope, "kb/doc/a").await.unwrap();
    writer.write(content(6 * MB).into()).await.unwrap();
    assert_eq!(load(originals, scope, "kb/doc/a").await.unwrap(), b"antes");
    drop(writer);
    assert_eq!(load(originals, scope, "kb/doc/a").await.unwrap(), b"antes");
    originals.delete_prefix(scope, "").await.unwrap();
}
