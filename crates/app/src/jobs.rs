//! Jobs: what people see of them, and what each kind does.

use crate::knowledge::{self, Done};
use crate::{Actor, App};
use quipu_core::access::Permission;
use quipu_core::job::{ClaimedJob, Job, JobStatus};
use quipu_core::knowledge::DocumentStatus;
use quipu_core::page::{Page, PageRequest};
use quipu_core::tenancy::TenantScope;
use quipu_core::{Error, ErrorCode, JobId, Result};
use quipu_store::TenantTx;
use serde_json::json;

/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn list(
    app: &App,
    actor: &Actor,
    status: Option<JobStatus>,
    page: PageRequest,
) -> Result<Page<Job>> {
    actor.require(Permission::JobsRead)?;
    app.store
        .read(actor.scope())
        .await?
        .jobs()
        .list(status, page)
        .await
}

/// # Errors
/// `NOT_FOUND` when the tenant has no such job.
pub async fn get(app: &App, actor: &Actor, id: JobId) -> Result<Job> {
    actor.require(Permission::JobsRead)?;
    let tx = app.store.read(actor.scope()).await?;
    tx.jobs()
        .find(id)
        .await?
        .ok_or_else(|| Error::not_found("job"))
}

/// Cancels a waiting job; asks the worker of a running one to stop.
///
/// # Errors
/// `NOT_FOUND`, or `JOB_STATE` when the job has ended.
pub async fn cancel(app: &App, actor: &Actor, id: JobId) -> Result<Job> {
    actor.require(Permission::JobsWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let job = tx
        .jobs()
        .find(id)
        .await?
        .ok_or_else(|| Error::not_found("job"))?;
    if !tx.jobs().cancel(id).await? {
        return Err(state(job.status));
    }
    // A worker may have taken the job or given it back since: what it is now is what counts.
    let job = tx
        .jobs()
        .find(id)
        .await?
        .ok_or_else(|| Error::not_found("job"))?;
    if job.status == JobStatus::Cancelled {
        follow(
            &tx,
            &job.kind,
            &job.payload,
            DocumentStatus::Failed,
            Some(CANCELLED),
        )
        .await?;
    }
    actor
        .audit(
            &tx,
            "job.cancel",
            format!("job:{id}"),
            json!({ "kind": job.kind }),
        )
        .await?;
    tx.commit().await?;
    Ok(job)
}

/// Gives a dead or cancelled job a fresh set of attempts.
///
/// # Errors
/// `NOT_FOUND`, or `JOB_STATE` when there is nothing to retry.
pub async fn retry(app: &App, actor: &Actor, id: JobId) -> Result<Job> {
    actor.require(Permission::JobsWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let job = tx
        .jobs()
        .find(id)
        .await?
        .ok_or_else(|| Error::not_found("job"))?;
    if !tx.jobs().retry(id).await? {
        return Err(state(job.status));
    }
    follow(&tx, &job.kind, &job.payload, DocumentStatus::Pending, None).await?;
    actor
        .audit(
            &tx,
            "job.retry",
            format!("job:{id}"),
            json!({ "kind": job.kind }),
        )
        .await?;
    let job = tx
        .jobs()
        .find(id)
        .await?
        .ok_or_else(|| Error::not_found("job"))?;
    tx.commit().await?;
    app.new_work.notify_one();
    Ok(job)
}

/// What became of a job that a worker ran.
#[derive(Debug)]
pub enum Outcome {
    Done(Done),
    /// No attempt will do better.
    Hopeless(String),
}

/// Does a claimed job. The handler finishes it in the same transaction as its effect.
///
/// # Errors
/// When an attempt failed and another may succeed.
pub async fn run(app: &App, job: &ClaimedJob) -> Result<Outcome> {
    match (job.kind.as_str(), job.tenant) {
        (knowledge::PROCESS_DOCUMENT, Some(tenant)) => {
            Ok(Outcome::Done(knowledge::process(app, tenant, job).await?))
        }
        (kind, _) => Ok(Outcome::Hopeless(format!(
            "this version knows no job of the kind {kind}"
        ))),
    }
}

/// Ends a claimed job without success and tells whatever waited for it, in one transaction.
/// Returns `false` when the lease was lost: then somebody else decides.
///
/// # Errors
/// When the database cannot be written.
pub async fn give_up(app: &App, job: &ClaimedJob, status: JobStatus, why: &str) -> Result<bool> {
    let platform = app.store.platform().await?;
    if !platform.queue().end(job, status, why).await? {
        return Ok(false);
    }
    let Some(tenant) = job.tenant else {
        platform.commit().await?;
        return Ok(true);
    };
    let tx = platform.enter_tenant(TenantScope::of(tenant)).await?;
    follow(
        &tx,
        &job.kind,
        &job.payload,
        DocumentStatus::Failed,
        Some(why),
    )
    .await?;
    tx.commit().await?;
    Ok(true)
}

/// The reason on whatever waited for a job that was cancelled.
pub const CANCELLED: &str = "cancelled";

async fn follow(
    tx: &TenantTx,
    kind: &str,
    payload: &serde_json::Value,
    status: DocumentStatus,
    why: Option<&str>,
) -> Result<()> {
    match kind {
        knowledge::PROCESS_DOCUMENT => knowledge::follow(tx, payload, status, why).await,
        _ => Ok(()),
    }
}

fn state(status: JobStatus) -> Error {
    let (es, en) = status.names();
    Error::new(ErrorCode::JobState)
        .with("status", status.as_str())
        .with_texts("status_name", es.to_owned(), en.to_owned())
}
