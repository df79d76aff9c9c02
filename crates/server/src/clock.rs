//! The real clock.

use quipu_core::{Clock, Timestamp};

#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock the others are given"
    )]
    fn now(&self) -> Timestamp {
        let now = Timestamp::now();
        // Whole microseconds, which is what both databases keep.
        Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
    }
}
