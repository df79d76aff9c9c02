//! Whatever tenants, agents, people, knowledge bases, assignments and flags there are, a search
//! finds all of its scope and nothing else.

use super::{start, start_with};
use crate::harness::{Client, Person, Tenant, TestApp, id, kb_path, make_agent, teach_text};
use quipu_core::access::{Permission, Role};
use quipu_server::config::SearchEngine;
use quipu_testkit::engine_suite::Dice;
use quipu_testkit::qdrant::QdrantStandIn;
use quipu_testkit::{TestDatabase, db_test};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const ASKED: &str = "¿cuál es el precio de la limpieza?";
/// How many things happen to a world between looks at it.
const ROUNDS: usize = 12;
const CHANGES: usize = 4;

struct Base {
    value: Value,
    title: String,
    /// The person whose own it is.
    owner: Option<usize>,
    active: bool,
    enabled: bool,
    document: Value,
    /// Of which agents it is: assigned, or their own.
    agents: BTreeSet<usize>,
    deleted: bool,
}

struct House {
    tenant: Tenant,
    people: Vec<Person>,
    program: Client,
    agents: Vec<(Value, bool)>,
    bases: Vec<Base>,
}

impl House {
    async fn new(app: &TestApp, slug: &str, dice: &mut Dice) -> Self {
        let tenant = app.tenant(slug).await;
        let admin = &tenant.admin.client;
        let mut people = Vec::new();
        for _ in 0..2 {
            people.push(app.member(&tenant, Role::Member).await);
        }
        let mut house = Self {
            program: app.program(&tenant, Permission::ALL).await,
            people,
            agents: Vec::new(),
            bases: Vec::new(),
            tenant: tenant.clone(),
        };
        for number in 0..2 {
            let agent = make_agent(admin, &format!("Agente {number}")).await;
            let own = json!({ "id": agent["knowledge_base_id"] });
            house.agents.push((agent, false));
            house
                .teach(slug, own, None, BTreeSet::from([number]), admin)
                .await;
        }
        for _ in 0..2 {
            house.add_base(slug, dice).await;
        }
        house
    }

    async fn add_base(&mut self, slug: &str, dice: &mut Dice) {
        let owner = (dice.below(2) == 0).then(|| dice.below(self.people.len()));
        let client = match owner {
            Some(owner) => self.people[owner].client.clone(),
            None => self.tenant.admin.client.clone(),
        };
        let scope = if owner.is_some() {
            "personal"
        } else {
            "global"
        };
        let body = json!({
            "name": "Base", "scope": scope,
            "embedding_config": { "model": "quipu-es-en/static" },
        });
        let kb = client.post("/api/v1/knowledge-bases", body).await.ok(201);
        self.teach(slug, kb, owner, BTreeSet::new(), &client).await;
    }

    async fn teach(
        &mut self,
        slug: &str,
        kb: Value,
        owner: Option<usize>,
        agents: BTreeSet<usize>,
        client: &Client,
    ) {
        let title = format!("{slug} {}", self.bases.len());
        let text = format!(
            "El precio de la limpieza es {} soles.",
            100 + self.bases.len()
        );
        let document = teach_text(client, &kb, &title, &text).await;
        self.bases.push(Base {
            value: kb,
            title,
            owner,
            active: true,
            enabled: true,
            document,
            agents,
            deleted: false,
        });
    }

    /// Something happens that changes who may read what.
    async fn change(&mut self, slug: &str, dice: &mut Dice) {
        let admin = self.tenant.admin.client.clone();
        let chosen = dice.below(self.bases.len());
        let agent = dice.below(self.agents.len());
        let slug_of = self.agents[agent].0["slug"].as_str().unwrap().to_owned();
        let many = self.bases.len() > 5;
        let base = &mut self.bases[chosen];
        let client = match base.owner {
            Some(owner) => self.people[owner].client.clone(),
            None => admin.clone(),
        };
        let is_own = base.value["name"].is_null();
        match dice.below(7) {
            0 => {
                let allows = dice.below(2) == 0;
                let path = format!("/api/v1/agents/{slug_of}");
                let body = json!({ "allows_personal_corpus": allows });
                admin.patch(&path, body).await.ok(200);
                self.agents[agent].1 = allows;
            }
            1 | 2 if !is_own && !base.deleted => {
                let path = format!("{}/assignments", kb_path(&base.value));
                let reply = client.post(&path, json!({ "agent": slug_of })).await;
                // A personal one can only be given to an agent that allows it.
                if reply.status == 200 {
                    base.agents.insert(agent);
                }
            }
            3 if !is_own && !base.deleted && base.agents.contains(&agent) => {
                let path = format!("{}/assignments/{slug_of}", kb_path(&base.value));
                client.delete(&path).await.ok(204);
                base.agents.remove(&agent);
            }
            4 if !is_own && !base.deleted => {
                base.active = !base.active;
                let status = if base.active { "active" } else { "archived" };
                client
                    .patch(&kb_path(&base.value), json!({ "status": status }))
                    .await
                    .ok(200);
            }
            5 if base.active && !base.deleted => {
                base.enabled = !base.enabled;
                let path = format!("{}/documents/{}", kb_path(&base.value), id(&base.document));
                client
                    .patch(&path, json!({ "enabled": base.enabled }))
                    .await
                    .ok(200);
            }
            6 if !is_own && !base.deleted && many => {
                client.delete(&kb_path(&base.value)).await.ok(200);
                base.deleted = true;
            }
            _ => self.add_base(slug, dice).await,
        }
    }

    /// What a person, or a program, may find through an agent.
    fn expected(&self, agent: usize, person: Option<usize>) -> BTreeSet<String> {
        let readable = |base: &&Base| {
            let mine = match base.owner {
                None => true,
                Some(owner) => person == Some(owner) && self.agents[agent].1,
            };
            !base.deleted && base.active && base.enabled && mine && base.agents.contains(&agent)
        };
        let bases = self.bases.iter().filter(readable);
        bases.map(|base| base.title.clone()).collect()
    }

    async fn look(&self, seed: u64, others: &[&Base]) {
        let admin = (self.tenant.admin.client.clone(), None);
        let program = (self.program.clone(), None);
        let people = self.people.iter().enumerate();
        let people = people.map(|(number, person)| (person.client.clone(), Some(number)));
        for (client, person) in people.chain([admin, program]) {
            for (number, (agent, _)) in self.agents.iter().enumerate() {
                let path = format!("/api/v1/agents/{}/search", id(agent));
                let body = json!({ "query": ASKED, "similarity_threshold": 0, "top_k": 20 });
                let answer = client.post(&path, body.clone()).await.ok(200);
                let expected = self.expected(number, person);
                assert_eq!(
                    found(&answer),
                    expected,
                    "seed {seed}, agent {number}, person {person:?}"
                );
                assert_eq!(answer["degraded"], json!([]));
                // Naming what is not in the scope does not bring it in.
                let mut narrow = body.clone();
                narrow["knowledge_base_ids"] =
                    others.iter().map(|b| b.value["id"].clone()).collect();
                narrow["filters"]["document_ids"] =
                    others.iter().map(|b| b.document["id"].clone()).collect();
                if !others.is_empty() {
                    let answer = client.post(&path, narrow).await.ok(200);
                    assert_eq!(found(&answer), BTreeSet::new(), "seed {seed}");
                }
            }
            for base in others {
                let path = format!("{}/search", kb_path(&base.value));
                let reply = client.post(&path, json!({ "query": ASKED })).await;
                reply.refused(404, "NOT_FOUND");
            }
        }
    }
}

fn found(answer: &Value) -> BTreeSet<String> {
    let chunks = answer["chunks"].as_array().unwrap().iter();
    chunks
        .map(|chunk| chunk["document_name"].as_str().unwrap().to_owned())
        .collect()
}

async fn live(app: TestApp, seed: u64) {
    let mut dice = Dice::new(seed);
    let mut houses = Vec::new();
    for slug in ["acme", "otra"] {
        houses.push((slug, House::new(&app, slug, &mut dice).await));
    }
    for _ in 0..ROUNDS {
        for _ in 0..CHANGES {
            let chosen = dice.below(houses.len());
            let (slug, house) = &mut houses[chosen];
            house.change(slug, &mut dice).await;
        }
        for (number, (_, house)) in houses.iter().enumerate() {
            let others = houses
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != number);
            let others: Vec<&Base> = others.flat_map(|(_, (_, other))| &other.bases).collect();
            house.look(seed, &others).await;
        }
    }
}

db_test! {
    async fn a_search_finds_its_scope_and_nothing_else(db) {
        live(start(db).await, 20).await;
    }

    async fn and_so_does_it_in_another_world(db) {
        live(start(db).await, 1_984).await;
    }
}

/// On the server that the environment names, and without one on a stand-in.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_on_qdrant_finds_its_scope_and_nothing_else() {
    let stand_in = QdrantStandIn::open().await;
    let named = |variable: &str| std::env::var(variable).ok();
    let app = start_with(TestDatabase::sqlite(), |options| {
        options.config.search.engine = SearchEngine::Qdrant;
        let qdrant = &mut options.config.qdrant;
        qdrant.url = named("QUIPU_TEST_QDRANT_URL").unwrap_or_else(|| stand_in.url().to_owned());
        qdrant.api_key = named("QUIPU_TEST_QDRANT_API_KEY")
            .unwrap_or_default()
            .into();
        qdrant.certificates = named("QUIPU_TEST_QDRANT_CERTIFICATES")
            .unwrap_or_default()
            .into();
        qdrant.prefix = format!("quipu_test_{}", uuid::Uuid::now_v7().simple());
    })
    .await;
    assert_eq!(app.app.engine.name(), "qdrant");
    live(app, 451).await;
}
