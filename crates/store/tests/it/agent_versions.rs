//! How agents were, and how they may become.

use crate::fixture::TwoTenants;
use crate::fixture_mind::{configuration, draft_of, version_of};
use crate::material::ACTOR;
use quipu_core::agent::{MOST_VERSIONS, VersionOrigin};
use quipu_core::page::PageRequest;
use quipu_store::tenant::NewVersion;
use quipu_testkit::db_test;

db_test! {
    async fn versions_are_numbered_and_the_oldest_go(db) {
        let TwoTenants { house, a, .. } = TwoTenants::new(&db).await;
        let tx = house.begin(a.scope).await;
        let (agent, other) = (a.agents[0].id, a.agents[1].id);
        let versions = tx.agent_versions();
        // The fixture has noted the first of the one, and none of the other.
        assert_eq!(versions.newest_number(agent).await.unwrap(), Some(1));
        assert_eq!(versions.newest_number(other).await.unwrap(), None);
        for number in 2..=MOST_VERSIONS + 3 {
            let configuration = configuration(&format!("Maya {number}"));
            let new = version_of(&configuration);
            assert_eq!(versions.insert(agent, &new).await.unwrap(), number);
        }
        assert_eq!(versions.insert(other, &version_of(&configuration("Otra"))).await.unwrap(), 1);
        assert!(versions.find(agent, 3).await.unwrap().is_none());
        assert!(versions.find(agent, u32::MAX).await.unwrap().is_none());
        let oldest = versions.find(agent, 4).await.unwrap().unwrap();
        assert_eq!((oldest.version.live, &*oldest.configuration.name), (false, "Maya 4"));

        let mut numbers = Vec::new();
        let mut page = PageRequest { limit: 60, after: None };
        loop {
            let listed = versions.list(agent, page).await.unwrap();
            numbers.extend(listed.data.iter().map(|version| version.number));
            assert!(listed.data.iter().all(|one| one.live == (one.number == MOST_VERSIONS + 3)));
            let Some(cursor) = listed.next_cursor else { break };
            page = PageRequest::parse(Some(60), Some(&cursor)).unwrap();
        }
        let expected: Vec<u32> = (4..=MOST_VERSIONS + 3).rev().collect();
        assert_eq!(numbers, expected);
    }

    async fn a_version_says_where_it_comes_from(db) {
        let TwoTenants { house, a, .. } = TwoTenants::new(&db).await;
        let tx = house.begin(a.scope).await;
        let configuration = configuration("Maya");
        let new = NewVersion {
            origin: VersionOrigin::Restored,
            note: None,
            made_by: None,
            restored_from: Some(1),
            ..version_of(&configuration)
        };
        let number = tx.agent_versions().insert(a.agent().id, &new).await.unwrap();
        let found = tx.agent_versions().find(a.agent().id, number).await.unwrap().unwrap();
        assert_eq!(found.configuration, configuration);
        let version = found.version;
        assert_eq!((version.origin, version.restored_from), (VersionOrigin::Restored, Some(1)));
        assert_eq!((version.note, version.made_by, version.live), (None, None, true));
        assert_eq!(version.made_at, house.now());
    }

    async fn each_change_of_a_draft_is_another_revision(db) {
        let TwoTenants { house, a, .. } = TwoTenants::new(&db).await;
        let tx = house.begin(a.scope).await;
        let agent = a.agent().id;
        let found = async || tx.agent_drafts().find(agent).await.unwrap();
        let first = found().await.unwrap();
        assert_eq!((first.based_on, &*first.changed_by), (1, ACTOR));
        let same = draft_of(&first.configuration);
        tx.agent_drafts().put(agent, &same).await.unwrap();
        let second = found().await.unwrap();
        assert_ne!(second.revision, first.revision);
        assert_eq!(second.configuration, first.configuration);
        assert!(tx.agent_drafts().delete(agent).await.unwrap());
        assert!(!tx.agent_drafts().delete(agent).await.unwrap());
        assert_eq!(found().await, None);
        // One that comes later is not taken for one that went.
        tx.agent_drafts().put(agent, &same).await.unwrap();
        let third = found().await.unwrap().revision;
        assert!(third != first.revision && third != second.revision);
    }
}
