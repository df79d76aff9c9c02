//! Personal knowledge bases are there for their owner and for nobody else, whatever their role.

use crate::fixture::{add_kb, business_kb, new_agent, own_kb, personal_kb, shared_kb};
use crate::material::add_searchable;
use crate::support::House;
use quipu_core::agent::{AgentChange, NewAgent};
use quipu_core::knowledge::{KbScope, KbStatus, KnowledgeBaseChange};
use quipu_core::page::PageRequest;
use quipu_core::tenancy::TenantScope;
use quipu_core::{AgentId, KnowledgeBaseId, UserId};
use quipu_store::tenant::OpenKb;
use quipu_testkit::{TestDatabase, db_test};
use std::collections::BTreeSet;

/// Two people of one tenant, each with something of their own, and something they share.
struct Ground {
    house: House,
    scope: TenantScope,
    ana: UserId,
    ben: UserId,
    shared: OpenKb,
    anas: OpenKb,
    bens: OpenKb,
}

impl Ground {
    async fn new(db: &TestDatabase) -> Self {
        let house = House::new(db).await;
        let scope = house.add_tenant("a").await;
        let ana = house.add_user("ana@example.com").await;
        let ben = house.add_user("ben@example.com").await;
        let tx = house.begin(scope).await;
        let shared = add_kb(&tx, &shared_kb("shared")).await;
        let anas = add_kb(&tx, &personal_kb("Ana's", ana)).await;
        let bens = add_kb(&tx, &personal_kb("Ben's", ben)).await;
        tx.commit().await.unwrap();
        Self {
            house,
            scope,
            ana,
            ben,
            shared,
            anas,
            bens,
        }
    }

    /// Everybody who may ask, and what they may see.
    fn viewers(&self) -> [(Option<UserId>, Vec<KnowledgeBaseId>); 3] {
        [
            (None, vec![self.shared.id]),
            (Some(self.ana), vec![self.shared.id, self.anas.id]),
            (Some(self.ben), vec![self.shared.id, self.bens.id]),
        ]
    }

    async fn add_agent(&self, slug: &str, allows_personal_corpus: bool) -> AgentId {
        let tx = self.house.begin(self.scope).await;
        let new = NewAgent {
            allows_personal_corpus,
            ..new_agent(slug)
        };
        let id = tx.agents().insert(&new).await.unwrap();
        add_kb(&tx, &own_kb(slug, id)).await;
        for kb in [&self.shared, &self.anas, &self.bens] {
            tx.assignments().insert(id, kb.id, 1, 1.0).await.unwrap();
        }
        tx.commit().await.unwrap();
        id
    }

    async fn readable(&self, agent: AgentId, user: Option<UserId>) -> BTreeSet<KnowledgeBaseId> {
        let tx = self.house.read(self.scope).await;
        let readable = tx.knowledge_bases().readable(agent, user).await.unwrap();
        readable
            .iter()
            .filter(|kb| kb.scope != KbScope::Agent)
            .map(|kb| kb.id)
            .collect()
    }

    async fn set_status(&self, kb: &OpenKb, status: KbStatus) {
        let change = KnowledgeBaseChange {
            status: Some(status),
            ..KnowledgeBaseChange::default()
        };
        let tx = self.house.begin(self.scope).await;
        assert!(tx.knowledge_bases().update(kb, &change).await.unwrap());
        tx.commit().await.unwrap();
    }

    async fn allow_personal(&self, agent: AgentId, allows: bool) {
        let change = AgentChange {
            allows_personal_corpus: Some(allows),
            ..AgentChange::default()
        };
        let tx = self.house.begin(self.scope).await;
        assert!(tx.agents().update(agent, &change).await.unwrap());
        tx.commit().await.unwrap();
    }
}

fn set(ids: &[&OpenKb]) -> BTreeSet<KnowledgeBaseId> {
    ids.iter().map(|kb| kb.id).collect()
}

db_test! {
    async fn a_personal_knowledge_base_opens_for_its_owner_only(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.house.read(ground.scope).await;
        for (viewer, seen) in ground.viewers() {
            for kb in [&ground.shared, &ground.anas, &ground.bens] {
                let opened = tx.knowledge_bases().open(kb.id, viewer).await.unwrap();
                assert_eq!(opened.is_some(), seen.contains(&kb.id), "{} by {viewer:?}", kb.name);
            }
        }
        let nobody = UserId::generate(ground.house.now());
        let opened = tx.knowledge_bases().open(ground.anas.id, Some(nobody)).await.unwrap();
        assert!(opened.is_none());
    }

    async fn a_list_has_what_the_viewer_may_see(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.house.read(ground.scope).await;
        for (viewer, seen) in ground.viewers() {
            let seen: BTreeSet<_> = seen.into_iter().collect();
            for limit in [1, 2, 50] {
                let mut listed = BTreeSet::new();
                let mut page = PageRequest { limit, after: None };
                loop {
                    let found = tx.knowledge_bases().list(viewer, None, None, page).await.unwrap();
                    listed.extend(found.data.iter().map(|kb| kb.id));
                    let Some(cursor) = found.next_cursor else { break };
                    page.after = Some(cursor.parse().unwrap());
                }
                assert_eq!(listed, seen, "{viewer:?}, {limit} at a time");
            }
            let personal = Some(KbScope::Personal);
            let page = PageRequest::default();
            let found = tx.knowledge_bases().list(viewer, personal, None, page).await.unwrap();
            let own = found.data.iter().all(|kb| kb.owner_user_id == viewer);
            assert!(own && found.data.len() == seen.len() - 1, "{viewer:?}: {found:?}");
        }
        let personal = tx.knowledge_bases().personal_of(ground.ana).await.unwrap();
        let ids: Vec<_> = personal.iter().map(|kb| kb.id).collect();
        assert_eq!(ids, [ground.anas.id], "for when she leaves");
    }

    async fn a_list_can_be_narrowed(db) {
        let ground = Ground::new(&db).await;
        ground.set_status(&ground.shared, KbStatus::Archived).await;
        let tx = ground.house.read(ground.scope).await;
        for (scope, status, expected) in [
            (None, Some(KbStatus::Archived), vec![ground.shared.id]),
            (None, Some(KbStatus::Active), vec![ground.anas.id]),
            (Some(KbScope::Global), None, vec![ground.shared.id]),
            (Some(KbScope::Global), Some(KbStatus::Active), vec![]),
            (Some(KbScope::Business), None, vec![]),
        ] {
            let (viewer, page) = (Some(ground.ana), PageRequest::default());
            let found = tx.knowledge_bases().list(viewer, scope, status, page).await.unwrap();
            let ids: Vec<_> = found.data.iter().map(|kb| kb.id).collect();
            assert_eq!(ids, expected, "{scope:?} {status:?}");
        }
    }

    async fn an_agent_reads_it_for_its_owner_while_that_is_allowed(db) {
        let ground = Ground::new(&db).await;
        let agent = ground.add_agent("agent", false).await;
        let shared = set(&[&ground.shared]);
        for user in [None, Some(ground.ana), Some(ground.ben)] {
            assert_eq!(ground.readable(agent, user).await, shared);
        }
        ground.allow_personal(agent, true).await;
        let with = |own: &OpenKb| set(&[&ground.shared, own]);
        assert_eq!(ground.readable(agent, None).await, shared);
        assert_eq!(ground.readable(agent, Some(ground.ana)).await, with(&ground.anas));
        assert_eq!(ground.readable(agent, Some(ground.ben)).await, with(&ground.bens));

        // Switched off, it ends with the next question.
        ground.allow_personal(agent, false).await;
        assert_eq!(ground.readable(agent, Some(ground.ana)).await, shared);
    }

    async fn an_archived_knowledge_base_is_never_read(db) {
        let ground = Ground::new(&db).await;
        let agent = ground.add_agent("agent", true).await;
        for kb in [&ground.shared, &ground.anas] {
            ground.set_status(kb, KbStatus::Archived).await;
        }
        assert_eq!(ground.readable(agent, Some(ground.ana)).await, set(&[]));
        assert_eq!(ground.readable(agent, Some(ground.ben)).await, set(&[&ground.bens]));
        ground.set_status(&ground.shared, KbStatus::Active).await;
        assert_eq!(ground.readable(agent, Some(ground.ana)).await, set(&[&ground.shared]));
    }

    async fn every_agent_reads_the_business_without_being_assigned(db) {
        let ground = Ground::new(&db).await;
        let first = ground.add_agent("first", false).await;
        let tx = ground.house.begin(ground.scope).await;
        assert!(tx.knowledge_bases().open_business().await.unwrap().is_none());
        let business = add_kb(&tx, &business_kb("business")).await;
        add_searchable(&tx, &business, &["Abrimos a las 9."]).await;
        tx.commit().await.unwrap();
        let second = ground.add_agent("second", false).await;
        for agent in [first, second] {
            let expected = set(&[&ground.shared, &business]);
            assert_eq!(ground.readable(agent, None).await, expected);
        }
        ground.set_status(&business, KbStatus::Archived).await;
        assert_eq!(ground.readable(first, None).await, set(&[&ground.shared]));
        let tx = ground.house.begin(ground.scope).await;
        let opened = tx.knowledge_bases().open_business().await.unwrap().unwrap();
        assert_eq!((opened.id, opened.scope), (business.id, KbScope::Business));
        assert!(tx.knowledge_bases().insert(&business_kb("second")).await.is_err());
    }

    async fn it_goes_with_its_owner(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.house.begin(ground.scope).await;
        assert!(tx.knowledge_bases().delete(&ground.anas).await.unwrap());
        assert!(!tx.knowledge_bases().delete(&ground.anas).await.unwrap());
        tx.commit().await.unwrap();
        let tx = ground.house.read(ground.scope).await;
        assert!(tx.knowledge_bases().personal_of(ground.ana).await.unwrap().is_empty());
        assert_eq!(tx.knowledge_bases().personal_of(ground.ben).await.unwrap().len(), 1);
    }
}
