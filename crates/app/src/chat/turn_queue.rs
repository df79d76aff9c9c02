//! The turns of a conversation come one after the other: the second of two messages is answered
//! knowing what the first one said.

use super::visit::Visit;
use quipu_core::ConversationId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{Mutex as TurnLock, OwnedMutexGuard};

/// From so many conversations on, those in which nobody is speaking are forgotten.
const MANY: usize = 1_000;

/// Who is being answered in which conversation. Each process has its own.
#[derive(Debug, Default)]
pub struct TurnQueue {
    open: Mutex<HashMap<ConversationId, Weak<TurnLock<()>>>>,
}

impl TurnQueue {
    /// The turn of whoever talks in a conversation.
    pub(super) async fn of(
        &self,
        visit: &Visit,
        patience: Duration,
    ) -> Option<OwnedMutexGuard<()>> {
        self.enter(visit.conversation_id()?, patience).await
    }

    /// Waits until the turn before has ended, but no longer than it may take: a message is answered
    /// late rather than never.
    async fn enter(
        &self,
        conversation: ConversationId,
        patience: Duration,
    ) -> Option<OwnedMutexGuard<()>> {
        let turn = self.lock_of(conversation).lock_owned();
        tokio::time::timeout(patience, turn).await.ok()
    }

    fn lock_of(&self, conversation: ConversationId) -> Arc<TurnLock<()>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= MANY {
            open.retain(|_, turn| turn.strong_count() > 0);
        }
        if let Some(turn) = open.get(&conversation).and_then(Weak::upgrade) {
            return turn;
        }
        let turn = Arc::new(TurnLock::new(()));
        open.insert(conversation, Arc::downgrade(&turn));
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quipu_core::Timestamp;

    const SOON: Duration = Duration::from_millis(20);

    #[tokio::test(start_paused = true)]
    async fn one_conversation_has_one_turn_at_a_time_and_others_go_on() {
        let queue = TurnQueue::default();
        let [one, other] =
            [1, 2].map(|second| ConversationId::generate(Timestamp::from_second(second).unwrap()));
        let first = queue.enter(one, SOON).await;
        assert!(first.is_some());
        assert!(queue.enter(other, SOON).await.is_some());
        assert!(
            queue.enter(one, SOON).await.is_none(),
            "nobody waits forever"
        );
        drop(first);
        assert!(queue.enter(one, SOON).await.is_some());
    }
}
