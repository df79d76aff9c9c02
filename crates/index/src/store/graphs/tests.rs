//! A graph that finds too little is not searched, and not built again until there is twice as much.

use crate::settings::EmbeddedSettings;
use crate::store::{Batch, Store};
use quipu_core::engine::{Changes, DocumentEntries, Entry};
use quipu_core::{ChunkId, DocumentId};
use std::path::Path;
use uuid::Uuid;

const ROWS: u32 = 200;

/// A document of [`ROWS`] chunks whose vectors go around in a circle.
fn add(store: &mut Store, number: u128) {
    let entries = (0..ROWS).map(|row| {
        let angle = f64::from(row) + 0.001 * f64::from(u32::try_from(number).unwrap());
        #[expect(clippy::cast_possible_truncation, reason = "vectors are that short")]
        let vector = vec![angle.cos() as f32, angle.sin() as f32];
        Entry {
            chunk: ChunkId::from_uuid(Uuid::from_u128(number * 1_000 + u128::from(row))),
            terms: vec!["palabra".to_owned()],
            title_terms: Vec::new(),
            vectors: vec![("modelo".to_owned(), vector)],
        }
    });
    let mut batch = Batch::default();
    batch.add(Changes {
        documents: vec![DocumentEntries {
            document: DocumentId::from_uuid(Uuid::from_u128(number)),
            entries: entries.collect(),
        }],
        version: i64::try_from(number).unwrap(),
        more: false,
        from_start: false,
    });
    store.apply(&batch).unwrap();
}

fn open(folder: &Path) -> Store {
    let settings = EmbeddedSettings {
        exact_rows: 100,
        ..EmbeddedSettings::new(folder.to_owned())
    };
    Store::open(folder, &settings).unwrap()
}

#[test]
fn what_finds_too_little_is_refused_until_there_is_twice_as_much() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    add(&mut store, 1);
    let plan = store.plan_graph().unwrap();
    let mut built = plan.build().unwrap();
    assert!(built.finds_enough, "a circle is easy");
    built.finds_enough = false;
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let with_graph = files();
    assert!(store.install(&plan, built).unwrap());
    assert!(files() < with_graph, "its file goes");
    drop(store);

    let mut store = open(folder.path());
    let snapshot = store.snapshot().unwrap();
    assert!(snapshot.refused && snapshot.graphs.is_empty());
    assert!(store.plan_graph().is_none(), "it is remembered");
    add(&mut store, 2);
    let plan = store.plan_graph().unwrap();
    let built = plan.build().unwrap();
    assert!(store.install(&plan, built).unwrap());
    let snapshot = store.snapshot().unwrap();
    assert!(!snapshot.refused && snapshot.graphs.len() == 1);
    assert!(store.plan_graph().is_none());
}
