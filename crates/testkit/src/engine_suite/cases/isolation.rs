//! Nothing crosses a partition, a scope or a filter.

#![expect(
    clippy::missing_panics_doc,
    reason = "a case panics when an engine fails it"
)]

use super::{checked, library, log, probes, search, start};
use crate::engine_suite::{Kb, Subject, among, document, document_id, entry, probe};
use quipu_core::DocumentId;
use quipu_core::engine::{Found, Probe};

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
    let repeated = "limpieza ".repeat(40);
    let entries = (10..60).map(|n| entry(n, &repeated, "limpieza", None));
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
