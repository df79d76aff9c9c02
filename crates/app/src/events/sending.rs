//! Sending what waits for an endpoint: the oldest first, each until it is taken or given up.

use super::endpoints::secret;
use crate::App;
use bytes::Bytes;
use jiff::SignedDuration;
use quipu_channels::signature::sign_webhook;
use quipu_core::event::{DeliveryOutcome, EventDelivery, EventEndpoint};
use quipu_core::job::{ClaimedJob, NewJob, back_off};
use quipu_core::ports::{WebhookAnswer, WebhookError, WebhookRequest};
use quipu_core::tenancy::TenantScope;
use quipu_core::{Error, EventEndpointId, Result, TenantId};
use quipu_store::TenantTx;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;

/// How many events one endpoint is told before others have their turn.
const MOST_IN_A_ROW: usize = 20;

/// The job that tells an endpoint what waits for it.
pub(crate) const SEND_EVENT: &str = "send_event";
/// How often a job begins anew that a crash cut off.
const JOB_ATTEMPTS: i32 = 20;
/// How often something is sent before it is given up.
const MOST_ATTEMPTS: i32 = 12;
/// How long an endpoint may take to answer.
const PATIENCE: Duration = Duration::from_secs(15);
/// How much of an answer is kept.
const MOST_ERROR_CHARS: usize = 500;
/// Endpoints that are found due in one look.
const AT_ONCE: u64 = 200;

#[derive(Deserialize)]
struct Order {
    endpoint_id: EventEndpointId,
}

/// Something that is sent now.
struct Departure {
    endpoint: EventEndpoint,
    secret: SecretString,
    delivery: EventDelivery,
}

/// What there is to do next.
enum Next {
    Done,
    LeaseLost,
    Send(Box<Departure>),
}

/// What an answer says of more than the one event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Concerns {
    /// The endpoint does not want this event: others may still arrive.
    ThisEvent,
    /// Nothing will arrive for a while.
    Everything,
}

/// Queues the job of every endpoint that is to be told something now. Returns how many there are.
///
/// # Errors
/// When the database cannot be reached.
pub async fn enqueue_due(app: &App) -> Result<usize> {
    let tx = app.store.platform_read().await?;
    let due = tx.upkeep().due_endpoints(AT_ONCE).await?;
    drop(tx);
    let mut queued = 0;
    let mut failed = None;
    for (tenant, endpoint) in due {
        match enqueue_one(app, tenant, endpoint).await {
            Ok(is_new) => queued += usize::from(is_new),
            // Those of others are due all the same.
            Err(error) => failed = Some(error),
        }
    }
    if queued > 0 {
        app.new_work.notify_one();
    }
    failed.map_or(Ok(queued), Err)
}

async fn enqueue_one(app: &App, tenant: TenantId, endpoint: EventEndpointId) -> Result<bool> {
    let scope = TenantScope::of(tenant);
    let tx = app.store.read(scope).await?;
    // While the job is under way, nothing has to be written.
    let key = endpoint.to_string();
    if tx.jobs().find_live(SEND_EVENT, &key).await?.is_some() {
        return Ok(false);
    }
    drop(tx);
    let tx = app.store.begin(scope).await?;
    let is_new = enqueue(&tx, endpoint).await?;
    tx.commit().await?;
    Ok(is_new)
}

async fn enqueue(tx: &TenantTx, endpoint: EventEndpointId) -> Result<bool> {
    let job = NewJob {
        kind: SEND_EVENT,
        payload: json!({ "endpoint_id": endpoint }),
        dedup_key: Some(endpoint.to_string()),
        run_at: tx.now(),
        max_attempts: JOB_ATTEMPTS,
        owner: None,
    };
    Ok(tx.jobs().enqueue(&job).await?.is_some())
}

/// Has what waits for an endpoint sent now, also where it was to be left alone for a while. The last step
/// of a transaction.
pub(super) async fn hurry(tx: &TenantTx, endpoint: &EventEndpoint) -> Result<()> {
    if let Some(fault) = &endpoint.fault {
        let endpoints = tx.event_endpoints();
        endpoints
            .failed(endpoint.id, fault.status, &fault.error, None)
            .await?;
    }
    enqueue(tx, endpoint.id).await.map(drop)
}

/// Tells an endpoint what waits for it. Returns `false` when the lease was lost.
pub(crate) async fn send(app: &App, tenant: TenantId, job: &ClaimedJob) -> Result<bool> {
    let order: Order = serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    let scope = TenantScope::of(tenant);
    for _ in 0..MOST_IN_A_ROW {
        let departure = match next(app, scope, job, order.endpoint_id).await? {
            Next::Done => return Ok(true),
            Next::LeaseLost => return Ok(false),
            Next::Send(departure) => departure,
        };
        let answer = post(app, &departure).await?;
        settle(app, scope, &departure, answer).await?;
    }
    // What is left is found by the next look, behind the endpoints of others.
    let tx = app.store.begin(scope).await?;
    if !tx.jobs().complete(job).await? {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}

/// Finds what is sent next, or ends the job.
async fn next(
    app: &App,
    scope: TenantScope,
    job: &ClaimedJob,
    endpoint: EventEndpointId,
) -> Result<Next> {
    let tx = app.store.begin(scope).await?;
    if !tx.jobs().holds(job).await? {
        return Ok(Next::LeaseLost);
    }
    let found = tx.event_endpoints().find(endpoint).await?;
    let open = found.filter(|found| found.active && !is_left_alone(&tx, found));
    if let Some(endpoint) = open
        && let Some(delivery) = tx.event_deliveries().next(endpoint.id).await?
        && let Some(secret) = secret(app, &tx, endpoint.id).await?
    {
        return Ok(Next::Send(Box::new(Departure {
            endpoint,
            secret,
            delivery,
        })));
    }
    if !tx.jobs().complete(job).await? {
        return Ok(Next::LeaseLost);
    }
    tx.commit().await?;
    Ok(Next::Done)
}

fn is_left_alone(tx: &TenantTx, endpoint: &EventEndpoint) -> bool {
    let fault = endpoint.fault.as_ref();
    let retry_at = fault.and_then(|fault| fault.retry_at);
    retry_at.is_some_and(|at| at > tx.now())
}

async fn post(app: &App, departure: &Departure) -> Result<Result<WebhookAnswer, WebhookError>> {
    let Departure {
        endpoint,
        secret,
        delivery,
    } = departure;
    let body = serde_json::to_vec(&delivery.body).map_err(Error::internal)?;
    let headers = signed(secret, &delivery.event_id.to_string(), app, &body);
    let request = WebhookRequest {
        url: &endpoint.url,
        headers: &headers,
        body: Bytes::from(body),
        patience: PATIENCE,
    };
    Ok(app.webhooks.post(&request).await)
}

/// The headers of Standard Webhooks over a body.
pub(crate) fn signed(
    secret: &SecretString,
    id: &str,
    app: &App,
    body: &[u8],
) -> [(&'static str, SecretString); 3] {
    let headers = sign_webhook(secret.expose_secret(), id, app.now(), body);
    [
        ("webhook-id", headers.id.into()),
        ("webhook-timestamp", headers.timestamp.to_string().into()),
        ("webhook-signature", headers.signature.into()),
    ]
}

/// Writes down what came of an attempt, and what that means for the endpoint.
async fn settle(
    app: &App,
    scope: TenantScope,
    departure: &Departure,
    answer: Result<WebhookAnswer, WebhookError>,
) -> Result<()> {
    let Departure {
        endpoint, delivery, ..
    } = departure;
    let tx = app.store.begin(scope).await?;
    let (status, error, concerns) = match answer {
        Ok(answer) if (200..300).contains(&answer.status) => {
            let status = i32::from(answer.status);
            let sent = DeliveryOutcome::Sent { status };
            tx.event_deliveries().settle(delivery.id, &sent).await?;
            tx.event_endpoints().recovered(endpoint.id).await?;
            tx.commit().await?;
            count("sent");
            return Ok(());
        }
        Ok(answer) => {
            let concerns = concerns(answer.status);
            let status = i32::from(answer.status);
            (Some(status), shortened(&answer.body), concerns)
        }
        Err(error) => {
            let error = shortened(&error.to_string());
            (None, error, Concerns::Everything)
        }
    };
    let attempts = delivery.attempts + 1;
    let chance = delivery.id.uuid().as_bytes()[15];
    let pause: SignedDuration = back_off(attempts, chance);
    let at = tx.now().checked_add(pause).unwrap_or(tx.now());
    let outcome = if attempts >= MOST_ATTEMPTS {
        count("dead");
        DeliveryOutcome::Dead {
            status,
            error: error.clone(),
        }
    } else {
        count("again");
        DeliveryOutcome::Again {
            at,
            status,
            error: error.clone(),
        }
    };
    tx.event_deliveries().settle(delivery.id, &outcome).await?;
    let retry_at = (concerns == Concerns::Everything).then_some(at);
    tx.event_endpoints()
        .failed(endpoint.id, status, &error, retry_at)
        .await?;
    tx.commit().await?;
    tracing::debug!(endpoint = %endpoint.id, ?status, "an event was not taken");
    Ok(())
}

/// Whether a refusal is about the one event or about all of them.
const fn concerns(status: u16) -> Concerns {
    match status {
        400 | 409 | 413 | 422 => Concerns::ThisEvent,
        _ => Concerns::Everything,
    }
}

fn shortened(text: &str) -> String {
    let kept = text.chars().filter(|c| *c != '\0');
    kept.take(MOST_ERROR_CHARS).collect()
}

fn count(outcome: &'static str) {
    metrics::counter!("quipu_events_total", "outcome" => outcome).increment(1);
}
