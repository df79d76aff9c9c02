//! What the change log says is what is found, whenever it is read.

#![expect(
    clippy::missing_panics_doc,
    reason = "a case panics when an engine fails it"
)]

use super::{checked, is_found, library, log, probes, search, start};
use crate::engine_suite::{Dice, Kb, Subject, among, document, document_id, probe};
use quipu_core::ChunkId;
use quipu_core::engine::{Found, Probe};
use uuid::Uuid;

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
    let empty = Found {
        known: vec![false],
        ..Found::default()
    };
    assert_eq!(search(&*engine, &kb, &asked).await, empty);
    let version = log.write(kb.partition(), vec![document(1, Vec::new())]);
    let asked = Probe { version, ..asked };
    assert_eq!(search(&*engine, &kb, &asked).await, empty);
    engine.catch_up(kb.partition()).await.expect("a catch-up");
    assert_eq!(engine.count(kb.partition()).await.expect("a count"), 0);
    assert_eq!(engine.remove(kb.partition()).await.expect("a removal"), 0);
}
