//! A worker that is asked to stop leaves nothing behind that others must wait for.

use crate::home::Home;
use crate::tenant::{Tenant, until_idle};
use quipu_app::App;
use quipu_core::job::{Job, JobStatus};
use quipu_core::knowledge::DocumentStatus;
use quipu_testkit::db_test;
use std::time::{Duration, Instant};

db_test! {
    async fn a_job_that_outlasts_the_grace_is_given_back(db) {
        let home = Home::new(db.url())
            .await
            .set("QUIPU_JOBS__WORKERS", 1)
            .set("QUIPU_JOBS__SHUTDOWN_SECONDS", 1)
            .set("QUIPU_JOBS__POLL_MILLISECONDS", 10);
        let app = home.app().await;
        let tenant = Tenant::make(&app, "tenant").await;
        // A job may be done before it is caught, so there are several tries.
        for n in 0..20 {
            let long = format!("Precio {n}: S/ 120. ").repeat(5_000);
            let document = tenant.add_text(&app, &long).await;
            let worker = home.start_worker();
            until(&app, &tenant, |job| job.status != JobStatus::Queued).await;
            // The job cannot be finished while this transaction holds what it must write.
            let hold = app.store.begin(tenant.scope()).await.unwrap();
            let pending = DocumentStatus::Pending;
            hold.ingest().set_status(document, pending, None).await.unwrap();
            if newest(&app, &tenant).await.status != JobStatus::Running {
                drop(hold);
                worker.kill().await;
                until_idle(&app.store).await;
                continue;
            }

            let asked = Instant::now();
            worker.ask_to_stop();
            tokio::time::sleep(Duration::from_millis(1500)).await;
            drop(hold);
            let status = worker.ended().await;
            assert!(status.success(), "{status}:\n{}", home.log());
            assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
            home.assert_no_panic();
            let job = newest(&app, &tenant).await;
            assert_eq!((job.status, job.attempts), (JobStatus::Queued, 0), "{job:?}");
            assert_eq!(job.lease_until, None);

            // Nothing of the attempt is in the way of the next one.
            let _worker = home.start_worker();
            until(&app, &tenant, |job| job.status == JobStatus::Succeeded).await;
            assert_eq!(newest(&app, &tenant).await.attempts, 1);
            return;
        }
        panic!("no job was caught while it ran");
    }

    async fn a_stop_within_the_grace_loses_no_attempt(db) {
        let home = Home::new(db.url()).await.set("QUIPU_JOBS__POLL_MILLISECONDS", 10);
        let app = home.app().await;
        let tenant = Tenant::make(&app, "tenant").await;
        for n in 0..60 {
            tenant.add_text(&app, &format!("Precio {n}: S/ 120. ").repeat(500)).await;
        }
        let worker = home.start_worker();
        let done = |jobs: &[Job]| {
            jobs.iter().filter(|job| job.status == JobStatus::Succeeded).count()
        };
        while done(&tenant.jobs(&app.store).await) < 3 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let asked = Instant::now();
        worker.ask_to_stop();
        let status = worker.ended().await;
        assert!(status.success(), "{status}:\n{}", home.log());
        // The default grace is 20 seconds, and these jobs take a fraction of one.
        assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
        home.assert_no_panic();
        for job in tenant.jobs(&app.store).await {
            let state = (job.status, job.attempts);
            assert!(
                matches!(state, (JobStatus::Succeeded, 1) | (JobStatus::Queued, 0)),
                "{job:?}"
            );
        }
    }
}

async fn newest(app: &App, tenant: &Tenant) -> Job {
    let mut jobs = tenant.jobs(&app.store).await;
    jobs.swap_remove(0)
}

async fn until(app: &App, tenant: &Tenant, reached: impl Fn(&Job) -> bool) {
    let patience = Instant::now() + crate::home::PATIENCE;
    loop {
        let job = newest(app, tenant).await;
        if reached(&job) {
            return;
        }
        assert!(Instant::now() < patience, "{job:?}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
