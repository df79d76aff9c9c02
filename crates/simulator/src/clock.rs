//! The time, as the stand-ins see it.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Windows of 24 hours are tried without waiting for them, so the clock can be put forward.
pub(crate) struct SimulatorClock {
    source: Box<dyn Fn() -> SystemTime + Send + Sync>,
    forward_milliseconds: AtomicI64,
}

impl SimulatorClock {
    pub(crate) fn new(source: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self {
            source: Box::new(source),
            forward_milliseconds: AtomicI64::new(0),
        }
    }

    pub(crate) fn advance(&self, by: Duration) {
        let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        let before = self.forward_milliseconds.load(Ordering::SeqCst);
        self.forward_milliseconds
            .store(before.saturating_add(by), Ordering::SeqCst);
    }

    /// Milliseconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        let since = (self.source)().duration_since(UNIX_EPOCH);
        let now = i64::try_from(since.unwrap_or_default().as_millis()).unwrap_or(i64::MAX);
        now.saturating_add(self.forward_milliseconds.load(Ordering::SeqCst))
    }
}

impl Default for SimulatorClock {
    fn default() -> Self {
        Self::new(SystemTime::now)
    }
}
