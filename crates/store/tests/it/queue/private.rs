//! Jobs that are one person's private matter, such as the processing of what is theirs alone.

use crate::fixture::job;
use crate::support::House;
use quipu_core::job::NewJob;
use quipu_core::page::PageRequest;
use quipu_testkit::db_test;
use std::collections::BTreeSet;

db_test! {
    async fn a_private_job_is_seen_by_its_owner_only(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let ana = house.add_user("ana@example.com").await;
        let ben = house.add_user("ben@example.com").await;
        let of = |owner| NewJob { owner, ..job(house.now(), None) };
        let shared = house.enqueue(scope, &of(None)).await.unwrap();
        let anas = house.enqueue(scope, &of(Some(ana))).await.unwrap();
        let bens = house.enqueue(scope, &of(Some(ben))).await.unwrap();

        let tx = house.read(scope).await;
        for (viewer, seen) in [
            (None, vec![shared]),
            (Some(ana), vec![shared, anas]),
            (Some(ben), vec![shared, bens]),
        ] {
            let seen: BTreeSet<_> = seen.into_iter().collect();
            for limit in [1, 2, 50] {
                let mut listed = BTreeSet::new();
                let mut page = PageRequest { limit, after: None };
                loop {
                    let found = tx.jobs().list(viewer, None, page).await.unwrap();
                    listed.extend(found.data.iter().map(|job| job.id));
                    let Some(cursor) = found.next_cursor else { break };
                    page.after = Some(cursor.parse().unwrap());
                }
                assert_eq!(listed, seen, "{viewer:?}, {limit} at a time");
            }
            for id in [shared, anas, bens] {
                let found = tx.jobs().find(id, viewer).await.unwrap().is_some();
                assert_eq!(found, seen.contains(&id), "{viewer:?}");
            }
        }
        drop(tx);
        // Workers do everybody's work.
        for _ in 0..3 {
            house.claim().await.unwrap();
        }
        let tx = house.read(scope).await;
        assert!(tx.jobs().find(anas, None).await.unwrap().is_none(), "running or not");
        assert!(tx.jobs().find(anas, Some(ana)).await.unwrap().is_some());
    }
}
