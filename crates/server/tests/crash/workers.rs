//! Workers that die by the dozen: every job is done exactly once, or given up with its reason.

use crate::dice::Dice;
use crate::home::{Home, Process};
use crate::size::thorough;
use crate::tenant::{Tenant, all, until_idle};
use futures::future::join_all;
use quipu_app::App;
use quipu_core::DocumentId;
use quipu_core::job::{Job, JobStatus, NewJob};
use quipu_core::knowledge::{Chunk, Document, DocumentFilter, DocumentSort, DocumentStatus};
use quipu_core::page::PageRequest;
use quipu_core::plan::{CreditEntry, processing_credits};
use quipu_core::tenancy::TenantScope;
use quipu_store::Store;
use quipu_store::tenant::Target;
use quipu_testkit::db_test;
use serde_json::json;
use std::collections::HashMap;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

const WORKERS: usize = 8;
const KILLS: usize = 50;
const ROUNDS: usize = 50;
const TENANTS: usize = 4;
/// Texts that each tenant gets each round. With the jobs of an unknown kind, one for each tenant
/// every fifth round, that makes 2,040 jobs.
const TEXTS_A_ROUND: usize = 10;
const LEASE: Duration = Duration::from_secs(1);
/// A lease that ran out is found within a quarter of a lease; the rest is for a machine that is
/// busy with eight processes and, it may be, with other things.
const REAPED_WITHIN: Duration = Duration::from_secs(30);
const UNKNOWN_KIND: &str = "from_another_version";

db_test! {
    async fn every_job_is_done_once_or_given_up_with_its_reason(db) {
        let mut dice = Dice::new();
        let home = Home::new(db.url())
            .await
            .set("QUIPU_JOBS__WORKERS", 1)
            .set("QUIPU_JOBS__PER_TENANT", WORKERS as u64)
            .set("QUIPU_JOBS__LEASE_SECONDS", LEASE.as_secs())
            .set("QUIPU_JOBS__POLL_MILLISECONDS", 20);
        let started = Instant::now();
        let mut patient = home.app().await;
        patient.job_attempts = 20;
        let mut strict = home.app().await;
        strict.job_attempts = 1;
        let mut clients = Vec::new();
        for number in 0..TENANTS {
            clients.push(Client::make(&patient, number).await);
        }

        let stop = CancellationToken::new();
        let watch = tokio::spawn(watch_leases(
            patient.store.clone(),
            clients.iter().map(|client| client.tenant.scope()).collect(),
            stop.clone(),
        ));
        // All work waits when the workers come, so that hardly any of them is idle when it dies.
        let (rounds, kills) = (thorough(ROUNDS), thorough(KILLS));
        for round in 0..rounds {
            // Jobs that get one attempt only do not survive the end of their worker.
            let app = if round % 2 == 0 { &strict } else { &patient };
            join_all(clients.iter_mut().map(|client| client.add_work(app, round))).await;
        }
        let added = started.elapsed();
        let mut workers: Vec<Process> = (0..WORKERS).map(|_| home.start_worker()).collect();
        for _ in 0..kills {
            tokio::time::sleep(dice.millis(50, 250)).await;
            let victim = workers.swap_remove(dice.below(workers.len()));
            victim.kill().await;
            workers.push(home.start_worker());
        }
        let killed_for = started.elapsed();
        until_idle(&patient.store).await;
        stop.cancel();
        let latest = watch.await.unwrap();

        for worker in &mut workers {
            assert!(worker.is_alive(), "a worker ended by itself:\n{}", home.log());
        }
        for worker in &workers {
            worker.ask_to_stop();
        }
        for worker in workers {
            let status = worker.ended().await;
            assert!(status.success(), "a worker stopped with {status}:\n{}", home.log());
        }
        home.assert_no_panic();

        let mut ends = Ends::default();
        for client in &clients {
            client.check(&patient, &mut ends).await;
        }
        let depth = patient.store.platform_read().await.unwrap().queue().depth().await.unwrap();
        assert_eq!((depth.queued, depth.running, depth.expired), (0, 0, 0));
        assert_eq!(ends.unknown, TENANTS * rounds.div_ceil(5));
        assert_eq!(ends.succeeded + ends.dead, TENANTS * TEXTS_A_ROUND * rounds);
        assert!(ends.dead + ends.repeated > 0, "no worker was at work when it was killed");
        println!(
            "jobs added after {added:?}, {kills} workers killed after {killed_for:?}, drained after {:?}; {ends:?}; \
             the latest lease was {latest:?} overdue",
            started.elapsed()
        );
    }
}

/// How the jobs ended.
#[derive(Debug, Default)]
struct Ends {
    succeeded: usize,
    /// Texts that were given up.
    dead: usize,
    /// Succeeded at a later attempt than the first.
    repeated: usize,
    unknown: usize,
}

/// A tenant and all the work it was given.
struct Client {
    number: usize,
    tenant: Tenant,
    texts: HashMap<DocumentId, String>,
    unknown: usize,
}

impl Client {
    async fn make(app: &App, number: usize) -> Self {
        Self {
            number,
            tenant: Tenant::make(app, &format!("tenant-{number}")).await,
            texts: HashMap::new(),
            unknown: 0,
        }
    }

    async fn add_work(&mut self, app: &App, round: usize) {
        for n in 0..TEXTS_A_ROUND {
            // From one chunk to a dozen, and never the same text twice.
            let content = format!("Precio {} del local {}: S/ {n}. ", round, self.number)
                .repeat(10 + (round * 7 + n * 13) % 300);
            let id = self.tenant.add_text(app, &content).await;
            self.texts.insert(id, content);
        }
        if round.is_multiple_of(5) {
            let tx = app.store.begin(self.tenant.scope()).await.unwrap();
            let new = NewJob {
                kind: UNKNOWN_KIND,
                payload: json!({}),
                dedup_key: None,
                run_at: tx.now(),
                max_attempts: 20,
                owner: None,
            };
            assert!(tx.jobs().enqueue(&new).await.unwrap().is_some());
            tx.commit().await.unwrap();
            self.unknown += 1;
        }
    }

    /// Every job of the tenant ended, with exactly the effect its end stands for.
    async fn check(&self, app: &App, ends: &mut Ends) {
        let tx = app.store.read(self.tenant.scope()).await.unwrap();
        let kb = self.tenant.agent.knowledge_base_id;
        let open = tx.knowledge_bases().open(kb, None).await.unwrap().unwrap();
        let jobs = all(
            async |page| tx.jobs().list(None, None, page).await,
            |job: &Job| job.id.uuid(),
        )
        .await;
        let documents = all(
            async |page| {
                let (filter, sort) = (DocumentFilter::default(), DocumentSort::default());
                tx.documents().list(&open, &filter, sort, page).await
            },
            |document: &Document| document.id.uuid(),
        )
        .await;
        let credits = all(
            async |page| tx.credits().list(page).await,
            |entry: &CreditEntry| entry.id.uuid(),
        )
        .await;
        let mut chunks: HashMap<DocumentId, Vec<Chunk>> = HashMap::new();
        let ids: Vec<DocumentId> = documents.iter().map(|document| document.id).collect();
        for document in tx.index_changes().load(kb, &ids).await.unwrap() {
            let found: Vec<_> = document.chunks.iter().map(|chunk| chunk.id).collect();
            let found = tx.chunks().findable(&[kb], &found).await.unwrap();
            chunks.insert(document.id, found);
        }
        let stored = tx
            .removal()
            .count(&Target::KnowledgeBase(kb))
            .await
            .unwrap();

        assert_eq!(jobs.len(), self.texts.len() + self.unknown);
        assert_eq!(documents.len(), self.texts.len());
        let documents: HashMap<_, _> = documents.into_iter().map(|d| (d.id, d)).collect();
        for job in &jobs {
            if job.kind == UNKNOWN_KIND {
                assert_eq!(job.status, JobStatus::Dead, "{job:?}");
                let reason = job.last_error.as_deref().unwrap_or_default();
                assert!(
                    reason.contains(UNKNOWN_KIND) || reason.contains("disappeared"),
                    "{job:?}"
                );
                ends.unknown += 1;
                continue;
            }
            let id: DocumentId = job.payload["document_id"]
                .as_str()
                .unwrap()
                .parse()
                .unwrap();
            let found = chunks.remove(&id).unwrap_or_default();
            check_document(&self.texts[&id], job, &documents[&id], &found);
            match job.status {
                JobStatus::Succeeded => ends.succeeded += 1,
                _ => ends.dead += 1,
            }
            if job.status == JobStatus::Succeeded && job.attempts > 1 {
                ends.repeated += 1;
            }
        }
        assert!(chunks.is_empty(), "chunks of no document");
        let expected: i32 = documents.values().map(|d| d.chunks_count).sum();
        let expected = u64::try_from(expected).unwrap();
        assert_eq!(stored.chunks, expected, "chunks that nobody finds");
        assert_eq!(stored.vectors, expected, "each chunk has one vector");

        // One entry for each text, whatever became of it, and one for the month.
        assert_eq!(credits.len(), self.texts.len() + 1);
        for (id, text) in &self.texts {
            let entries: Vec<_> = credits
                .iter()
                .filter(|entry| entry.reference == id.to_string())
                .collect();
            let price = processing_credits(u64::try_from(text.len()).unwrap());
            assert_eq!(entries.len(), 1, "{entries:?}");
            assert_eq!(entries[0].amount, -price);
        }
    }
}

fn check_document(text: &str, job: &Job, document: &Document, chunks: &[Chunk]) {
    assert!(job.lease_until.is_none(), "{job:?}");
    match job.status {
        JobStatus::Succeeded => {
            assert_eq!(
                document.status,
                DocumentStatus::Completed,
                "{job:?} {document:?}"
            );
            assert_eq!(document.error_message, None);
            let expected = quipu_knowledge::chunk(text);
            let places = |chunk: &Chunk| (chunk.index, chunk.start_char, chunk.end_char);
            assert_eq!(
                chunks.iter().map(places).collect::<Vec<_>>(),
                expected
                    .iter()
                    .map(|draft| (draft.index, draft.start_char, draft.end_char))
                    .collect::<Vec<_>>(),
            );
            for (chunk, draft) in chunks.iter().zip(&expected) {
                assert_eq!(chunk.content, draft.content);
            }
            assert_eq!(usize::try_from(document.chunks_count), Ok(expected.len()));
        }
        JobStatus::Dead => {
            let reason = job.last_error.as_deref().unwrap_or_default();
            assert!(!reason.is_empty(), "{job:?}");
            assert_eq!(
                document.status,
                DocumentStatus::Failed,
                "{job:?} {document:?}"
            );
            assert_eq!(document.error_code.as_deref(), Some("PROCESSING_FAILED"));
            assert!(document.error_message.is_some(), "{document:?}");
            assert_eq!(
                (document.chunks_count, chunks.len()),
                (0, 0),
                "{document:?}"
            );
        }
        _ => panic!("a job that did not end: {job:?}"),
    }
}

/// Looks again and again whether something runs under a lease that nobody keeps alive. Returns by
/// how much the latest was overdue.
async fn watch_leases(
    store: Store,
    tenants: Vec<TenantScope>,
    stop: CancellationToken,
) -> Duration {
    let mut latest = Duration::ZERO;
    while !stop.is_cancelled() {
        for tenant in &tenants {
            let tx = store.read(*tenant).await.unwrap();
            let running = tx
                .jobs()
                .list(None, Some(JobStatus::Running), PageRequest::default())
                .await
                .unwrap();
            for job in running.data {
                let until = job.lease_until.expect("nothing runs without a lease");
                let overdue =
                    Duration::try_from(tx.now().duration_since(until)).unwrap_or_default();
                assert!(overdue < REAPED_WITHIN, "overdue by {overdue:?}: {job:?}");
                latest = latest.max(overdue);
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    latest
}
