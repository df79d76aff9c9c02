//! The cases. Each begins with an empty storage of its own.

use super::{
    Dice, FakeLog, Kb, MODEL, OTHER_MODEL, Reference, Subject, among, clustered, diffuse, document,
    document_id, entry, probe, words,
};
use quipu_core::engine::{ChangeLog, DocumentEntries, Engine, Entry, Found, Probe};
use quipu_core::{ChunkId, DocumentId};
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

const DIMENSIONS: usize = 32;

fn log() -> Arc<FakeLog> {
    Arc::new(FakeLog::default())
}

async fn start(subject: &dyn Subject, log: &Arc<FakeLog>) -> Arc<dyn Engine> {
    subject.start(Arc::clone(log) as Arc<dyn ChangeLog>).await
}

async fn search(engine: &dyn Engine, kb: &Kb, probe: &Probe) -> Found {
    engine
        .search(&kb.scope, kb.id, probe)
        .await
        .expect("an answer")
}

/// Searches and holds the answer against the reference.
async fn checked(engine: &dyn Engine, log: &FakeLog, kb: &Kb, probe: &Probe) -> Found {
    let found = search(engine, kb, probe).await;
    Reference::new(log.entries(kb.partition())).check(probe, &found);
    found
}

fn is_found(found: &Found, document: DocumentId) -> bool {
    found.hits.iter().any(|hit| hit.document == document)
}

/// Documents with texts and vectors of chance. Their chunks are numbered after them.
pub fn library(seed: u64, documents: u128, chunks: u128) -> Vec<DocumentEntries> {
    let mut dice = Dice::new(seed);
    (1..=documents)
        .map(|number| {
            let title = words(&mut dice, 2, 300);
            let entries = (1..=chunks)
                .map(|chunk| {
                    let length = 5 + dice.below(60);
                    let text = words(&mut dice, length, 300);
                    let vector = clustered(&mut dice, DIMENSIONS, 12);
                    entry(number * 1_000 + chunk, &text, &title, Some(vector))
                })
                .collect();
            document(number, entries)
        })
        .collect()
}

/// Questions to such a library.
#[must_use]
pub fn probes(seed: u64, version: i64, count: usize) -> Vec<Probe> {
    let mut dice = Dice::new(seed);
    (0..count)
        .map(|_| {
            let text = words(&mut dice, 3, 300);
            let vector = clustered(&mut dice, DIMENSIONS, 12);
            probe(version, &text, Some(&vector))
        })
        .collect()
}

pub async fn two_tenants_do_not_see_each_other(subject: &dyn Subject) {
    let log = log();
    let engine = start(subject, &log).await;
    let mine = Kb::new(subject, 1, 11);
    let beside = Kb::new(subject, 1, 12);
    // The same knowledge base id under another tenant is another partition.
    let theirs = Kb::new(subject, 2, 11);
    let vector = vec![1.0, 0.0];
    for (number, kb) in [(1, &mine), (2, &beside), (3, &theirs)] {
        let text = entry(number, "limpieza dental", "", Some(vector.clone()));
        log.write(kb.partition(), vec![document(number, vec![text])]);
    }
    for (number, kb) in [(1, &mine), (2, &beside), (3, &theirs)] {
        let found = checked(&*engine, &log, kb, &probe(1, "limpieza", Some(&vector))).await;
        assert_eq!(found.hits.len(), 1);
        assert_eq!(found.hits[0].document, document_id(number));
        // Neither a filter nor a removal reaches beyond the partition.
        let others = [document_id(1), document_id(2), document_id(3)];
        let asked = among(probe(1, "limpieza", Some(&vector)), &others);
        assert_eq!(search(&*engine, kb, &asked).await.hits.len(), 1);
    }
    log.drop_partition(mine.partition());
    assert_eq!(engine.remove(mine.partition()).await.expect("a removal"), 1);
    for kb in [&beside, &theirs] {
        let found = search(&*engine, kb, &probe(1, "limpieza", Some(&vector))).await;
        assert_eq!(found.hits.len(), 1);
        assert_eq!(engine.count(kb.partition()).await.expect("a count"), 1);
    }
}

pub async fn a_scope_without_the_knowledge_base_finds_nothing(subject: &dyn Subject) {
    let log = log();
    let engine = start(subject, &log).await;
    let kb = Kb::new(subject, 1, 11);
    let other = Kb::new(subject, 1, 12);
    let text = entry(1, "limpieza dental", "", Some(vec![1.0, 0.0]));
    log.write(kb.partition(), vec![document(1, vec![text])]);
    let asked = probe(1, "limpieza", Some(&[1.0, 0.0]));
    let found = engine
        .search(&other.scope, kb.id, &asked)
        .await
        .expect("an answer");
    assert_eq!(found, Found::default());
    // Nor does a scope of another tenant, even one that names the knowledge base.
    let foreign = Kb::new(subject, 2, 11);
    let found = engine
        .search(&foreign.scope, kb.id, &asked)
        .await
        .expect("an answer");
    assert!(found.hits.is_empty() && found.chunks == 0);
    assert_eq!(search(&*engine, &kb, &asked).await.hits.len(), 1);
}

pub async fn statistics_do_not_cross_partitions(subject: &dyn Subject) {
    let log = log();
    let engine = start(subject, &log).await;
    let kb = Kb::new(subject, 1, 11);
    let neighbour = Kb::new(subject, 1, 12);
    let texts = [
        "consulta de limpieza",
        "consulta de ortodoncia",
        "horario de consulta",
    ];
    let entries = texts
        .iter()
        .zip(1..)
        .map(|(text, n)| entry(n, text, "", None));
    log.write(kb.partition(), vec![document(1, entries.collect())]);
    let asked = probe(1, "consulta limpieza", None);
    let before = checked(&*engine, &log, &kb, &asked).await;
    // In the neighbour the rare word is frequent and chunks are long.
    let long = "limpieza ".repeat(40);
    let entries = (10..60).map(|n| entry(n, &long, "limpieza", None));
    log.write(neighbour.partition(), vec![document(2, entries.collect())]);
    engine
        .catch_up(neighbour.partition())
        .await
        .expect("a catch-up");
    let misspelled = checked(&*engine, &log, &neighbour, &probe(1, "limpiesa", None)).await;
    assert_eq!(misspelled.hits.len(), 10);
    assert_eq!(checked(&*engine, &log, &kb, &asked).await, before);
}

pub async fn filters_restrict_what_is_found(subject: &dyn Subject) {
    let log = log();
    let engine = start(subject, &log).await;
    let kb = Kb::new(subject, 1, 11);
    let version = log.write(kb.partition(), library(1, 60, 3));
    let filters: [Vec<u128>; 5] = [
        vec![],
        vec![7],
        vec![7, 7, 8],
        vec![999],
        (1..=40).collect(),
    ];
    for asked in probes(2, version, 4) {
        for filter in &filters {
            let documents: Vec<DocumentId> = filter.iter().map(|&n| document_id(n)).collect();
            let found = checked(&*engine, &log, &kb, &among(asked.clone(), &documents)).await;
            assert!(
                found
                    .hits
                    .iter()
                    .all(|hit| documents.contains(&hit.document))
            );
        }
        checked(
            &*engine,
            &log,
            &kb,
            &Probe {
                limit: 0,
                ..asked.clone()
            },
        )
        .await;
        checked(
            &*engine,
            &log,
            &kb,
            &Probe {
                limit: 500,
                ..asked
            },
        )
        .await;
    }
}

pub async fn changes_replace_what_was_known(subject: &dyn Subject) {
    let log = log();
    let engine = start(subject, &log).await;
    let kb = Kb::new(subject, 1, 11);
    log.write(kb.partition(), library(1, 30, 4));
    let mut dice = Dice::new(5);
    for round in 0..25 {
        let number = 1 + dice.below(30) as u128;
        let mut change = library(100 + round, 1, 1 + dice.below(5) as u128).remove(0);
        change.document = document_id(number);
        for (entry, chunk) in change.entries.iter_mut().zip(1..) {
            let new = u128::from(round + 1) * 1_000_000 + chunk;
            entry.chunk = ChunkId::from_uuid(Uuid::from_u128(new));
        }
        if round % 3 == 0 {
            // Deleted or disabled: there is nothing to be found.
            change.entries.clear();
        }
        let gone = change.entries.is_empty();
        let version = log.write(kb.partition(), vec![change]);
        for asked in probes(200 + round, version, 2) {
            checked(&*engine, &log, &kb, &asked).await;
            let only = among(asked, &[document_id(number)]);
            let found = checked(&*engine, &log, &kb, &only).await;
            assert_eq!(is_found(&found, document_id(number)), !gone);
        }
    }
    let all = (1..=30)
        .map(|number| document(number, Vec::new()))
        .collect();
    let version = log.write(kb.partition(), all);
    let found = checked(&*engine, &log, &kb, &probes(1, version, 1)[0]).await;
    assert!(found.hits.is_empty());
    assert_eq!(engine.count(kb.partition()).await.expect("a count"), 0);
}

pub async fn a_restart_changes_nothing(subject: &dyn Subject) {
    let log = log();
    let kb = Kb::new(subject, 1, 11);
    let mut version = 0;
    for round in 0..4 {
        let engine = start(subject, &log).await;
        version = log.write(kb.partition(), library(round, 20 + u128::from(round), 3));
        for asked in probes(round, version, 3) {
            checked(&*engine, &log, &kb, &asked).await;
        }
        log.write(
            kb.partition(),
            vec![document(3 + u128::from(round), Vec::new())],
        );
        engine.catch_up(kb.partition()).await.expect("a catch-up");
    }
    version += 1;
    let engine = start(subject, &log).await;
    let reads = log.reads();
    let count = engine.count(kb.partition()).await.expect("a count");
    assert_eq!(count, log.entries(kb.partition()).len() as u64);
    for asked in probes(9, version, 5) {
        checked(&*engine, &log, &kb, &asked).await;
    }
    assert_eq!(log.reads(), reads, "what is known is not read again");
}

pub async fn a_newer_version_is_taken_in_before_the_answer(subject: &dyn Subject) {
    let log = log();
    let engine = start(subject, &log).await;
    let kb = Kb::new(subject, 1, 11);
    log.set_portion(3);
    let first = log.write(kb.partition(), library(1, 20, 2));
    let asked = &probes(2, first, 1)[0];
    checked(&*engine, &log, &kb, asked).await;
    let reads = log.reads();
    // Nothing newer is asked for, so nothing newer need be read.
    log.write(kb.partition(), vec![document(5, Vec::new())]);
    search(&*engine, &kb, asked).await;
    assert_eq!(log.reads(), reads);
    let asked = Probe {
        version: first + 1,
        ..asked.clone()
    };
    let only = among(asked.clone(), &[document_id(5)]);
    assert!(!is_found(
        &checked(&*engine, &log, &kb, &only).await,
        document_id(5)
    ));
    // A version that nobody reached yet is answered with all there is.
    checked(
        &*engine,
        &log,
        &kb,
        &Probe {
            version: first + 100,
            ..asked
        },
    )
    .await;
    let last = log.write(kb.partition(), library(3, 25, 2));
    engine.catch_up(kb.partition()).await.expect("a catch-up");
    let reads = log.reads();
    checked(&*engine, &log, &kb, &probes(4, last, 1)[0]).await;
    assert_eq!(log.reads(), reads, "whoever searches does not wait");
}

pub async fn a_log_that_forgot_begins_anew(subject: &dyn Subject) {
    let log = log();
    let engine = start(subject, &log).await;
    let kb = Kb::new(subject, 1, 11);
    log.set_portion(7);
    log.write(kb.partition(), library(1, 30, 2));
    engine.catch_up(kb.partition()).await.expect("a catch-up");
    let gone = (1..=10)
        .map(|number| document(number, Vec::new()))
        .collect();
    log.write(kb.partition(), gone);
    log.forget(kb.partition());
    let version = log.version(kb.partition());
    for asked in probes(2, version, 3) {
        let found = checked(&*engine, &log, &kb, &asked).await;
        assert!((1..=10).all(|number| !is_found(&found, document_id(number))));
    }
    drop(engine);
    let engine = start(subject, &log).await;
    checked(&*engine, &log, &kb, &probes(3, version, 1)[0]).await;
}

pub async fn hits_are_measured_both_ways(subject: &dyn Subject) {
    let log = log();
    let engine = start(subject, &log).await;
    let kb = Kb::new(subject, 1, 11);
    let version = log.write(kb.partition(), library(1, 120, 5));
    for asked in probes(2, version, 20) {
        let found = checked(&*engine, &log, &kb, &asked).await;
        assert!(found.hits.len() > 10, "two ways find more than one");
        assert!(found.hits.iter().all(|hit| hit.cosine.is_some()));
        checked(
            &*engine,
            &log,
            &kb,
            &Probe {
                dense: None,
                ..asked.clone()
            },
        )
        .await;
        let question = super::question("");
        checked(&*engine, &log, &kb, &Probe { question, ..asked }).await;
    }
}

pub async fn chunks_without_a_vector_are_found_by_words(subject: &dyn Subject) {
    let log = log();
    let engine = start(subject, &log).await;
    let kb = Kb::new(subject, 1, 11);
    let entries = vec![
        entry(1, "limpieza dental", "Precios", None),
        entry(2, "ortodoncia", "Precios", Some(vec![0.6, 0.8])),
        entry(3, "limpieza de oficina", "", Some(vec![0.0, 0.0])),
    ];
    log.write(kb.partition(), vec![document(1, entries)]);
    let asked = probe(1, "limpieza", Some(&[1.0, 0.0]));
    let found = checked(&*engine, &log, &kb, &asked).await;
    assert_eq!(found.hits.len(), 3);
    assert_eq!(
        found.hits.iter().filter(|hit| hit.cosine.is_none()).count(),
        1
    );
    checked(&*engine, &log, &kb, &probe(1, "precios", Some(&[1.0, 0.0]))).await;
}

pub async fn models_do_not_mix(subject: &dyn Subject) {
    let log = log();
    let engine = start(subject, &log).await;
    let kb = Kb::new(subject, 1, 11);
    let mut dice = Dice::new(3);
    let entries: Vec<Entry> = (1..=40)
        .map(|number| {
            let vector = diffuse(&mut dice, DIMENSIONS);
            let mut made = entry(number, &words(&mut dice, 8, 50), "", Some(vector));
            if number % 2 == 0 {
                let vector = diffuse(&mut dice, 8);
                made.vectors.push((OTHER_MODEL.to_owned(), vector));
            }
            made
        })
        .collect();
    log.write(kb.partition(), vec![document(1, entries)]);
    for (model, dimensions, expected) in [
        (MODEL, DIMENSIONS, 10),
        (OTHER_MODEL, 8, 10),
        ("none", 8, 0),
    ] {
        let asked = Probe {
            dense: Some((model.to_owned(), diffuse(&mut dice, dimensions))),
            ..probe(1, "", None)
        };
        let found = checked(&*engine, &log, &kb, &asked).await;
        assert_eq!(found.hits.len(), expected, "{model}");
    }
}

pub async fn misspelled_words_are_corrected(subject: &dyn Subject) {
    let log = log();
    let engine = start(subject, &log).await;
    let kb = Kb::new(subject, 1, 11);
    let entries = ["blanqueamiento dental", "horario de oficina", "ubicación"]
        .iter()
        .zip(1..)
        .map(|(text, number)| document(number, vec![entry(number, text, "", None)]))
        .collect();
    log.write(kb.partition(), entries);
    let found = checked(&*engine, &log, &kb, &probe(3, "blanquemiento", None)).await;
    assert!(is_found(&found, document_id(1)));
    let found = checked(&*engine, &log, &kb, &probe(3, "orario", None)).await;
    assert!(is_found(&found, document_id(2)));
    // A word of a deleted document is no word of the knowledge base any more.
    log.write(kb.partition(), vec![document(1, Vec::new())]);
    let found = checked(&*engine, &log, &kb, &probe(4, "blanquemiento", None)).await;
    assert!(found.hits.is_empty());
    checked(
        &*engine,
        &log,
        &kb,
        &probe(4, "blanqueamiento horario", None),
    )
    .await;
}

pub async fn nothing_near_is_missed(subject: &dyn Subject) {
    let log = log();
    let engine = start(subject, &log).await;
    for (number, topics) in [(11, 0), (12, 20), (13, 1)] {
        let kb = Kb::new(subject, 1, number);
        let mut dice = Dice::new(4);
        let mut vector = || match topics {
            0 => diffuse(&mut dice, 64),
            topics => clustered(&mut dice, 64, topics),
        };
        let documents = (1..=200_u128)
            .map(|document_number| {
                let entries = (0..10)
                    .map(|chunk| entry(document_number * 100 + chunk, "texto", "", Some(vector())));
                document(document_number, entries.collect())
            })
            .collect();
        let version = log.write(kb.partition(), documents);
        let reference = Reference::new(log.entries(kb.partition()));
        for _ in 0..30 {
            let asked = probe(version, "", Some(&vector()));
            let found = search(&*engine, &kb, &asked).await;
            let recall = reference.recall(&asked, &found);
            assert!(recall >= 1.0, "recall {recall} with {topics} topics");
        }
    }
}

pub async fn searches_see_whole_documents(subject: &dyn Subject) {
    let log = log();
    let engine = start(subject, &log).await;
    let kb = Kb::new(subject, 1, 11);
    let of_round = |round: u128| {
        let entries = (0..6).map(|chunk| {
            let text = format!(
                "precio limpieza{}",
                "o".repeat(usize::try_from(round % 5).unwrap_or(0))
            );
            entry(round * 100 + chunk, &text, "", Some(vec![0.6, 0.8]))
        });
        document(1, entries.collect())
    };
    let version = log.write(kb.partition(), vec![of_round(1)]);
    let asked = probe(version, "precio", Some(&[0.6, 0.8]));
    search(&*engine, &kb, &asked).await;
    let writer = {
        let (engine, log, kb) = (Arc::clone(&engine), Arc::clone(&log), kb.clone());
        tokio::spawn(async move {
            for round in 2..40 {
                log.write(kb.partition(), vec![of_round(round)]);
                engine.catch_up(kb.partition()).await.expect("a catch-up");
            }
        })
    };
    let mut seen = 0;
    while !writer.is_finished() {
        let found = search(&*engine, &kb, &asked).await;
        let round = |chunk: u128| chunk / 100;
        let rounds: Vec<u128> = found
            .hits
            .iter()
            .map(|hit| round(hit.chunk.uuid().as_u128()))
            .collect();
        assert_eq!(rounds.len(), 6, "all of a document");
        assert!(
            rounds.iter().all(|&round| round == rounds[0]),
            "of one version: {rounds:?}"
        );
        assert!(rounds[0] >= seen, "never an older one");
        seen = rounds[0];
    }
    writer.await.expect("a writer");
    checked(
        &*engine,
        &log,
        &kb,
        &Probe {
            version: log.version(kb.partition()),
            ..asked
        },
    )
    .await;
}

pub async fn a_removed_partition_stays_removed(subject: &dyn Subject) {
    let log = log();
    let engine = start(subject, &log).await;
    let kb = Kb::new(subject, 1, 11);
    assert_eq!(engine.remove(kb.partition()).await.expect("a removal"), 0);
    for round in 0..6 {
        let version = log.write(kb.partition(), library(round, 40, 3));
        log.set_portion(5);
        if round % 2 == 0 {
            search(&*engine, &kb, &probes(1, version, 1)[0]).await;
            log.write(kb.partition(), library(round + 50, 40, 3));
        }
        log.set_delay(Duration::from_millis(2));
        let tasks: Vec<_> = (0..6_u64)
            .map(|n| {
                let (engine, log, kb) = (Arc::clone(&engine), Arc::clone(&log), kb.clone());
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_millis(n)).await;
                    let version = log.version(kb.partition());
                    // Whether it still finds anything is open; that it answers is not.
                    search(&*engine, &kb, &probes(n, version, 1)[0]).await;
                    engine.catch_up(kb.partition()).await.expect("a catch-up");
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(4 * round)).await;
        log.drop_partition(kb.partition());
        engine.remove(kb.partition()).await.expect("a removal");
        for task in tasks {
            task.await.expect("a task");
        }
        // Those that began before are over, and nothing is left of what they saw.
        log.set_delay(Duration::ZERO);
        let found = search(&*engine, &kb, &probes(2, 0, 1)[0]).await;
        assert!(found.hits.is_empty() && found.chunks == 0);
        assert_eq!(engine.count(kb.partition()).await.expect("a count"), 0);
    }
}

pub async fn an_unreadable_log_is_an_error_and_no_more(subject: &dyn Subject) {
    let log = log();
    let engine = start(subject, &log).await;
    let kb = Kb::new(subject, 1, 11);
    let version = log.write(kb.partition(), library(1, 10, 2));
    log.set_unreadable(true);
    let asked = &probes(2, version, 1)[0];
    assert!(engine.search(&kb.scope, kb.id, asked).await.is_err());
    log.set_unreadable(false);
    checked(&*engine, &log, &kb, asked).await;
    // What is known is found without the log.
    log.set_unreadable(true);
    checked(&*engine, &log, &kb, asked).await;
    let newer = Probe {
        version: version + 1,
        ..asked.clone()
    };
    assert!(engine.search(&kb.scope, kb.id, &newer).await.is_err());
}

pub async fn an_empty_knowledge_base_answers(subject: &dyn Subject) {
    let log = log();
    let engine = start(subject, &log).await;
    let kb = Kb::new(subject, 1, 11);
    let asked = probe(0, "limpieza", Some(&[1.0, 0.0]));
    assert_eq!(search(&*engine, &kb, &asked).await, Found::default());
    let version = log.write(kb.partition(), vec![document(1, Vec::new())]);
    let asked = Probe { version, ..asked };
    assert_eq!(search(&*engine, &kb, &asked).await, Found::default());
    engine.catch_up(kb.partition()).await.expect("a catch-up");
    assert_eq!(engine.count(kb.partition()).await.expect("a count"), 0);
    assert_eq!(engine.remove(kb.partition()).await.expect("a removal"), 0);
}
