//! Jobs: what people see of them, and what each kind does.

use crate::ingest::{self, Done};
use crate::{
    Actor, App, appointments, channels, chat, conversations, documents, embeddings, events,
    rehearsals, removal, websites,
};
use quipu_core::access::Permission;
use quipu_core::extraction::Failure;
use quipu_core::job::{ClaimedJob, Job, JobStatus};
use quipu_core::knowledge::DocumentStatus;
use quipu_core::page::{Page, PageRequest};
use quipu_core::tenancy::TenantScope;
use quipu_core::{Error, ErrorCode, JobId, Result};
use quipu_store::TenantTx;
use serde_json::json;

/// Kinds of jobs that wait for others most of their time, and for how many of each a process has a
/// place beside its workers: rehearsals and answers wait for models, websites, messages and events
/// for their servers.
pub const BESIDE_WORKERS: [(&str, usize); 5] = [
    (rehearsals::REHEARSE, 2),
    (websites::READ_WEBSITE, 4),
    (channels::ANSWER_CONTACT, 16),
    (conversations::outgoing::SEND_MESSAGES, 16),
    (events::SEND_EVENT, 8),
];

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
        .list(actor.user_id(), status, page)
        .await
}

/// # Errors
/// `NOT_FOUND` when the tenant has no such job.
pub async fn get(app: &App, actor: &Actor, id: JobId) -> Result<Job> {
    actor.require(Permission::JobsRead)?;
    let tx = app.store.read(actor.scope()).await?;
    tx.jobs()
        .find(id, actor.user_id())
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
    let job = cancel_in(&tx, actor, id).await?;
    tx.commit().await?;
    Ok(job)
}

/// The same as part of a larger change, by somebody who may do that one.
pub(crate) async fn cancel_in(tx: &TenantTx, actor: &Actor, id: JobId) -> Result<Job> {
    let job = find(tx, actor, id).await?;
    if matches!(
        job.kind.as_str(),
        removal::REMOVE_FILES | documents::SWEEP_UPLOAD | conversations::SWEEP_ATTACHMENT
    ) {
        // What was deleted stays deleted.
        return Err(Error::new(ErrorCode::Forbidden).with("permission", "system"));
    }
    if !tx.jobs().cancel(id).await? {
        return Err(state(job.status));
    }
    // A worker may have taken the job or given it back since: what it is now is what counts.
    let job = find(tx, actor, id).await?;
    if job.status == JobStatus::Cancelled {
        let failure = Some(Failure::Cancelled);
        follow(tx, &job.kind, &job.payload, DocumentStatus::Failed, failure).await?;
    }
    let details = json!({ "kind": job.kind });
    actor
        .audit(tx, "job.cancel", format!("job:{id}"), details)
        .await?;
    Ok(job)
}

async fn find(tx: &TenantTx, actor: &Actor, id: JobId) -> Result<Job> {
    tx.jobs()
        .find(id, actor.user_id())
        .await?
        .ok_or_else(|| Error::not_found("job"))
}

/// Gives a dead or cancelled job a fresh set of attempts.
///
/// # Errors
/// `NOT_FOUND`, or `JOB_STATE` when there is nothing to retry.
pub async fn retry(app: &App, actor: &Actor, id: JobId) -> Result<Job> {
    actor.require(Permission::JobsWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let job = find(&tx, actor, id).await?;
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
    let job = find(&tx, actor, id).await?;
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
    let done = match (job.kind.as_str(), job.tenant) {
        (documents::PROCESS_DOCUMENT, Some(tenant)) => ingest::process(app, tenant, job).await?,
        (embeddings::EMBED_CHUNKS, Some(tenant)) => {
            held(embeddings::embed_missing(app, tenant, job).await?)
        }
        (documents::SWEEP_UPLOAD, Some(tenant)) => {
            held(documents::sweep_upload(app, TenantScope::of(tenant), job).await?)
        }
        (appointments::REMIND, Some(tenant)) => {
            held(appointments::remind(app, TenantScope::of(tenant), job).await?)
        }
        (chat::POLISH_PROMPT, Some(tenant)) => {
            held(chat::polish(app, TenantScope::of(tenant), job).await?)
        }
        (conversations::SWEEP_ATTACHMENT, Some(tenant)) => {
            held(conversations::sweep_attachment(app, TenantScope::of(tenant), job).await?)
        }
        (rehearsals::REHEARSE, Some(tenant)) => {
            held(Box::pin(rehearsals::rehearse(app, tenant, job)).await?)
        }
        (websites::READ_WEBSITE, Some(tenant)) => websites::read_website(app, tenant, job).await?,
        (channels::ANSWER_CONTACT, Some(tenant)) => {
            held(Box::pin(channels::answer_contact(app, tenant, job)).await?)
        }
        (conversations::outgoing::SEND_MESSAGES, Some(tenant)) => {
            held(channels::send_messages(app, tenant, job).await?)
        }
        (conversations::countdown::RETURN_TO_AGENT, Some(tenant)) => {
            held(conversations::countdown::give_back(app, TenantScope::of(tenant), job).await?)
        }
        (events::SEND_EVENT, Some(tenant)) => held(events::send(app, tenant, job).await?),
        (channels::N8N_FALLBACK, Some(tenant)) => {
            held(channels::n8n_fallback(app, TenantScope::of(tenant), job).await?)
        }
        (removal::REMOVE_FILES, _) => held(removal::sweep_files(app, job).await?),
        (kind, _) => {
            return Ok(Outcome::Hopeless(format!(
                "this version knows no job of the kind {kind}"
            )));
        }
    };
    Ok(Outcome::Done(done))
}

fn held(finished: bool) -> Done {
    if finished {
        Done::Completed
    } else {
        Done::LeaseLost
    }
}

/// Ends a claimed job without success and tells whatever waited for it, in one transaction.
/// Returns `false` when the lease was lost: then somebody else decides.
///
/// # Errors
/// When the database cannot be written.
pub async fn give_up(
    app: &App,
    job: &ClaimedJob,
    status: JobStatus,
    failure: Failure,
    why: &str,
) -> Result<bool> {
    let platform = app.store.platform().await?;
    if !platform.queue().end(job, status, why).await? {
        return Ok(false);
    }
    let Some(tenant) = job.tenant else {
        platform.commit().await?;
        return Ok(true);
    };
    let tx = platform.enter_tenant(TenantScope::of(tenant)).await?;
    let failure = Some(failure);
    follow(
        &tx,
        &job.kind,
        &job.payload,
        DocumentStatus::Failed,
        failure,
    )
    .await?;
    tx.commit().await?;
    Ok(true)
}

async fn follow(
    tx: &TenantTx,
    kind: &str,
    payload: &serde_json::Value,
    status: DocumentStatus,
    failure: Option<Failure>,
) -> Result<()> {
    match kind {
        documents::PROCESS_DOCUMENT => ingest::follow(tx, payload, status, failure).await,
        rehearsals::REHEARSE => rehearsals::follow(tx, payload, status, failure).await,
        websites::READ_WEBSITE => websites::follow(tx, payload, failure).await,
        _ => Ok(()),
    }
}

fn state(status: JobStatus) -> Error {
    let (es, en) = status.names();
    Error::new(ErrorCode::JobState)
        .with("status", status.as_str())
        .with_texts("status_name", es.to_owned(), en.to_owned())
}
