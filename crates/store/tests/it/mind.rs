//! What is kept around an agent's answers.

use crate::fixture::{TwoTenants, named};
use crate::fixture_mind::{instruction, prompt_key, turn};
use crate::support::{HOUR, code};
use quipu_core::agent::PolishProblem;
use quipu_core::page::PageRequest;
use quipu_core::turn::{NewTurn, Trace};
use quipu_core::{ErrorCode, Timestamp};
use quipu_store::tenant::{Target, TurnFilter, TurnViewer, Within};
use quipu_testkit::db_test;

const EVERYBODY: TurnViewer = TurnViewer {
    user: None,
    customers: true,
};

db_test! {
    async fn places_are_five_and_their_tokens_are_counted_together(db) {
        let TwoTenants { house, b, .. } = TwoTenants::new(&db).await;
        let tx = house.begin(b.scope).await;
        let mut made = Vec::new();
        for (title, priority) in [("tres", 3), ("diez", 10), ("siete", 7), ("diez también", 10), ("sobra", 1)] {
            made.push(tx.catalogue().insert(&instruction(title, priority)).await.unwrap());
        }
        for id in &made[..4] {
            tx.prompt_places().take(*id, 50).await.unwrap();
        }
        let full = tx.prompt_places().take(made[4], 1).await;
        assert_eq!(code(full), ErrorCode::PromptFull);
        assert_eq!(code(tx.prompt_places().take(made[0], 131).await), ErrorCode::PromptTokensExceeded);
        tx.prompt_places().take(made[0], 130).await.unwrap();
        assert_eq!(tx.prompt_places().room().await.unwrap().tokens(), 300);
        let critical = tx.prompt_places().critical().await.unwrap();
        let titles: Vec<&str> = critical.iter().map(|found| found.title.as_str()).collect();
        assert_eq!(titles, ["diez", "diez también", "b-instruction", "siete", "tres"]);
        // What is deleted leaves its place.
        tx.catalogue().delete(quipu_commerce::business::ItemKind::Instruction, made[1]).await.unwrap();
        tx.prompt_places().take(made[4], 50).await.unwrap();
        assert!(tx.prompt_places().release(made[4]).await.unwrap());
        assert!(!tx.prompt_places().release(made[4]).await.unwrap());
    }

    async fn a_prompt_counts_how_often_it_is_made_anew(db) {
        let TwoTenants { house, a, .. } = TwoTenants::new(&db).await;
        let tx = house.begin(a.scope).await;
        let key = prompt_key(a.agent().id);
        let stored = async || tx.prompts().get(key).await.unwrap().unwrap();
        assert_eq!((stored().await.regenerations, stored().await.polished), (1, Some(named("a", "polished"))));
        tx.prompts().put(key, "hash", 901).await.unwrap();
        let same = stored().await;
        assert_eq!((same.regenerations, same.tokens), (1, 901));
        assert_eq!(same.polished, Some(named("a", "polished")));
        tx.prompts().put(key, "another", 800).await.unwrap();
        let other = stored().await;
        assert_eq!((&*other.hash, other.regenerations, other.polished), ("another", 2, None));
        // What was polished for the configuration before comes too late.
        assert!(!tx.prompts().put_polished(key, "hash", "tarde").await.unwrap());
        assert!(tx.prompts().put_polished(key, "another", "a tiempo").await.unwrap());
        assert_eq!(stored().await.polished.as_deref(), Some("a tiempo"));
        // A refusal stands in the place of the words, and goes with the configuration it is about.
        assert!(tx.prompts().put_refused(key, "another", PolishProblem::Facts).await.unwrap());
        let refused = stored().await;
        assert_eq!((refused.polished, refused.refused), (None, Some(PolishProblem::Facts)));
        tx.prompts().put(key, "another", 800).await.unwrap();
        assert_eq!(tx.prompts().list(a.agent().id).await.unwrap()[0].refused, Some(PolishProblem::Facts));
        assert!(tx.prompts().put_polished(key, "another", "a tiempo").await.unwrap());
        assert_eq!(stored().await.refused, None);
        assert_eq!(tx.prompts().regenerations(a.agent().id).await.unwrap(), 2);
    }

    async fn turns_are_kept_whole_and_private_ones_private(db) {
        let TwoTenants { house, a, .. } = TwoTenants::new(&db).await;
        let tx = house.begin(a.scope).await;
        let agent = a.agents[1].id;
        let private = NewTurn { owner: Some(a.users[0]), ..turn(tx.now(), agent, "lo mío") };
        let shared = turn(tx.now(), agent, "lo de todos");
        for new in [&private, &shared] {
            tx.turns().insert(new).await.unwrap();
        }
        let filter = TurnFilter { agent: Some(agent), ..TurnFilter::default() };
        let seen = async |viewer| {
            let page = tx.turns().list(&filter, viewer, PageRequest::default()).await.unwrap();
            page.data.into_iter().map(|found| found.question).collect::<Vec<_>>()
        };
        let person = |user| TurnViewer { user: Some(user), customers: true };
        assert_eq!(seen(person(a.users[0])).await, ["lo de todos", "lo mío"]);
        assert_eq!(seen(person(a.users[1])).await, ["lo de todos"]);
        assert_eq!(seen(EVERYBODY).await, ["lo de todos"]);
        assert!(tx.turns().find(private.id, EVERYBODY).await.unwrap().is_none());
        // A turn of a customer is seen by whoever may see customers.
        let blind = TurnViewer { user: None, customers: false };
        assert!(tx.turns().find(a.mind.turn, blind).await.unwrap().is_none());
        let found = tx.turns().find(a.mind.turn, EVERYBODY).await.unwrap().unwrap();
        assert_eq!(found.trace.usage.input_tokens, 100);
        assert_eq!(found.feedback.len(), 1);
        // Another opinion of the same author takes the place of the first.
        let author = found.feedback[0].author.clone();
        tx.turns().put_feedback(a.mind.turn, &author, false, None).await.unwrap();
        let found = tx.turns().find(a.mind.turn, EVERYBODY).await.unwrap().unwrap();
        assert_eq!((found.feedback.len(), found.feedback[0].helpful), (1, false));
        assert_eq!(found.feedback[0].reason, None);
    }

    async fn turns_go_with_their_lead_and_with_time(db) {
        let TwoTenants { house, a, b } = TwoTenants::new(&db).await;
        let tx = house.begin(a.scope).await;
        let lead = a.customers.lead;
        let counted = async || {
            let rows = tx.removal().count(&Target::Lead(lead)).await.unwrap();
            (rows.turns, rows.opinions)
        };
        assert_eq!(counted().await, (1, 1));
        tx.leads().delete(lead).await.unwrap();
        assert_eq!(counted().await, (0, 0));
        assert!(tx.turns().find(a.mind.turn, EVERYBODY).await.unwrap().is_none());
        assert_eq!(tx.learned_answers().count_waiting().await.unwrap(), 0);
        tx.commit().await.unwrap();

        let tx = house.platform().await;
        assert_eq!(tx.upkeep().purge_turns(house.now()).await.unwrap(), 0);
        // Both have one of nobody, and B that of its lead as well.
        assert_eq!(tx.upkeep().purge_turns(house.later(HOUR)).await.unwrap(), 3);
        tx.commit().await.unwrap();
        let tx = house.read(b.scope).await;
        assert!(tx.turns().find(b.mind.turn, EVERYBODY).await.unwrap().is_none());
    }

    async fn turns_are_added_up(db) {
        let TwoTenants { house, a, .. } = TwoTenants::new(&db).await;
        let tx = house.begin(a.scope).await;
        let agent = a.agents[1].id;
        for number in 1..=100_u64 {
            let even = number % 2 == 0;
            let new = turn(tx.now(), agent, "x");
            let new = NewTurn {
                variant: (number <= 90).then(|| if even { "corto" } else { "base" }.to_owned()),
                escalated: number % 10 == 0,
                degraded: number % 20 == 0,
                grounded: even,
                cost: even.then_some(7),
                trace: Trace { elapsed_us: number * 10, tool_calls: u32::from(even) * 2, ..new.trace },
                ..new
            };
            tx.turns().insert(&new).await.unwrap();
            if number % 3 == 0 {
                tx.turns().put_feedback(new.id, "ana", even, None).await.unwrap();
            }
        }
        let agent = Some(agent);
        let within = Within { agent, from: tx.now(), to: house.later(HOUR) };
        let sums = tx.turn_measures().sums(within, None).await.unwrap();
        assert_eq!((sums.turns, sums.grounded, sums.escalated, sums.degraded), (100, 50, 10, 5));
        assert_eq!((sums.with_tools, sums.tool_calls), (50, 100));
        assert_eq!((sums.input_tokens, sums.output_tokens), (10_000, 2_000));
        assert_eq!((sums.priced, sums.cost), (50, 350));
        assert_eq!((sums.helpful, sums.unhelpful), (16, 17));
        assert_eq!((sums.p50_us, sums.p95_us), (Some(500), Some(950)));
        assert_eq!(tx.turn_measures().variants(within).await.unwrap(), ["base", "corto"]);
        let short = tx.turn_measures().sums(within, Some("corto")).await.unwrap();
        assert_eq!((short.turns, short.helpful, short.unhelpful, short.priced), (45, 15, 0, 45));
        assert_eq!(short.p50_us, Some(460));
        // The end of a period is no part of it, and nothing comes to nothing.
        for other in [
            Within { from: Timestamp::UNIX_EPOCH, to: tx.now(), agent },
            Within { agent: Some(a.agent().id), ..within },
        ] {
            let sums = tx.turn_measures().sums(other, Some("corto")).await.unwrap();
            assert_eq!((sums.turns, sums.p50_us), (0, None));
        }
    }
}
