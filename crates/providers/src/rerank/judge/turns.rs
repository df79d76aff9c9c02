//! Turns at the cores, shared among tenants: one that asks for much waits behind itself.

use quipu_core::TenantId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// As many turns at a time as there are cores. Of each tenant no more than that stand in line, so that
/// whoever comes next waits for one round of the others and not for all that they want.
pub(super) struct TenantTurns {
    at_once: usize,
    cores: Arc<Semaphore>,
    lines: Mutex<HashMap<Option<TenantId>, Arc<Semaphore>>>,
}

/// Lets go of the core first, and then of the place in the tenant's line.
pub(super) struct TakenTurn {
    _core: OwnedSemaphorePermit,
    _place: OwnedSemaphorePermit,
}

impl TenantTurns {
    pub(super) fn new(at_once: usize) -> Self {
        Self {
            at_once,
            cores: Arc::new(Semaphore::new(at_once)),
            lines: Mutex::default(),
        }
    }

    pub(super) async fn take(&self, tenant: Option<TenantId>) -> TakenTurn {
        let place = taken(self.line(tenant)).await;
        TakenTurn {
            _core: taken(Arc::clone(&self.cores)).await,
            _place: place,
        }
    }

    fn line(&self, tenant: Option<TenantId>) -> Arc<Semaphore> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody stands in a line that only this list knows.
        lines.retain(|_, line| Arc::strong_count(line) > 1);
        let line = lines.entry(tenant);
        Arc::clone(line.or_insert_with(|| Arc::new(Semaphore::new(self.at_once))))
    }
}

async fn taken(semaphore: Arc<Semaphore>) -> OwnedSemaphorePermit {
    let permit = semaphore.acquire_owned().await;
    permit.expect("nobody closes it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;
    use quipu_core::Timestamp;

    fn tenants<const N: usize>() -> [Option<TenantId>; N] {
        std::array::from_fn(|_| Some(TenantId::generate(Timestamp::UNIX_EPOCH)))
    }

    #[tokio::test]
    async fn whoever_wants_much_waits_behind_themselves() {
        let turns = Arc::new(TenantTurns::new(1));
        let [much, little] = tenants();
        let first = turns.take(much).await;
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut waiting = Vec::new();
        // Five of one tenant stand there before another one comes.
        for of in [much, much, much, much, much, little] {
            let (turns, order) = (Arc::clone(&turns), Arc::clone(&order));
            waiting.push(tokio::spawn(async move {
                let _turn = turns.take(of).await;
                order.lock().unwrap().push(of);
            }));
            tokio::task::yield_now().await;
        }
        drop(first);
        for one in waiting {
            one.await.unwrap();
        }
        let order = order.lock().unwrap();
        let place = order.iter().position(|of| *of == little).unwrap();
        assert!(place <= 1, "{order:?}");
    }

    #[tokio::test]
    async fn lines_without_anybody_are_forgotten() {
        let turns = TenantTurns::new(2);
        for tenant in tenants::<10>() {
            drop(turns.take(tenant).await);
        }
        let [tenant] = tenants();
        let held = turns.take(tenant).await;
        assert_eq!(turns.lines.lock().unwrap().len(), 1);
        assert!(turns.take(tenant).now_or_never().is_some());
        drop(held);
    }
}
