//! A responder behind a circuit breaker, with a deadline and another responder to fall back on.

use crate::breaker::{Breaker, BreakerSettings, BreakerState};
use async_trait::async_trait;
use quipu_core::ports::{Reply, ReplyRequest, Responder, ResponderError};
use std::sync::Arc;
use tokio::time::{Duration, timeout};

pub struct GuardedResponder {
    primary: Arc<dyn Responder>,
    fallback: Option<Arc<dyn Responder>>,
    deadline: Duration,
    breaker: Arc<Breaker>,
}

impl GuardedResponder {
    #[must_use]
    pub fn new(
        primary: Arc<dyn Responder>,
        fallback: Option<Arc<dyn Responder>>,
        settings: BreakerSettings,
    ) -> Self {
        let guarded = Self {
            primary,
            fallback,
            deadline: settings.deadline,
            breaker: Arc::new(Breaker::new(settings)),
        };
        guarded.show_state();
        guarded
    }

    #[must_use]
    pub fn state(&self) -> BreakerState {
        self.breaker.state()
    }

    /// Asks the primary responder, if the breaker lets the call through.
    async fn ask(&self, request: &ReplyRequest) -> Result<Reply, ResponderError> {
        let Some(permit) = self.breaker.permit() else {
            self.count("short_circuit");
            return Err(ResponderError::Transient(format!(
                "{} is resting",
                self.primary.name()
            )));
        };
        self.show_state();
        let (outcome, result) = match timeout(self.deadline, self.primary.reply(request)).await {
            Ok(Ok(reply)) => ("ok", Ok(reply)),
            Ok(Err(error @ ResponderError::Transient(_))) => ("transient", Err(error)),
            Ok(Err(error @ ResponderError::Permanent(_))) => ("permanent", Err(error)),
            Err(_) => {
                let error = format!(
                    "{} took longer than {:?}",
                    self.primary.name(),
                    self.deadline
                );
                ("timeout", Err(ResponderError::Transient(error)))
            }
        };
        // A permanent error is the request's fault: the provider is there and has answered.
        permit.settle(!matches!(result, Err(ResponderError::Transient(_))));
        self.show_state();
        self.count(outcome);
        result
    }

    fn show_state(&self) {
        metrics::gauge!("quipu_breaker_state", "provider" => self.primary.name().to_owned())
            .set(self.breaker.state().as_gauge());
    }

    fn count(&self, outcome: &'static str) {
        let provider = self.primary.name().to_owned();
        metrics::counter!("quipu_provider_calls_total", "provider" => provider, "outcome" => outcome).increment(1);
    }
}

#[async_trait]
impl Responder for GuardedResponder {
    fn name(&self) -> &str {
        self.primary.name()
    }

    async fn reply(&self, request: &ReplyRequest) -> Result<Reply, ResponderError> {
        match (self.ask(request).await, &self.fallback) {
            (Err(_), Some(fallback)) => fallback.reply(request).await,
            (result, _) => result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded::Recorded;
    use quipu_core::language::Language;
    use quipu_core::ports::ReplyPart;
    use std::collections::VecDeque;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[derive(Clone, Copy)]
    enum Step {
        Answer,
        Fail,
        Refuse,
        Hang,
    }

    /// Does what its script says, and counts how often it was asked.
    struct Scripted {
        name: &'static str,
        script: Mutex<VecDeque<Step>>,
        calls: AtomicU64,
    }

    impl Scripted {
        fn new(name: &'static str, script: &[Step]) -> Arc<Self> {
            Arc::new(Self {
                name,
                script: Mutex::new(script.iter().copied().collect()),
                calls: AtomicU64::new(0),
            })
        }

        fn calls(&self) -> u64 {
            self.calls.load(Ordering::Relaxed)
        }
    }

    #[async_trait]
    impl Responder for Scripted {
        fn name(&self) -> &str {
            self.name
        }

        async fn reply(&self, _: &ReplyRequest) -> Result<Reply, ResponderError> {
            self.calls.fetch_add(1, Ordering::Relaxed);
            let step = self
                .script
                .lock()
                .unwrap()
                .pop_front()
                .unwrap_or(Step::Answer);
            match step {
                Step::Answer => Ok(Reply {
                    parts: vec![ReplyPart {
                        text: self.name.to_owned(),
                        source: None,
                    }],
                }),
                Step::Fail => Err(ResponderError::Transient("503".to_owned())),
                Step::Refuse => Err(ResponderError::Permanent("401".to_owned())),
                Step::Hang => std::future::pending().await,
            }
        }
    }

    fn request() -> ReplyRequest {
        ReplyRequest {
            agent_name: "Maya".to_owned(),
            company_name: "Clínica Sol".to_owned(),
            language: Language::Es,
            question: "¿a cómo la limpieza?".to_owned(),
            history: Vec::new(),
            passages: Vec::new(),
        }
    }

    const SETTINGS: BreakerSettings = BreakerSettings {
        failures: 2,
        cool_down: Duration::from_secs(30),
        deadline: Duration::from_secs(5),
    };

    async fn answered_by(guarded: &GuardedResponder) -> Result<String, ResponderError> {
        guarded
            .reply(&request())
            .await
            .map(|reply| reply.parts[0].text.clone())
    }

    #[tokio::test(start_paused = true)]
    async fn it_opens_short_circuits_and_recovers() {
        let primary = Scripted::new("remote", &[Step::Fail, Step::Hang, Step::Fail]);
        let guarded = GuardedResponder::new(primary.clone(), None, SETTINGS);
        assert!(matches!(
            answered_by(&guarded).await,
            Err(ResponderError::Transient(_))
        ));
        assert_eq!(guarded.state(), BreakerState::Closed);
        assert!(
            answered_by(&guarded).await.is_err(),
            "the deadline counts as a failure"
        );
        assert_eq!(guarded.state(), BreakerState::Open);

        assert!(answered_by(&guarded).await.is_err());
        assert_eq!(primary.calls(), 2, "an open breaker does not call");

        tokio::time::advance(SETTINGS.cool_down).await;
        assert_eq!(guarded.state(), BreakerState::HalfOpen);
        assert!(answered_by(&guarded).await.is_err(), "the probe fails");
        assert_eq!(guarded.state(), BreakerState::Open);

        tokio::time::advance(SETTINGS.cool_down).await;
        assert_eq!(answered_by(&guarded).await.as_deref(), Ok("remote"));
        assert_eq!(guarded.state(), BreakerState::Closed);
    }

    #[tokio::test(start_paused = true)]
    async fn the_fallback_answers_meanwhile() {
        let primary = Scripted::new(
            "remote",
            &[Step::Fail, Step::Refuse, Step::Fail, Step::Fail],
        );
        let fallback = Scripted::new("builtin", &[]);
        let guarded = GuardedResponder::new(primary.clone(), Some(fallback.clone()), SETTINGS);
        for _ in 0..6 {
            assert_eq!(answered_by(&guarded).await.as_deref(), Ok("builtin"));
        }
        assert_eq!((primary.calls(), fallback.calls()), (4, 6));
    }

    #[tokio::test(start_paused = true)]
    async fn permanent_errors_do_not_open_it() {
        let primary = Scripted::new("remote", &[Step::Refuse; 5]);
        let guarded = GuardedResponder::new(primary.clone(), None, SETTINGS);
        for _ in 0..5 {
            assert!(matches!(
                answered_by(&guarded).await,
                Err(ResponderError::Permanent(_))
            ));
        }
        assert_eq!(
            (guarded.state(), primary.calls()),
            (BreakerState::Closed, 5)
        );
    }

    #[tokio::test(start_paused = true)]
    async fn only_one_call_probes() {
        let primary = Scripted::new("remote", &[Step::Fail, Step::Fail, Step::Hang]);
        let guarded = GuardedResponder::new(primary.clone(), None, SETTINGS);
        let _ = answered_by(&guarded).await;
        let _ = answered_by(&guarded).await;
        tokio::time::advance(SETTINGS.cool_down).await;
        let (probe, other) = tokio::join!(answered_by(&guarded), answered_by(&guarded));
        assert!(probe.is_err() && other.is_err());
        assert_eq!(primary.calls(), 3);
    }

    #[tokio::test(start_paused = true)]
    async fn calls_and_state_are_measured() {
        let recorder = Recorded::default();
        let _here = metrics::set_default_local_recorder(&recorder);
        let primary = Scripted::new("remote", &[Step::Answer, Step::Fail, Step::Hang]);
        let guarded = GuardedResponder::new(primary, None, SETTINGS);
        for _ in 0..4 {
            let _ = answered_by(&guarded).await;
        }
        for outcome in ["ok", "transient", "timeout", "short_circuit"] {
            assert_eq!(
                recorder.value(&format!("quipu_provider_calls_total remote {outcome}")),
                1,
                "{outcome}"
            );
        }
        assert_eq!(
            f64::from_bits(recorder.value("quipu_breaker_state remote")).to_string(),
            "2"
        );
    }
}
