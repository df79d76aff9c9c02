//! The engine inside the database does what every engine must do, and its walls hold.

use crate::schema::Schema;
use crate::support::{House, open, raw};
use async_trait::async_trait;
use quipu_core::engine::{ChangeLog, Engine, Probe};
use quipu_core::knowledge::{KbScope, ReadableKb};
use quipu_core::language::Language;
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{AgentId, KnowledgeBaseId, TenantId};
use quipu_store::{PgvectorEngine, PgvectorSettings, Store};
use quipu_testkit::engine_suite::{
    Dice, FakeLog, Kb, Reference, Subject, clustered, diffuse, document, entry, library, probe,
    probes,
};
use quipu_testkit::{ManualClock, TestDatabase};
use sea_orm::{ConnectionTrait, DbBackend, Statement, TransactionTrait};
use std::sync::Arc;
use uuid::Uuid;

quipu_testkit::engine_suite!(if Pgvector::new().await);

struct Pgvector {
    db: TestDatabase,
    settings: PgvectorSettings,
}

impl Pgvector {
    async fn new() -> Option<Self> {
        let db = TestDatabase::postgres().await?;
        House::new(&db).await;
        Some(Self {
            db,
            settings: PgvectorSettings::default(),
        })
    }

    async fn store(&self) -> Store {
        open(self.db.url(), Arc::new(ManualClock::default())).await
    }

    async fn engine(&self, log: Arc<dyn ChangeLog>) -> PgvectorEngine {
        let store = self.store().await;
        PgvectorEngine::open(&store, self.settings, log)
            .await
            .unwrap()
    }
}

#[async_trait]
impl Subject for Pgvector {
    async fn start(&self, log: Arc<dyn ChangeLog>) -> Arc<dyn Engine> {
        Arc::new(self.engine(log).await)
    }

    fn scope(&self, tenant: TenantId, kbs: &[KnowledgeBaseId]) -> RetrievalScope {
        let agent = AgentId::from_uuid(Uuid::from_u128(1));
        let readable = kbs.iter().map(|&id| ReadableKb {
            id,
            name: "Base".to_owned(),
            scope: KbScope::Global,
            language: Language::Es,
            priority: 0,
            search_weight: 1.0,
            index_version: 0,
            searched_with: quipu_core::embedding::EmbeddingConfig::default(),
            tells: quipu_core::knowledge::ChunkTells::default(),
        });
        RetrievalScope::grant(tenant, agent, None, readable.collect())
    }
}

/// The walls of the other tables stand around these too, for the owner as well.
#[tokio::test]
async fn tenants_are_behind_walls() {
    let Some(subject) = Pgvector::new().await else {
        return;
    };
    let log = Arc::new(FakeLog::default());
    let engine = subject.engine(log.clone()).await;
    let kbs = [Kb::new(&subject, 1, 11), Kb::new(&subject, 2, 12)];
    for kb in &kbs {
        log.write(kb.partition(), library(1, 3, 2));
        engine.catch_up(kb.partition()).await.unwrap();
    }
    let schema = Schema::of(&subject.db).await;
    let tables = [
        "search_partitions",
        "search_chunks",
        "search_terms",
        "search_vectors",
    ];
    for table in tables {
        let tenants = schema
            .texts(
                &format!("SELECT DISTINCT tenant_id::text AS name FROM {table}"),
                None,
            )
            .await;
        assert_eq!(tenants.len(), 2, "{table} has rows of both tenants");
        let seen = async |tenant: &str| {
            let tx = schema.0.begin().await.unwrap();
            tx.execute_unprepared(&format!(
                "SET LOCAL ROLE quipu_app; SET LOCAL app.tenant_id = '{tenant}'"
            ))
            .await
            .unwrap();
            let sql = format!("SELECT DISTINCT tenant_id::text AS name FROM {table}");
            let rows = tx.query_all_raw(Statement::from_string(DbBackend::Postgres, sql));
            let rows = rows.await.unwrap();
            let names = rows.iter().map(|row| row.try_get::<String>("", "name"));
            names.collect::<Result<Vec<_>, _>>().unwrap()
        };
        for kb in &kbs {
            let tenant = kb.tenant.to_string();
            assert_eq!(seen(&tenant).await, [tenant], "{table}");
        }
        let stranger = Uuid::from_u128(3).to_string();
        assert!(seen(&stranger).await.is_empty(), "{table}");
    }
}

/// Behind row-level security PostgreSQL would not look words up in their index, so that question is
/// asked past it. Without the index every chunk of everybody is read for every search.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_are_looked_up_in_their_index() {
    let Some(subject) = Pgvector::new().await else {
        return;
    };
    let log = Arc::new(FakeLog::default());
    let engine = subject.engine(log.clone()).await;
    let kb = Kb::new(&subject, 1, 11);
    let version = log.write(kb.partition(), library(1, 300, 10));
    engine.catch_up(kb.partition()).await.unwrap();
    subject.db.execute("ANALYZE search_chunks").await;
    let scans = async || {
        // What was counted is told a moment later, and by the connection that counted.
        subject
            .db
            .execute("SELECT pg_stat_force_next_flush()")
            .await;
        let schema = Schema::of(&subject.db).await;
        let sql = "SELECT idx_scan::text AS name FROM pg_stat_user_indexes
                   WHERE indexrelname = 'search_chunks_words_idx'";
        schema.texts(sql, None).await[0].parse::<u64>().unwrap()
    };
    let before = scans().await;
    for asked in probes(2, version, 20) {
        engine.search(&kb.scope, kb.id, &asked).await.unwrap();
    }
    drop(engine);
    for _ in 0..100 {
        if scans().await > before {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("the index of words was never used");
}

/// A graph finds what is nearest among the vectors of its own knowledge base, however many others
/// there are, and every other promise holds with it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_graph_misses_next_to_nothing() {
    let Some(mut subject) = Pgvector::new().await else {
        return;
    };
    subject.settings.graph_above = 1_000;
    let log = Arc::new(FakeLog::default());
    let engine = subject.engine(log.clone()).await;
    let small = Kb::new(&subject, 1, 11);
    let topics = Kb::new(&subject, 1, 12);
    let scattered = Kb::new(&subject, 2, 13);
    let mut dice = Dice::new(3);
    let mut fill = |kb: &Kb, count: u128, is_clustered: bool| {
        let entries = (1..=count).map(|chunk| {
            let vector = if is_clustered {
                clustered(&mut dice, 48, 12)
            } else {
                diffuse(&mut dice, 48)
            };
            entry(chunk, "precio de la limpieza", "", Some(vector))
        });
        let entries: Vec<_> = entries.collect();
        let documents = entries.chunks(100).zip(1..);
        let documents = documents.map(|(entries, number)| document(number, entries.to_vec()));
        log.write(kb.partition(), documents.collect())
    };
    let mut versions = Vec::new();
    for (kb, count, is_clustered) in [
        (&small, 300, true),
        (&topics, 3_000, true),
        (&scattered, 3_000, false),
    ] {
        versions.push((kb, fill(kb, count, is_clustered), is_clustered));
        engine.catch_up(kb.partition()).await.unwrap();
        engine.make_graphs(kb.partition()).await.unwrap();
    }
    let schema = Schema::of(&subject.db).await;
    let graphs = schema
        .texts(
            "SELECT relname::text AS name FROM pg_class WHERE relname LIKE 'search\\_graph%'",
            None,
        )
        .await;
    assert_eq!(graphs.len(), 2, "{graphs:?}");
    let mut dice = Dice::new(77);
    for (kb, version, is_clustered) in versions {
        let reference = Reference::new(log.entries(kb.partition()));
        let mut recall = 0.0;
        for _ in 0..40 {
            let vector = if is_clustered {
                clustered(&mut dice, 48, 12)
            } else {
                diffuse(&mut dice, 48)
            };
            let asked = probe(version, "", Some(&vector));
            let found = engine.search(&kb.scope, kb.id, &asked).await.unwrap();
            assert_eq!(found.hits.len(), asked.limit);
            recall += reference.recall(&asked, &found) / 40.0;
        }
        assert!(recall > 0.995, "{recall}");
        // More than a graph gives at once is not silently less.
        let vector = diffuse(&mut dice, 48);
        let many = Probe {
            limit: 1_500,
            ..probe(version, "", Some(&vector))
        };
        let found = engine.search(&kb.scope, kb.id, &many).await.unwrap();
        assert_eq!(found.hits.len(), found.chunks.min(1_500));
    }
    // What is removed takes its graph along.
    log.drop_partition(topics.partition());
    engine.remove(topics.partition()).await.unwrap();
    for _ in 0..100 {
        let graphs = schema
            .texts(
                "SELECT relname::text AS name FROM pg_class WHERE relname LIKE 'search\\_graph%'",
                None,
            )
            .await;
        if graphs.len() == 1 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("the graph is left");
}

/// A graph that leads nowhere, as with vectors that point anywhere, is dropped and not made again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_graph_that_misses_is_not_used() {
    let Some(mut subject) = Pgvector::new().await else {
        return;
    };
    subject.settings.graph_above = 500;
    subject.settings.graph_breadth = 1;
    let log = Arc::new(FakeLog::default());
    let engine = subject.engine(log.clone()).await;
    let kb = Kb::new(&subject, 1, 11);
    let mut dice = Dice::new(3);
    let entries = (1..=2_000).map(|chunk| {
        let vector = diffuse(&mut dice, 384);
        entry(chunk, "precio", "", Some(vector))
    });
    let version = log.write(kb.partition(), vec![document(1, entries.collect())]);
    engine.catch_up(kb.partition()).await.unwrap();
    engine.make_graphs(kb.partition()).await.unwrap();
    let schema = Schema::of(&subject.db).await;
    let texts = async |sql: &str| schema.texts(sql, None).await;
    let graphs =
        "SELECT relname::text AS name FROM pg_class WHERE relname ~ '^search_(graph|trial)'";
    assert_eq!(texts(graphs).await, [""; 0]);
    let refused = "SELECT unnest(refused) AS name FROM search_partitions";
    assert_eq!(texts(refused).await.len(), 1);
    engine.make_graphs(kb.partition()).await.unwrap();
    assert_eq!(texts(refused).await.len(), 1, "it is not tried again");
    let reference = Reference::new(log.entries(kb.partition()));
    for _ in 0..5 {
        let asked = probe(version, "", Some(&diffuse(&mut dice, 384)));
        let found = engine.search(&kb.scope, kb.id, &asked).await.unwrap();
        assert!(reference.recall(&asked, &found) >= 1.0);
    }
}

/// Vectors too long for a graph of whole numbers, or for any, are found all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn vectors_may_be_of_any_length() {
    let Some(mut subject) = Pgvector::new().await else {
        return;
    };
    subject.settings.graph_above = 20;
    let log = Arc::new(FakeLog::default());
    let engine = subject.engine(log.clone()).await;
    let mut dice = Dice::new(3);
    for (dimensions, kb) in [(1, 11), (1_536, 12), (3_072, 13), (4_096, 14)] {
        let kb = Kb::new(&subject, 1, kb);
        let entries = (1..=40).map(|chunk| {
            let vector = diffuse(&mut dice, dimensions);
            entry(chunk, "precio", "", Some(vector))
        });
        let version = log.write(kb.partition(), vec![document(1, entries.collect())]);
        engine.catch_up(kb.partition()).await.unwrap();
        engine.make_graphs(kb.partition()).await.unwrap();
        let vector = diffuse(&mut dice, dimensions);
        let asked = probe(version, "precio", Some(&vector));
        let found = engine.search(&kb.scope, kb.id, &asked).await.unwrap();
        Reference::new(log.entries(kb.partition())).check(&asked, &found);
        // A question of another length is compared with nothing, and is no error.
        let asked = probe(version, "precio", Some(&[0.6, 0.8]));
        let found = engine.search(&kb.scope, kb.id, &asked).await.unwrap();
        assert!(found.hits.iter().all(|hit| hit.cosine.is_none()));
        assert_eq!(found.hits.len(), 10);
    }
}

/// Tables that another version of the product made are made anew.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_of_another_version_are_filled_again() {
    let Some(subject) = Pgvector::new().await else {
        return;
    };
    let log = Arc::new(FakeLog::default());
    let kb = Kb::new(&subject, 1, 11);
    let version = log.write(kb.partition(), library(1, 20, 2));
    let engine = subject.engine(log.clone()).await;
    engine.catch_up(kb.partition()).await.unwrap();
    let connection = raw(subject.db.url()).await;
    connection
        .execute_unprepared(
            "COMMENT ON TABLE search_partitions IS '0'; ALTER TABLE search_chunks DROP COLUMN words",
        )
        .await
        .unwrap();
    let engine = subject.engine(log.clone()).await;
    for asked in probes(2, version, 3) {
        let found = engine.search(&kb.scope, kb.id, &asked).await.unwrap();
        Reference::new(log.entries(kb.partition())).check(&asked, &found);
    }
}

/// Two processes that take in the same changes do not take them in twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_share_the_work() {
    let Some(subject) = Pgvector::new().await else {
        return;
    };
    let log = Arc::new(FakeLog::default());
    log.set_portion(5);
    let kb = Kb::new(&subject, 1, 11);
    let version = log.write(kb.partition(), library(1, 60, 2));
    let engines = [
        subject.engine(log.clone()).await,
        subject.engine(log.clone()).await,
    ];
    let both = engines.iter().map(|engine| engine.catch_up(kb.partition()));
    for done in futures::future::join_all(both).await {
        done.unwrap();
    }
    for engine in &engines {
        assert_eq!(engine.count(kb.partition()).await.unwrap(), 120);
        for asked in probes(2, version, 3) {
            let found = engine.search(&kb.scope, kb.id, &asked).await.unwrap();
            Reference::new(log.entries(kb.partition())).check(&asked, &found);
        }
    }
}

/// Words as strange as people type them break neither the text vector nor the query.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strange_words_are_found() {
    let Some(subject) = Pgvector::new().await else {
        return;
    };
    let log = Arc::new(FakeLog::default());
    let engine = subject.engine(log.clone()).await;
    let kb = Kb::new(&subject, 1, 11);
    let endless = "x".repeat(3_000);
    let mut strange = entry(1, "precio", "", None);
    for term in [
        "o'clock",
        "back\\slash",
        "a & b | !c",
        "<->:*",
        "ñandú😀",
        &endless,
        "17/otro",
    ] {
        strange.terms.push(term.to_owned());
    }
    strange
        .terms
        .extend(std::iter::repeat_n("mucho".to_owned(), 400));
    let version = log.write(kb.partition(), vec![document(1, vec![strange])]);
    for text in [
        "o'clock",
        "precio",
        "mucho",
        "o''clock \\ ' & | ! ( ) <-> :* precio",
        &endless,
    ] {
        let found = engine
            .search(&kb.scope, kb.id, &probe(version, text, None))
            .await
            .unwrap();
        assert!(found.hits.len() <= 1, "{text}");
    }
    let found = engine
        .search(&kb.scope, kb.id, &probe(version, "precio", None))
        .await
        .unwrap();
    assert_eq!(found.hits.len(), 1);
}
