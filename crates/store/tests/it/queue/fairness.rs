//! Tenants take turns: a thousand jobs of one do not keep another waiting for its only one.

use super::claim;
use crate::fixture::{UNLIMITED, job};
use crate::support::{HOUR, House, SECOND, open};
use futures::future::join_all;
use quipu_core::job::{ClaimedJob, NewJob};
use quipu_core::tenancy::TenantScope;
use quipu_core::{JobId, TenantId};
use quipu_store::platform::BesideKinds;
use quipu_testkit::db_test;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Workers at once, half of them in another process.
const WORKERS: usize = 8;

impl House {
    /// Queues `count` jobs in one transaction, as an upload of many files does.
    async fn enqueue_many(&self, scope: TenantScope, count: usize) -> Vec<JobId> {
        let tx = self.begin(scope).await;
        let mut ids = Vec::new();
        for _ in 0..count {
            let queued = tx.jobs().enqueue(&job(self.now(), None)).await;
            ids.push(queued.unwrap().unwrap());
        }
        tx.commit().await.unwrap();
        ids
    }

    async fn enqueue_for_the_platform(&self) -> JobId {
        let tx = self.platform().await;
        let id = tx.queue().enqueue(&job(self.now(), None)).await.unwrap();
        tx.commit().await.unwrap();
        id
    }

    /// How many jobs are claimed until one of this tenant is.
    async fn claims_until(&self, tenant: TenantScope) -> usize {
        for claims in 1.. {
            let claimed = self.claim().await.expect("the tenant's job");
            if claimed.tenant == Some(tenant.tenant_id()) {
                return claims;
            }
        }
        unreachable!()
    }

    async fn fail_and_retry(&self, claimed: &ClaimedJob) {
        let tx = self.platform().await;
        let run_at = self.later(2 * SECOND);
        assert!(tx.queue().retry_at(claimed, run_at, "why").await.unwrap());
        tx.commit().await.unwrap();
    }
}

db_test! {
    async fn what_runs_beside_takes_nothing_of_a_share_and_waits_for_a_place(db) {
        let house = House::new(&db).await;
        let a = house.add_tenant("a").await;
        let waits = |n: i64| NewJob { kind: "waits", ..job(house.now() + Duration::from_micros(n.unsigned_abs()), None) };
        for n in 0..2 {
            house.enqueue(a, &waits(n)).await;
        }
        house.clock.advance(SECOND);
        let ordinary = house.enqueue_now(a).await;
        let claim = async |full: &[&str]| {
            let tx = house.platform().await;
            let beside = BesideKinds { all: &["waits"], full };
            let claimed = tx.queue().claim_beside("w", house.later(HOUR), 1, beside).await;
            tx.commit().await.unwrap();
            claimed.unwrap()
        };
        assert_eq!(claim(&[]).await.unwrap().kind, "waits");
        // There is no place for the other one, and the tenant's own share is still whole.
        assert_eq!(claim(&["waits"]).await.unwrap().id, ordinary);
        assert!(claim(&["waits"]).await.is_none());
        // Now the share is used up, by the ordinary one alone.
        house.enqueue_now(a).await;
        assert!(claim(&["waits"]).await.is_none());
    }

    async fn one_job_does_not_wait_behind_a_thousand(db) {
        let house = House::new(&db).await;
        let (a, b) = (house.add_tenant("a").await, house.add_tenant("b").await);
        let many = house.enqueue_many(a, 1000).await;
        house.clock.advance(SECOND);
        house.enqueue_now(b).await;
        let claims = house.claims_until(b).await;
        assert!(claims <= 4, "it was claimed as number {claims}");
        // Nobody is forgotten, and a tenant's own jobs keep their order.
        let rest: Vec<_> = many.iter().skip(claims - 1).take(20).copied().collect();
        for expected in rest {
            assert_eq!(house.claim().await.unwrap().id, expected);
        }
    }

    async fn tenants_with_much_to_do_share(db) {
        let house = House::new(&db).await;
        let mut scopes = Vec::new();
        for slug in ["a", "b", "c"] {
            let scope = house.add_tenant(slug).await;
            house.enqueue_many(scope, 30).await;
            scopes.push(scope.tenant_id());
        }
        let mut claimed: BTreeMap<TenantId, i32> = BTreeMap::new();
        for _ in 0..30 {
            *claimed.entry(house.claim().await.unwrap().tenant.unwrap()).or_default() += 1;
        }
        for tenant in scopes {
            assert!((9..=11).contains(&claimed[&tenant]), "{claimed:?}");
        }
    }

    async fn a_job_for_later_holds_back_none_for_now(db) {
        let house = House::new(&db).await;
        let (a, b) = (house.add_tenant("a").await, house.add_tenant("b").await);
        for _ in 0..50 {
            house.enqueue(a, &job(house.later(HOUR), None)).await.unwrap();
        }
        house.enqueue_now(a).await;
        house.clock.advance(SECOND);
        house.enqueue_now(b).await;
        assert_eq!(house.claim().await.unwrap().tenant, Some(a.tenant_id()));
        assert_eq!(house.claim().await.unwrap().tenant, Some(b.tenant_id()));
        assert!(house.claim().await.is_none());
        // And those for later take turns as well when their time has come.
        house.clock.advance(HOUR);
        house.enqueue_now(b).await;
        let claims = house.claims_until(b).await;
        assert!(claims <= 4, "it was claimed as number {claims}");
    }

    // When something that all jobs need is out of reach, a tenant's whole queue fails at once and
    // comes back at once.
    async fn jobs_that_failed_together_do_not_come_back_as_a_crowd(db) {
        let house = House::new(&db).await;
        let (a, b) = (house.add_tenant("a").await, house.add_tenant("b").await);
        house.enqueue_many(a, 100).await;
        for _ in 0..100 {
            let claimed = house.claim().await.unwrap();
            house.fail_and_retry(&claimed).await;
        }
        house.clock.advance(5 * SECOND);
        house.enqueue_now(b).await;
        let claims = house.claims_until(b).await;
        assert!(claims <= 8, "it was claimed as number {claims}");
    }

    async fn jobs_retried_by_hand_do_not_come_back_as_a_crowd(db) {
        let house = House::new(&db).await;
        let (a, b) = (house.add_tenant("a").await, house.add_tenant("b").await);
        let many = house.enqueue_many(a, 50).await;
        for id in &many {
            assert!(house.cancel(a, *id).await);
        }
        house.clock.advance(HOUR);
        for id in &many {
            assert!(house.retry(a, *id).await);
        }
        house.clock.advance(SECOND);
        house.enqueue_now(b).await;
        let claims = house.claims_until(b).await;
        assert!(claims <= 4, "it was claimed as number {claims}");
    }

    async fn a_tenant_runs_no_more_than_its_share_at_once(db) {
        let house = House::new(&db).await;
        let (a, b) = (house.add_tenant("a").await, house.add_tenant("b").await);
        house.enqueue_many(a, 10).await;
        house.enqueue_many(b, 1).await;
        let mut running = Vec::new();
        while let Some(claimed) = house.claim_of(2).await {
            running.push(claimed);
        }
        let of = |scope: TenantScope| {
            running.iter().filter(|job| job.tenant == Some(scope.tenant_id())).collect::<Vec<_>>()
        };
        assert_eq!((of(a).len(), of(b).len()), (2, 1));
        assert!(house.complete(b, of(b)[0]).await);
        assert!(house.claim_of(2).await.is_none(), "another's free place is not A's");
        assert!(house.complete(a, of(a)[0]).await);
        assert!(house.claim_of(2).await.is_some());
        assert!(house.claim_of(2).await.is_none());
    }

    async fn the_platforms_own_jobs_are_nobodys_share(db) {
        let house = House::new(&db).await;
        let a = house.add_tenant("a").await;
        house.enqueue_many(a, 3).await;
        let mut own = BTreeSet::new();
        for _ in 0..5 {
            own.insert(house.enqueue_for_the_platform().await);
        }
        let mut of_tenants = 0;
        while let Some(claimed) = house.claim_of(1).await {
            match claimed.tenant {
                None => assert!(own.remove(&claimed.id)),
                Some(_) => of_tenants += 1,
            }
        }
        assert_eq!((own.len(), of_tenants), (0, 1));
        // However many run already.
        let another = house.enqueue_for_the_platform().await;
        assert_eq!(house.claim_of(0).await.unwrap().id, another);
        assert!(house.claim_of(0).await.is_none());
    }

    // Counting and claiming at the same time, a worker must not overlook what another claims.
    async fn many_workers_at_once_keep_to_the_share(db) {
        const SHARE: u32 = 3;
        const JOBS: usize = 60;
        let house = House::new(&db).await;
        let other = open(db.url(), house.clock.clone()).await;
        let mut running = BTreeMap::new();
        for slug in ["a", "b", "c"] {
            let scope = house.add_tenant(slug).await;
            house.enqueue_many(scope, JOBS).await;
            running.insert(scope.tenant_id(), AtomicI64::new(0));
        }
        let (running, until) = (Arc::new(running), house.later(HOUR));
        let workers = (0..WORKERS).map(|n| {
            let store = if n % 2 == 0 { house.store.clone() } else { other.clone() };
            let running = running.clone();
            tokio::spawn(async move {
                let (mut done, mut most) = (Vec::new(), 0);
                let mut idle = 0;
                while idle < 20 {
                    let Some(job) = claim(&store, until, SHARE).await else {
                        idle += 1;
                        tokio::time::sleep(SECOND / 100).await;
                        continue;
                    };
                    let tenant = job.tenant.unwrap();
                    most = most.max(running[&tenant].fetch_add(1, Ordering::SeqCst) + 1);
                    tokio::task::yield_now().await;
                    running[&tenant].fetch_sub(1, Ordering::SeqCst);
                    let tx = store.begin(TenantScope::of(tenant)).await.unwrap();
                    assert!(tx.jobs().complete(&job).await.unwrap());
                    tx.commit().await.unwrap();
                    done.push(job.id);
                }
                (done, most)
            })
        });
        let (mut done, mut most) = (Vec::new(), 0);
        for worker in join_all(workers).await {
            let (theirs, at_once) = worker.unwrap();
            done.extend(theirs);
            most = most.max(at_once);
        }
        let unique: BTreeSet<_> = done.iter().collect();
        assert_eq!((done.len(), unique.len()), (3 * JOBS, 3 * JOBS));
        assert!(most <= i64::from(SHARE), "{most} jobs of a tenant ran at once");

        // Held and not finished, exactly the share of each is claimed.
        for tenant in running.keys() {
            house.enqueue_many(TenantScope::of(*tenant), 10).await;
        }
        let workers = (0..WORKERS).map(|n| {
            let store = if n % 2 == 0 { house.store.clone() } else { other.clone() };
            tokio::spawn(async move {
                let mut claimed = Vec::new();
                while let Some(job) = claim(&store, until, SHARE).await {
                    claimed.push(job.tenant.unwrap());
                }
                claimed
            })
        });
        let held: Vec<_> = join_all(workers).await.into_iter().flat_map(Result::unwrap).collect();
        for tenant in running.keys() {
            assert_eq!(held.iter().filter(|held| *held == tenant).count(), SHARE as usize);
        }
    }

    async fn one_job_does_not_wait_behind_a_thousand_however_many_work(db) {
        let house = House::new(&db).await;
        let other = open(db.url(), house.clock.clone()).await;
        let (a, b) = (house.add_tenant("a").await, house.add_tenant("b").await);
        house.enqueue_many(a, 1000).await;
        house.clock.advance(SECOND);
        house.enqueue_now(b).await;
        let order = Arc::new(Mutex::new(Vec::new()));
        let workers = (0..WORKERS).map(|n| {
            let store = if n % 2 == 0 { house.store.clone() } else { other.clone() };
            let (order, until) = (order.clone(), house.later(HOUR));
            tokio::spawn(async move {
                for _ in 0..5 {
                    let claimed = claim(&store, until, UNLIMITED).await.unwrap();
                    order.lock().unwrap().push(claimed.tenant);
                }
            })
        });
        for worker in join_all(workers).await {
            worker.unwrap();
        }
        let order = order.lock().unwrap();
        let place = order.iter().position(|tenant| *tenant == Some(b.tenant_id()));
        // Each worker may have written its claim down late by one.
        assert!(place.is_some_and(|place| place <= 4 + WORKERS), "{place:?}");
    }

    async fn a_waiting_job_can_be_withdrawn(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let new = job(house.now(), Some("document-1".to_owned()));
        let other_kind = NewJob { kind: "another", ..new.clone() };
        house.enqueue(scope, &new).await.unwrap();
        let other = house.enqueue(scope, &other_kind).await.unwrap();
        let withdraw = async |key: &str| {
            let tx = house.begin(scope).await;
            let withdrawn = tx.jobs().withdraw(new.kind, key).await.unwrap();
            tx.commit().await.unwrap();
            withdrawn
        };
        assert!(!withdraw("document-2").await);
        assert!(withdraw("document-1").await);
        assert!(!withdraw("document-1").await, "it is gone");
        assert_eq!(house.claim().await.unwrap().id, other, "the other kind stays");
        assert!(house.claim().await.is_none());

        let again = house.enqueue(scope, &new).await.unwrap();
        assert_eq!(house.claim().await.unwrap().id, again);
        assert!(!withdraw("document-1").await, "it runs");
    }

    async fn a_live_job_is_found_by_its_key(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let new = job(house.now(), Some("document-1".to_owned()));
        let found = async |kind: &str, key: &str| {
            let tx = house.read(scope).await;
            tx.jobs().find_live(kind, key).await.unwrap().map(|job| job.id)
        };
        assert_eq!(found(new.kind, "document-1").await, None);
        let id = house.enqueue(scope, &new).await;
        assert_eq!(found(new.kind, "document-1").await, id, "it waits");
        assert_eq!(found(new.kind, "document-2").await, None);
        assert_eq!(found("another", "document-1").await, None);
        let claimed = house.claim().await.unwrap();
        assert_eq!(found(new.kind, "document-1").await, id, "it runs");
        assert!(house.complete(scope, &claimed).await);
        assert_eq!(found(new.kind, "document-1").await, None, "it is done");
    }

    async fn who_holds_a_job_holds_it_until_the_transaction_ends(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        house.enqueue_now(scope).await;
        let first = house.claim().await.unwrap();
        house.clock.advance(61 * SECOND);
        let tx = house.begin(scope).await;
        assert!(tx.jobs().holds(&first).await.unwrap(), "nobody took it over yet");
        if db.is_postgres() {
            // On SQLite whoever wants it waits for this transaction anyway.
            assert!(house.take_expired().await.is_empty());
        }
        tx.commit().await.unwrap();
        let second = house.take_expired().await.pop().unwrap();

        let tx = house.begin(scope).await;
        assert!(!tx.jobs().holds(&first).await.unwrap());
        assert!(tx.jobs().holds(&second).await.unwrap());
        drop(tx);
        assert!(house.complete(scope, &second).await);
        let tx = house.begin(scope).await;
        assert!(!tx.jobs().holds(&second).await.unwrap(), "it is done");
    }
}
