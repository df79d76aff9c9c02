//! Bringing a schema up to date, from nothing and from an earlier version with people's data.

mod upgrade;

use crate::support::open;
use futures::future::join_all;
use quipu_testkit::{ManualClock, db_test};
use std::sync::Arc;

db_test! {
    async fn migrating_twice_changes_nothing(db) {
        let store = open(db.url(), Arc::new(ManualClock::default())).await;
        assert!(store.pending_migrations().await.unwrap() > 0);
        store.migrate().await.unwrap();
        assert_eq!(store.pending_migrations().await.unwrap(), 0);
        store.migrate().await.unwrap();
        assert_eq!(store.pending_migrations().await.unwrap(), 0);
        assert!(store.platform().await.unwrap().plans().list().await.unwrap().is_empty());
    }

    // Several servers are started at once on an empty database.
    async fn several_stores_can_migrate_at_once(db) {
        let clock = Arc::new(ManualClock::default());
        let stores = join_all((0..6).map(|_| open(db.url(), clock.clone()))).await;
        for migrated in join_all(stores.iter().map(quipu_store::Store::migrate)).await {
            migrated.unwrap();
        }
        for store in &stores {
            assert_eq!(store.pending_migrations().await.unwrap(), 0);
        }
    }
}
