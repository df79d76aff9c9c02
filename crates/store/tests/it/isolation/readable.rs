//! Which knowledge bases an agent may read, held against the rules written out a second time.

use crate::fixture::{add_kb, business_kb, new_agent, own_kb, personal_kb, shared_kb};
use crate::support::{House, raw};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use quipu_core::agent::NewAgent;
use quipu_core::knowledge::{KbScope, ReadableKb};
use quipu_core::tenancy::TenantScope;
use quipu_core::{AgentId, KnowledgeBaseId, UserId};
use quipu_testkit::{TestDatabase, db_test};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use uuid::Uuid;

const WORLDS: usize = 20;
const USERS: usize = 3;

/// A tenant's agents and knowledge bases, before they are in a database.
#[derive(Clone, Debug)]
struct World {
    agents: Vec<AgentPlan>,
    shared: Vec<KbPlan>,
}

#[derive(Clone, Debug)]
struct AgentPlan {
    allows_personal_corpus: bool,
    own_is_archived: bool,
    /// Which agents this one's own knowledge base is assigned to, as a mistake would.
    lent_to: Vec<Option<(i32, u8)>>,
}

#[derive(Clone, Debug)]
struct KbPlan {
    owner: Owner,
    status: &'static str,
    /// For each agent, the priority and weight it is assigned with, if it is.
    assigned: Vec<Option<(i32, u8)>>,
}

#[derive(Clone, Copy, Debug)]
enum Owner {
    Everybody,
    Business,
    Person(usize),
}

/// Agents come and go between worlds, so there are as many places as there can be agents.
const MOST_AGENTS: usize = 3;

fn assigned() -> impl Strategy<Value = Vec<Option<(i32, u8)>>> {
    vec(option::of((0_i32..4, 1_u8..5)), MOST_AGENTS)
}

fn worlds() -> impl Strategy<Value = World> {
    let agent = (any::<bool>(), any::<bool>(), assigned()).prop_map(
        |(allows_personal_corpus, own_is_archived, lent_to)| AgentPlan {
            allows_personal_corpus,
            own_is_archived,
            lent_to,
        },
    );
    let owner = prop_oneof![
        Just(Owner::Everybody),
        Just(Owner::Business),
        (0..USERS).prop_map(Owner::Person),
    ];
    let status = prop_oneof![3 => Just("active"), 1 => Just("processing"), 1 => Just("archived")];
    let kb = (owner, status, assigned()).prop_map(|(owner, status, assigned)| KbPlan {
        owner,
        status,
        assigned,
    });
    (vec(agent, 1..=MOST_AGENTS), vec(kb, 0..8)).prop_map(|(agents, mut shared)| {
        // A tenant has one knowledge base of its business.
        let mut taken = false;
        shared.retain(|kb| {
            let business = matches!(kb.owner, Owner::Business);
            !business || !std::mem::replace(&mut taken, true)
        });
        World { agents, shared }
    })
}

/// A world in the database. The ids are in the order of its plans.
struct Built {
    agents: Vec<AgentId>,
    own: Vec<KnowledgeBaseId>,
    shared: Vec<KnowledgeBaseId>,
}

/// The rules: an agent's own knowledge base, the business's, and of those assigned to it the ones
/// that are shared, and the person's own if the agent allows that. Never what is not active.
fn expected(world: &World, built: &Built, agent: usize, user: Option<usize>) -> Vec<ReadableKb> {
    let mut readable = Vec::new();
    let plan = &world.agents[agent];
    if !plan.own_is_archived {
        readable.push(readable_kb(
            built.own[agent],
            KbScope::Agent,
            plan.lent_to[agent],
        ));
    }
    for (kb, id) in world.shared.iter().zip(&built.shared) {
        let scope = match kb.owner {
            Owner::Everybody => KbScope::Global,
            Owner::Business => KbScope::Business,
            Owner::Person(owner) => {
                if user != Some(owner) || !plan.allows_personal_corpus {
                    continue;
                }
                KbScope::Personal
            }
        };
        let reached = scope == KbScope::Business || kb.assigned[agent].is_some();
        if kb.status == "active" && reached {
            readable.push(readable_kb(*id, scope, kb.assigned[agent]));
        }
    }
    readable.sort_by_key(|kb| (kb.priority, kb.id));
    readable
}

fn readable_kb(id: KnowledgeBaseId, scope: KbScope, with: Option<(i32, u8)>) -> ReadableKb {
    let (priority, weight) = with.unwrap_or((1, 1));
    let shared = shared_kb("kb");
    ReadableKb {
        id,
        name: shared.name,
        scope,
        language: shared.language,
        priority,
        search_weight: f32::from(weight),
        index_version: 0,
        searched_with: shared.embedding_config.first(),
        tells: (&shared.chunking_config).into(),
    }
}

async fn build(
    house: &House,
    raw: &DatabaseConnection,
    scope: TenantScope,
    world: &World,
    users: &[UserId],
) -> Built {
    let tx = house.begin(scope).await;
    let mut built = Built {
        agents: Vec::new(),
        own: Vec::new(),
        shared: Vec::new(),
    };
    for (n, plan) in world.agents.iter().enumerate() {
        let new = NewAgent {
            allows_personal_corpus: plan.allows_personal_corpus,
            ..new_agent(&format!("agent-{n}"))
        };
        let agent = tx.agents().insert(&new).await.unwrap();
        built.agents.push(agent);
        built.own.push(add_kb(&tx, &own_kb("kb", agent)).await.id);
    }
    for kb in &world.shared {
        let new = match kb.owner {
            Owner::Everybody => shared_kb("kb"),
            Owner::Business => business_kb("kb"),
            Owner::Person(n) => personal_kb("kb", users[n]),
        };
        built.shared.push(add_kb(&tx, &new).await.id);
    }
    let lent = world
        .agents
        .iter()
        .map(|agent| &agent.lent_to)
        .zip(&built.own);
    let shared = world
        .shared
        .iter()
        .map(|kb| &kb.assigned)
        .zip(&built.shared);
    for (assigned, kb) in lent.chain(shared) {
        for (agent, with) in built.agents.iter().zip(assigned) {
            if let Some((priority, weight)) = with {
                let weight = f32::from(*weight);
                tx.assignments()
                    .insert(*agent, *kb, *priority, weight)
                    .await
                    .unwrap();
            }
        }
    }
    tx.commit().await.unwrap();

    // By hand, because no repository writes the state that earlier versions did.
    let own = world.agents.iter().map(|plan| {
        if plan.own_is_archived {
            "archived"
        } else {
            "active"
        }
    });
    let shared = world.shared.iter().map(|kb| kb.status);
    for (status, kb) in own.chain(shared).zip(built.own.iter().chain(&built.shared)) {
        let sql = format!("UPDATE knowledge_bases SET status = '{status}' WHERE id = $1");
        execute(raw, &sql, kb.uuid()).await;
    }
    built
}

async fn execute(raw: &DatabaseConnection, sql: &str, id: Uuid) {
    let backend = raw.get_database_backend();
    let done = raw
        .execute_raw(Statement::from_sql_and_values(backend, sql, [id.into()]))
        .await;
    assert_eq!(done.unwrap().rows_affected(), 1, "{sql}");
}

async fn check(db: &TestDatabase) {
    let house = House::new(db).await;
    let raw = raw(db.url()).await;
    let stranger = house.add_tenant("stranger").await;
    let mut users = Vec::new();
    for n in 0..USERS {
        users.push(house.add_user(&format!("{n}@example.com")).await);
    }
    let mut runner = TestRunner::deterministic();
    let mut seen = [0; 4];
    for n in 0..WORLDS {
        let world = worlds().new_tree(&mut runner).unwrap().current();
        let scope = house.add_tenant(&format!("world-{n}")).await;
        let built = build(&house, &raw, scope, &world, &users).await;
        let tx = house.read(scope).await;
        let outside = house.read(stranger).await;
        for (agent, id) in built.agents.iter().enumerate() {
            for user in [None, Some(0), Some(1), Some(2)] {
                let user_id = user.map(|n| users[n]);
                let found = tx.knowledge_bases().readable(*id, user_id).await.unwrap();
                let expected = expected(&world, &built, agent, user);
                assert_eq!(
                    found, expected,
                    "agent {agent}, user {user:?} in {world:#?}"
                );
                for kb in found {
                    seen[kb.scope as usize] += 1;
                }
                let found = outside
                    .knowledge_bases()
                    .readable(*id, user_id)
                    .await
                    .unwrap();
                assert!(
                    found.is_empty(),
                    "another tenant reads with agent {agent} of {world:#?}"
                );
            }
        }
    }
    assert!(
        seen.iter().all(|n| *n > 0),
        "the worlds have too little in them: {seen:?}"
    );
}

db_test! {
    async fn an_agent_reads_what_the_rules_say(db) {
        check(&db).await;
    }
}
