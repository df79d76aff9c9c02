//! What is unique about agents, and what goes with them and with a tenant.

use crate::fixture::{TwoTenants, add_kb, new_agent, own_kb};
use crate::material::searchable;
use crate::schema::Schema;
use crate::support::{House, code, raw};
use quipu_core::agent::AgentChange;
use quipu_core::page::PageRequest;
use quipu_core::tenancy::TenantScope;
use quipu_core::{AgentId, ErrorCode};
use quipu_testkit::db_test;
use sea_orm::ConnectionTrait;

const GO_WITH_AN_AGENT: [&str; 18] = [
    "agents",
    "agent_versions",
    "agent_drafts",
    "knowledge_bases",
    "documents",
    "document_sources",
    "document_texts",
    "document_tags",
    "chunks",
    "chunk_vectors",
    "assignments",
    "index_changes",
    "prompts",
    "rehearsal_scripts",
    "rehearsal_runs",
    "rehearsal_results",
    "websites",
    "website_pages",
];

impl House {
    async fn add_agent(&self, scope: TenantScope, slug: &str) -> AgentId {
        let tx = self.begin(scope).await;
        let agent = tx.agents().insert(&new_agent(slug)).await.unwrap();
        add_kb(&tx, &own_kb(slug, agent)).await;
        tx.commit().await.unwrap();
        agent
    }
}

db_test! {
    async fn a_slug_is_one_agents_inside_its_tenant(db) {
        let house = House::new(&db).await;
        let (a, b) = (house.add_tenant("a").await, house.add_tenant("b").await);
        house.add_agent(a, "sales").await;
        house.add_agent(b, "sales").await;
        let other = house.add_agent(a, "support").await;
        let tx = house.begin(a).await;
        assert_eq!(code(tx.agents().insert(&new_agent("sales")).await), ErrorCode::AlreadyExists);
        drop(tx);
        let tx = house.begin(a).await;
        let change = AgentChange { slug: Some("sales".to_owned()), ..AgentChange::default() };
        assert_eq!(code(tx.agents().update(other, &change).await), ErrorCode::AlreadyExists);
    }

    async fn one_agent_is_active(db) {
        let house = House::new(&db).await;
        let (a, b) = (house.add_tenant("a").await, house.add_tenant("b").await);
        let first = house.add_agent(a, "first").await;
        let second = house.add_agent(a, "second").await;
        let theirs = house.add_agent(b, "theirs").await;
        for (scope, agent) in [(a, first), (b, theirs), (a, second), (a, second)] {
            let tx = house.begin(scope).await;
            assert!(tx.agents().activate(agent).await.unwrap());
            tx.commit().await.unwrap();
        }
        for (scope, agent) in [(a, second), (b, theirs)] {
            let tx = house.read(scope).await;
            let listed = tx.agents().list(PageRequest::default()).await.unwrap();
            let active: Vec<_> = listed.data.iter().filter(|a| a.active).map(|a| a.id).collect();
            assert_eq!(active, [agent]);
            assert_eq!(tx.agents().find_active().await.unwrap().unwrap().id, agent);
        }
        // The database holds to it as well, whatever the code does.
        let raw = raw(db.url()).await;
        assert!(raw.execute_unprepared("UPDATE agents SET active = TRUE").await.is_err());
    }

    async fn an_agent_takes_its_knowledge_with_it(db) {
        let TwoTenants { house, a, .. } = TwoTenants::new(&db).await;
        let schema = Schema::of(&db).await;
        let before = schema.snapshot(a.id()).await;
        let tx = house.begin(a.scope).await;
        assert!(tx.agents().delete(a.agent().id).await.unwrap());
        tx.commit().await.unwrap();
        let after = schema.snapshot(a.id()).await;
        // What is told of it is more, not less.
        for (table, rows) in before.iter().filter(|(table, _)| *table != "live_events") {
            let gone = rows.len() - after[table].len();
            assert_eq!(gone > 0, GO_WITH_AN_AGENT.contains(&table.as_str()), "{table}: {gone}");
        }
        let tx = house.read(a.scope).await;
        assert!(tx.ingest().load(a.agent().document).await.unwrap().is_none());
        assert!(searchable(&tx, &[a.agent().kb.id]).await.is_empty());
        assert!(tx.knowledge_bases().stats(a.agent().kb.id).await.unwrap().is_none());
        assert_eq!(searchable(&tx, &[a.agents[1].kb.id]).await.len(), 1);
    }

    async fn a_deleted_tenant_leaves_nothing_behind(db) {
        let TwoTenants { house, a, b } = TwoTenants::new(&db).await;
        let schema = Schema::of(&db).await;
        let others = schema.snapshot(b.id()).await;
        let tx = house.platform().await;
        assert!(tx.tenants().delete(a.id()).await.unwrap());
        tx.commit().await.unwrap();
        for (table, rows) in schema.snapshot(a.id()).await {
            assert_eq!(rows, Vec::<String>::new(), "{table} keeps rows of the deleted tenant");
        }
        assert_eq!(schema.snapshot(b.id()).await, others);
        let tx = house.platform().await;
        assert!(tx.users().find(a.users[0]).await.unwrap().is_some(), "people stay");
        assert!(!tx.tenants().delete(a.id()).await.unwrap(), "it is gone");
    }
}
