//! The circuit breaker of one tenant, provider and server, and what metrics show of it.

use super::fault::{Fault, Then};
use crate::breaker::{Breaker, BreakerSettings};

pub(in crate::embedding) struct Guard {
    breaker: Breaker,
    provider: String,
    tenant: String,
    server: String,
}

impl Guard {
    pub(in crate::embedding) fn new(
        settings: BreakerSettings,
        provider: &str,
        tenant: String,
        server: String,
    ) -> Self {
        let guard = Self {
            breaker: Breaker::new(settings),
            provider: format!("embedding/{provider}"),
            tenant,
            server,
        };
        guard.show_state();
        guard
    }

    /// Makes a call, if the breaker lets it through.
    pub(super) async fn run<T>(
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
