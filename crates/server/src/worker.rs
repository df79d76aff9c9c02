//! The workers: they claim jobs, keep them alive, finish them or let them go.

use quipu_app::App;
use quipu_app::ingest::Done;
use quipu_app::jobs::{self, Outcome};
use quipu_core::extraction::Failure;
use quipu_core::job::{ClaimedJob, JobStatus, back_off};
use quipu_core::rehearsal::KEPT_DAYS;
use quipu_core::{Error, Result, Timestamp};
use quipu_store::platform::{BesideKinds, LeaseState};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;

/// How often is looked for events that are due: where workers look for work more seldom, and where they look
/// more often.
const SOONEST_EVENTS: Duration = Duration::from_millis(200);
const LATEST_EVENTS: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug)]
pub struct WorkerSettings {
    pub workers: usize,
    /// Jobs of one tenant that run at the same time, in all processes together.
    pub per_tenant: u32,
    pub lease: Duration,
    pub poll: Duration,
    /// How long a stopping process waits for its jobs.
    pub grace: Duration,
    /// How long what is finished is remembered.
    pub keep: Duration,
    /// How long what was asked and answered is kept.
    pub keep_turns: Duration,
}

impl From<&crate::config::Config> for WorkerSettings {
    fn from(config: &crate::config::Config) -> Self {
        let jobs = &config.jobs;
        Self {
            workers: jobs.workers,
            per_tenant: jobs.per_tenant(),
            lease: Duration::from_secs(jobs.lease_seconds),
            poll: Duration::from_millis(jobs.poll_milliseconds),
            grace: Duration::from_secs(jobs.shutdown_seconds),
            keep: Duration::from_secs(jobs.keep_days * 86_400),
            keep_turns: Duration::from_secs(config.turns.retention_days * 86_400),
        }
    }
}

/// Works until `stop`, then finishes or gives back what it holds.
pub async fn run(app: Arc<App>, settings: WorkerSettings, stop: CancellationToken) {
    let mut tasks = JoinSet::new();
    let places = Arc::new(PlacesBeside::default());
    for slot in 0..settings.workers {
        let name = format!("{}-{slot}", std::process::id());
        tasks.spawn(work(
            app.clone(),
            settings,
            name,
            places.clone(),
            stop.clone(),
        ));
    }
    tasks.spawn(reap(app.clone(), settings, stop.clone()));
    tasks.spawn(tidy(app.clone(), settings, stop.clone()));
    tasks.spawn(tell_changes(app.clone(), stop.clone()));
    tasks.spawn(refresh(app.clone(), stop.clone()));
    tasks.spawn(tell_events(app.clone(), settings, stop.clone()));
    tasks.spawn(write_down(app, stop));
    while tasks.join_next().await.is_some() {}
}

/// Tells whoever listens to this process what any process changed.
async fn tell_changes(app: Arc<App>, stop: CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = quipu_app::live::follow(&app) => {}
    }
}

/// Places beside the workers, for jobs that wait for others most of their time: no worker is missing to the
/// rest for minutes or hours.
struct PlacesBeside(Vec<(&'static str, Arc<Semaphore>)>);

impl Default for PlacesBeside {
    fn default() -> Self {
        let kinds = jobs::BESIDE_WORKERS.into_iter();
        Self(
            kinds
                .map(|(kind, places)| (kind, Arc::new(Semaphore::new(places))))
                .collect(),
        )
    }
}

impl PlacesBeside {
    /// One place of each kind that has one left.
    fn hold(&self) -> Vec<(&'static str, OwnedSemaphorePermit)> {
        let kinds = self.0.iter();
        kinds
            .filter_map(|(kind, places)| Some((*kind, places.clone().try_acquire_owned().ok()?)))
            .collect()
    }

    fn kinds(&self) -> Vec<&'static str> {
        self.0.iter().map(|(kind, _)| *kind).collect()
    }
}

/// One worker: takes one job after another. What has a place beside the workers goes on there.
async fn work(
    app: Arc<App>,
    settings: WorkerSettings,
    name: String,
    places: Arc<PlacesBeside>,
    stop: CancellationToken,
) {
    let mut beside = JoinSet::new();
    let kinds = places.kinds();
    while !stop.is_cancelled() {
        let mut held = places.hold();
        let full: Vec<&str> = kinds
            .iter()
            .filter(|kind| held.iter().all(|(free, _)| free != *kind))
            .copied()
            .collect();
        let besides = BesideKinds {
            all: &kinds,
            full: &full,
        };
        let claimed = claim(&app, settings, &name, besides).await;
        let taken = claimed.as_ref().ok().and_then(Option::as_ref);
        held.retain(|(kind, _)| taken.is_some_and(|job| job.kind == *kind));
        match claimed {
            Err(error) => {
                tracing::warn!(%error, "worker {name} cannot reach the queue");
                wait(settings.poll.max(Duration::from_secs(1)), &stop).await;
            }
            Ok(Some(job)) if held.is_empty() => hold(&app, settings, job, &stop).await,
            Ok(Some(job)) => {
                let (app, stop) = (app.clone(), stop.clone());
                beside.spawn(async move {
                    hold(&app, settings, job, &stop).await;
                    drop(held);
                    // Whoever was left waiting for the place is looked for at once.
                    app.new_work.notify_one();
                });
            }
            Ok(None) => tokio::select! {
                () = stop.cancelled() => {}
                () = app.new_work.notified() => {}
                () = tokio::time::sleep(settings.poll) => {}
            },
        }
        while beside.try_join_next().is_some() {}
    }
    while beside.join_next().await.is_some() {}
}

async fn claim(
    app: &App,
    settings: WorkerSettings,
    name: &str,
    beside: BesideKinds<'_>,
) -> Result<Option<ClaimedJob>> {
    let tx = app.store.platform().await?;
    let until = from_now(app, settings.lease);
    let claimed = tx
        .queue()
        .claim_beside(name, until, settings.per_tenant, beside)
        .await?;
    tx.commit().await?;
    Ok(claimed)
}

/// How a job ends that did what it was for.
const SUCCEEDED: &str = "succeeded";

/// Runs a job while keeping its lease alive.
async fn hold(app: &Arc<App>, settings: WorkerSettings, job: ClaimedJob, stop: &CancellationToken) {
    let started = std::time::Instant::now();
    let task = tokio::spawn({
        let (app, job) = (app.clone(), job.clone());
        async move { jobs::run(&app, &job).await }
    });
    let outcome = match attend(app, settings, &job, task, stop).await {
        Some(result) => settle(app, &job, result).await,
        None => return,
    };
    let kind = job.kind.clone();
    metrics::counter!("quipu_jobs_finished_total", "kind" => kind, "outcome" => outcome)
        .increment(1);
    let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    // What went well fills the screen on which the first password stands.
    if outcome == SUCCEEDED {
        tracing::debug!(job.id = %job.id, job.kind = %job.kind, outcome, elapsed_ms, "job {} ended", job.id);
    } else {
        tracing::info!(job.id = %job.id, job.kind = %job.kind, outcome, elapsed_ms, "job {} ended: {outcome}", job.id);
    }
}

/// Waits for the task, renewing the lease. `None` when the job is no longer ours to settle.
async fn attend(
    app: &Arc<App>,
    settings: WorkerSettings,
    job: &ClaimedJob,
    mut task: JoinHandle<Result<Outcome>>,
    stop: &CancellationToken,
) -> Option<Result<Outcome>> {
    let mut beat = tokio::time::interval(settings.lease / 3);
    beat.tick().await;
    let deadline = async {
        stop.cancelled().await;
        tokio::time::sleep(settings.grace).await;
    };
    tokio::pin!(deadline);
    loop {
        tokio::select! {
            ended = &mut task => {
                return Some(ended.unwrap_or_else(|panic| Err(Error::internal(panic))));
            }
            () = &mut deadline => {
                abort(task).await;
                give_back(app, job).await;
                return None;
            }
            _ = beat.tick() => match heartbeat(app, settings, job).await {
                Ok(LeaseState::Held) => {}
                Ok(LeaseState::Lost) => {
                    tracing::warn!(job.id = %job.id, "the lease of job {} was lost", job.id);
                    abort(task).await;
                    return None;
                }
                Ok(LeaseState::CancelRequested) => {
                    abort(task).await;
                    let failure = Failure::Cancelled;
                    let ended =
                        jobs::give_up(app, job, JobStatus::Cancelled, failure, failure.code()).await;
                    if let Err(error) = ended {
                        tracing::warn!(job.id = %job.id, %error, "job {} was not cancelled", job.id);
                    }
                    return None;
                }
                // The lease outlives a few missed beats; the next one may get through.
                Err(error) => tracing::warn!(job.id = %job.id, %error, "a heartbeat was missed"),
            },
        }
    }
}

async fn heartbeat(app: &App, settings: WorkerSettings, job: &ClaimedJob) -> Result<LeaseState> {
    let tx = app.store.platform().await?;
    let state = tx
        .queue()
        .heartbeat(job, from_now(app, settings.lease))
        .await?;
    tx.commit().await?;
    Ok(state)
}

/// Stops a task and waits until it is gone, so that nothing it holds is still being written.
async fn abort(task: JoinHandle<Result<Outcome>>) {
    task.abort();
    drop(task.await);
}

async fn give_back(app: &App, job: &ClaimedJob) {
    let released = async {
        let tx = app.store.platform().await?;
        tx.queue().release(job).await?;
        tx.commit().await
    };
    match released.await {
        Ok(()) => tracing::info!(job.id = %job.id, "job {} was given back", job.id),
        Err(error) => tracing::warn!(job.id = %job.id, %error, "job {} was not given back", job.id),
    }
}

/// Writes down how an attempt ended. If that fails too, the lease runs out and another worker
/// takes over.
async fn settle(app: &App, job: &ClaimedJob, result: Result<Outcome>) -> &'static str {
    let (settled, outcome) = match result {
        Ok(Outcome::Done(Done::Completed)) => return SUCCEEDED,
        Ok(Outcome::Done(Done::LeaseLost)) => return "lease_lost",
        // The document is at fault and says so itself; there is nothing in the job to retry.
        Ok(Outcome::Done(Done::Failed(failure))) => (
            jobs::give_up(app, job, JobStatus::Dead, failure, failure.code())
                .await
                .map(drop),
            "refused",
        ),
        Ok(Outcome::Hopeless(why)) => (give_up(app, job, &why).await, "dead"),
        Err(error) if job.attempts >= job.max_attempts => {
            tracing::error!(job.id = %job.id, %error, "job {} was given up", job.id);
            (give_up(app, job, &error.to_string()).await, "dead")
        }
        Err(error) => {
            tracing::warn!(job.id = %job.id, %error, "attempt {} of job {} failed", job.attempts, job.id);
            (try_again(app, job, &error).await, "retried")
        }
    };
    if let Err(error) = settled {
        tracing::error!(job.id = %job.id, %error, "the end of job {} was not written", job.id);
    }
    outcome
}

async fn give_up(app: &App, job: &ClaimedJob, why: &str) -> Result<()> {
    jobs::give_up(app, job, JobStatus::Dead, Failure::GaveUp, why)
        .await
        .map(drop)
}

async fn try_again(app: &App, job: &ClaimedJob, error: &Error) -> Result<()> {
    let chance = job.lease.as_bytes()[15];
    let run_at = app
        .now()
        .saturating_add(back_off(job.attempts, chance))
        .unwrap_or_else(|_| app.now());
    let tx = app.store.platform().await?;
    tx.queue().retry_at(job, run_at, &error.to_string()).await?;
    tx.commit().await
}

/// Takes back jobs whose worker is gone.
async fn reap(app: Arc<App>, settings: WorkerSettings, stop: CancellationToken) {
    while !stop.is_cancelled() {
        if let Err(error) = reap_once(&app, settings).await {
            tracing::warn!(%error, "expired leases were not taken back");
        }
        wait(
            (settings.lease / 4).clamp(Duration::from_millis(250), Duration::from_secs(15)),
            &stop,
        )
        .await;
    }
}

async fn reap_once(app: &App, settings: WorkerSettings) -> Result<()> {
    let tx = app.store.platform().await?;
    let expired = tx
        .queue()
        .take_expired(from_now(app, settings.lease), "reaper")
        .await?;
    tx.commit().await?;
    for job in expired {
        let why = format!("the worker disappeared during attempt {}", job.attempts);
        if job.attempts >= job.max_attempts {
            give_up(app, &job, &why).await?;
            continue;
        }
        let tx = app.store.platform().await?;
        tx.queue().retry_at(&job, app.now(), &why).await?;
        tx.commit().await?;
        app.new_work.notify_one();
        tracing::info!(job.id = %job.id, "job {} was taken back: {why}", job.id);
    }
    Ok(())
}

/// Writes down what was searched for and answered, and once more at the end.
async fn write_down(app: Arc<App>, stop: CancellationToken) {
    while !stop.is_cancelled() {
        wait(Duration::from_secs(1), &stop).await;
        if let Err(error) = quipu_app::retrievals::flush(&app).await {
            tracing::warn!(%error, "searches were not written down");
        }
        if let Err(error) = quipu_app::embeddings::flush(&app).await {
            tracing::warn!(%error, "what vectors took was not written down");
        }
        if let Err(error) = quipu_app::chat::flush(&app).await {
            tracing::warn!(%error, "turns were not written down");
        }
    }
}

/// Has vectors of an older version made anew. Returns whether all of them were looked for.
async fn renew(app: &App) -> bool {
    match quipu_app::embeddings::renew(app).await {
        Ok(0) => {}
        Ok(renewed) => tracing::info!(renewed, "{renewed} knowledge bases get new vectors"),
        Err(error) => {
            tracing::warn!(%error, "vectors of an older version were not all looked for");
            return false;
        }
    }
    true
}

async fn purge(app: &App, settings: WorkerSettings) -> Result<u64> {
    let before = |keep: Duration| {
        let keep = jiff::SignedDuration::try_from(keep).unwrap_or_default();
        let before = app.now().saturating_sub(keep);
        before.unwrap_or(Timestamp::UNIX_EPOCH)
    };
    let tx = app.store.platform().await?;
    let mut removed = tx.upkeep().purge(before(settings.keep)).await?;
    removed += tx.upkeep().purge_turns(before(settings.keep_turns)).await?;
    let rehearsed = Duration::from_hours(24 * KEPT_DAYS.unsigned_abs());
    removed += tx.upkeep().purge_rehearsals(before(rehearsed)).await?;
    removed += tx.live_events().forget_old().await?;
    // Deliveries that are older than a week are not taken any more.
    let delivered = Duration::from_hours(24 * 8);
    removed += tx.channel_doors().forget_marks(before(delivered)).await?;
    tx.commit().await?;
    Ok(removed)
}

/// Throws away what has served its time, once an hour.
async fn tidy(app: Arc<App>, settings: WorkerSettings, stop: CancellationToken) {
    let mut looked_for_old_vectors = false;
    let mut lapsed_until = Timestamp::UNIX_EPOCH;
    while !stop.is_cancelled() {
        if !looked_for_old_vectors {
            looked_for_old_vectors = renew(&app).await;
        }
        match purge(&app, settings).await {
            Ok(0) => {}
            Ok(removed) => tracing::info!(removed, "{removed} rows had served their time"),
            Err(error) => tracing::warn!(%error, "nothing was tidied"),
        }
        let until = app.now();
        match quipu_app::loyalty::write_down_lapsed(&app, lapsed_until).await {
            Ok(_) => lapsed_until = until,
            Err(error) => tracing::warn!(%error, "lapsed tokens were not all written down"),
        }
        if let Err(error) = quipu_app::index::sweep(&app).await {
            tracing::warn!(%error, "the index was not tidied");
        }
        wait(Duration::from_hours(1), &stop).await;
    }
}

/// Has websites read again whose time has come, looking once a minute.
async fn refresh(app: Arc<App>, stop: CancellationToken) {
    while !stop.is_cancelled() {
        match quipu_app::websites::enqueue_due(&app).await {
            Ok(0) => {}
            Ok(due) => tracing::info!(due, "{due} websites are due"),
            Err(error) => tracing::warn!(%error, "websites that are due were not looked for"),
        }
        wait(Duration::from_mins(1), &stop).await;
    }
}

/// Has endpoints told what happened. Whatever happens does not queue that itself: transactions that tell of
/// different things would wait for each other at the one job of an endpoint.
async fn tell_events(app: Arc<App>, settings: WorkerSettings, stop: CancellationToken) {
    let pause = settings.poll.clamp(SOONEST_EVENTS, LATEST_EVENTS);
    while !stop.is_cancelled() {
        if let Err(error) = quipu_app::events::enqueue_due(&app).await {
            tracing::warn!(%error, "events that are due were not looked for");
        }
        wait(pause, &stop).await;
    }
}

async fn wait(time: Duration, stop: &CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = tokio::time::sleep(time) => {}
    }
}

fn from_now(app: &App, by: Duration) -> Timestamp {
    let by = jiff::SignedDuration::try_from(by).unwrap_or_default();
    app.now().saturating_add(by).unwrap_or_else(|_| app.now())
}
