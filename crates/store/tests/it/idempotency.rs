//! A request that was answered once is answered the same again, and done once.

use crate::support::House;
use quipu_core::tenancy::TenantScope;
use quipu_store::tenant::Recorded;
use quipu_store::{Store, TenantTx};
use quipu_testkit::db_test;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::task::JoinHandle;

const ACTOR: &str = "user:1";

async fn claim(tx: &TenantTx, actor: &str, key: &str) -> Option<Recorded> {
    tx.idempotency()
        .claim(actor, key, "agent.create", "hash")
        .await
        .unwrap()
}

/// Answers the request, or gives the answer it got before.
async fn answer(store: &Store, scope: TenantScope, actor: &str, key: &str) -> Option<Recorded> {
    let tx = store.begin(scope).await.unwrap();
    let before = claim(&tx, actor, key).await;
    if before.is_none() {
        tx.credits().enter(1, "work", "once").await.unwrap();
        tx.idempotency()
            .record(actor, key, json!({ "id": 1 }), None)
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
    before
}

/// Sends the same request again from elsewhere, and waits until it must have been held up.
async fn second_request(house: &House, scope: TenantScope) -> JoinHandle<Option<Recorded>> {
    let store = house.store.clone();
    let mut second = tokio::spawn(async move { answer(&store, scope, ACTOR, "key").await });
    let early = tokio::time::timeout(Duration::from_millis(300), &mut second).await;
    assert!(
        early.is_err(),
        "the second request did not wait for the first"
    );
    second
}

db_test! {
    async fn a_recorded_answer_is_given_again(db) {
        let house = House::new(&db).await;
        let (a, b) = (house.add_tenant("a").await, house.add_tenant("b").await);
        assert!(answer(&house.store, a, ACTOR, "key").await.is_none());
        let again = answer(&house.store, a, ACTOR, "key").await.unwrap();
        assert_eq!(again.response, json!({ "id": 1 }));
        assert_eq!(again.operation, "agent.create");
        assert_eq!(again.request_hash, "hash");
        for (scope, actor, key) in [(a, ACTOR, "other"), (a, "user:2", "key"), (b, ACTOR, "key")] {
            let before = answer(&house.store, scope, actor, key).await;
            assert!(before.is_none(), "{actor} with {key} is another request");
        }
    }

    async fn a_dropped_transaction_leaves_nothing(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let tx = house.begin(scope).await;
        assert!(claim(&tx, ACTOR, "key").await.is_none());
        tx.idempotency().record(ACTOR, "key", json!("lost"), None).await.unwrap();
        drop(tx);
        assert!(answer(&house.store, scope, ACTOR, "key").await.is_none());
    }

    async fn the_second_of_two_at_once_waits_and_gets_the_answer_of_the_first(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let tx = house.begin(scope).await;
        assert!(claim(&tx, ACTOR, "key").await.is_none());
        let second = second_request(&house, scope).await;
        tx.idempotency().record(ACTOR, "key", json!("first"), None).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(second.await.unwrap().unwrap().response, json!("first"));
        let work = house.read(scope).await.credits().balance().await.unwrap();
        assert_eq!(work, 0, "the second request did the work again");
    }

    async fn the_second_of_two_at_once_takes_over_when_the_first_gives_up(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let tx = house.begin(scope).await;
        assert!(claim(&tx, ACTOR, "key").await.is_none());
        let second = second_request(&house, scope).await;
        drop(tx);
        assert!(second.await.unwrap().is_none());
        let answered = answer(&house.store, scope, ACTOR, "key").await.unwrap();
        assert_ne!(answered.response, Value::Null);
    }
}
