//! Recall is that of the engine, whichever it is.

use crate::{report, tiny};
use async_trait::async_trait;
use quipu_bench::{
    Data, EmptyDatabase, EngineFactory, Part, Plan, RecallPlan, Report, Subject, run,
};
use quipu_core::engine::{ChangeLog, Engine, Found, Partition, Probe};
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{DocumentId, KnowledgeBaseId, Result, TenantId};
use quipu_testkit::TestDatabase;
use sea_orm::{ConnectionTrait, Database};
use std::sync::Arc;

/// Finds nothing, however much there is.
struct Blind;

#[async_trait]
impl Engine for Blind {
    fn name(&self) -> &'static str {
        "blind"
    }

    async fn search(&self, _: &RetrievalScope, _: KnowledgeBaseId, _: &Probe) -> Result<Found> {
        Ok(Found::default())
    }

    async fn catch_up(&self, _: Partition) -> Result<()> {
        Ok(())
    }

    async fn remove(&self, _: Partition) -> Result<u64> {
        Ok(0)
    }

    async fn count(&self, _: Partition) -> Result<u64> {
        Ok(0)
    }

    async fn count_of(&self, _: Partition, _: &[DocumentId]) -> Result<u64> {
        Ok(0)
    }

    async fn partitions(&self, _: Option<TenantId>) -> Result<Vec<Partition>> {
        Ok(Vec::new())
    }
}

fn blind() -> EngineFactory {
    Box::new(|_: Arc<dyn ChangeLog>| {
        Box::pin(async {
            let engine: Box<dyn Engine> = Box::new(Blind);
            let subject: Box<dyn Subject> = Box::new(engine);
            Ok(subject)
        })
    })
}

/// What an engine found, smallest knowledge base first, own topics first.
fn recalls(report: &Report, engine: &str) -> Vec<f64> {
    let rows = report.parts[0].recall.iter();
    rows.filter(|row| row.engine.starts_with(engine) && !row.engine.contains("planned anew"))
        .map(|row| row.recall_at_10)
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recall_is_what_was_found() {
    let plan = Plan {
        engines: vec![("blind".to_owned(), blind())],
        ..tiny(&[Part::Recall])
    };
    let report = report(plan).await;
    // Exact, since nothing here is large enough for a graph.
    assert_eq!(recalls(&report, "embedded"), [1.0; 8]);
    assert_eq!(recalls(&report, "blind"), [0.0; 8]);
    let rows = &report.parts[0].recall;
    let vectors: Vec<u64> = rows[..4].iter().map(|row| row.vectors).collect();
    assert_eq!(vectors, [1, 5, 50, 250]);
    assert_eq!(rows[0].data, Data::OwnTopics);
    assert!(rows.iter().any(|row| row.data == Data::Diffuse));
    let table = report.table();
    assert!(table.contains("250 (50.0 %)"), "{table}");
    assert!(table.contains("neither pgvector nor"), "{table}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_single_table_is_measured_beside_pgvector_and_nothing_stays() {
    let Some(db) = TestDatabase::postgres().await else {
        return;
    };
    let database = EmptyDatabase {
        url: db.url().to_owned(),
        tenants: Vec::new(),
    };
    // A second time in the same database, as whoever repeats a measurement does.
    for _ in 0..2 {
        let plan = Plan {
            database: Some(database.clone()),
            ..tiny(&[Part::Recall])
        };
        let report = report(plan).await;
        assert_eq!(recalls(&report, "embedded"), [1.0; 8]);
        assert_eq!(recalls(&report, "pgvector"), [1.0; 8]);
        assert_eq!(recalls(&report, "one table, ivfflat").len(), 8);
        let hnsw = recalls(&report, "one table, hnsw");
        assert_eq!(hnsw.len(), 8);
        let rows = report.parts[0].recall.iter();
        let planned = rows.filter(|row| row.engine.starts_with("one table"));
        assert!(planned.clone().all(|row| row.uses_index.is_some()));
    }
    let connection = Database::connect(db.url()).await.unwrap();
    for (sql, what) in [
        ("SELECT 1 / count(*) FROM search_partitions", "partitions"),
        (
            "SELECT 1 / count(*) FROM pg_namespace WHERE nspname = 'quipu_bench'",
            "the schema",
        ),
    ] {
        // Dividing by none is an error, and none is what should be left.
        let asked = connection.execute_unprepared(sql).await;
        assert!(asked.is_err(), "{what} stayed");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_in_use_is_refused() {
    let Some(db) = TestDatabase::postgres().await else {
        return;
    };
    let plan = || Plan {
        database: Some(EmptyDatabase {
            url: db.url().to_owned(),
            tenants: vec!["demo".to_owned()],
        }),
        recall: RecallPlan {
            vectors: 60,
            questions: 1,
            data: vec![Data::Diffuse],
        },
        ..tiny(&[Part::Recall])
    };
    let connection = Database::connect(db.url()).await.unwrap();
    let sql = async |sql: &str| connection.execute_unprepared(sql).await.unwrap();
    sql("CREATE TABLE orders (id int)").await;
    let refused = run(plan(), &|_| {}).await.unwrap_err();
    assert!(
        refused.to_string().contains("not of this product"),
        "{refused}"
    );
    sql("DROP TABLE orders").await;
    report(plan()).await;
    let tenant = |slug: &str, id: u8| {
        format!(
            "SET session_replication_role = replica;
             INSERT INTO tenants
               (id, slug, name, status, plan, locale, time_zone, created_at, updated_at)
             VALUES ('00000000-0000-0000-0000-0000000000{id:02}', '{slug}', 'T', 'active', 'p',
                     'es-PE', 'America/Lima', now(), now())"
        )
    };
    sql(&tenant("demo", 1)).await;
    report(plan()).await;
    sql(&tenant("acme", 2)).await;
    let refused = run(plan(), &|_| {}).await.unwrap_err();
    assert!(refused.to_string().contains("`acme`"), "{refused}");
}
