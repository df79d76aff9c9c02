//! What a deletion counts before it is what the tables hold, and after it nothing is left.

use crate::fixture::{JOB_KIND, TwoTenants, add_kb, job, new_agent, own_kb, shared_kb};
use crate::material::{add, add_searchable, build};
use crate::schema::{Schema, Snapshot};
use crate::support::{HOUR, House, SECOND};
use quipu_core::knowledge::Stage;
use quipu_core::page::PageRequest;
use quipu_core::removal::{DeletionReceipt, RowCounts, StoreCounts};
use quipu_core::tenancy::TenantScope;
use quipu_store::tenant::Target;
use quipu_testkit::{TestDatabase, db_test};
use sea_orm::{ConnectionTrait, QueryResult, Statement};
use std::collections::BTreeMap;
use std::time::Duration;

impl House {
    async fn count(&self, scope: TenantScope, target: &Target) -> RowCounts {
        let tx = self.read(scope).await;
        tx.removal().count(target).await.unwrap()
    }
}

/// The same counts from the tables themselves.
fn counted(snapshot: &Snapshot) -> RowCounts {
    let rows = |table: &str| snapshot[table].len() as u64;
    RowCounts {
        knowledge_bases: rows("knowledge_bases"),
        assignments: rows("assignments"),
        documents: rows("documents"),
        chunks: rows("chunks"),
        vectors: rows("chunk_vectors"),
        texts: rows("document_sources") + rows("document_texts"),
        tags: rows("document_tags"),
        leads: rows("leads"),
        conversations: rows("conversations"),
        messages: rows("messages"),
        attachments: rows("attachments"),
        appointments: rows("appointments"),
        orders: rows("orders"),
        invoice_requests: rows("invoice_requests"),
        redemptions: rows("redemptions"),
        loyalty_transactions: rows("loyalty_transactions"),
        tool_calls: rows("tool_calls"),
        // Those of the fixture are about nobody.
        kept_answers: 0,
        turns: rows("turns"),
        opinions: rows("turn_feedback"),
        // One of those of the fixture is of a script.
        rehearsal_results: rows("rehearsal_results").saturating_sub(1),
        // The one of the fixture was made up.
        rehearsal_scripts: 0,
        websites: rows("websites"),
        website_pages: rows("website_pages"),
        temperature_changes: rows("temperature_changes"),
        lead_merges: rows("lead_merges"),
        channel_contacts: rows("channel_contacts"),
        channel_messages: rows("channel_inbound") + rows("channel_outbound"),
        voice_calls: rows("voice_calls"),
        events: rows("event_deliveries"),
    }
}

fn receipt(target: &str, house: &House) -> DeletionReceipt {
    let rows = RowCounts {
        documents: 2,
        chunks: u64::from(u32::MAX) + 1,
        ..RowCounts::default()
    };
    DeletionReceipt {
        target: target.to_owned(),
        removed: StoreCounts {
            rows,
            files: 2,
            file_bytes: 123_456_789_012,
            index_entries: 3,
        },
        remaining: StoreCounts::default(),
        complete: true,
        deleted_at: house.now(),
    }
}

/// Tables with a row for each document or chunk, or more.
const LARGE: [&str; 6] = [
    "documents",
    "document_sources",
    "document_texts",
    "document_tags",
    "chunks",
    "chunk_vectors",
];

/// The references of a table, each as the columns it goes by.
async fn references(schema: &Schema, table: &str) -> Vec<Vec<String>> {
    let sql =
        format!("SELECT id, \"from\" FROM pragma_foreign_key_list('{table}') ORDER BY id, seq");
    let mut references: BTreeMap<i32, Vec<String>> = BTreeMap::new();
    for row in all(schema, sql).await {
        let id = row.try_get("", "id").unwrap();
        let column = row.try_get("", "from").unwrap();
        references.entry(id).or_default().push(column);
    }
    references.into_values().collect()
}

async fn all(schema: &Schema, sql: String) -> Vec<QueryResult> {
    let statement = Statement::from_string(schema.0.get_database_backend(), sql);
    schema.0.query_all_raw(statement).await.unwrap()
}

/// Each row that is deleted is looked for in every table that refers to it, by an index that knows
/// all columns of the reference: with one that knows the tenant only, deleting a document with
/// thousands of chunks would take minutes.
#[tokio::test]
async fn what_hangs_on_a_deleted_row_is_found_by_an_index() {
    let db = TestDatabase::sqlite();
    House::new(&db).await;
    let schema = Schema::of(&db).await;
    for table in LARGE {
        let references = references(&schema, table).await;
        assert!(references.len() >= 2, "{table}: {references:?}");
        for columns in references {
            let terms: Vec<_> = columns.iter().map(|column| format!("{column}=?")).collect();
            let terms = terms.join(" AND ");
            let sql = format!("EXPLAIN QUERY PLAN DELETE FROM {table} WHERE {terms}");
            let plan = all(&schema, sql).await;
            let first: String = plan[0].try_get("", "detail").unwrap();
            let found = columns
                .iter()
                .all(|column| first.contains(&format!("{column}=?")));
            assert!(found, "{table} by {columns:?}: {first}");
        }
    }
}

db_test! {
    async fn documents_are_counted_with_all_that_was_made_of_them(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let tx = house.begin(scope).await;
        let kb = add_kb(&tx, &shared_kb("kb")).await;
        let large = add_searchable(&tx, &kb, &["uno", "dos", "tres"]).await;
        let small = add_searchable(&tx, &kb, &["cuatro"]).await;
        let kept = add_searchable(&tx, &kb, &["cinco", "seis"]).await;
        // A new version of the first is under way, with its own chunks and text.
        build(&tx, large, &["uno", "dos"]).await;
        tx.commit().await.unwrap();

        let target = Target::Documents(vec![large, small]);
        let expected = RowCounts {
            knowledge_bases: 0,
            assignments: 0,
            documents: 2,
            chunks: 3 + 2 + 1,
            vectors: 3 + 1,
            // The source and the text of each, and the text of the new version.
            texts: 2 * 2 + 1,
            tags: 2,
            ..RowCounts::default()
        };
        assert_eq!(house.count(scope, &target).await, expected);
        let tx = house.begin(scope).await;
        let others = add_kb(&tx, &shared_kb("other")).await;
        assert_eq!(tx.documents().delete(&others, &[large, small]).await.unwrap(), 0);
        assert_eq!(tx.documents().delete(&kb, &[large, small]).await.unwrap(), 2);
        assert_eq!(tx.documents().delete(&kb, &[large, small]).await.unwrap(), 0);
        tx.commit().await.unwrap();
        assert_eq!(house.count(scope, &target).await, RowCounts::default());

        let left = counted(&Schema::of(&db).await.snapshot(scope.tenant_id()).await);
        let kept = house.count(scope, &Target::Documents(vec![kept])).await;
        assert_eq!(RowCounts { knowledge_bases: 2, ..kept }, left);
        assert_eq!((kept.documents, kept.chunks, kept.vectors, kept.texts), (1, 2, 2, 2));
        assert_eq!(house.count(scope, &Target::Documents(vec![])).await, RowCounts::default());
    }

    async fn a_knowledge_base_is_counted_with_all_that_is_in_it(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let tx = house.begin(scope).await;
        let kb = add_kb(&tx, &shared_kb("kb")).await;
        add_searchable(&tx, &kb, &["uno", "dos"]).await;
        add_searchable(&tx, &kb, &["tres"]).await;
        add(&tx, &kb, "nobody read it yet").await;
        let mut own = Vec::new();
        for slug in ["first", "second"] {
            let agent = tx.agents().insert(&new_agent(slug)).await.unwrap();
            own.push(add_kb(&tx, &own_kb(slug, agent)).await);
            tx.assignments().insert(agent, kb.id, 1, 1.0).await.unwrap();
        }
        let kept = add_searchable(&tx, &own[0], &["cuatro"]).await;
        tx.commit().await.unwrap();

        let target = Target::KnowledgeBase(kb.id);
        let expected = RowCounts {
            knowledge_bases: 1,
            assignments: 2,
            documents: 3,
            chunks: 3,
            vectors: 3,
            texts: 3 + 2,
            tags: 3,
            ..RowCounts::default()
        };
        assert_eq!(house.count(scope, &target).await, expected);
        let tx = house.begin(scope).await;
        assert!(tx.knowledge_bases().delete(&kb).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(house.count(scope, &target).await, RowCounts::default());
        let left = counted(&Schema::of(&db).await.snapshot(scope.tenant_id()).await);
        let kept = house.count(scope, &Target::Documents(vec![kept])).await;
        assert_eq!(RowCounts { knowledge_bases: 2, ..kept }, left);
    }

    async fn a_tenant_is_counted_with_all_that_it_knows(db) {
        let TwoTenants { house, a, b } = TwoTenants::new(&db).await;
        let schema = Schema::of(&db).await;
        let everything = Target::Everything;
        for tenant in [&a, &b] {
            let expected = counted(&schema.snapshot(tenant.id()).await);
            assert_eq!(house.count(tenant.scope, &everything).await, expected);
        }
        let others = house.count(b.scope, &everything).await;
        let tx = house.platform().await;
        assert!(tx.tenants().delete(a.id()).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(house.count(a.scope, &everything).await, RowCounts::default());
        assert_eq!(house.count(b.scope, &everything).await, others);
    }

    async fn the_work_on_deleted_documents_is_called_off(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let tx = house.begin(scope).await;
        let kb = add_kb(&tx, &shared_kb("kb")).await;
        let mut documents = Vec::new();
        for name in ["runs", "waits", "stays"] {
            let id = add(&tx, &kb, name).await;
            let new = job(house.now(), Some(id.to_string()));
            tx.jobs().enqueue(&new).await.unwrap().unwrap();
            documents.push(id);
        }
        tx.commit().await.unwrap();
        let tx = house.platform().await;
        let until = house.later(HOUR);
        let running = tx.queue().claim("worker", until, 9).await.unwrap().unwrap();
        tx.commit().await.unwrap();

        let tx = house.begin(scope).await;
        assert_eq!(tx.removal().drop_jobs("another", &documents).await.unwrap(), 0);
        assert_eq!(tx.removal().drop_jobs(JOB_KIND, &documents[..2]).await.unwrap(), 2);
        tx.commit().await.unwrap();
        let tx = house.begin(scope).await;
        assert!(!tx.jobs().holds(&running).await.unwrap(), "its worker has lost it");
        let left = tx.jobs().find_live(JOB_KIND, &documents[2].to_string()).await.unwrap();
        assert!(left.is_some());
        // With the knowledge base, the work on it and on what is in it.
        let of_base = job(house.now(), Some(kb.id.to_string()));
        tx.jobs().enqueue(&of_base).await.unwrap().unwrap();
        let of_another = job(house.now(), Some("another".into()));
        tx.jobs().enqueue(&of_another).await.unwrap().unwrap();
        assert_eq!(tx.removal().drop_work(kb.id, "another", "another").await.unwrap(), 0);
        assert_eq!(tx.removal().drop_work(kb.id, JOB_KIND, JOB_KIND).await.unwrap(), 2);
        assert!(tx.jobs().find_live(JOB_KIND, "another").await.unwrap().is_some());
    }

    async fn a_base_goes_while_somebody_works_on_it(db) {
        let house = House::new(&db).await;
        let scope = house.add_tenant("a").await;
        let tx = house.begin(scope).await;
        let kb = add_kb(&tx, &shared_kb("kb")).await;
        let document = add(&tx, &kb, "one").await;
        let new = job(house.now(), Some(document.to_string()));
        tx.jobs().enqueue(&new).await.unwrap().unwrap();
        tx.commit().await.unwrap();
        let tx = house.platform().await;
        let running = tx.queue().claim("worker", house.later(HOUR), 9).await.unwrap().unwrap();
        tx.commit().await.unwrap();

        // The worker holds the document and then wants the knowledge base; who deletes takes them
        // in the other order, and would be chosen to give up if it did not let the worker end.
        let (held, holding) = tokio::sync::oneshot::channel();
        let work = async {
            let tx = house.begin(scope).await;
            assert!(tx.jobs().holds(&running).await.unwrap());
            assert!(tx.ingest().report(document, Stage::Embedding, 50).await.unwrap());
            held.send(()).unwrap();
            tokio::time::sleep(Duration::from_millis(300)).await;
            tx.ingest().add_vectors(kb.id, "model", &[], 7).await.unwrap();
            tx.commit().await.unwrap();
        };
        let delete = async {
            holding.await.unwrap();
            let tx = house.begin(scope).await;
            assert_eq!(tx.removal().drop_work(kb.id, JOB_KIND, JOB_KIND).await.unwrap(), 1);
            assert!(tx.knowledge_bases().delete(&kb).await.unwrap());
            tx.commit().await.unwrap();
        };
        tokio::join!(work, delete);
    }

    async fn receipts_are_kept_beside_the_tenants(db) {
        let house = House::new(&db).await;
        for n in 0..5 {
            let tx = house.platform().await;
            let request = format!("request-{n}");
            let request = (n > 0).then_some(request.as_str());
            tx.receipts().insert(&receipt(&format!("tenant:{n}"), &house), "ana", request)
                .await
                .unwrap();
            tx.commit().await.unwrap();
            house.clock.advance(SECOND);
        }
        let tx = house.store.platform_read().await.unwrap();
        let mut seen = Vec::new();
        let mut page = PageRequest { limit: 2, after: None };
        loop {
            let found = tx.receipts().list(page).await.unwrap();
            seen.extend(found.data);
            let Some(cursor) = found.next_cursor else { break };
            page.after = Some(cursor.parse().unwrap());
        }
        let targets: Vec<_> = seen.iter().map(|kept| kept.receipt.target.as_str()).collect();
        assert_eq!(targets, ["tenant:4", "tenant:3", "tenant:2", "tenant:1", "tenant:0"]);
        let last = &seen[4];
        assert_eq!((last.actor.as_str(), last.request_id.as_deref()), ("ana", None));
        assert_eq!(last.receipt.deleted_at, last.created_at);
        let written = DeletionReceipt { deleted_at: last.created_at, ..receipt("tenant:0", &house) };
        assert_eq!(last.receipt, written);
    }
}
