//! The cases. Each begins with an empty storage of its own.

mod changes;
mod isolation;
mod meanwhile;
mod measures;

pub use changes::*;
pub use isolation::*;
pub use meanwhile::*;
pub use measures::*;

use super::{Dice, FakeLog, Kb, Reference, Subject, clustered, document, entry, probe, words};
use quipu_core::DocumentId;
use quipu_core::engine::{ChangeLog, DocumentEntries, Engine, Found, Probe};
use std::sync::Arc;

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
#[must_use]
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
