//! Partitions that are too large to be scanned: a graph answers, and what it does not have yet is
//! scanned.

use crate::subject::Embedded;
use quipu_core::engine::{ChangeLog, DocumentEntries, Engine, Probe};
use quipu_index::EmbeddedEngine;
use quipu_testkit::engine_suite::{
    Dice, FakeLog, Kb, Reference, clustered, diffuse, document, document_id, entry, probe,
};
use std::sync::Arc;
use std::time::Duration;

/// What a graph must find of the nearest. Threads build it in no fixed order, so each is a little
/// different; a mean over many questions is far from this bound when nothing is broken.
const ENOUGH: f32 = 0.97;

const DIMENSIONS: usize = 48;

fn vector(dice: &mut Dice, topics: usize) -> Vec<f32> {
    match topics {
        0 => diffuse(dice, DIMENSIONS),
        topics => clustered(dice, DIMENSIONS, topics),
    }
}

fn documents(from: u128, count: u128, topics: usize) -> Vec<DocumentEntries> {
    let mut dice = Dice::new(u64::try_from(from).unwrap());
    (from..from + count)
        .map(|number| {
            let entries = (0..10).map(|chunk| {
                let vector = vector(&mut dice, topics);
                entry(number * 100 + chunk, "texto", "", Some(vector))
            });
            document(number, entries.collect())
        })
        .collect()
}

fn has_graph(subject: &Embedded, kb: &Kb) -> bool {
    let folder = subject.folder_of(kb.partition());
    let manifest = std::fs::read_to_string(folder.join("manifest.json")).unwrap();
    !manifest.contains("\"graphs\":[]")
}

async fn wait_for_graph(subject: &Embedded, kb: &Kb) {
    for _ in 0..1_000 {
        if has_graph(subject, kb) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("no graph was built");
}

/// The mean recall over some questions.
async fn recall(
    engine: &EmbeddedEngine,
    log: &FakeLog,
    kb: &Kb,
    topics: usize,
    only: Option<std::ops::Range<u128>>,
) -> f32 {
    let mut dice = Dice::new(99);
    let mut sum = 0.0;
    // Each is held against every chunk, which takes its time with many of them.
    let entries = log.entries(kb.partition());
    let questions: u8 = if entries.len() > 10_000 { 8 } else { 60 };
    let reference = Reference::new(entries);
    for _ in 0..questions {
        let asked = Probe {
            documents: only
                .clone()
                .map(|numbers| numbers.map(document_id).collect()),
            ..probe(
                log.version(kb.partition()),
                "",
                Some(&vector(&mut dice, topics)),
            )
        };
        let found = engine.search(&kb.scope, kb.id, &asked).await.unwrap();
        assert_eq!(found.hits.len(), 10, "never fewer than there are");
        sum += reference.recall(&asked, &found);
    }
    sum / f32::from(questions)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_graph_takes_over_and_finds_as_much() {
    for topics in [5, 20] {
        let subject = Embedded::with(|settings| {
            settings.exact_rows = 1_000;
            // As for those who have too many vectors to keep them in memory.
            settings.whole_bytes = if topics == 5 { 0 } else { settings.whole_bytes };
        });
        let log = Arc::new(FakeLog::default());
        let engine = subject.engine(Arc::clone(&log) as Arc<dyn ChangeLog>).await;
        let kb = Kb::new(&subject, 1, 11);
        log.write(kb.partition(), documents(1, 400, topics));
        // Scanned until the graph is there, which may be any moment.
        assert!(recall(&engine, &log, &kb, topics, None).await >= ENOUGH);
        wait_for_graph(&subject, &kb).await;
        let by_graph = recall(&engine, &log, &kb, topics, None).await;
        assert!(by_graph >= ENOUGH, "recall {by_graph} with {topics} topics");
        // Many documents go through the graph, few are scanned.
        let many = recall(&engine, &log, &kb, topics, Some(100..350)).await;
        assert!(many >= ENOUGH, "recall {many} among many");
        assert!(recall(&engine, &log, &kb, topics, Some(7..12)).await >= 1.0);
        // What is newer than the graph is found, what was deleted since is not.
        log.write(kb.partition(), documents(1_000, 20, topics));
        let gone = (1..=60)
            .map(|number| document(number, Vec::new()))
            .collect();
        log.write(kb.partition(), gone);
        let newer = recall(&engine, &log, &kb, topics, None).await;
        assert!(newer >= ENOUGH, "recall {newer} after changes");
        assert!(recall(&engine, &log, &kb, topics, Some(1_000..1_020)).await >= 1.0);
        drop(engine);
        let engine = subject.engine(Arc::clone(&log) as Arc<dyn ChangeLog>).await;
        let reopened = recall(&engine, &log, &kb, topics, None).await;
        assert!(reopened >= ENOUGH, "recall {reopened} after a restart");
        // Much that is new goes into the graph, much that is gone makes a new one.
        log.write(kb.partition(), documents(2_000, 150, topics));
        engine.catch_up(kb.partition()).await.unwrap();
        let gone = (61..=390)
            .map(|number| document(number, Vec::new()))
            .collect();
        log.write(kb.partition(), gone);
        engine.catch_up(kb.partition()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(300)).await;
        let grown = recall(&engine, &log, &kb, topics, None).await;
        assert!(grown >= ENOUGH, "recall {grown} after growing");
        // Little that is left needs no graph.
        let gone = (1_000..2_140)
            .map(|number| document(number, Vec::new()))
            .collect();
        log.write(kb.partition(), gone);
        assert!(recall(&engine, &log, &kb, topics, None).await >= 1.0);
    }
}

/// Vectors that point anywhere in many dimensions lead no search of a graph to its goal.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_graph_that_misses_is_not_used() {
    let subject = Embedded::with(|settings| settings.exact_rows = 2_000);
    let log = Arc::new(FakeLog::default());
    let engine = subject.engine(Arc::clone(&log) as Arc<dyn ChangeLog>).await;
    let kb = Kb::new(&subject, 1, 11);
    let mut dice = Dice::new(5);
    let scattered = (1..=600).map(|number| {
        let entries = (0..20).map(|chunk| {
            let vector = diffuse(&mut dice, 512);
            entry(number * 100 + chunk, "texto", "", Some(vector))
        });
        document(number, entries.collect())
    });
    let version = log.write(kb.partition(), scattered.collect());
    engine.catch_up(kb.partition()).await.unwrap();
    let manifest = subject.folder_of(kb.partition()).join("manifest.json");
    loop {
        let bytes = std::fs::read(&manifest).unwrap();
        let said = String::from_utf8_lossy(&bytes);
        if said.contains("\"refused\":[{") {
            break;
        }
        assert!(!said.contains(".graph\""), "the graph is used");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let reference = Reference::new(log.entries(kb.partition()));
    for _ in 0..5 {
        let asked = probe(version, "", Some(&diffuse(&mut dice, 512)));
        let found = engine.search(&kb.scope, kb.id, &asked).await.unwrap();
        assert!(reference.recall(&asked, &found) >= 1.0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_scan_of_many_rows_misses_nothing() {
    for topics in [0, 30] {
        let subject = Embedded::default();
        let log = Arc::new(FakeLog::default());
        log.set_portion(500);
        let engine = subject.engine(Arc::clone(&log) as Arc<dyn ChangeLog>).await;
        let kb = Kb::new(&subject, 1, 11);
        log.write(kb.partition(), documents(1, 2_000, topics));
        assert!(recall(&engine, &log, &kb, topics, None).await >= 1.0);
        assert!(recall(&engine, &log, &kb, topics, Some(200..1_900)).await >= 1.0);
        assert!(!has_graph(&subject, &kb));
    }
}

/// A process that ends while it builds a graph leaves the building to the next.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_graph_is_built_after_a_restart() {
    let mut subject = Embedded::default();
    let log = Arc::new(FakeLog::default());
    let kb = Kb::new(&subject, 1, 11);
    log.write(kb.partition(), documents(1, 100, 5));
    let engine = subject.engine(Arc::clone(&log) as Arc<dyn ChangeLog>).await;
    engine.catch_up(kb.partition()).await.unwrap();
    assert!(!has_graph(&subject, &kb));
    drop(engine);
    subject.settings.exact_rows = 500;
    let engine = subject.engine(Arc::clone(&log) as Arc<dyn ChangeLog>).await;
    assert!(recall(&engine, &log, &kb, 5, None).await >= 0.99);
    wait_for_graph(&subject, &kb).await;
    assert!(recall(&engine, &log, &kb, 5, None).await >= 0.99);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_graph_is_built_again() {
    let subject = Embedded::with(|settings| settings.exact_rows = 500);
    let log = Arc::new(FakeLog::default());
    let kb = Kb::new(&subject, 1, 11);
    log.write(kb.partition(), documents(1, 100, 5));
    for round in 0..4 {
        let engine = subject.engine(Arc::clone(&log) as Arc<dyn ChangeLog>).await;
        engine.catch_up(kb.partition()).await.unwrap();
        wait_for_graph(&subject, &kb).await;
        assert!(recall(&engine, &log, &kb, 5, None).await >= 0.99);
        let folder = subject.folder_of(kb.partition());
        let graph = std::fs::read_dir(&folder)
            .unwrap()
            .map(|file| file.unwrap().path())
            .find(|path| path.extension().is_some_and(|name| name == "graph"))
            .unwrap();
        let mut bytes = std::fs::read(&graph).unwrap();
        let half = bytes.len() / 2;
        match round {
            0 => bytes.truncate(half),
            1 => bytes.clear(),
            2 => bytes[half] ^= 1,
            _ => bytes[4] ^= 1,
        }
        std::fs::write(&graph, bytes).unwrap();
        // The graph that is in memory does not mind.
        assert!(recall(&engine, &log, &kb, 5, None).await >= 0.99);
    }
}

/// What small blocks say of documents in a large one stays said when they are merged.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn merged_blocks_remember_what_is_gone() {
    let subject = Embedded::default();
    let log = Arc::new(FakeLog::default());
    log.set_portion(2_000);
    let kb = Kb::new(&subject, 1, 11);
    let mut dice = Dice::new(3);
    let many = (1..=900).map(|number| {
        let chunks = (0..10).map(|chunk| {
            let vector = diffuse(&mut dice, 4);
            entry(number * 100 + chunk, "texto", "", Some(vector))
        });
        document(number, chunks.collect())
    });
    log.write(kb.partition(), many.collect());
    let engine = subject.engine(Arc::clone(&log) as Arc<dyn ChangeLog>).await;
    for number in 1..=20 {
        let mut change = document(number, Vec::new());
        if number % 2 == 0 {
            let vector = diffuse(&mut dice, 4);
            change.entries = vec![entry(200_000 + number, "nuevo", "", Some(vector))];
        }
        log.write(kb.partition(), vec![change]);
        engine.catch_up(kb.partition()).await.unwrap();
    }
    drop(engine);
    let engine = subject.engine(Arc::clone(&log) as Arc<dyn ChangeLog>).await;
    let from_start = log.reads_from_start();
    let reference = Reference::new(log.entries(kb.partition()));
    for text in ["texto", "nuevo"] {
        let asked = probe(
            log.version(kb.partition()),
            text,
            Some(&diffuse(&mut dice, 4)),
        );
        let found = engine.search(&kb.scope, kb.id, &asked).await.unwrap();
        reference.check(&asked, &found);
    }
    assert_eq!(log.reads_from_start(), from_start, "nothing was made anew");
    let blocks = std::fs::read_dir(subject.folder_of(kb.partition()))
        .unwrap()
        .filter(|file| {
            file.as_ref()
                .unwrap()
                .path()
                .extension()
                .is_some_and(|end| end == "block")
        })
        .count();
    assert!(blocks < 10, "{blocks} blocks");
}

/// Documents change in small steps for a long time: blocks and segments are merged, and what is on
/// the disk does not grow with the number of steps.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn small_changes_do_not_pile_up() {
    let subject = Embedded::default();
    let log = Arc::new(FakeLog::default());
    let engine = subject.engine(Arc::clone(&log) as Arc<dyn ChangeLog>).await;
    let kb = Kb::new(&subject, 1, 11);
    log.write(kb.partition(), documents(1, 20, 5));
    for step in 0..60 {
        let mut change = documents(5_000 + step, 1, 5);
        change[0].document = document_id(1 + step % 20);
        log.write(kb.partition(), change);
        engine.catch_up(kb.partition()).await.unwrap();
    }
    assert!(recall(&engine, &log, &kb, 5, None).await >= 1.0);
    drop(engine);
    let engine = subject.engine(Arc::clone(&log) as Arc<dyn ChangeLog>).await;
    assert!(recall(&engine, &log, &kb, 5, None).await >= 1.0);
    let folder = subject.folder_of(kb.partition());
    let count = |folder: &std::path::Path| std::fs::read_dir(folder).unwrap().count();
    assert!(count(&folder) < 20, "{} files", count(&folder));
    assert!(
        count(&folder.join("words")) < 80,
        "{} files",
        count(&folder.join("words"))
    );
}
