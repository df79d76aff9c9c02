//! What is kept in memory is never older than the database, whoever changes that.

use crate::fixture::{Tenant, TwoTenants, secret};
use crate::fixture_business::branch;
use crate::material::add_searchable;
use crate::support::{SECOND, open, raw};
use quipu_commerce::business::{Branch, CatalogueItem, Instruction, ItemKind};
use quipu_core::agent::AgentChange;
use quipu_core::knowledge::{KbStatus, KnowledgeBaseChange};
use quipu_store::{Store, TenantTx};
use quipu_testkit::db_test;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

/// Everything that is kept, as it is read now.
async fn seen(store: &Store, tenant: &Tenant) -> Vec<String> {
    let tx = store.read(tenant.scope).await.unwrap();
    let agent = tenant.agent().id;
    let (agents, kbs) = (tx.agents(), tx.knowledge_bases());
    let slug = tenant.named("agent-0");
    let secret = tenant.named("secret");
    vec![
        format!("{:?}", agents.find(agent).await.unwrap()),
        format!("{:?}", agents.find_by_slug(&slug).await.unwrap()),
        format!("{:?}", agents.find_active().await.unwrap()),
        format!("{:?}", kbs.readable(agent, None).await.unwrap()),
        format!(
            "{:?}",
            kbs.readable(agent, Some(tenant.users[0])).await.unwrap()
        ),
        format!("{:?}", tx.catalogue().all::<Branch>().await.unwrap()),
        format!("{:?}", tx.catalogue().all::<Instruction>().await.unwrap()),
        format!("{:?}", tx.settings().get::<Value>("profile").await.unwrap()),
        format!("{:?}", tx.secrets().find_sealed(&secret).await.unwrap()),
        format!("{:?}", tx.prompt_places().critical().await.unwrap()),
    ]
}

/// One change of each kind, the last of which takes the agent away.
const CHANGES: usize = 14;

async fn change(tx: &TenantTx, tenant: &Tenant, number: usize) {
    let (agent, kb) = (tenant.agent().id, &tenant.agent().kb);
    let branch_id = tenant.business.branch;
    match number {
        0 => {
            let named = AgentChange {
                name: Some("Otro nombre".to_owned()),
                ..AgentChange::default()
            };
            assert!(tx.agents().update(agent, &named).await.unwrap());
        }
        1 => drop(add_searchable(tx, kb, &["Algo más."]).await),
        2 => {
            let archived = KnowledgeBaseChange {
                status: Some(KbStatus::Archived),
                ..KnowledgeBaseChange::default()
            };
            let bases = tx.knowledge_bases();
            assert!(bases.update(&tenant.business_kb, &archived).await.unwrap());
        }
        3 => {
            let assignments = tx.assignments();
            assert!(
                assignments
                    .delete(agent, tenant.global_kb.id)
                    .await
                    .unwrap()
            );
        }
        4 => {
            let assignments = tx.assignments();
            assignments
                .insert(agent, tenant.global_kb.id, 2, 0.7)
                .await
                .unwrap();
        }
        5 => drop(tx.catalogue().insert(&branch("Sede nueva")).await.unwrap()),
        6 => {
            let renamed = branch("Sede de antes");
            assert!(tx.catalogue().update(branch_id, &renamed).await.unwrap());
        }
        7 => {
            let found = tx
                .catalogue()
                .find_by_name::<Branch>("Sede nueva")
                .await
                .unwrap();
            assert!(
                tx.catalogue()
                    .delete(Branch::KIND, found.unwrap().id)
                    .await
                    .unwrap()
            );
        }
        8 => tx
            .settings()
            .put("profile", &json!({ "slogan": "otro" }))
            .await
            .unwrap(),
        9 => {
            let mut new = secret(&tenant.named("secret"));
            new.sealed.push(7);
            tx.secrets().put(&new).await.unwrap();
        }
        10 => assert!(tx.secrets().delete(&tenant.named("secret")).await.unwrap()),
        11 => assert!(
            tx.prompt_places()
                .release(tenant.mind.instruction)
                .await
                .unwrap()
        ),
        12 => tx
            .prompt_places()
            .take(tenant.mind.instruction, 30)
            .await
            .unwrap(),
        _ => assert!(tx.agents().delete(agent).await.unwrap()),
    }
}

db_test! {
    async fn every_change_is_seen_by_whoever_reads_next(db) {
        let TwoTenants { house, a, b } = TwoTenants::new(&db).await;
        let elsewhere = open(db.url(), house.clock.clone()).await;
        let others = seen(&house.store, &b).await;
        for number in 0..CHANGES {
            let before = seen(&house.store, &a).await;
            assert_eq!(seen(&elsewhere, &a).await, before, "before change {number}");
            house.clock.advance(SECOND);
            let tx = house.begin(a.scope).await;
            change(&tx, &a, number).await;
            // Not before it is done.
            assert_eq!(seen(&elsewhere, &a).await, before, "during change {number}");
            tx.commit().await.unwrap();
            let fresh = open(db.url(), house.clock.clone()).await;
            let now = seen(&fresh, &a).await;
            assert_ne!(now, before, "change {number}");
            assert_eq!(seen(&house.store, &a).await, now, "here, change {number}");
            assert_eq!(seen(&elsewhere, &a).await, now, "elsewhere, change {number}");
        }
        assert_eq!(seen(&house.store, &b).await, others);
    }

    async fn a_change_that_is_taken_back_was_none(db) {
        let TwoTenants { house, a, .. } = TwoTenants::new(&db).await;
        let before = seen(&house.store, &a).await;
        let tx = house.begin(a.scope).await;
        change(&tx, &a, 6).await;
        // Whoever writes sees what it wrote, and nobody else is told.
        let own = tx.catalogue().all::<Branch>().await.unwrap();
        assert!(own.iter().any(|found| found.data.name == "Sede de antes"));
        drop(tx);
        assert_eq!(seen(&house.store, &a).await, before);
    }

    async fn what_did_not_change_is_not_read_again(db) {
        let TwoTenants { house, a, .. } = TwoTenants::new(&db).await;
        let before = seen(&house.store, &a).await;
        // Behind the back of everybody: this column is not watched.
        let behind = raw(db.url()).await;
        let sql = "UPDATE catalogue_items SET created_at = '2001-01-01T00:00:00+00:00'";
        behind.execute_unprepared(sql).await.unwrap();
        // Counting what was told in a turn changes nothing that is kept.
        let tx = house.begin(a.scope).await;
        let told = [a.mind.instruction];
        tx.catalogue().count_told(ItemKind::Instruction, &told).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(seen(&house.store, &a).await, before);
        let fresh = open(db.url(), house.clock.clone()).await;
        assert_ne!(seen(&fresh, &a).await, before);
    }
}
