//! Handing to a channel what waits for somebody: in order, each once, as far as a channel lets us know.

use super::keys::account;
use super::states::fault;
use crate::App;
use crate::conversations::outgoing::{self, enqueue, language};
use jiff::SignedDuration;
use quipu_channels::{FailureKind, OutboundContent, Recipient, SendFailure};
use quipu_core::channel::{
    ChannelConnection, DeliveryState, OutboundFault, OutboundRecord, SendResult,
};
use quipu_core::conversation::HandoffMode;
use quipu_core::job::{ClaimedJob, back_off};
use quipu_core::language::Language;
use quipu_core::tenancy::TenantScope;
use quipu_core::{ContactId, Error, Result, TenantId, Timestamp};
use quipu_store::TenantTx;
use serde::Deserialize;

/// How long nobody knows whether a message arrived, before it is sent again: states that name it come
/// within seconds.
const UNKNOWN: SignedDuration = SignedDuration::from_secs(20);
/// For how long a message is tried. After that the window of its customer is closed anyway.
const PATIENCE: SignedDuration = SignedDuration::from_hours(24);
/// How long an account is left alone whose key is not good.
const ACCOUNT_PAUSE: SignedDuration = SignedDuration::from_mins(5);
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_mins(10);

#[derive(Deserialize)]
struct Order {
    contact_id: ContactId,
}

/// A message that is handed to the channel now.
struct Departure {
    record: OutboundRecord,
    connection: ChannelConnection,
    to: Recipient,
    content: OutboundContent,
}

/// What there is to do next.
enum Next {
    Done,
    LeaseLost,
    /// One that cannot go out was ended: look again.
    Again,
    Send(Box<Departure>),
}

/// Sends what waits for somebody. Returns `false` when the lease was lost.
pub(crate) async fn send_messages(app: &App, tenant: TenantId, job: &ClaimedJob) -> Result<bool> {
    let order: Order = serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    let scope = TenantScope::of(tenant);
    loop {
        let departure = match next(app, scope, job, order.contact_id).await? {
            Next::Done => return Ok(true),
            Next::LeaseLost => return Ok(false),
            Next::Again => continue,
            Next::Send(departure) => departure,
        };
        let account = account(app, scope, &departure.connection).await?;
        let Departure { record, to, .. } = &*departure;
        let reference = record.id.to_string();
        let sent = app
            .channels
            .send(
                &account,
                to,
                &departure.content,
                &reference,
                record.by_person,
            )
            .await;
        let tx = app.store.begin(scope).await?;
        match sent {
            Ok(sent) => {
                let external_id = sent.id;
                let result = SendResult::Sent { external_id };
                tx.channel_outbound().settle(record.id, &result).await?;
                tx.channel_connections()
                    .sent(departure.connection.id)
                    .await?;
                count("sent");
            }
            Err(failure) => settle_failure(&tx, &departure, &failure).await?,
        }
        tx.commit().await?;
    }
}

/// Finds what goes out next and notes that it is being sent, or ends the job.
async fn next(app: &App, scope: TenantScope, job: &ClaimedJob, contact: ContactId) -> Result<Next> {
    let tx = app.store.begin(scope).await?;
    let Some(contact) = tx.channel_contacts().lock(contact).await? else {
        return finish(tx, job, None).await;
    };
    let Some(record) = tx.channel_outbound().next(contact.id).await? else {
        return finish(tx, job, None).await;
    };
    let connection = tx.channel_connections().find(record.connection_id).await?;
    let Some(connection) = connection else {
        return finish(tx, job, None).await;
    };
    if let Some(at) = waits_until(app, &record).filter(|at| *at > tx.now()) {
        return finish(tx, job, Some((contact.id, at))).await;
    }
    if !tx.jobs().holds(job).await? {
        return Ok(Next::LeaseLost);
    }
    if let Some((kind, es, en)) = obsolete(&tx, &record).await? {
        let message = match language(&tx).await? {
            Language::Es => es.to_owned(),
            Language::En => en.to_owned(),
        };
        let fault = OutboundFault {
            code: None,
            kind: kind.to_owned(),
            message,
        };
        let failed = SendResult::Failed(fault);
        tx.channel_outbound().settle(record.id, &failed).await?;
        tx.commit().await?;
        count(kind);
        return Ok(Next::Again);
    }
    tx.channel_outbound().start(record.id).await?;
    tx.commit().await?;
    let content = serde_json::from_value(record.content.clone()).map_err(Error::internal)?;
    let to = Recipient {
        user_id: contact.user_id,
        phone: contact.phone,
    };
    Ok(Next::Send(Box::new(Departure {
        record,
        connection,
        to,
        content,
    })))
}

async fn finish(
    tx: TenantTx,
    job: &ClaimedJob,
    later: Option<(ContactId, Timestamp)>,
) -> Result<Next> {
    if !tx.jobs().complete(job).await? {
        return Ok(Next::LeaseLost);
    }
    if let Some((contact, at)) = later {
        enqueue(&tx, contact, at).await?;
    }
    tx.commit().await?;
    Ok(Next::Done)
}

/// Until when a message is left alone. One that was being sent when its process died may have arrived:
/// its states tell, and are waited for. While nobody was there, none could come.
fn waits_until(app: &App, record: &OutboundRecord) -> Option<Timestamp> {
    match record.state {
        DeliveryState::Sending => {
            let since = record.started_at?.max(app.started_at);
            since.checked_add(UNKNOWN).ok()
        }
        _ => Some(record.send_after),
    }
}

/// Why a message is not to be sent any more. Who answers is read at the last moment.
async fn obsolete(
    tx: &TenantTx,
    record: &OutboundRecord,
) -> Result<Option<(&'static str, &'static str, &'static str)>> {
    if tx.now().duration_since(record.created_at) > PATIENCE {
        return Ok(Some((
            "expired",
            "no se pudo entregar en 24 horas",
            "it could not be delivered within 24 hours",
        )));
    }
    let Some(conversation) = record.conversation_id.filter(|_| !record.by_person) else {
        return Ok(None);
    };
    let Some(conversation) = tx.conversations().find(conversation).await? else {
        return Ok(None);
    };
    let handoff = &conversation.handoff;
    let taken_over = handoff.mode == HandoffMode::Human
        && handoff.at.is_some_and(|at| at > record.created_at)
        && outgoing::is_of_agent(tx, record).await?;
    Ok(taken_over.then_some((
        "taken_over",
        "una persona tomó la conversación antes de que saliera",
        "a person took over before it was sent",
    )))
}

/// Decides what becomes of a message that the channel did not take.
async fn settle_failure(tx: &TenantTx, departure: &Departure, failure: &SendFailure) -> Result<()> {
    let Departure {
        record, connection, ..
    } = departure;
    tracing::warn!(connection = %connection.id, %failure, kind = ?failure.kind, "a channel did not take a message");
    count(name(failure.kind));
    let language = language(tx).await?;
    let code = failure.code.unwrap_or_default();
    let told = OutboundFault {
        code: failure.code,
        kind: name(failure.kind).to_owned(),
        ..fault(connection.channel, code, language)
    };
    let now = tx.now();
    let at = |pause: SignedDuration| now.checked_add(pause).unwrap_or(now);
    let chance = record.id.uuid().as_bytes()[15];
    let grown = back_off(record.attempts + 1, chance).min(LONGEST_PAUSE);
    let asked = failure.retry_after_seconds.map(|seconds| {
        let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
        SignedDuration::from_secs(seconds).min(LONGEST_PAUSE)
    });
    let result = match failure.kind {
        // Whoever got it twice would rather have got it once.
        FailureKind::Unknown if record.attempts > 0 => SendResult::Failed(told),
        // Its record stays as one that is being sent, and is looked at again.
        FailureKind::Unknown => return Ok(()),
        FailureKind::Transient | FailureKind::Throttled | FailureKind::PairThrottled => {
            SendResult::Again {
                at: at(asked.unwrap_or(grown)),
                fault: told,
            }
        }
        FailureKind::Account => {
            let since = (failure.code, now);
            tx.channel_connections()
                .set_fault(connection.id, Some(since))
                .await?;
            SendResult::Again {
                at: at(ACCOUNT_PAUSE),
                fault: told,
            }
        }
        FailureKind::WindowClosed
        | FailureKind::Unreachable
        | FailureKind::Template
        | FailureKind::Rejected => SendResult::Failed(told),
    };
    tx.channel_outbound().settle(record.id, &result).await?;
    Ok(())
}

const fn name(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Transient => "transient",
        FailureKind::Throttled => "throttled",
        FailureKind::PairThrottled => "pair_throttled",
        FailureKind::WindowClosed => "window_closed",
        FailureKind::Unreachable => "unreachable",
        FailureKind::Account => "account",
        FailureKind::Template => "template",
        FailureKind::Rejected => "rejected",
        FailureKind::Unknown => "unknown",
    }
}

fn count(outcome: &'static str) {
    metrics::counter!("quipu_channel_messages_total", "outcome" => outcome).increment(1);
}
