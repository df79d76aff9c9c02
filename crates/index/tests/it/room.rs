//! Partitions make room for each other and still answer.

use crate::subject::Embedded;
use quipu_core::engine::{ChangeLog, Engine};
use quipu_testkit::engine_suite::{FakeLog, Kb, Reference, library, probes};
use std::sync::Arc;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_partitions_are_closed_and_opened_again() {
    for (memory_bytes, max_open) in [(1, 1_000), (usize::MAX, 3)] {
        let subject = Embedded::with(|settings| {
            settings.memory_bytes = memory_bytes;
            settings.max_open = max_open;
        });
        let log = Arc::new(FakeLog::default());
        let engine = subject.engine(Arc::clone(&log) as Arc<dyn ChangeLog>).await;
        let kbs: Vec<Kb> = (1..=8)
            .map(|number| Kb::new(&subject, number % 2, number))
            .collect();
        for (kb, seed) in kbs.iter().zip(1..) {
            log.write(kb.partition(), library(seed, 20, 3));
        }
        for round in 0..3 {
            for kb in &kbs {
                let asked = &probes(round, 20, 1)[0];
                let found = engine.search(&kb.scope, kb.id, asked).await.unwrap();
                Reference::new(log.entries(kb.partition())).check(asked, &found);
            }
        }
        // What is tidied up in the background is in use until it is done.
        for _ in 0..200 {
            engine.count(kbs[0].partition()).await.unwrap();
            if engine.usage().open_partitions <= 3 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let usage = engine.usage();
        assert!(usage.open_partitions <= 3, "{usage:?}");
        assert!(usage.memory_bytes > 0);
        assert_eq!(
            log.reads(),
            kbs.len(),
            "what is on the disk is not read again"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn partitions_are_searched_beside_each_other_while_room_is_made() {
    let subject = Embedded::with(|settings| settings.max_open = 2);
    let log = Arc::new(FakeLog::default());
    let engine = subject.engine(Arc::clone(&log) as Arc<dyn ChangeLog>).await;
    let tasks: Vec<_> = (1..=6)
        .map(|number| {
            let kb = Kb::new(&subject, 1, number);
            log.write(kb.partition(), library(1, 15, 2));
            let (engine, log) = (Arc::clone(&engine), Arc::clone(&log));
            tokio::spawn(async move {
                let reference = Reference::new(log.entries(kb.partition()));
                for asked in probes(3, 15, 15) {
                    let found = engine.search(&kb.scope, kb.id, &asked).await.unwrap();
                    reference.check(&asked, &found);
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_began_before_a_removal_brings_nothing_back() {
    let subject = Embedded::default();
    let log = Arc::new(FakeLog::default());
    let engine = subject.engine(Arc::clone(&log) as Arc<dyn ChangeLog>).await;
    let kb = Kb::new(&subject, 1, 11);
    // The log still has everything when the partition is removed.
    log.write(kb.partition(), library(1, 60, 2));
    log.set_portion(5);
    log.set_delay(Duration::from_millis(10));
    let tasks: Vec<_> = (0..6)
        .map(|number| {
            let (engine, kb) = (Arc::clone(&engine), kb.clone());
            tokio::spawn(async move {
                if number % 2 == 0 {
                    engine.catch_up(kb.partition()).await.unwrap();
                } else {
                    let asked = &probes(number, 60, 1)[0];
                    engine.search(&kb.scope, kb.id, asked).await.unwrap();
                }
            })
        })
        .collect();
    while log.reads() < 3 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    engine.remove(kb.partition()).await.unwrap();
    assert!(!subject.folder_of(kb.partition()).exists());
    for task in tasks {
        task.await.unwrap();
    }
    assert!(!subject.folder_of(kb.partition()).exists());
    assert!(log.reads() < 12, "reading stops soon");
    // Who comes later begins anew.
    engine.catch_up(kb.partition()).await.unwrap();
    assert_eq!(engine.count(kb.partition()).await.unwrap(), 120);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_removed_partition_leaves_no_folder() {
    let subject = Embedded::default();
    let log = Arc::new(FakeLog::default());
    let engine = subject.engine(Arc::clone(&log) as Arc<dyn ChangeLog>).await;
    let kb = Kb::new(&subject, 1, 11);
    log.write(kb.partition(), library(1, 10, 2));
    engine.catch_up(kb.partition()).await.unwrap();
    let folder = subject.folder_of(kb.partition());
    assert!(folder.exists());
    log.drop_partition(kb.partition());
    assert_eq!(engine.remove(kb.partition()).await.unwrap(), 20);
    assert!(!folder.exists() && !folder.parent().unwrap().exists());
    // An empty knowledge base has none either.
    let found = engine
        .search(&kb.scope, kb.id, &probes(1, 0, 1)[0])
        .await
        .unwrap();
    assert_eq!(found.chunks, 0);
    assert!(!folder.exists());
}
