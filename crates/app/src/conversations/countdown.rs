//! The agent's return: while a person answers, a countdown runs from their last word.

use super::handoff::{By, change};
use super::{find, lock, outgoing};
use crate::{App, learning};
use jiff::SignedDuration;
use quipu_core::conversation::{Conversation, Handoff, HandoffEvent, HandoffMode};
use quipu_core::job::{ClaimedJob, NewJob};
use quipu_core::tenancy::TenantScope;
use quipu_core::{ConversationId, Error, Result, Timestamp};
use quipu_store::TenantTx;
use serde::Deserialize;
use serde_json::json;

/// The job that gives a conversation back to its agent.
pub(crate) const RETURN_TO_AGENT: &str = "return_to_agent";
const ATTEMPTS: i32 = 20;

#[derive(Deserialize)]
struct Order {
    conversation_id: ConversationId,
}

/// When the agent answers again, counted from now, where the connection of the conversation says so.
pub(super) async fn returns_at(
    tx: &TenantTx,
    conversation: &Conversation,
) -> Result<Option<Timestamp>> {
    let Some(route) = outgoing::route(tx, conversation).await? else {
        return Ok(None);
    };
    let minutes = i64::from(route.connection.settings.return_after_minutes);
    if minutes == 0 {
        return Ok(None);
    }
    let at = tx.now().checked_add(SignedDuration::from_mins(minutes));
    Ok(at.ok())
}

/// Begins the countdown anew, because a person said something. The conversation is locked.
pub(crate) async fn begin(tx: &TenantTx, conversation: ConversationId) -> Result<()> {
    let conversation = find(tx, conversation).await?;
    if conversation.handoff.mode != HandoffMode::Human {
        return Ok(());
    }
    let Some(returns_at) = returns_at(tx, &conversation).await? else {
        return Ok(());
    };
    let handoff = Handoff {
        returns_at: Some(returns_at),
        ..conversation.handoff
    };
    tx.conversations()
        .set_handoff(conversation.id, &handoff)
        .await?;
    enqueue(tx, conversation.id, returns_at).await
}

async fn enqueue(tx: &TenantTx, conversation: ConversationId, run_at: Timestamp) -> Result<()> {
    let job = NewJob {
        kind: RETURN_TO_AGENT,
        payload: json!({ "conversation_id": conversation }),
        dedup_key: Some(conversation.to_string()),
        run_at,
        max_attempts: ATTEMPTS,
        owner: None,
    };
    tx.jobs().enqueue(&job).await?;
    Ok(())
}

/// Gives a conversation back whose countdown has ended; one that was begun anew goes on. Returns `false`
/// when the lease was lost.
pub(crate) async fn give_back(app: &App, scope: TenantScope, job: &ClaimedJob) -> Result<bool> {
    let order: Order = serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    let tx = app.store.begin(scope).await?;
    let conversation = tx.conversations().lock(order.conversation_id).await?;
    if !tx.jobs().complete(job).await? {
        return Ok(false);
    }
    if let Some(conversation) = conversation
        && conversation.handoff.mode == HandoffMode::Human
        && let Some(returns_at) = conversation.handoff.returns_at
    {
        if returns_at > tx.now() {
            enqueue(&tx, conversation.id, returns_at).await?;
        } else {
            learning::propose(&tx, &conversation).await?;
            let by = By::product("countdown");
            change(&tx, &conversation, HandoffEvent::Release, None, &by).await?;
        }
    }
    tx.commit().await?;
    Ok(true)
}

/// Lets a person of the business take over who answered outside the product, such as from their own
/// phone, and begins the countdown.
pub(crate) async fn taken_outside(tx: &TenantTx, id: ConversationId, by: &str) -> Result<()> {
    let conversation = lock(tx, id).await?;
    if conversation.handoff.mode == HandoffMode::Human {
        return begin(tx, id).await;
    }
    let by = By::product(by);
    change(tx, &conversation, HandoffEvent::Take, None, &by).await
}
