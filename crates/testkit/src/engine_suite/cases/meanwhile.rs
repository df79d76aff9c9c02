//! Searches while a partition changes or goes.

#![expect(
    clippy::missing_panics_doc,
    reason = "a case panics when an engine fails it"
)]

use super::{checked, library, log, probes, search, start};
use crate::engine_suite::{Kb, Subject, document, entry, probe};
use quipu_core::engine::Probe;
use std::sync::Arc;
use std::time::Duration;

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
