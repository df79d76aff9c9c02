//! Stretches of time, one after another, each of which a query adds up by itself.

use super::Within;
use crate::convert::to_db;
use quipu_core::{AgentId, Timestamp};
use sea_orm::ColumnTrait;
use sea_orm::sea_query::{CaseStatement, Expr, SimpleExpr};

/// What a query calls the number of the stretch that a row falls into.
pub(super) const STRETCH: &str = "stretch";

/// A time of an agent, or of all, in pieces that follow one another without a gap. However many there are,
/// the database is asked about all of them at once.
#[derive(Clone, Debug)]
pub struct Stretches {
    agent: Option<AgentId>,
    from: Timestamp,
    /// The end of each, which is no part of it.
    ends: Vec<Timestamp>,
}

impl Stretches {
    /// The ends come in order. What begins before the first stretch belongs to none.
    #[must_use]
    pub fn new(agent: Option<AgentId>, from: Timestamp, ends: Vec<Timestamp>) -> Self {
        Self { agent, from, ends }
    }

    /// All of them as one.
    pub(super) fn whole(&self) -> Within {
        Within {
            agent: self.agent,
            from: self.from,
            to: self.ends.last().copied().unwrap_or(self.from),
        }
    }

    /// Something for each, made of the rows of a query, each of which says which stretch it is of. A
    /// stretch without a row has nothing.
    pub(super) fn filled<T: Clone + Default>(
        &self,
        rows: impl Iterator<Item = (i32, T)>,
    ) -> Vec<T> {
        let mut all = vec![T::default(); self.ends.len()];
        for (stretch, of_stretch) in rows {
            let place = usize::try_from(stretch).ok();
            if let Some(place) = place.and_then(|number| all.get_mut(number)) {
                *place = of_stretch;
            }
        }
        all
    }

    /// The number of the stretch that an instant of a row falls into, given that it falls into one. It is
    /// found by halves: a hundred stretches take seven comparisons.
    pub(super) fn number(&self, at: impl ColumnTrait) -> SimpleExpr {
        // The last one goes on for as long as rows are read.
        let cuts = self.ends.split_last().map_or(&[][..], |(_, cuts)| cuts);
        number_among(at, cuts, 0)
    }
}

impl From<Within> for Stretches {
    fn from(within: Within) -> Self {
        Self::new(within.agent, within.from, vec![within.to])
    }
}

fn number_among(at: impl ColumnTrait, cuts: &[Timestamp], first: usize) -> SimpleExpr {
    let middle = cuts.len() / 2;
    let (earlier, later) = cuts.split_at(middle);
    let Some((cut, later)) = later.split_first() else {
        return Expr::cust(first.to_string());
    };
    CaseStatement::new()
        .case(at.lt(to_db(*cut)), number_among(at, earlier, first))
        .finally(number_among(at, later, first + middle + 1))
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TenantTx;
    use crate::migrate::Migrator;
    use quipu_core::TenantId;
    use quipu_core::tenancy::TenantScope;
    use sea_orm::{ConnectOptions, Database, TransactionTrait};
    use sea_orm_migration::MigratorTrait;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[tokio::test]
    async fn a_hundred_stretches_take_no_more_questions_than_one() {
        let mut options = ConnectOptions::new("sqlite::memory:");
        options.max_connections(1).sqlx_logging(false);
        let mut db = Database::connect(options).await.unwrap();
        Migrator::up(&db, None).await.unwrap();
        let questions = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&questions);
        db.set_metric_callback(move |_| {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        let from = Timestamp::UNIX_EPOCH;
        let scope = TenantScope::of(TenantId::generate(from));
        let tx = db.begin().await.unwrap();
        let tx = TenantTx::enter(tx, scope, from).await.unwrap();
        for count in [1, 100] {
            let ends = (1..=count).map(|hours| from + Duration::from_hours(hours));
            let stretches = Stretches::new(None, from, ends.collect());
            questions.store(0, Ordering::Relaxed);
            tx.turn_measures().series(&stretches).await.unwrap();
            tx.retrievals().series(&stretches).await.unwrap();
            tx.conversations().begun(&stretches).await.unwrap();
            tx.knowledge_bases()
                .stored_before(&stretches)
                .await
                .unwrap();
            assert_eq!(questions.load(Ordering::Relaxed), 6);
        }
    }
}
