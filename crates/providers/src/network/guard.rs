//! The circuit breaker of one tenant, provider and server, and what metrics show of it.

use super::fault::{Fault, Then};
use crate::breaker::{Breaker, BreakerSettings, BreakerState, Permit};
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) struct Guard {
    breaker: Arc<Breaker>,
    provider: String,
    /// The gauge that shows how many breakers are in which state, where there is one.
    states: Option<&'static str>,
    /// What metrics were told last.
    shown: Mutex<Option<BreakerState>>,
}

/// How a call ended, for the breaker and for metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Ok,
    Transient,
    TimedOut,
    Permanent,
}

impl Outcome {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Transient => "transient",
            Self::TimedOut => "timeout",
            Self::Permanent => "permanent",
        }
    }
}

impl Guard {
    pub(crate) fn new(settings: BreakerSettings, provider: String) -> Self {
        Self {
            breaker: Arc::new(Breaker::new(settings)),
            provider,
            states: None,
            shown: Mutex::new(None),
        }
    }

    /// The same with a gauge of its own that tells how many breakers are in which state.
    pub(crate) fn showing(mut self, states: &'static str) -> Self {
        self.states = Some(states);
        self.show(Some(self.state()));
        self
    }

    pub(crate) fn state(&self) -> BreakerState {
        self.breaker.state()
    }

    /// Makes a call, if the breaker lets it through.
    pub(crate) async fn run<T>(
        &self,
        call: impl Future<Output = Result<T, Fault>>,
    ) -> Result<T, Fault> {
        let permit = self.enter()?;
        let result = call.await;
        let outcome = match result.as_ref().map_err(|fault| fault.then) {
            Ok(_) => Outcome::Ok,
            Err(Then::Retry(_) | Then::Rest) => Outcome::Transient,
            Err(Then::TimedOut) => Outcome::TimedOut,
            Err(Then::GiveUp) => Outcome::Permanent,
        };
        self.leave(permit, outcome);
        result.map_err(|fault| Fault {
            why: format!("{}: {}", self.provider, fault.why),
            ..fault
        })
    }

    /// Leave to make a call whose end is told with [`Self::leave`].
    pub(crate) fn enter(&self) -> Result<Permit, Fault> {
        let permit = self.breaker.permit();
        self.show(Some(self.state()));
        permit.ok_or_else(|| {
            self.count("short_circuit");
            Fault {
                then: Then::Rest,
                why: format!("{} is resting", self.provider),
            }
        })
    }

    /// The answer has begun.
    pub(crate) fn answered(&self, permit: &mut Permit) {
        permit.answered();
        self.show(Some(self.state()));
    }

    pub(crate) fn leave(&self, permit: Permit, outcome: Outcome) {
        // A permanent error is the request's fault: the provider is there and has answered.
        permit.settle(matches!(outcome, Outcome::Ok | Outcome::Permanent));
        self.show(Some(self.state()));
        self.count(outcome.as_str());
    }

    /// Tenants have a breaker each. Metrics tell how many are open, and not whose.
    fn show(&self, state: Option<BreakerState>) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *shown, state);
        if before == state {
            return;
        }
        let is_open =
            |state: Option<BreakerState>| state.is_some_and(|s| s != BreakerState::Closed);
        if is_open(before) != is_open(state) {
            let gauge = metrics::gauge!("quipu_breakers_open", "provider" => self.provider.clone());
            gauge.increment(if is_open(state) { 1.0 } else { -1.0 });
        }
        let Some(name) = self.states else { return };
        for (state, change) in [(before, -1.0), (state, 1.0)] {
            if let Some(state) = state {
                let provider = self.provider.clone();
                metrics::gauge!(name, "provider" => provider, "state" => state.as_str())
                    .increment(change);
            }
        }
    }

    fn count(&self, outcome: &'static str) {
        let provider = self.provider.clone();
        metrics::counter!("quipu_provider_calls_total", "provider" => provider, "outcome" => outcome).increment(1);
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.show(None);
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

    #[tokio::test(start_paused = true)]
    async fn states_are_counted_where_that_is_wanted() {
        let recorder = Recorded::default();
        let _here = metrics::set_default_local_recorder(&recorder);
        let settings = BreakerSettings {
            failures: 1,
            ..BreakerSettings::default()
        };
        let made = || Guard::new(settings, "model/openai".to_owned()).showing("states");
        let (guard, other) = (made(), made());
        let counted = || {
            ["closed", "half_open", "open"].map(|state| {
                let value = recorder.value(&format!("states model/openai {state}"));
                f64::from_bits(value).to_string()
            })
        };
        assert_eq!(counted(), ["2", "0", "0"]);
        call(&guard, Some(Then::TimedOut)).await;
        assert_eq!(counted(), ["1", "0", "1"]);
        tokio::time::advance(settings.cool_down).await;
        let mut probe = guard.enter().unwrap();
        assert_eq!(counted(), ["1", "1", "0"]);
        guard.answered(&mut probe);
        assert_eq!(counted(), ["2", "0", "0"]);
        guard.leave(probe, Outcome::Ok);
        drop(other);
        assert_eq!(counted(), ["1", "0", "0"]);
    }
}
