//! The ledger adds up, and counts nothing twice.

use crate::support::{House, open};
use futures::future::join_all;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use quipu_core::page::PageRequest;
use quipu_testkit::db_test;
use std::collections::BTreeMap;

db_test! {
    // Amounts over a few reasons and references, so that many of them meet again.
    async fn the_balance_is_the_sum_of_what_was_entered_once(db) {
        let house = House::new(&db).await;
        let mut runner = TestRunner::deterministic();
        let entries = vec((-1_000_000_i64..1_000_000, 0..4, 0..8), 1..60);
        for n in 0..10 {
            let scope = house.add_tenant(&format!("tenant-{n}")).await;
            let entries = entries.new_tree(&mut runner).unwrap().current();
            let mut ledger = BTreeMap::new();
            for (amount, reason, reference) in &entries {
                let tx = house.begin(scope).await;
                let (reason, reference) = (format!("reason {reason}"), format!("{reference}"));
                let entered = tx.credits().enter(*amount, &reason, &reference).await.unwrap();
                tx.commit().await.unwrap();
                let is_new = !ledger.contains_key(&(reason.clone(), reference.clone()));
                assert_eq!(entered, is_new, "{reason}, {reference} of {entries:?}");
                ledger.entry((reason, reference)).or_insert(*amount);
            }
            let tx = house.read(scope).await;
            let expected: i64 = ledger.values().sum();
            assert_eq!(tx.credits().balance().await.unwrap(), expected, "{entries:?}");
            let listed = tx.credits().list(PageRequest { limit: 200, after: None }).await.unwrap();
            let listed: BTreeMap<_, _> = listed
                .data
                .into_iter()
                .map(|entry| ((entry.reason, entry.reference), entry.amount))
                .collect();
            assert_eq!(listed, ledger, "{entries:?}");
        }
    }

    // Two processes: on SQLite whoever reads first and writes then must have its turn from the
    // start, or it is thrown out because the other has written in between.
    async fn two_stores_that_read_before_they_write_take_turns(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let other = open(db.url(), house.clock.clone()).await;
        let writers = [house.store.clone(), other].into_iter().enumerate().map(|(n, store)| {
            tokio::spawn(async move {
                for m in 0..20 {
                    let tx = store.begin(scope).await.unwrap();
                    tx.credits().balance().await.unwrap();
                    assert!(tx.credits().enter(1, "turn", &format!("{n}-{m}")).await.unwrap());
                    tx.commit().await.unwrap();
                }
            })
        });
        for writer in join_all(writers).await {
            writer.unwrap();
        }
        assert_eq!(house.read(scope).await.credits().balance().await.unwrap(), 40);
    }

    async fn an_empty_ledger_is_zero(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        assert_eq!(house.read(scope).await.credits().balance().await.unwrap(), 0);
    }

    async fn the_same_entry_made_at_once_counts_once(db) {
        let house = House::new(&db).await;
        let (a, b) = (house.add_tenant("a").await, house.add_tenant("b").await);
        let entries = (0..8).map(|_| {
            let store = house.store.clone();
            tokio::spawn(async move {
                let tx = store.begin(a).await.unwrap();
                let entered = tx.credits().enter(1000, "monthly", "2026-03").await.unwrap();
                tx.commit().await.unwrap();
                entered
            })
        });
        let entered: Vec<_> = join_all(entries).await.into_iter().map(Result::unwrap).collect();
        assert_eq!(entered.iter().filter(|entered| **entered).count(), 1);
        assert_eq!(house.read(a).await.credits().balance().await.unwrap(), 1000);
        // The other tenant has its own month.
        let tx = house.begin(b).await;
        assert!(tx.credits().enter(5, "monthly", "2026-03").await.unwrap());
        assert_eq!(tx.credits().balance().await.unwrap(), 5);
    }
}
