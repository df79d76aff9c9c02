//! What becomes of an answer at the end of its turn, where somebody else decides that.

use async_trait::async_trait;
use quipu_agents::Answer;
use quipu_core::conversation::Conversation;
use quipu_core::{MessageId, Result};
use quipu_store::TenantTx;

/// What becomes of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TurnFate {
    /// It is said.
    Said,
    /// It is kept with its turn and not said, because a person answers by now.
    Unsaid,
    /// Nothing of it is kept: it answers to what is no longer the last word.
    Abandoned,
}

/// Decides what becomes of an answer, in the transaction that keeps it. The conversation is locked.
#[async_trait]
pub(crate) trait TurnEnd: Send + Sync {
    async fn close(
        &self,
        tx: &TenantTx,
        conversation: &Conversation,
        answer: &Answer,
    ) -> Result<TurnFate>;
}

/// A question that was stored before it was asked, and who decides about its answer.
#[derive(Clone, Copy)]
pub(crate) struct StoredQuestion<'a> {
    /// The first message of what is asked.
    pub(crate) message: MessageId,
    pub(crate) end: &'a dyn TurnEnd,
}
