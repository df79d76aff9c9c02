//! Background work, as people see and steer it.

use crate::harness::{
    Client, Tenant, TestApp, add_text, all_pages, completed, eventually, id, make_agent,
};
use quipu_app::ingest::Done;
use quipu_app::jobs::{Outcome, give_up};
use quipu_core::extraction::Failure;
use quipu_core::job::{ClaimedJob, JobStatus, NewJob};
use quipu_testkit::db_test;
use serde_json::{Value, json};
use std::time::Duration;

const JOBS: &str = "/api/v1/jobs";

/// An app whose jobs wait, with a text whose job is the only one.
async fn waiting(db: quipu_testkit::TestDatabase) -> (TestApp, Tenant, Value, String) {
    let app = TestApp::start_with(db, |options| options.workers = false).await;
    let tenant = app.tenant("acme").await;
    let client = &tenant.admin.client;
    make_agent(client, "Uno").await;
    let document = add_text(client, "uno", "Horario", "Abrimos a las nueve.").await;
    let jobs = client.get(JOBS).await.ok(200);
    let job = format!("{JOBS}/{}", id(&jobs["data"][0]));
    (app, tenant, document, job)
}

async fn document(client: &Client, document: &Value) -> Value {
    let path = format!("/api/v1/agents/uno/knowledge/{}", id(document));
    client.get(&path).await.ok(200)
}

/// Takes the next job as a worker would.
async fn claim(app: &TestApp) -> ClaimedJob {
    let tx = app.platform().await;
    let until = app.later(Duration::from_mins(1));
    let claimed = tx.queue().claim("test", until, 1).await.unwrap();
    tx.commit().await.unwrap();
    claimed.unwrap()
}

async fn with_status(client: &Client, status: &str) -> usize {
    let listed = client.get(&format!("{JOBS}?status={status}")).await;
    let listed = listed.ok(200);
    let jobs = listed["data"].as_array().unwrap().iter();
    // Vectors are made behind the document, whenever there is time.
    jobs.filter(|job| job["kind"] != "embed_chunks").count()
}

db_test! {
    async fn a_job_is_listed_from_queue_to_end(db) {
        let (app, tenant, text, job) = waiting(db).await;
        let client = &tenant.admin.client;
        let seen = client.get(&job).await.ok(200);
        assert_eq!(
            (&seen["kind"], &seen["status"]),
            (&json!("process_document"), &json!("queued"))
        );
        assert_eq!(seen["payload"]["document_id"], text["id"]);
        assert_eq!(document(client, &text).await["status"], "pending");
        assert_eq!(
            (
                with_status(client, "queued").await,
                with_status(client, "dead").await
            ),
            (1, 0)
        );

        app.start_workers();
        completed(client, "uno", &text).await;
        let seen = client.get(&job).await.ok(200);
        assert_eq!(
            (&seen["status"], &seen["attempts"]),
            (&json!("succeeded"), &json!(1))
        );
        assert!(
            seen["finished_at"].is_string() && seen["last_error"].is_null(),
            "{seen}"
        );
        assert_eq!(
            (
                with_status(client, "queued").await,
                with_status(client, "succeeded").await
            ),
            (0, 1)
        );
        client
            .get(&format!("{JOBS}?status=otro"))
            .await
            .refused(400, "INVALID_PARAMETER");
        for what in ["cancel", "retry"] {
            let error = client
                .poke(&format!("{job}/{what}"))
                .await
                .refused(409, "JOB_STATE");
            assert_eq!(error["details"]["status"], "succeeded");
        }
    }

    async fn cancelling_a_waiting_job_fails_its_document_and_retrying_completes_it(db) {
        let (app, tenant, text, job) = waiting(db).await;
        let client = &tenant.admin.client;
        let cancelled = client.poke(&format!("{job}/cancel")).await.ok(200);
        assert_eq!(cancelled["status"], "cancelled");
        assert!(cancelled["finished_at"].is_string());
        let failed = document(client, &text).await;
        assert_eq!(
            (&failed["status"], &failed["error_code"]),
            (&json!("failed"), &json!("CANCELLED"))
        );
        let stats = client
            .get("/api/v1/agents/uno/knowledge/stats")
            .await
            .ok(200);
        assert_eq!(
            (&stats["documents_failed"], &stats["documents_pending"]),
            (&json!(1), &json!(0))
        );
        client
            .poke(&format!("{job}/cancel"))
            .await
            .refused(409, "JOB_STATE");

        let retried = client.poke(&format!("{job}/retry")).await.ok(200);
        assert_eq!(
            (&retried["status"], &retried["attempts"]),
            (&json!("queued"), &json!(0))
        );
        assert_eq!(retried["finished_at"], Value::Null);
        let pending = document(client, &text).await;
        assert_eq!(
            (&pending["status"], &pending["error_message"]),
            (&json!("pending"), &Value::Null)
        );
        client
            .poke(&format!("{job}/retry"))
            .await
            .refused(409, "JOB_STATE");
        app.start_workers();
        completed(client, "uno", &text).await;
        let log = all_pages(client, "/api/v1/audit-log", 50).await;
        for action in ["job.cancel", "job.retry"] {
            assert!(
                log.iter().any(|entry| entry["action"] == action),
                "{action}"
            );
        }
    }

    async fn a_dead_job_lies_in_the_dead_letter_until_it_is_retried(db) {
        let (app, tenant, text, job) = waiting(db).await;
        let client = &tenant.admin.client;
        let claimed = claim(&app).await;
        assert!(
            give_up(&app.app, &claimed, JobStatus::Dead, Failure::GaveUp, "el disco se quemó")
                .await
                .unwrap()
        );
        assert_eq!(with_status(client, "dead").await, 1);
        let dead = client.get(&job).await.ok(200);
        assert_eq!(
            (&dead["status"], &dead["last_error"]),
            (&json!("dead"), &json!("el disco se quemó"))
        );
        let failed = document(client, &text).await;
        assert_eq!(
            (&failed["status"], &failed["error_code"]),
            (&json!("failed"), &json!("PROCESSING_FAILED"))
        );
        client
            .poke(&format!("{job}/cancel"))
            .await
            .refused(409, "JOB_STATE");

        client.poke(&format!("{job}/retry")).await.ok(200);
        assert_eq!(document(client, &text).await["status"], "pending");
        app.start_workers();
        completed(client, "uno", &text).await;
        assert_eq!(with_status(client, "dead").await, 0);
    }

    async fn a_running_job_is_asked_to_stop(db) {
        let (app, tenant, text, job) = waiting(db).await;
        let client = &tenant.admin.client;
        let claimed = claim(&app).await;
        client
            .poke(&format!("{job}/retry"))
            .await
            .refused(409, "JOB_STATE");
        let asked = client.poke(&format!("{job}/cancel")).await.ok(200);
        assert_eq!(asked["status"], "running");
        // The document waits for what the worker makes of it.
        assert_eq!(document(client, &text).await["status"], "pending");
        assert!(
            give_up(&app.app, &claimed, JobStatus::Cancelled, Failure::Cancelled, "cancelled")
                .await
                .unwrap()
        );
        assert_eq!(client.get(&job).await.ok(200)["status"], "cancelled");
        assert_eq!(document(client, &text).await["status"], "failed");
    }

    async fn a_kind_nobody_knows_dies_and_says_why(db) {
        let (app, tenant, ..) = waiting(db).await;
        let client = &tenant.admin.client;
        let tx = app.app.store.begin(tenant.scope()).await.unwrap();
        tx.jobs()
            .enqueue(&NewJob {
                kind: "unheard_of",
                payload: json!({}),
                dedup_key: None,
                run_at: app.now(),
                max_attempts: 3,
                owner: None,
            })
            .await
            .unwrap();
        tx.commit().await.unwrap();
        app.start_workers();
        let dead = eventually("death of the job", async || {
            let listed = client.get(&format!("{JOBS}?status=dead")).await.ok(200);
            listed["data"].as_array().unwrap().first().cloned()
        })
        .await;
        assert_eq!(dead["attempts"], 1, "no attempt would do better");
        assert!(
            dead["last_error"].as_str().unwrap().contains("unheard_of"),
            "{dead}"
        );
        let ready = app.stranger().get("/readyz").await.ok(200);
        assert_eq!(ready["queue"]["dead"], 1);
    }

    async fn the_job_of_a_deleted_document_goes_with_it(db) {
        let (app, tenant, text, job) = waiting(db).await;
        let client = &tenant.admin.client;
        let claimed = claim(&app).await;
        client
            .delete(&format!("/api/v1/agents/uno/knowledge/{}", id(&text)))
            .await
            .ok(200);
        client.get(&job).await.refused(404, "NOT_FOUND");
        // Whoever was at it notices and writes nothing.
        let outcome = quipu_app::jobs::run(&app.app, &claimed).await.unwrap();
        assert!(matches!(outcome, Outcome::Done(Done::LeaseLost)), "{outcome:?}");
        assert_eq!(
            client.get("/api/v1/agents/uno/knowledge").await.ok(200)["data"],
            json!([])
        );
        // What sees to the files cannot be called off.
        let jobs = client.get(JOBS).await.ok(200);
        let sweep = &jobs["data"][0];
        assert_eq!(sweep["kind"], "remove_files");
        let path = format!("{JOBS}/{}/cancel", id(sweep));
        client.poke(&path).await.refused(403, "FORBIDDEN");
    }
}
