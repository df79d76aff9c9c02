//! Hits are the best there are, with the measures they should have.

#![expect(
    clippy::missing_panics_doc,
    reason = "a case panics when an engine fails it"
)]

use super::{DIMENSIONS, checked, is_found, library, log, probes, search, start};
use crate::engine_suite::{
    Dice, Kb, MODEL, OTHER_MODEL, Reference, Subject, clustered, diffuse, document, document_id,
    entry, probe, question, words,
};
use quipu_core::engine::{Entry, Probe};

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
        let question = question("");
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
    // A misspelling that a document has is a word, until the document goes.
    let misspelled = entry(9, "el orario", "", None);
    let beside = entry(8, "otra cosa", "", None);
    log.write(
        kb.partition(),
        vec![document(9, vec![misspelled]), document(8, vec![beside])],
    );
    let found = checked(&*engine, &log, &kb, &probe(6, "orario", None)).await;
    assert!(is_found(&found, document_id(9)) && !is_found(&found, document_id(2)));
    log.write(kb.partition(), vec![document(9, Vec::new())]);
    let found = checked(&*engine, &log, &kb, &probe(7, "orario", None)).await;
    assert!(is_found(&found, document_id(2)));
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
