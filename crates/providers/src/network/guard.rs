//! The circuit breaker of one tenant, provider and server, and what metrics show of it.

use super::fault::{Fault, Then};
use crate::breaker::{Breaker, BreakerSettings};

pub(crate) struct Guard {
    breaker: Breaker,
    provider: String,
    tenant: String,
    server: String,
}

impl Guard {
    pub(crate) fn new(
        settings: BreakerSettings,
        provider: String,
        tenant: String,
        server: String,
    ) -> Self {
        let guard = Self {
            breaker: Breaker::new(settings),
            provider,
            tenant,
            server,
        };
        guard.show_state();
        guard
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
        self.show_state();
        let result = call.await;
        let outcome = match result.as_ref().map_err(|fault| fault.then) {
            Ok(_) => "ok",
            Err(Then::Retry(_) | Then::Rest) => "transient",
            Err(Then::TimedOut) => "timeout",
            Err(Then::GiveUp) => "permanent",
        };
        // A permanent error is the request's fault: the provider is there and has answered.
        permit.settle(matches!(outcome, "ok" | "permanent"));
        self.show_state();
        self.count(outcome);
        result.map_err(|fault| Fault {
            why: format!("{}: {}", self.provider, fault.why),
            ..fault
        })
    }

    fn show_state(&self) {
        metrics::gauge!(
            "quipu_breaker_state",
            "provider" => self.provider.clone(),
            "tenant" => self.tenant.clone(),
            "server" => self.server.clone()
        )
        .set(self.breaker.state().as_gauge());
    }

    fn count(&self, outcome: &'static str) {
        let provider = self.provider.clone();
        metrics::counter!("quipu_provider_calls_total", "provider" => provider, "outcome" => outcome).increment(1);
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
        let guard = Guard::new(
            settings,
            "embedding/custom".to_owned(),
            "t".to_owned(),
            "public".to_owned(),
        );
        let state = || {
            let value = recorder.value("quipu_breaker_state embedding/custom t public");
            f64::from_bits(value).to_string()
        };
        let (passing, slow) = (Then::Retry(None), Then::TimedOut);
        assert_eq!(call(&guard, None).await, None);
        assert_eq!(call(&guard, Some(passing)).await, Some(passing));
        assert_eq!(call(&guard, Some(Then::GiveUp)).await, Some(Then::GiveUp));
        assert_eq!(call(&guard, Some(passing)).await, Some(passing));
        assert_eq!(state(), "0");
        assert_eq!(call(&guard, Some(slow)).await, Some(slow));
        assert_eq!(state(), "2");
        assert_eq!(call(&guard, None).await, Some(Then::Rest));
        tokio::time::advance(cool_down).await;
        assert_eq!(call(&guard, None).await, None);
        assert_eq!(state(), "0");
        for (outcome, times) in [
            ("ok", 2),
            ("transient", 2),
            ("timeout", 1),
            ("permanent", 1),
            ("short_circuit", 1),
        ] {
            let name = format!("quipu_provider_calls_total embedding/custom {outcome}");
            assert_eq!(recorder.value(&name), times, "{outcome}");
        }
    }
}
