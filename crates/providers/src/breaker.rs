//! A circuit breaker: after enough failures in a row it stops asking, and after a pause lets one
//! call through to see whether things are well again.

use quipu_core::health::BreakerCondition;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

#[derive(Clone, Copy, Debug)]
pub struct BreakerSettings {
    /// How many transient failures in a row open the breaker.
    pub failures: u32,
    /// How long it stays open before a call is let through again.
    pub cool_down: Duration,
    /// How long one call may take.
    pub deadline: Duration,
}

impl Default for BreakerSettings {
    fn default() -> Self {
        Self {
            failures: 5,
            cool_down: Duration::from_secs(30),
            deadline: Duration::from_secs(20),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakerState {
    Closed,
    HalfOpen,
    Open,
}

impl BreakerState {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.condition().as_str()
    }

    /// The same as people see it.
    #[must_use]
    pub const fn condition(self) -> BreakerCondition {
        match self {
            Self::Closed => BreakerCondition::Closed,
            Self::HalfOpen => BreakerCondition::HalfOpen,
            Self::Open => BreakerCondition::Open,
        }
    }

    /// The value the gauge `quipu_breaker_state` shows.
    #[must_use]
    pub const fn as_gauge(self) -> f64 {
        match self {
            Self::Closed => 0.0,
            Self::HalfOpen => 1.0,
            Self::Open => 2.0,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Inner {
    Closed {
        failures: u32,
    },
    Open {
        until: Instant,
    },
    /// One call is out to see whether the provider answers again.
    Probing,
}

#[derive(Debug)]
pub(crate) struct Breaker {
    failures: u32,
    cool_down: Duration,
    inner: Mutex<Inner>,
}

impl Breaker {
    pub(crate) fn new(settings: BreakerSettings) -> Self {
        Self {
            failures: settings.failures.max(1),
            cool_down: settings.cool_down,
            inner: Mutex::new(Inner::Closed { failures: 0 }),
        }
    }

    pub(crate) fn state(&self) -> BreakerState {
        match *self.lock() {
            Inner::Closed { .. } => BreakerState::Closed,
            Inner::Open { until } if Instant::now() < until => BreakerState::Open,
            Inner::Open { .. } | Inner::Probing => BreakerState::HalfOpen,
        }
    }

    /// Leave to make one call, unless the breaker is open or another call is probing.
    pub(crate) fn permit(self: &Arc<Self>) -> Option<Permit> {
        let mut inner = self.lock();
        let probe = match *inner {
            Inner::Closed { .. } => false,
            Inner::Open { until } if Instant::now() >= until => {
                *inner = Inner::Probing;
                true
            }
            Inner::Open { .. } | Inner::Probing => return None,
        };
        Some(Permit {
            breaker: Arc::clone(self),
            probe,
            settled: false,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // The state is a plain value, whole at every moment, so a panic elsewhere cannot spoil it.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn settle(&self, probe: bool, healthy: bool) {
        let mut inner = self.lock();
        *inner = match *inner {
            // Only the probe decides how a probe ends; calls from before the breaker opened are late.
            Inner::Probing | Inner::Open { .. } if !probe => return,
            _ if healthy => Inner::Closed { failures: 0 },
            Inner::Closed { failures } if failures + 1 < self.failures => Inner::Closed {
                failures: failures + 1,
            },
            _ => Inner::Open {
                until: Instant::now() + self.cool_down,
            },
        };
    }
}

/// Leave to make one call. Dropped unsettled, as when the customer hangs up, it makes room for
/// another probe instead of leaving the breaker waiting for ever. It owns its share of the breaker,
/// because an answer that comes in pieces outlives the call that asked for it.
pub(crate) struct Permit {
    breaker: Arc<Breaker>,
    probe: bool,
    settled: bool,
}

impl Permit {
    pub(crate) fn settle(mut self, healthy: bool) {
        self.settled = true;
        self.breaker.settle(self.probe, healthy);
    }

    /// Says that the provider answers, while the answer is not at its end yet. A probe has found
    /// out what it was sent for; how the rest ends counts like that of any other call.
    pub(crate) fn answered(&mut self) {
        if self.probe {
            self.breaker.settle(true, true);
            self.probe = false;
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if self.probe && !self.settled {
            *self.breaker.lock() = Inner::Open {
                until: Instant::now(),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaker() -> Arc<Breaker> {
        Arc::new(Breaker::new(BreakerSettings {
            failures: 2,
            cool_down: Duration::from_secs(10),
            ..BreakerSettings::default()
        }))
    }

    fn fail(breaker: &Arc<Breaker>) {
        breaker.permit().unwrap().settle(false);
    }

    #[tokio::test(start_paused = true)]
    async fn it_opens_after_failures_in_a_row_only() {
        let breaker = breaker();
        fail(&breaker);
        breaker.permit().unwrap().settle(true);
        fail(&breaker);
        assert_eq!(breaker.state(), BreakerState::Closed);
        fail(&breaker);
        assert_eq!(breaker.state(), BreakerState::Open);
        assert!(breaker.permit().is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn one_probe_at_a_time_decides() {
        let breaker = breaker();
        fail(&breaker);
        fail(&breaker);
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!(breaker.state(), BreakerState::HalfOpen);
        let probe = breaker.permit().unwrap();
        assert!(breaker.permit().is_none(), "a second probe");
        probe.settle(false);
        assert_eq!(breaker.state(), BreakerState::Open);
        tokio::time::advance(Duration::from_secs(10)).await;
        breaker.permit().unwrap().settle(true);
        assert_eq!(breaker.state(), BreakerState::Closed);
    }

    #[tokio::test(start_paused = true)]
    async fn an_abandoned_probe_leaves_room_for_another() {
        let breaker = breaker();
        fail(&breaker);
        fail(&breaker);
        tokio::time::advance(Duration::from_secs(10)).await;
        drop(breaker.permit().unwrap());
        assert!(breaker.permit().is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn late_answers_from_before_do_not_close_it() {
        let breaker = breaker();
        let early = breaker.permit().unwrap();
        fail(&breaker);
        fail(&breaker);
        early.settle(true);
        assert_eq!(breaker.state(), BreakerState::Open);
    }

    #[tokio::test(start_paused = true)]
    async fn a_probe_that_is_answered_lets_others_through_before_its_end() {
        let breaker = breaker();
        fail(&breaker);
        fail(&breaker);
        tokio::time::advance(Duration::from_secs(10)).await;
        let mut probe = breaker.permit().unwrap();
        probe.answered();
        assert_eq!(breaker.state(), BreakerState::Closed);
        assert!(breaker.permit().is_some());
        // Half an answer is still a failure, one of two.
        probe.settle(false);
        assert_eq!(breaker.state(), BreakerState::Closed);
        fail(&breaker);
        assert_eq!(breaker.state(), BreakerState::Open);
    }
}
