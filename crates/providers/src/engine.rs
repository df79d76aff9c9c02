//! A search engine across the network, behind a breaker: while it is away, searches are told so at
//! once instead of each waiting for it.

use crate::breaker::{Breaker, BreakerSettings, BreakerState, Permit};
use async_trait::async_trait;
use quipu_core::engine::{Engine, Found, Partition, Probe};
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{DocumentId, Error, ErrorCode, KnowledgeBaseId, Result, TenantId};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// How long an engine may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(1);

pub struct GuardedEngine {
    inner: Arc<dyn Engine>,
    breaker: Arc<Breaker>,
    deadline: Duration,
}

impl GuardedEngine {
    #[must_use]
    pub fn new(inner: Arc<dyn Engine>, settings: BreakerSettings) -> Self {
        let guarded = Self {
            inner,
            breaker: Arc::new(Breaker::new(settings)),
            deadline: settings.deadline,
        };
        guarded.show_state();
        guarded
    }

    #[must_use]
    pub fn state(&self) -> BreakerState {
        self.breaker.state()
    }

    /// Leave to ask the engine, unless it is resting.
    fn permit(&self) -> Result<Permit> {
        let permit = self.breaker.permit();
        self.show_state();
        permit.ok_or_else(|| {
            count(self.name(), "short_circuit");
            away(format!("{} is resting", self.name()))
        })
    }

    fn settle(&self, permit: Permit, outcome: &'static str, healthy: bool) {
        permit.settle(healthy);
        count(self.name(), outcome);
        self.show_state();
    }

    fn show_state(&self) {
        show_state(self.name(), &self.breaker);
    }

    /// A search that took too long may have had much to take in first. Whether the engine is there
    /// at all is found out behind it, and counts.
    fn ask_behind(&self, permit: Permit) {
        count(self.name(), "timeout");
        let (engine, breaker) = (Arc::clone(&self.inner), Arc::clone(&self.breaker));
        tokio::spawn(async move {
            let there = timeout(PATIENCE, engine.reachable()).await;
            permit.settle(matches!(there, Ok(Ok(()))));
            show_state(engine.name(), &breaker);
        });
    }
}

fn away(why: String) -> Error {
    Error::new(ErrorCode::SearchUnavailable).caused_by(why)
}

fn count(engine: &'static str, outcome: &'static str) {
    metrics::counter!("quipu_provider_calls_total", "provider" => engine, "outcome" => outcome)
        .increment(1);
}

fn show_state(engine: &'static str, breaker: &Breaker) {
    metrics::gauge!("quipu_breaker_state", "provider" => engine).set(breaker.state().as_gauge());
}

#[async_trait]
impl Engine for GuardedEngine {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    async fn search(
        &self,
        scope: &RetrievalScope,
        kb: KnowledgeBaseId,
        probe: &Probe,
    ) -> Result<Found> {
        let permit = self.permit()?;
        let began = Instant::now();
        let found = timeout(self.deadline, self.inner.search(scope, kb, probe)).await;
        metrics::histogram!("quipu_engine_search_seconds", "engine" => self.name())
            .record(began.elapsed());
        match found {
            Ok(Ok(found)) => {
                self.settle(permit, "ok", true);
                Ok(found)
            }
            // Whatever else went wrong, such as the database, is not the engine's.
            Ok(Err(error)) if error.code() != ErrorCode::SearchUnavailable => {
                self.settle(permit, "permanent", true);
                Err(error)
            }
            Ok(Err(error)) => {
                self.settle(permit, "transient", false);
                Err(error)
            }
            Err(_) => {
                self.ask_behind(permit);
                Err(away(format!(
                    "{} took longer than {:?}",
                    self.name(),
                    self.deadline
                )))
            }
        }
    }

    async fn catch_up(&self, partition: Partition) -> Result<()> {
        self.inner.catch_up(partition).await
    }

    async fn remove(&self, partition: Partition) -> Result<u64> {
        self.inner.remove(partition).await
    }

    async fn count(&self, partition: Partition) -> Result<u64> {
        self.inner.count(partition).await
    }

    async fn count_of(&self, partition: Partition, documents: &[DocumentId]) -> Result<u64> {
        self.inner.count_of(partition, documents).await
    }

    async fn partitions(&self, tenant: Option<TenantId>) -> Result<Vec<Partition>> {
        self.inner.partitions(tenant).await
    }

    async fn reached(&self) -> Result<Vec<(Partition, i64)>> {
        self.inner.reached().await
    }

    async fn reachable(&self) -> Result<()> {
        let permit = self.permit()?;
        let there = timeout(PATIENCE, self.inner.reachable()).await;
        let there = there.unwrap_or_else(|_| Err(away(format!("{} says nothing", self.name()))));
        let outcome = if there.is_ok() { "ok" } else { "transient" };
        self.settle(permit, outcome, there.is_ok());
        there
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded::Recorded;
    use quipu_core::analysis::Question;
    use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

    const WELL: u8 = 0;
    const AWAY: u8 = 1;
    const HANGING: u8 = 2;
    const BUSY: u8 = 3;
    const BROKEN_LOG: u8 = 4;

    #[derive(Default)]
    struct Remote {
        behaviour: AtomicU8,
        asked: AtomicU64,
    }

    impl Remote {
        fn behave(&self, behaviour: u8) {
            self.behaviour.store(behaviour, Ordering::SeqCst);
        }

        async fn answer(&self, search: bool) -> Result<()> {
            match self.behaviour.load(Ordering::SeqCst) {
                AWAY => Err(away("refused".to_owned())),
                HANGING => std::future::pending().await,
                BUSY if search => std::future::pending().await,
                BROKEN_LOG => Err(Error::new(ErrorCode::DatabaseUnavailable)),
                _ => Ok(()),
            }
        }
    }

    #[async_trait]
    impl Engine for Remote {
        fn name(&self) -> &'static str {
            "remote"
        }

        async fn search(&self, _: &RetrievalScope, _: KnowledgeBaseId, _: &Probe) -> Result<Found> {
            self.asked.fetch_add(1, Ordering::SeqCst);
            self.answer(true).await.map(|()| Found::default())
        }

        async fn catch_up(&self, _: Partition) -> Result<()> {
            Ok(())
        }

        async fn remove(&self, _: Partition) -> Result<u64> {
            Ok(0)
        }

        async fn count(&self, _: Partition) -> Result<u64> {
            Ok(0)
        }

        async fn count_of(&self, _: Partition, _: &[DocumentId]) -> Result<u64> {
            Ok(0)
        }

        async fn partitions(&self, _: Option<TenantId>) -> Result<Vec<Partition>> {
            Ok(Vec::new())
        }

        async fn reachable(&self) -> Result<()> {
            self.answer(false).await
        }
    }

    const SETTINGS: BreakerSettings = BreakerSettings {
        failures: 2,
        cool_down: Duration::from_secs(10),
        deadline: Duration::from_secs(4),
    };

    fn guarded() -> (Arc<Remote>, GuardedEngine) {
        let remote = Arc::new(Remote::default());
        (remote.clone(), GuardedEngine::new(remote, SETTINGS))
    }

    async fn search(engine: &GuardedEngine) -> Result<Found> {
        let id = "0190a000-0000-7000-8000-000000000001";
        let scope =
            RetrievalScope::grant(id.parse().unwrap(), id.parse().unwrap(), None, Vec::new());
        let probe = Probe {
            version: 0,
            question: Question::default(),
            dense: None,
            documents: None,
            limit: 1,
        };
        engine.search(&scope, id.parse().unwrap(), &probe).await
    }

    #[tokio::test(start_paused = true)]
    async fn one_that_is_away_is_not_waited_for_by_every_search() {
        let (remote, engine) = guarded();
        remote.behave(HANGING);
        for _ in 0..2 {
            assert!(search(&engine).await.is_err());
            // Whether it is there is found out behind the search.
            tokio::time::sleep(PATIENCE * 2).await;
        }
        assert_eq!(engine.state(), BreakerState::Open);
        let began = tokio::time::Instant::now();
        for _ in 0..5 {
            let error = search(&engine).await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::SearchUnavailable);
        }
        assert!(engine.reachable().await.is_err());
        assert_eq!(began.elapsed(), Duration::ZERO, "nobody waited");
        assert_eq!(remote.asked.load(Ordering::SeqCst), 2);
        // Once it is back, one look is enough.
        remote.behave(WELL);
        tokio::time::advance(SETTINGS.cool_down).await;
        engine.reachable().await.unwrap();
        assert_eq!(engine.state(), BreakerState::Closed);
        search(&engine).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn one_that_is_slow_or_not_at_fault_goes_on_being_asked() {
        let (remote, engine) = guarded();
        for behaviour in [BUSY, BROKEN_LOG] {
            remote.behave(behaviour);
            for _ in 0..5 {
                assert!(search(&engine).await.is_err());
                tokio::time::sleep(PATIENCE * 2).await;
            }
            assert_eq!(engine.state(), BreakerState::Closed, "{behaviour}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn calls_and_state_are_measured() {
        let recorder = Recorded::default();
        let _here = metrics::set_default_local_recorder(&recorder);
        let (remote, engine) = guarded();
        search(&engine).await.unwrap();
        remote.behave(AWAY);
        for _ in 0..3 {
            assert!(search(&engine).await.is_err());
        }
        for (outcome, calls) in [("ok", 1), ("transient", 2), ("short_circuit", 1)] {
            let name = format!("quipu_provider_calls_total remote {outcome}");
            assert_eq!(recorder.value(&name), calls, "{outcome}");
        }
        let state = f64::from_bits(recorder.value("quipu_breaker_state remote"));
        assert_eq!(state.to_string(), "2");
    }
}
