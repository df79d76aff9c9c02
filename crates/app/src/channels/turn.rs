//! The end of a turn on a channel: whether its answer still answers what was said last, and whether it
//! is still the agent who answers.

use super::answer::{enqueue, settled};
use crate::chat::{TurnEnd, TurnFate};
use async_trait::async_trait;
use quipu_agents::Answer;
use quipu_agents::tool::{Access, find as find_tool};
use quipu_core::conversation::{Conversation, HandoffMode};
use quipu_core::job::ClaimedJob;
use quipu_core::turn::Trace;
use quipu_core::{ContactId, InboundId, Result};
use quipu_store::TenantTx;
use std::sync::{Mutex, PoisonError};

/// A burst of messages that is being answered.
pub(super) struct ChannelTurn<'a> {
    pub(super) job: &'a ClaimedJob,
    pub(super) contact: ContactId,
    pub(super) burst: Vec<InboundId>,
    /// Answers that came too late were thrown away often enough: this one is said, and what came
    /// meanwhile is answered next.
    pub(super) is_last_try: bool,
    pub(super) ended: Mutex<Option<TurnEnding>>,
}

/// How a turn on a channel ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnEnding {
    Done,
    /// The customer wrote more meanwhile.
    Stale,
    /// Somebody else has the job.
    LeaseLost,
}

#[async_trait]
impl TurnEnd for ChannelTurn<'_> {
    async fn close(
        &self,
        tx: &TenantTx,
        conversation: &Conversation,
        answer: &Answer,
    ) -> Result<TurnFate> {
        tx.channel_contacts().lock(self.contact).await?;
        let waiting = tx.channel_inbound().count_waiting(self.contact).await?;
        let more = waiting > self.burst.len() as u64;
        if more && !self.is_last_try && !has_written(&answer.trace) {
            return Ok(self.end(TurnEnding::Stale, TurnFate::Abandoned));
        }
        if !tx.jobs().complete(self.job).await? {
            return Ok(self.end(TurnEnding::LeaseLost, TurnFate::Abandoned));
        }
        let by_person = conversation.handoff.mode == HandoffMode::Human;
        let fate = if by_person {
            TurnFate::Unsaid
        } else {
            TurnFate::Said
        };
        let state = settled(by_person);
        tx.channel_inbound().settle(&self.burst, state).await?;
        if more {
            enqueue(tx, self.contact, 0).await?;
        }
        Ok(self.end(TurnEnding::Done, fate))
    }
}

impl ChannelTurn<'_> {
    fn end(&self, ending: TurnEnding, fate: TurnFate) -> TurnFate {
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(ending);
        fate
    }

    /// How it ended; nothing where it never came to its end.
    pub(super) fn ending(&self) -> Option<TurnEnding> {
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a tool changed something in the turn. Then its answer is said, whatever came meanwhile: the
/// customer is to know what was done.
fn has_written(trace: &Trace) -> bool {
    let tools = trace.steps.iter().filter(|step| step.name == "tool");
    tools
        .filter_map(|step| find_tool(step.details["tool"].as_str()?))
        .any(|tool| tool.access == Access::Write)
}
