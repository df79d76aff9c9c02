//! When the ground gives way: a full disk, a database that goes away and comes back.

use crate::fixture::{add_kb, new_agent, own_kb};
use crate::material::{ACTOR, typed};
use crate::support::{House, code, raw};
use quipu_core::knowledge::NewDocument;
use quipu_core::tenancy::TenantScope;
use quipu_core::{ErrorCode, Result, Timestamp};
use quipu_store::tenant::OpenKb;
use quipu_testkit::TestDatabase;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use std::path::Path;
use std::process::Command;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_comes_back_is_used_again() {
    let Some(db) = TestDatabase::postgres().await else {
        return;
    };
    let house = House::new(&db).await;
    let scope = house.add_tenant("a").await;

    // A transaction that is open when the connection goes is lost as a whole.
    let open = house.begin(scope).await;
    assert!(open.credits().enter(1, "lost", "1").await.unwrap());
    db.set_reachable(false).await;
    let cut = match open.credits().enter(1, "lost", "2").await {
        Ok(_) => code(open.commit().await),
        Err(error) => error.code(),
    };
    assert_eq!(cut, ErrorCode::DatabaseUnavailable, "inside a transaction");
    for _ in 0..3 {
        let refused = code(house.store.begin(scope).await);
        assert_eq!(refused, ErrorCode::DatabaseUnavailable, "a new transaction");
        let refused = code(house.store.platform_read().await);
        assert_eq!(
            refused,
            ErrorCode::DatabaseUnavailable,
            "a new platform transaction"
        );
    }

    db.set_reachable(true).await;
    let tx = house.begin(scope).await;
    assert_eq!(tx.credits().balance().await.unwrap(), 0);
    assert!(tx.credits().enter(5, "kept", "1").await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(
        house.read(scope).await.credits().balance().await.unwrap(),
        5
    );
}

/// Where the test finds its tiny disk, once it runs in a place that has one.
const TINY_DISK: &str = "QUIPU_TEST_TINY_DISK";

/// Runs itself again in a mount namespace of its own, where it may mount a small disk. The
/// namespace ends with the process, and takes the disk along however the test ends.
#[test]
fn a_full_disk_is_reported_and_loses_nothing() {
    if let Ok(disk) = std::env::var(TINY_DISK) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(fill_the_disk(Path::new(&disk)));
        return;
    }
    let disk = tempfile::tempdir().unwrap();
    let in_namespace = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c"]);
        command.arg(format!(
            "mount -t tmpfs -o size=4m tmpfs '{}' && {script}",
            disk.path().display()
        ));
        command
    };
    if !in_namespace("true")
        .output()
        .is_ok_and(|output| output.status.success())
    {
        eprintln!("SKIPPED the full disk: this machine lets the tests mount no disk of their own");
        return;
    }
    let test = concat!(
        module_path!(),
        "::a_full_disk_is_reported_and_loses_nothing"
    );
    let (_, test) = test.split_once("::").unwrap();
    let program = std::env::current_exe().unwrap();
    let run = format!("exec '{}' --exact {test} --nocapture", program.display());
    let output = in_namespace(&run)
        .env(TINY_DISK, disk.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("1 passed"),
        "the test did not find itself: {said}"
    );
}

async fn fill_the_disk(disk: &Path) {
    let ballast = disk.join("ballast");
    std::fs::write(&ballast, vec![0; 2_000_000]).unwrap();
    let url = format!("sqlite://{}", disk.join("quipu.db").display());
    let house = House::at(&url).await;
    let scope = house.add_tenant("a").await;
    let tx = house.begin(scope).await;
    let agent = tx.agents().insert(&new_agent("agent")).await.unwrap();
    let kb = &add_kb(&tx, &own_kb("kb", agent)).await;
    tx.commit().await.unwrap();

    let mut written = 0;
    let failure = loop {
        match write(&house, scope, kb, written).await {
            Ok(()) => written += 1,
            Err(error) => break error,
        }
        assert!(written < 1000, "the disk does not fill up");
    };
    assert!(written > 0, "the disk was full from the start: {failure}");
    assert_eq!(failure.code(), ErrorCode::StorageFull, "{failure}");
    // It goes on being full, and reading goes on.
    for _ in 0..3 {
        assert_eq!(
            code(write(&house, scope, kb, written).await),
            ErrorCode::StorageFull
        );
        assert_kept(&house, &url, scope, kb, written).await;
    }

    std::fs::remove_file(ballast).unwrap();
    for n in written..written + 3 {
        write(&house, scope, kb, n).await.unwrap();
        assert_kept(&house, &url, scope, kb, n + 1).await;
    }
    // What was acknowledged is in the file, and not in a connection that never committed.
    house.store.close().await.unwrap();
    assert_kept(&House::at(&url).await, &url, scope, kb, written + 3).await;
}

/// A document of 12 kB.
fn large(now: Timestamp, n: u64) -> NewDocument {
    let name = format!("{n:06}");
    NewDocument {
        text: Some(name.repeat(2000)),
        ..typed(now, &name)
    }
}

/// One transaction over several tables.
async fn write(house: &House, scope: TenantScope, kb: &OpenKb, n: u64) -> Result<()> {
    let tx = house.store.begin(scope).await?;
    tx.documents()
        .insert(kb, &large(tx.now(), n), ACTOR)
        .await?;
    tx.credits().enter(1, "document", &n.to_string()).await?;
    tx.commit().await
}

/// Exactly the transactions that were committed are there, each of them whole.
async fn assert_kept(house: &House, url: &str, scope: TenantScope, kb: &OpenKb, written: u64) {
    let tx = house.read(scope).await;
    assert_eq!(tx.documents().count(kb.id).await.unwrap(), written);
    assert_eq!(
        tx.credits().balance().await.unwrap(),
        i64::try_from(written).unwrap()
    );
    drop(tx);
    let raw = raw(url).await;
    let check = Statement::from_string(DbBackend::Sqlite, "PRAGMA integrity_check");
    let row = raw.query_one_raw(check).await.unwrap().unwrap();
    assert_eq!(row.try_get_by_index::<String>(0).unwrap(), "ok");
}
