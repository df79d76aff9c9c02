use quipu_core::{Clock, Timestamp};
use std::sync::atomic::{AtomicI64, Ordering};

/// A clock that stands still until it is turned.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl Default for ManualClock {
    /// A Tuesday morning in Lima.
    fn default() -> Self {
        Self(AtomicI64::new(1_773_756_000_000_000))
    }
}

impl ManualClock {
    /// # Panics
    /// When the clock is turned beyond what a timestamp can hold.
    pub fn advance(&self, by: std::time::Duration) {
        let micros = i64::try_from(by.as_micros()).expect("a sensible duration");
        self.0.fetch_add(micros, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_microsecond(self.0.load(Ordering::SeqCst)).expect("a valid instant")
    }
}
