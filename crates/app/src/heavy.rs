//! Work that takes much of the machine while somebody waits for it. One piece of a tenant is done at a
//! time and few of all, so that what one asks for again and again is waited for by nobody else.

use quipu_core::{Error, ErrorCode, Result, TenantId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How long somebody waits in line before they are asked to come again.
const PATIENCE: Duration = Duration::from_secs(5);

/// The lines before each kind of such work.
pub struct HeavyWork {
    /// Reading and cutting documents, and looking at websites, for somebody to see what would come of it.
    pub previews: TenantLines,
    /// Putting together what was asked in vain.
    pub gaps: TenantLines,
    /// Adding up what a tenant did in months.
    pub statistics: TenantLines,
}

impl Default for HeavyWork {
    fn default() -> Self {
        Self {
            previews: TenantLines::new(2),
            gaps: TenantLines::new(1),
            statistics: TenantLines::new(2),
        }
    }
}

/// A line of each tenant, whose first ones share the places.
pub struct TenantLines {
    places: Arc<Semaphore>,
    lines: Mutex<HashMap<TenantId, Arc<Semaphore>>>,
}

/// A place at the work. Whoever hands the work to another thread hands this along, so that nobody else
/// begins while it goes on.
pub struct HeldPlace {
    _place: OwnedSemaphorePermit,
    _turn: OwnedSemaphorePermit,
}

impl TenantLines {
    fn new(at_once: usize) -> Self {
        Self {
            places: Arc::new(Semaphore::new(at_once)),
            lines: Mutex::default(),
        }
    }

    /// Waits for a place.
    ///
    /// # Errors
    /// `BUSY` when that takes too long.
    pub async fn enter(&self, tenant: TenantId) -> Result<HeldPlace> {
        let entering = async {
            let turn = self.line(tenant).acquire_owned().await;
            let turn = turn.map_err(Error::internal)?;
            let place = Arc::clone(&self.places).acquire_owned().await;
            Ok(HeldPlace {
                _place: place.map_err(Error::internal)?,
                _turn: turn,
            })
        };
        let entered = timeout(PATIENCE, entering).await;
        entered.unwrap_or_else(|_| Err(Error::new(ErrorCode::Busy)))
    }

    fn line(&self, tenant: TenantId) -> Arc<Semaphore> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody stands in a line that only this list knows.
        lines.retain(|_, line| Arc::strong_count(line) > 1);
        let line = lines.entry(tenant);
        Arc::clone(line.or_insert_with(|| Arc::new(Semaphore::new(1))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;
    use quipu_core::Timestamp;

    #[tokio::test(start_paused = true)]
    async fn who_wants_much_waits_for_themselves_and_is_sent_away() {
        let [much, little]: [TenantId; 2] =
            std::array::from_fn(|_| TenantId::generate(Timestamp::UNIX_EPOCH));
        let lines = TenantLines::new(2);
        let first = lines.enter(much).await.unwrap();
        assert!(lines.enter(much).now_or_never().is_none());
        // There is a second place, and it is for others.
        let other = lines.enter(little).now_or_never().unwrap().unwrap();
        let refused = lines.enter(much).await.err().unwrap();
        assert_eq!(refused.code(), ErrorCode::Busy);
        drop((first, other));
        assert!(lines.enter(much).now_or_never().is_some());
        assert_eq!(lines.lines.lock().unwrap().len(), 1);
    }
}
