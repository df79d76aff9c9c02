//! The job queue: order, leases and what happens to those who lose them.

mod fairness;
mod private;

use crate::fixture::{JOB_KIND, UNLIMITED, job};
use crate::support::{HOUR, House, SECOND, open, raw};
use futures::future::join_all;
use quipu_core::job::{ClaimedJob, JobStatus, NewJob};
use quipu_core::page::PageRequest;
use quipu_core::tenancy::TenantScope;
use quipu_core::{JobId, Timestamp};
use quipu_store::Store;
use quipu_store::platform::{LeaseState, QueueDepth};
use quipu_testkit::db_test;
use sea_orm::ConnectionTrait;
use std::collections::BTreeSet;
use std::time::Duration;

const MICROSECOND: Duration = Duration::from_micros(1);

impl House {
    async fn enqueue(&self, scope: TenantScope, new: &NewJob) -> Option<JobId> {
        let tx = self.begin(scope).await;
        let id = tx.jobs().enqueue(new).await.unwrap();
        tx.commit().await.unwrap();
        id
    }

    async fn enqueue_now(&self, scope: TenantScope) -> JobId {
        self.enqueue(scope, &job(self.now(), None)).await.unwrap()
    }

    /// Claims a job for a minute.
    async fn claim(&self) -> Option<ClaimedJob> {
        self.claim_of(UNLIMITED).await
    }

    /// Claims a job of a tenant that has fewer than `per_tenant` running.
    async fn claim_of(&self, per_tenant: u32) -> Option<ClaimedJob> {
        claim(&self.store, self.later(60 * SECOND), per_tenant).await
    }

    async fn take_expired(&self) -> Vec<ClaimedJob> {
        let tx = self.platform().await;
        let until = self.later(60 * SECOND);
        let taken = tx.queue().take_expired(until, "second").await.unwrap();
        tx.commit().await.unwrap();
        taken
    }

    async fn heartbeat(&self, claimed: &ClaimedJob, until: Timestamp) -> LeaseState {
        let tx = self.platform().await;
        let state = tx.queue().heartbeat(claimed, until).await.unwrap();
        tx.commit().await.unwrap();
        state
    }

    async fn end(&self, claimed: &ClaimedJob, status: JobStatus) -> bool {
        let tx = self.platform().await;
        let ended = tx.queue().end(claimed, status, "why").await.unwrap();
        tx.commit().await.unwrap();
        ended
    }

    async fn complete(&self, scope: TenantScope, claimed: &ClaimedJob) -> bool {
        let tx = self.begin(scope).await;
        let done = tx.jobs().complete(claimed).await.unwrap();
        tx.commit().await.unwrap();
        done
    }

    async fn cancel(&self, scope: TenantScope, id: JobId) -> bool {
        let tx = self.begin(scope).await;
        let cancelled = tx.jobs().cancel(id).await.unwrap();
        tx.commit().await.unwrap();
        cancelled
    }

    async fn retry(&self, scope: TenantScope, id: JobId) -> bool {
        let tx = self.begin(scope).await;
        let retried = tx.jobs().retry(id).await.unwrap();
        tx.commit().await.unwrap();
        retried
    }

    async fn job(&self, scope: TenantScope, id: JobId) -> quipu_core::job::Job {
        self.read(scope)
            .await
            .jobs()
            .find(id, None)
            .await
            .unwrap()
            .unwrap()
    }

    async fn depth(&self) -> QueueDepth {
        self.store
            .platform_read()
            .await
            .unwrap()
            .queue()
            .depth()
            .await
            .unwrap()
    }
}

async fn claim(store: &Store, until: Timestamp, per_tenant: u32) -> Option<ClaimedJob> {
    let tx = store.platform().await.unwrap();
    let claimed = tx.queue().claim("first", until, per_tenant).await.unwrap();
    tx.commit().await.unwrap();
    claimed
}

db_test! {
    async fn jobs_are_claimed_in_the_order_of_their_time(db) {
        let house = House::new(&db).await;
        let start = house.now();
        let mut ids = Vec::new();
        // Whole seconds and fractions, because SQLite compares times as text. Each is another
        // tenant's, because a tenant's own jobs are set apart from one another.
        for after in [1_000_000, 0, 999_999, 500_000, 1] {
            let scope = house.add_tenant(&format!("after-{after}")).await;
            let run_at = start + Duration::from_micros(after);
            let id = house.enqueue(scope, &job(run_at, None)).await.unwrap();
            ids.push((run_at, scope, id));
        }
        ids.sort_by_key(|(run_at, ..)| *run_at);
        house.clock.advance(SECOND);
        for (_, scope, id) in ids {
            let claimed = house.claim().await.unwrap();
            assert_eq!(claimed.id, id);
            assert_eq!((claimed.attempts, claimed.max_attempts), (1, 3));
            assert_eq!(claimed.kind, JOB_KIND);
            assert_eq!(claimed.tenant, Some(scope.tenant_id()));
        }
        assert!(house.claim().await.is_none());
    }

    async fn a_job_waits_for_its_time(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let id = house.enqueue(scope, &job(house.later(HOUR), None)).await.unwrap();
        assert!(house.claim().await.is_none());
        house.clock.advance(Duration::from_micros(3_599_999_999));
        assert!(house.claim().await.is_none());
        house.clock.advance(MICROSECOND);
        assert_eq!(house.claim().await.unwrap().id, id);
    }

    async fn a_key_keeps_the_same_work_from_being_queued_twice(db) {
        let house = House::new(&db).await;
        let (a, b) = (house.add_tenant("a").await, house.add_tenant("b").await);
        let new = job(house.now(), Some("document-1".to_owned()));
        assert!(house.enqueue(a, &new).await.is_some());
        assert!(house.enqueue(a, &new).await.is_none(), "it waits already");
        let other_kind = NewJob { kind: "another", ..new.clone() };
        house.clock.advance(SECOND);
        let claimed = house.claim().await.unwrap();
        assert!(house.enqueue(a, &new).await.is_none(), "it runs already");
        assert!(house.enqueue(a, &other_kind).await.is_some(), "another kind of work");
        assert!(house.enqueue(b, &new).await.is_some(), "another tenant's work");
        assert!(house.complete(a, &claimed).await);
        assert!(house.enqueue(a, &new).await.is_some(), "the first is done");
    }

    // From two stores at once, as two processes would.
    async fn two_workers_never_get_the_same_job(db) {
        const JOBS: usize = 200;
        let house = House::new(&db).await;
        let other = open(db.url(), house.clock.clone()).await;
        let scope = house.add_tenant("a").await;
        let tx = house.begin(scope).await;
        for _ in 0..JOBS {
            tx.jobs().enqueue(&job(house.now(), None)).await.unwrap().unwrap();
        }
        tx.commit().await.unwrap();

        let workers = (0..8).map(|n| {
            let store = if n % 2 == 0 { house.store.clone() } else { other.clone() };
            let until = house.later(HOUR);
            tokio::spawn(async move {
                let mut claimed = Vec::new();
                while let Some(job) = claim(&store, until, UNLIMITED).await {
                    claimed.push(job.id);
                }
                claimed
            })
        });
        let claimed: Vec<_> =
            join_all(workers).await.into_iter().flat_map(Result::unwrap).collect();
        let unique: BTreeSet<_> = claimed.iter().collect();
        assert_eq!((claimed.len(), unique.len()), (JOBS, JOBS));
        assert_eq!(house.depth().await.running, JOBS as u64);
    }

    // PostgreSQL is told that the table is tiny, and plans accordingly.
    async fn a_claim_takes_one_job_whatever_the_planner_thinks(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        house.enqueue_now(scope).await;
        raw(db.url()).await.execute_unprepared("ANALYZE jobs").await.unwrap();
        for _ in 0..30 {
            house.enqueue_now(scope).await;
        }
        house.claim().await.unwrap();
        assert_eq!(house.depth().await.running, 1);
    }

    async fn who_lost_the_lease_can_do_nothing_more(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        house.enqueue_now(scope).await;
        let first = house.claim().await.unwrap();
        assert!(house.take_expired().await.is_empty(), "the lease still holds");
        house.clock.advance(61 * SECOND);
        assert_eq!(house.depth().await.expired, 1);
        let taken = house.take_expired().await;
        assert_eq!(taken.len(), 1);
        let second = &taken[0];
        assert_eq!((second.id, second.attempts), (first.id, 1));
        assert_ne!(second.lease, first.lease);

        assert_eq!(house.heartbeat(&first, house.later(HOUR)).await, LeaseState::Lost);
        assert!(!house.complete(scope, &first).await);
        assert!(!house.end(&first, JobStatus::Dead).await);
        let tx = house.platform().await;
        assert!(!tx.queue().release(&first).await.unwrap());
        assert!(!tx.queue().retry_at(&first, house.now(), "why").await.unwrap());
        assert!(!tx.queue().complete(&first).await.unwrap());
        tx.commit().await.unwrap();

        assert_eq!(house.job(scope, first.id).await.status, JobStatus::Running);
        assert_eq!(house.heartbeat(second, house.later(HOUR)).await, LeaseState::Held);
        assert!(house.complete(scope, second).await);
        let done = house.job(scope, first.id).await;
        assert_eq!((done.status, done.finished_at), (JobStatus::Succeeded, Some(house.now())));
        assert!(!house.complete(scope, second).await, "it is done already");
    }

    // The effect and the end of the job are one: both or neither.
    async fn a_dropped_transaction_completes_nothing(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        house.enqueue_now(scope).await;
        let claimed = house.claim().await.unwrap();
        let tx = house.begin(scope).await;
        assert!(tx.credits().enter(-1, "processing", "1").await.unwrap());
        assert!(tx.jobs().complete(&claimed).await.unwrap());
        drop(tx);
        assert_eq!(house.read(scope).await.credits().balance().await.unwrap(), 0);
        assert_eq!(house.job(scope, claimed.id).await.status, JobStatus::Running);
        assert!(house.complete(scope, &claimed).await, "the lease is still held");
    }

    async fn a_heartbeat_extends_the_lease(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        house.enqueue_now(scope).await;
        let claimed = house.claim().await.unwrap();
        house.clock.advance(50 * SECOND);
        let until = house.later(60 * SECOND);
        assert_eq!(house.heartbeat(&claimed, until).await, LeaseState::Held);
        assert_eq!(house.job(scope, claimed.id).await.lease_until, Some(until));
        house.clock.advance(50 * SECOND);
        assert!(house.take_expired().await.is_empty());
        house.clock.advance(11 * SECOND);
        assert_eq!(house.take_expired().await.len(), 1);
    }

    async fn a_waiting_job_is_cancelled_at_once_and_a_running_one_is_asked(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let waiting = house.enqueue_now(scope).await;
        assert!(house.cancel(scope, waiting).await);
        assert_eq!(house.job(scope, waiting).await.status, JobStatus::Cancelled);
        assert!(house.claim().await.is_none());
        assert!(!house.cancel(scope, waiting).await, "it is cancelled already");

        house.enqueue_now(scope).await;
        let running = house.claim().await.unwrap();
        assert!(house.cancel(scope, running.id).await);
        assert_eq!(house.job(scope, running.id).await.status, JobStatus::Running);
        let state = house.heartbeat(&running, house.later(HOUR)).await;
        assert_eq!(state, LeaseState::CancelRequested);
        assert!(house.end(&running, JobStatus::Cancelled).await);
        assert_eq!(house.job(scope, running.id).await.status, JobStatus::Cancelled);
    }

    async fn a_request_to_cancel_outlives_the_attempt(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let id = house.enqueue_now(scope).await;
        let first = house.claim().await.unwrap();
        assert!(house.cancel(scope, id).await);
        let tx = house.platform().await;
        assert!(tx.queue().release(&first).await.unwrap());
        tx.commit().await.unwrap();
        let second = house.claim().await.unwrap();
        let state = house.heartbeat(&second, house.later(HOUR)).await;
        assert_eq!(state, LeaseState::CancelRequested);
        assert!(house.end(&second, JobStatus::Cancelled).await);
        // Who retries it by hand has changed their mind.
        assert!(house.retry(scope, id).await);
        let third = house.claim().await.unwrap();
        assert_eq!(house.heartbeat(&third, house.later(HOUR)).await, LeaseState::Held);
    }

    async fn dead_and_cancelled_jobs_can_be_retried(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let id = house.enqueue_now(scope).await;
        assert!(!house.retry(scope, id).await, "it waits already");
        let claimed = house.claim().await.unwrap();
        assert!(!house.retry(scope, id).await, "it runs");
        for status in [JobStatus::Dead, JobStatus::Cancelled] {
            let claimed = if status == JobStatus::Dead { claimed.clone() } else {
                house.claim().await.unwrap()
            };
            assert_eq!((claimed.id, claimed.attempts), (id, 1));
            assert!(house.end(&claimed, status).await);
            let ended = house.job(scope, id).await;
            assert_eq!((ended.status, ended.last_error.as_deref()), (status, Some("why")));
            assert!(house.retry(scope, id).await);
            let again = house.job(scope, id).await;
            assert_eq!((again.status, again.attempts), (JobStatus::Queued, 0));
            assert_eq!(again.finished_at, None);
        }
        let claimed = house.claim().await.unwrap();
        assert!(house.complete(scope, &claimed).await);
        assert!(!house.retry(scope, id).await, "it succeeded");
    }

    // And the transaction can still say why: PostgreSQL ends one at its first error.
    async fn a_retry_gives_way_to_the_same_work_queued_again(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let new = job(house.now(), Some("document-1".to_owned()));
        let id = house.enqueue(scope, &new).await.unwrap();
        let claimed = house.claim().await.unwrap();
        assert!(house.end(&claimed, JobStatus::Dead).await);
        assert!(house.enqueue(scope, &new).await.is_some());
        let tx = house.begin(scope).await;
        assert!(!tx.jobs().retry(id).await.unwrap());
        assert_eq!(tx.jobs().find(id, None).await.unwrap().unwrap().status, JobStatus::Dead);
    }

    async fn a_released_job_has_lost_no_attempt(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let id = house.enqueue_now(scope).await;
        let claimed = house.claim().await.unwrap();
        let tx = house.platform().await;
        assert!(tx.queue().release(&claimed).await.unwrap());
        tx.commit().await.unwrap();
        let released = house.job(scope, id).await;
        assert_eq!((released.status, released.attempts), (JobStatus::Queued, 0));
        assert_eq!(house.claim().await.unwrap().attempts, 1);
    }

    async fn a_failed_attempt_waits_for_the_next(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let id = house.enqueue_now(scope).await;
        let claimed = house.claim().await.unwrap();
        let tx = house.platform().await;
        let run_at = house.later(SECOND);
        assert!(tx.queue().retry_at(&claimed, run_at, "no answer").await.unwrap());
        tx.commit().await.unwrap();
        let waiting = house.job(scope, id).await;
        assert_eq!((waiting.status, waiting.attempts), (JobStatus::Queued, 1));
        assert_eq!(waiting.last_error.as_deref(), Some("no answer"));
        assert!(house.claim().await.is_none());
        house.clock.advance(SECOND);
        assert_eq!(house.claim().await.unwrap().attempts, 2);
    }

    async fn the_depth_counts_every_state(db) {
        let house = House::new(&db).await;
        let (a, b) = (house.add_tenant("a").await, house.add_tenant("b").await);
        for scope in [a, b, a, b, a] {
            house.enqueue_now(scope).await;
        }
        let dead = house.claim().await.unwrap();
        assert!(house.end(&dead, JobStatus::Dead).await);
        house.claim().await.unwrap();
        let kept = house.claim().await.unwrap();
        let until = house.later(HOUR);
        assert_eq!(house.heartbeat(&kept, until).await, LeaseState::Held);
        house.clock.advance(61 * SECOND);
        let expected = QueueDepth { queued: 2, running: 2, dead: 1, expired: 1 };
        assert_eq!(house.depth().await, expected);
    }

    async fn jobs_are_listed_by_state(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let first = house.enqueue_now(scope).await;
        house.clock.advance(SECOND);
        let second = house.enqueue_now(scope).await;
        house.claim().await.unwrap();
        let tx = house.read(scope).await;
        for (status, expected) in [
            (None, vec![second, first]),
            (Some(JobStatus::Queued), vec![second]),
            (Some(JobStatus::Running), vec![first]),
            (Some(JobStatus::Dead), vec![]),
        ] {
            let page = tx.jobs().list(None, status, PageRequest::default()).await.unwrap();
            let ids: Vec<_> = page.data.iter().map(|job| job.id).collect();
            assert_eq!(ids, expected, "{status:?}");
        }
    }
}
