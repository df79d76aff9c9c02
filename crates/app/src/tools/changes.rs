//! Doing what a tool changes: once, not too often, and noted down.

use super::{Scene, Turn, booking, customer, loyalty, orders, receipts};
use crate::once::{self, Once};
use jiff::SignedDuration;
use quipu_agents::tool::{Arguments, Tool};
use quipu_core::access::Permission;
use quipu_core::tool_call::NewToolCall;
use quipu_core::{Error, ErrorCode, Result, Timestamp};
use quipu_store::TenantTx;
use serde_json::{Value, json};
use std::time::Instant;

/// How many changes may be made for a customer within an hour, in whichever conversations.
const MOST_CHANGES: u64 = 20;
/// The same for all customers together whom nobody named, of a key that may not name them: it lies in a
/// public page, where anybody can order for anybody.
const MOST_FOR_NOBODY: u64 = 60;
const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// Does what a tool that changes something does, once, and keeps what was done.
pub(super) async fn change(
    scene: Scene<'_>,
    tool: &'static Tool,
    arguments: &Arguments,
) -> Result<Value> {
    let began = Instant::now();
    let request = json!({
        "agent": scene.agent.id,
        "lead": scene.lead.map(|lead| lead.id),
        "conversation": scene.conversation.map(|found| found.id),
        "arguments": (!scene.same_words).then(|| arguments.value()),
    });
    let tx = match once::begin(scene.app, scene.actor, tool.name, &request).await? {
        Once::Again(result) => return Ok(result),
        Once::First(tx) => tx,
    };
    let cast = match scene.stage {
        Some(stage) => Some((stage, stage.enter(&tx).await?)),
        None => None,
    };
    let scene = match &cast {
        Some((_, cast)) => cast.in_scene(scene),
        None => scene,
    };
    match write(scene, &tx, tool.name, arguments).await {
        Ok(result) => {
            if let Some((stage, cast)) = &cast {
                stage.remember(&tx, cast).await?;
            }
            keep(scene, &tx, tool, arguments, None, began).await?;
            let lead = scene.lead.map(|lead| lead.id);
            tx.commit_about(lead, &result).await?;
            scene.app.new_work.notify_one();
            Ok(result)
        }
        Err(error) => {
            drop(tx);
            note_refusal(scene, tool, arguments, &error, began).await;
            Err(error)
        }
    }
}

async fn write(
    scene: Scene<'_>,
    tx: &TenantTx,
    name: &str,
    arguments: &Arguments,
) -> Result<Value> {
    let since = tx.now().checked_sub(HOUR).unwrap_or(Timestamp::MIN);
    if let Some(lead) = scene.lead {
        let done = tx.tool_calls().done_since(lead.id, since).await?;
        if done >= MOST_CHANGES {
            return Err(Error::new(ErrorCode::ToolLimitReached).with("value", MOST_CHANGES));
        }
    } else if scene.actor.require(Permission::CustomersWrite).is_err() {
        let actor = scene.actor.name();
        let done = tx.tool_calls().done_for_nobody(&actor, since).await?;
        if done >= MOST_FOR_NOBODY {
            return Err(Error::new(ErrorCode::ToolLimitReached).with("value", MOST_FOR_NOBODY));
        }
    }
    let turn = &Turn { scene, tx };
    match name {
        "create_appointment" => booking::make(turn, arguments.parse()?).await,
        "reschedule_appointment" => booking::reschedule(turn, arguments.parse()?).await,
        "cancel_appointment" => booking::cancel(turn, arguments.parse()?).await,
        "update_lead_info" => customer::update(turn, arguments.parse()?).await,
        "escalate_to_human" => customer::escalate(turn, &arguments.parse()?).await,
        "create_order" => orders::create(turn, arguments.parse()?).await,
        "cancel_order" => orders::cancel(turn, arguments.parse()?).await,
        "award_loyalty_tokens" => loyalty::award(turn, arguments.parse()?).await,
        "redeem_reward" => loyalty::redeem(turn, arguments.parse()?).await,
        "request_invoice" => receipts::request_invoice(turn, arguments.parse()?).await,
        _ => Err(Error::new(ErrorCode::UnknownTool)),
    }
}

async fn keep(
    scene: Scene<'_>,
    tx: &TenantTx,
    tool: &Tool,
    arguments: &Arguments,
    error: Option<&Error>,
    began: Instant,
) -> Result<()> {
    tx.tool_calls()
        .insert(&NewToolCall {
            agent_id: scene.agent.id,
            conversation_id: scene.conversation.map(|found| found.id),
            lead_id: scene.lead.map(|lead| lead.id),
            actor: scene.actor.name(),
            tool: tool.name.to_owned(),
            arguments: arguments.value().clone(),
            error_code: error.map(|error| error.code().as_str().to_owned()),
            elapsed: began.elapsed(),
        })
        .await?;
    Ok(())
}

/// Keeps what was refused. That it cannot be kept must not hide why it was refused.
async fn note_refusal(
    scene: Scene<'_>,
    tool: &Tool,
    arguments: &Arguments,
    error: &Error,
    began: Instant,
) {
    if scene.stage.is_some() {
        return;
    }
    let kept = async {
        let tx = scene.app.store.begin(scene.actor.scope()).await?;
        keep(scene, &tx, tool, arguments, Some(error), began).await?;
        tx.commit().await
    };
    if let Err(error) = kept.await {
        let tenant = scene.actor.tenant_id();
        tracing::warn!(tenant.id = %tenant, %error, "a refused tool call was not kept");
    }
}
