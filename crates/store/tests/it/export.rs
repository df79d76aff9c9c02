//! Everything of a tenant is in its archive, but for what is secret, somebody else's, or made from the rest.

use crate::fixture::{TwoTenants, add_kb, personal_kb};
use crate::material::add_searchable;
use crate::schema::Schema;
use quipu_core::UserId;
use quipu_store::TenantTx;
use quipu_store::tenant::{ExportCursor, ExportTable};
use quipu_testkit::db_test;
use std::collections::BTreeSet;

/// Why a table is not in an archive stands in `export.json` and in the guide.
const LEFT_OUT: [&str; 13] = [
    // What opens doors.
    "api_keys",
    "secrets",
    // People are in it as members, with name and address and without what lets them in.
    "memberships",
    // What is made from the rest.
    "booked_ticks",
    "channel_marks",
    "chunk_vectors",
    "chunks",
    "index_changes",
    "prompts",
    "tenant_versions",
    // Work under way.
    "idempotency_keys",
    "jobs",
    "live_events",
];

async fn all_rows(tx: &TenantTx, table: ExportTable) -> Vec<String> {
    let mut rows = Vec::new();
    let mut after: Option<ExportCursor> = None;
    loop {
        let page = tx.export().rows(table, after.as_ref()).await.unwrap();
        rows.extend(page.rows.iter().map(ToString::to_string));
        after = page.next;
        if after.is_none() {
            return rows;
        }
    }
}

db_test! {
    async fn every_table_of_a_tenant_is_taken_away_or_left_out_for_a_reason(db) {
        let _two = TwoTenants::new(&db).await;
        let all = Schema::of(&db).await;
        let tables: BTreeSet<String> = all.tenant_tables().await.into_iter().collect();
        let engines = |table: &&str| table.starts_with("search_");
        let taken = ExportTable::ALL.iter().map(|table| table.name());
        let known: BTreeSet<&str> = taken.chain(LEFT_OUT).collect();
        let unknown: Vec<&str> = tables
            .iter()
            .map(String::as_str)
            .filter(|table| !known.contains(table) && !engines(table))
            .collect();
        assert!(unknown.is_empty(), "neither in the archive nor left out: {unknown:?}");
    }

    async fn rows_come_in_pages_and_none_twice(db) {
        let two = TwoTenants::new(&db).await;
        let tx = two.house.read(two.a.scope).await;
        for table in ExportTable::ALL {
            let rows = all_rows(&tx, *table).await;
            let different: BTreeSet<&String> = rows.iter().collect();
            assert_eq!(rows.len(), different.len(), "{table:?}");
            assert!(rows.iter().all(|row| !row.contains("tenant_id")), "{table:?}");
            let of_b = two.b.id().to_string();
            assert!(rows.iter().all(|row| !row.contains(&of_b)), "{table:?}");
        }
        let names = all_rows(&tx, ExportTable::Leads).await;
        assert!(names.iter().any(|row| row.contains(&two.a.named("lead"))), "{names:?}");
    }

    async fn what_is_somebodys_own_goes_with_them_alone(db) {
        let two = TwoTenants::new(&db).await;
        let owner: UserId = two.a.users[0];
        let scope = two.a.scope;
        let tx = two.house.begin(scope).await;
        let kb = add_kb(&tx, &personal_kb("Diario ocelote", owner)).await;
        add_searchable(&tx, &kb, &["lo que dice el ocelote"]).await;
        tx.commit().await.unwrap();
        let id = kb.id.to_string();
        for (person, sees) in [(Some(owner), true), (Some(two.a.users[1]), false), (None, false)] {
            let tx = two.house.read(scope.as_seen_by(person)).await;
            let mut seen = Vec::new();
            for table in ExportTable::ALL {
                let rows = all_rows(&tx, *table).await;
                let own = rows.iter().any(|row| row.contains("ocelote") || row.contains(&id));
                if own && *table != ExportTable::AuditLog {
                    seen.push(table.name());
                }
            }
            assert_eq!(!seen.is_empty(), sees, "{person:?} sees it in {seen:?}");
        }
    }
}
