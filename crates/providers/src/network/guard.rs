//! The circuit breaker of one tenant, provider and server, and what metrics show of it.

use super::fault::{Fault, Then};
use crate::breaker::{Breaker, BreakerSettings, BreakerState};
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) struct Guard {
    breaker: Breaker,
    provider: String,
    /// Whether it is counted among those that are open.
    counted: AtomicBool,
}

impl Guard {
    pub(crate) fn new(settings: BreakerSettings, provider: String) -> Self {
        Self {
            breaker: Breaker::new(settings),
            provider,
            counted: AtomicBool::new(false),
        }
    }

    /// Makes a call, if the breaker lets it through.
    pub(crate) async fn run<T>(
        &self,
        call: impl Future<Output = Result<T, Fault>>,
    ) -> Result<T, Fault> {
        let Some(permit) = self.breaker.permit() else {
            self.count("short_circuit");
            return Err(Fault {
                then: Then::Rest,
                why: format!("{} is resting", self.provider),
            });
        };
        let result = call.await;
        let outcome = match result.as_ref().map_err(|fault| fault.then) {
            Ok(_) => "ok",
            Err(Then::Retry(_) | Then::Rest) => "transient",
            Err(Then::TimedOut) => "timeout",
            Err(Then::GiveUp) => "permanent",
        };
        // A permanent error is the request's fault: the provider is there and has answered.
        permit.settle(matches!(outcome, "ok" | "permanent"));
        self.count_open(self.breaker.state() != BreakerState::Closed);
        self.count(outcome);
        result.map_err(|fault| Fault {
            why: format!("{}: {}", self.provider, fault.why),
            ..fault
        })
    }

    /// Tenants have a breaker each. Metrics tell how many are open, and not whose.
    fn count_open(&self, open: bool) {
        if self.counted.swap(open, Ordering::SeqCst) != open {
            let gauge = metrics::gauge!("quipu_breakers_open", "provider" => self.provider.clone());
            gauge.increment(if open { 1.0 } else { -1.0 });
        }
    }

    fn count(&self, outcome: &'static str) {
        let provider = self.provider.clone();
        metrics::counter!("quipu_provider_calls_total", "provider" => provider, "outcome" => outcome).increment(1);
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.count_open(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded::Recorded;
    use std::time::Duration;

    async fn call(guard: &Guard, then: Option<Then>) -> Option<Then> {
        let why = String::new();
        let result = then.map_or(Ok(()), |then| Err(Fault { then, why }));
        let ended = guard.run(std::future::ready(result)).await;
        ended.err().map(|fault| fault.then)
    }

    #[tokio::test(start_paused = true)]
    async fn calls_and_state_are_measured() {
        let recorder = Recorded::default();
        let _here = metrics::set_default_local_recorder(&recorder);
        let cool_down = Duration::from_secs(30);
        let settings = BreakerSettings {
            failures: 2,
            cool_down,
            ..BreakerSettings::default()
        };
        let guard = Guard::new(settings, "embedding/custom".to_owned());
        let other = Guard::new(settings, "embedding/custom".to_owned());
        let open = || {
            let value = recorder.value("quipu_breakers_open embedding/custom");
            f64::from_bits(value).to_string()
        };
        let (passing, slow) = (Then::Retry(None), Then::TimedOut);
        assert_eq!(call(&guard, None).await, None);
        assert_eq!(call(&guard, Some(passing)).await, Some(passing));
        assert_eq!(call(&guard, Some(Then::GiveUp)).await, Some(Then::GiveUp));
        assert_eq!(call(&guard, Some(passing)).await, Some(passing));
        assert_eq!(open(), "0");
        assert_eq!(call(&guard, Some(slow)).await, Some(slow));
        assert_eq!(open(), "1");
        for _ in 0..2 {
            assert_eq!(call(&other, Some(slow)).await, Some(slow));
        }
        assert_eq!(open(), "2");
        drop(other);
        assert_eq!(open(), "1");
        assert_eq!(call(&guard, None).await, Some(Then::Rest));
        tokio::time::advance(cool_down).await;
        assert_eq!(call(&guard, None).await, None);
        assert_eq!(open(), "0");
        for (outcome, times) in [
            ("ok", 2),
            ("transient", 2),
            ("timeout", 3),
            ("permanent", 1),
            ("short_circuit", 1),
        ] {
            let name = format!("quipu_provider_calls_total embedding/custom {outcome}");
            assert_eq!(recorder.value(&name), times, "{outcome}");
        }
    }
}
