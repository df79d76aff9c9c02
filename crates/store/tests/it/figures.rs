//! What is added up stretch by stretch.

use crate::fixture::{TwoTenants, retrieval};
use crate::fixture_customers::new_conversation;
use crate::fixture_mind::turn;
use crate::material::add;
use crate::support::HOUR;
use quipu_core::turn::{NewTurn, Trace};
use quipu_store::tenant::{NewRetrieval, Stretches, Within};
use quipu_testkit::db_test;
use std::time::Duration;

db_test! {
    async fn three_stretches_are_told_apart(db) {
        let TwoTenants { house, a, .. } = TwoTenants::new(&db).await;
        let agent = a.agents[1].id;
        house.clock.advance(HOUR);
        let start = house.now();
        // One turn, none, and twenty.
        for count in [1, 0, 20_u64] {
            let tx = house.begin(a.scope).await;
            for number in 1..=count {
                let new = turn(tx.now(), agent, "x");
                let trace = Trace { elapsed_us: number * 10, ..new.trace };
                let new = NewTurn { grounded: number <= 5, cost: Some(3), trace, ..new };
                tx.turns().insert(&new).await.unwrap();
                tx.turns().put_feedback(new.id, "ana", number < 3, None).await.unwrap();
                tx.turns().put_feedback(new.id, "eva", false, None).await.unwrap();
                let search = NewRetrieval {
                    agent: Some(agent),
                    elapsed: Duration::from_micros(number),
                    context_tokens: number - 1,
                    ..retrieval("a", tx.now())
                };
                tx.retrievals().insert(&search).await.unwrap();
            }
            // The same of another agent, which is in no sum of this one.
            tx.turns().insert(&turn(tx.now(), a.agent().id, "x")).await.unwrap();
            if count == 20 {
                let new = new_conversation(a.customers.lead, agent);
                tx.conversations().insert(&new).await.unwrap();
                tx.conversations().insert(&new).await.unwrap();
            }
            add(&tx, &a.agent().kb, &"d".repeat(10 + usize::try_from(count).unwrap())).await;
            tx.commit().await.unwrap();
            house.clock.advance(HOUR);
        }
        let tx = house.read(a.scope).await;
        // What happens at the end of a stretch is of the next one.
        let ends = [1, 2, 3].map(|hours| start + HOUR * hours);
        let each = Stretches::new(Some(agent), start, ends.to_vec());
        let turns = tx.turn_measures().series(&each).await.unwrap();
        let counted: Vec<_> = turns.iter().map(|sums| (sums.turns, sums.grounded, sums.cost)).collect();
        assert_eq!(counted, [(1, 1, 3), (0, 0, 0), (20, 5, 60)]);
        let opinions: Vec<_> = turns.iter().map(|sums| (sums.helpful, sums.unhelpful)).collect();
        assert_eq!(opinions, [(1, 1), (0, 0), (2, 38)]);
        let elapsed: Vec<_> = turns.iter().map(|sums| (sums.p50_us, sums.p95_us)).collect();
        assert_eq!(elapsed, [(Some(10), Some(10)), (None, None), (Some(100), Some(190))]);
        let searched = tx.retrievals().series(&each).await.unwrap();
        let searched: Vec<_> = searched
            .iter()
            .map(|sums| (sums.searches, sums.with_passages, sums.elapsed_us, sums.context_tokens, sums.similarity))
            .collect();
        assert_eq!(searched, [(1, 0, 1, 0, 0.0), (0, 0, 0, 0, 0.0), (20, 19, 210, 190, 9.5)]);
        let begun = tx.conversations().begun(&each).await.unwrap();
        let begun: Vec<_> = begun.iter().map(|of_each| of_each.get("whatsapp").copied()).collect();
        assert_eq!(begun, [None, None, Some(2)]);
        // Documents are of the whole business, and those of before are there as well.
        let stored = tx.knowledge_bases().stored_before(&each).await.unwrap();
        let before = Within { agent: None, from: start, to: start };
        let before = tx.knowledge_bases().stored_before(&before.into()).await.unwrap()[0];
        assert!(before.0 > 0);
        let added: Vec<_> = stored.iter().map(|stored| (stored.0 - before.0, stored.1 - before.1)).collect();
        assert_eq!(added, [(1, 11), (2, 21), (3, 51)]);
        // As one they come to as much.
        let whole = Within { agent: Some(agent), from: start, to: ends[2] };
        let sums = tx.turn_measures().sums(whole, None).await.unwrap();
        assert_eq!((sums.turns, sums.helpful, sums.p50_us, sums.p95_us), (21, 3, Some(100), Some(190)));
        assert_eq!(tx.retrievals().sums(whole).await.unwrap().searches, 21);
    }

    async fn each_of_many_stretches_has_its_own(db) {
        let TwoTenants { house, a, .. } = TwoTenants::new(&db).await;
        let agent = Some(a.agents[1].id);
        let start = house.now() + HOUR;
        let tx = house.begin(a.scope).await;
        for hour in 0..101_u32 {
            let at = start + HOUR * hour;
            let elapsed = Duration::from_micros(u64::from(hour));
            let search = NewRetrieval { agent, elapsed, ..retrieval("a", at) };
            tx.retrievals().insert(&search).await.unwrap();
            let last = NewRetrieval { at: at + HOUR - Duration::from_micros(1), ..search };
            tx.retrievals().insert(&last).await.unwrap();
        }
        for count in [1, 2, 3, 4, 101_u32] {
            let ends = (1..=count).map(|hours| start + HOUR * hours);
            let each = Stretches::new(agent, start, ends.collect());
            let sums = tx.retrievals().series(&each).await.unwrap();
            let found: Vec<_> = sums.iter().map(|sums| (sums.searches, sums.elapsed_us)).collect();
            let expected: Vec<_> = (0..u64::from(count)).map(|hour| (2, 2 * hour)).collect();
            assert_eq!(found, expected);
        }
    }
}
