//! A folder of this machine as storage.

use super::shelf::{MB, content, keeps_its_promises, load, save, tenant, totals};
use crate::support::code;
use bytes::Bytes;
use futures::StreamExt;
use quipu_core::ErrorCode;
use quipu_store::originals::{Originals, OriginalsSettings};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

fn open(folder: &Path) -> Originals {
    Originals::open(&OriginalsSettings {
        url: format!("file://{}", folder.display()),
        options: Vec::new(),
    })
    .unwrap()
}

fn shelf() -> (TempDir, Originals) {
    let folder = tempfile::tempdir().unwrap();
    let originals = open(folder.path());
    (folder, originals)
}

/// Everything under a folder, folders included.
fn everything(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path.clone());
            }
            found.push(path);
        }
    }
    found
}

#[tokio::test]
async fn a_folder_keeps_its_promises() {
    let (_folder, originals) = shelf();
    keeps_its_promises(&originals).await;
}

#[tokio::test]
async fn deleting_leaves_no_folders_and_no_leftovers() {
    let (folder, originals) = shelf();
    let scope = tenant(1);
    save(&originals, scope, "kb/uno/a.txt", b"hola").await;
    save(&originals, scope, "kb/uno/v2/a.txt", b"hola").await;
    // What a process that was killed in the middle of an upload leaves behind.
    let home = folder.path().join(scope.tenant_id().to_string());
    std::fs::write(home.join("kb/uno/b.pdf#1"), b"a medias").unwrap();
    std::fs::create_dir_all(home.join("kb/dos/v3")).unwrap();
    std::fs::write(home.join("kb/dos/v3/c.pdf#2"), b"a medias").unwrap();

    // It is no file to anybody, but it counts.
    assert!(
        originals
            .read(scope, "kb/dos/v3/c.pdf")
            .await
            .unwrap()
            .is_none()
    );
    assert_eq!(
        originals.count_prefix(scope, "kb").await.unwrap(),
        totals(4, 24)
    );
    // In the way of nobody.
    save(&originals, scope, "kb/uno/b.pdf", b"entero").await;
    assert_eq!(
        load(&originals, scope, "kb/uno/b.pdf").await.unwrap(),
        b"entero"
    );

    assert!(originals.delete(scope, "kb/uno/v2/a.txt").await.unwrap());
    assert!(!home.join("kb/uno/v2").exists(), "an empty folder was left");
    assert_eq!(
        originals.delete_prefix(scope, "kb/uno").await.unwrap(),
        totals(3, 18)
    );
    assert!(!home.join("kb/uno").exists());
    assert!(home.join("kb/dos").exists());
    assert_eq!(
        originals.delete_prefix(scope, "").await.unwrap(),
        totals(1, 8)
    );
    assert_eq!(everything(folder.path()), Vec::<PathBuf>::new());
    originals.check().await.unwrap();
}

#[tokio::test]
async fn an_upload_that_is_dropped_leaves_nothing_on_the_disk() {
    let (folder, originals) = shelf();
    let mut writer = originals.writer(tenant(1), "kb/doc/a").await.unwrap();
    writer.write(content(3 * MB).into()).await.unwrap();
    assert!(
        !everything(folder.path()).is_empty(),
        "the test needs an upload on its way"
    );
    drop(writer);
    // It is cleared away behind our back.
    for _ in 0..200 {
        if everything(folder.path()).is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("left: {:?}", everything(folder.path()));
}

#[tokio::test]
async fn links_are_removed_and_not_followed() {
    let (folder, originals) = shelf();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("ajeno"), b"ajeno").unwrap();
    save(&originals, tenant(1), "kb/doc/a", b"hola").await;
    let home = folder.path().join(tenant(1).tenant_id().to_string());
    std::os::unix::fs::symlink(outside.path(), home.join("kb/doc/enlace")).unwrap();
    let removed = originals.delete_prefix(tenant(1), "kb").await.unwrap();
    assert_eq!(removed.files, 2);
    assert!(outside.path().join("ajeno").exists());
    assert_eq!(everything(folder.path()), Vec::<PathBuf>::new());
}

/// Few enough at once that the folders above all of them come and go.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploads_and_removals_do_not_trip_each_other() {
    let (folder, originals) = shelf();
    let scope = tenant(1);
    let work = (0..3).map(|n| {
        let originals = originals.clone();
        tokio::spawn(async move {
            for round in 0..40 {
                let path = format!("kb/{n}/{round}");
                let size = if round % 5 == 0 { 2 * MB } else { 100 };
                save(&originals, scope, &path, &content(size)).await;
                assert!(originals.delete(scope, &path).await.unwrap(), "{path}");
            }
        })
    });
    for done in futures::future::join_all(work).await {
        done.unwrap();
    }
    assert_eq!(everything(folder.path()), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_storage_that_is_not_there_says_so() {
    let (folder, originals) = shelf();
    originals.check().await.unwrap();
    let path = folder.path().to_owned();
    drop(folder);
    std::fs::write(&path, b"a file where the folder was").unwrap();
    assert_eq!(code(originals.check().await), ErrorCode::StorageUnavailable);
    let mut writer = originals.writer(tenant(1), "kb/doc/a").await.unwrap();
    writer.write(Bytes::from_static(b"hola")).await.unwrap();
    assert_eq!(code(writer.finish().await), ErrorCode::StorageUnavailable);
    std::fs::remove_file(path).unwrap();
}

/// The memory this process holds now and the most it ever held, in kB.
fn memory() -> (u64, u64) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    (field("VmRSS:"), field("VmHWM:"))
}

/// Runs a test again in a process of its own, and tells what it said.
fn alone(test: &str, variable: &str, value: &Path, wrap: impl Fn(&str) -> Command) -> String {
    let program = std::env::current_exe().unwrap();
    let run = format!("exec '{}' --exact {test} --nocapture", program.display());
    let output = wrap(&run).env(variable, value).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("1 passed"),
        "the test did not find itself: {said}"
    );
    said.into_owned()
}

/// Thirty megabytes go in and out, in a process of its own whose memory can be told.
#[test]
fn a_large_file_is_never_whole_in_memory() {
    const ALONE: &str = "QUIPU_TEST_LARGE_ORIGINAL";
    let Ok(folder) = std::env::var(ALONE) else {
        let folder = tempfile::tempdir().unwrap();
        let shell = |run: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", run]);
            command
        };
        let test = "originals::folder::a_large_file_is_never_whole_in_memory";
        alone(test, ALONE, folder.path(), shell);
        return;
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let originals = open(Path::new(&folder));
        let scope = tenant(1);
        let (before, _) = memory();
        let piece = Bytes::from(content(64 * 1024));
        let mut writer = originals.writer(scope, "kb/doc/grande.pdf").await.unwrap();
        for _ in 0..480 {
            writer.write(piece.clone()).await.unwrap();
        }
        writer.finish().await.unwrap();
        let mut found = originals
            .read(scope, "kb/doc/grande.pdf")
            .await
            .unwrap()
            .unwrap();
        assert_eq!(found.size, 30 * MB as u64);
        let mut left = Vec::new();
        let mut read = 0;
        while let Some(bytes) = found.bytes.next().await {
            left.extend_from_slice(&bytes.unwrap());
            while left.len() >= piece.len() {
                assert!(left[..piece.len()] == piece[..], "changed at {read}");
                left.drain(..piece.len());
                read += piece.len();
            }
        }
        assert_eq!((read, left.len()), (30 * MB, 0));
        let (_, most) = memory();
        let grown = most - before;
        // Half of the file: buffers and the runtime take their part, the whole file would take 30 MB.
        assert!(grown < 15 * 1024, "it took {grown} kB more");
    });
}

/// On a disk of its own in a mount namespace of its own, which ends with the process.
#[test]
fn a_full_disk_is_reported_and_nothing_is_left() {
    const TINY_DISK: &str = "QUIPU_TEST_TINY_ORIGINALS";
    let Ok(disk) = std::env::var(TINY_DISK) else {
        let disk = tempfile::tempdir().unwrap();
        let in_namespace = |run: &str| {
            let mut command = Command::new("unshare");
            command.args(["--user", "--map-root-user", "--mount", "sh", "-c"]);
            command.arg(format!(
                "mount -t tmpfs -o size=4m tmpfs '{}' && {run}",
                disk.path().display()
            ));
            command
        };
        if !in_namespace("true")
            .output()
            .is_ok_and(|o| o.status.success())
        {
            eprintln!(
                "SKIPPED the full disk: this machine lets the tests mount no disk of their own"
            );
            return;
        }
        let test = "originals::folder::a_full_disk_is_reported_and_nothing_is_left";
        alone(test, TINY_DISK, disk.path(), in_namespace);
        return;
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let originals = open(Path::new(&disk));
        let scope = tenant(1);
        save(&originals, scope, "kb/doc/a", &content(3 * MB)).await;
        // In parts, and in one go.
        let mut writer = originals.writer(scope, "kb/doc/b").await.unwrap();
        let mut result = Ok(());
        for _ in 0..5 {
            result = writer.write(content(MB).into()).await;
            if result.is_err() {
                break;
            }
        }
        assert_eq!(code(result), ErrorCode::StorageFull);
        writer.abort().await.unwrap();
        save(&originals, scope, "kb/doc/c", &content(MB / 2)).await;
        let mut writer = originals.writer(scope, "kb/doc/d").await.unwrap();
        writer.write(content(MB).into()).await.unwrap();
        assert_eq!(code(writer.finish().await), ErrorCode::StorageFull);
        assert_eq!(
            originals.count_prefix(scope, "").await.unwrap(),
            totals(2, 3 * MB as u64 + MB as u64 / 2)
        );
        assert!(load(&originals, scope, "kb/doc/a").await.unwrap() == content(3 * MB));
    });
}
