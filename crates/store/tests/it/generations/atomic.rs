//! While versions replace one another, each reader sees one of them whole.

use super::Ground;
use crate::material::{build, chunks, embed, load, process, searchable, text_of};
use crate::support::open;
use futures::future::join_all;
use quipu_core::extraction::DocumentInfo;
use quipu_testkit::db_test;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How often the document is processed while readers look at it.
const VERSIONS: usize = 25;
/// Versions differ in length, so that a mixture cannot look whole.
fn version(n: usize) -> Vec<String> {
    (0..3 + n % 4)
        .map(|i| format!("version {n}, chunk {i}"))
        .collect()
}

fn pieces(version: &[String]) -> Vec<&str> {
    version.iter().map(String::as_str).collect()
}

/// Which version these chunks are, all of them.
fn whole(chunks: &[String]) -> Option<usize> {
    let n = chunks
        .first()?
        .strip_prefix("version ")?
        .split(',')
        .next()?
        .parse()
        .ok()?;
    (chunks == version(n)).then_some(n)
}

db_test! {
    async fn a_reader_sees_one_version_whole_whenever_it_looks(db) {
        let ground = Arc::new(Ground::new(&db).await);
        let tx = ground.begin().await;
        process(&tx, ground.document, &pieces(&version(0))).await;
        tx.commit().await.unwrap();

        let over = Arc::new(AtomicBool::new(false));
        let readers = (0..3).map(|_| {
            let (ground, over) = (ground.clone(), over.clone());
            tokio::spawn(async move {
                let mut seen = BTreeSet::new();
                while !over.load(Ordering::SeqCst) {
                    let tx = ground.read().await;
                    let found = searchable(&tx, &[ground.kb.id]).await;
                    let found: Vec<_> = found.into_iter().map(|chunk| chunk.content).collect();
                    seen.insert(whole(&found).unwrap_or_else(|| panic!("found {found:?}")));

                    let tx = ground.read().await;
                    let listed = tx.chunks().list(&ground.kb, ground.document, 0, 100).await;
                    let listed: Vec<_> = listed.unwrap().into_iter().map(|c| c.content).collect();
                    assert!(whole(&listed).is_some(), "listed {listed:?}");

                    let tx = ground.read().await;
                    let text = tx.chunks().text(&ground.kb, ground.document).await.unwrap();
                    assert!(text.is_some(), "the text was gone for a moment");
                }
                seen
            })
        });
        let readers: Vec<_> = readers.collect();
        for n in 1..VERSIONS {
            let new = version(n);
            let tx = ground.begin().await;
            let item = build(&tx, ground.document, &pieces(&new)).await;
            tx.commit().await.unwrap();
            let tx = ground.begin().await;
            embed(&tx, &item, 0, 100).await;
            tx.commit().await.unwrap();
            let tx = ground.begin().await;
            assert!(tx.ingest().publish(&item, item.next_generation()).await.unwrap());
            tx.commit().await.unwrap();
        }
        over.store(true, Ordering::SeqCst);
        let mut seen = BTreeSet::new();
        for reader in join_all(readers).await {
            seen.extend(reader.unwrap());
        }
        assert!(seen.len() > 1, "the readers were too slow to see a change: {seen:?}");
    }

    async fn a_second_attempt_replaces_what_the_first_cut(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.begin().await;
        let before = load(&tx, ground.document).await;
        build(&tx, ground.document, &pieces(&version(1))).await;
        tx.commit().await.unwrap();
        // The second worker had looked before the first one wrote.
        let tx = ground.begin().await;
        let new = version(2);
        let (text, info) = (text_of(&pieces(&new)), DocumentInfo::default());
        tx.ingest().build(&before, &text, &info, &text, &chunks(&pieces(&new))).await.unwrap();
        let item = load(&tx, ground.document).await;
        assert_eq!(item.building_chunks, i32::try_from(new.len()).unwrap());
        embed(&tx, &before, 0, 100).await;
        assert!(tx.ingest().publish(&before, 2).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(ground.seen().await, new);
        assert_eq!(ground.rows().await, [new.len(), new.len(), 1]);
    }

    // Two workers at once, as if no lease kept them apart: one of them may be refused, but
    // nothing is there twice.
    async fn two_attempts_at_once_leave_one_version(db) {
        let ground = Ground::new(&db).await;
        let other = open(db.url(), ground.house.clock.clone()).await;
        for round in 0..5 {
            let tx = ground.read().await;
            let item = load(&tx, ground.document).await;
            drop(tx);
            let attempts = [&ground.house.store, &other].into_iter().enumerate().map(|(n, store)| {
                let (store, item, scope) = (store.clone(), item.clone(), ground.scope);
                let new = version(2 * round + n);
                tokio::spawn(async move {
                    let (text, info) = (text_of(&pieces(&new)), DocumentInfo::default());
                    let tx = store.begin(scope).await?;
                    let cut = chunks(&pieces(&new));
                    tx.ingest().build(&item, &text, &info, &text, &cut).await?;
                    tx.commit().await
                })
            });
            let ended: Vec<_> = join_all(attempts).await.into_iter().map(Result::unwrap).collect();
            assert!(ended.iter().any(Result::is_ok), "{ended:?}");

            let tx = ground.begin().await;
            assert!(tx.ingest().publish(&item, item.next_generation()).await.unwrap());
            tx.commit().await.unwrap();
            let seen = ground.seen().await;
            assert!(whole(&seen).is_some(), "{seen:?}");
            assert_eq!(ground.rows().await, [seen.len(), 0, 1]);
        }
    }
}
