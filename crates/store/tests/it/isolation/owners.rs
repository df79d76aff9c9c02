//! The wall that `PostgreSQL` puts around personal corpora inside a tenant. Here the filters of the
//! repositories are left out: plain SQL, as the role that does the tenants' work.

use super::cases::everything;
use crate::fixture::{add_kb, new_agent, personal_kb, shared_kb};
use crate::fixture_websites::{add_site, found};
use crate::material::add_searchable;
use crate::schema::Schema;
use crate::support::{House, raw};
use quipu_core::engine::{Engine, Partition};
use quipu_core::knowledge::{KbScope, ReadableKb};
use quipu_core::retrieval::RetrievalScope;
use quipu_core::tenancy::TenantScope;
use quipu_core::website::WebsitePageState;
use quipu_core::{AgentId, ChunkId, KnowledgeBaseId, Timestamp, UserId};
use quipu_store::tenant::{NewRetrieval, OpenKb};
use quipu_store::{PgvectorEngine, PgvectorSettings};
use quipu_testkit::TestDatabase;
use quipu_testkit::engine_suite::{FakeLog, document, entry, probe};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr, Statement, TransactionTrait};
use std::sync::Arc;

/// What a knowledge base is made of, each table with one row or more for each knowledge base.
const TABLES: [&str; 11] = [
    "knowledge_bases",
    "assignments",
    "documents",
    "document_sources",
    "document_texts",
    "document_tags",
    "chunks",
    "chunk_vectors",
    "index_changes",
    "websites",
    "website_pages",
];
/// Tables that name somebody and are not part of a corpus: what is private in them is kept from
/// others where they are listed, while the tenant counts all of them.
const OTHERS: [&str; 2] = ["jobs", "turns"];
/// What has no tenant at all, and is the platform's.
const OF_THE_PLATFORM: [&str; 1] = ["deletion_receipts"];

struct Ground {
    house: House,
    raw: DatabaseConnection,
    scope: TenantScope,
    ana: UserId,
    ben: UserId,
    agent: AgentId,
    /// Shared, Ana's and Ben's.
    kbs: [OpenKb; 3],
}

impl Ground {
    async fn new(db: &TestDatabase) -> Self {
        let house = House::new(db).await;
        let scope = house.add_tenant("a").await;
        let ana = house.add_user("ana@example.com").await;
        let ben = house.add_user("ben@example.com").await;
        let tx = house.begin(scope).await;
        let kbs = [
            add_kb(&tx, &shared_kb("shared")).await,
            add_kb(&tx, &personal_kb("Ana's", ana)).await,
            add_kb(&tx, &personal_kb("Ben's", ben)).await,
        ];
        let agent = tx.agents().insert(&new_agent("agent")).await.unwrap();
        for kb in &kbs {
            add_searchable(&tx, kb, &[&format!("lo que hay en {}", kb.name)]).await;
            let site = add_site(&tx, kb, "https://ejemplo.com/").await;
            let page = found("https://ejemplo.com/a".to_owned());
            let pages = tx.website_pages();
            let state = WebsitePageState::Waiting;
            pages.found(site, 1, state, None, &page).await.unwrap();
            tx.assignments().insert(agent, kb.id, 1, 1.0).await.unwrap();
        }
        tx.commit().await.unwrap();
        Self {
            raw: raw(db.url()).await,
            house,
            scope,
            ana,
            ben,
            agent,
            kbs,
        }
    }

    /// A transaction as the store opens it, in which nobody is named, or somebody.
    async fn seen(&self, sql: &str, person: Option<UserId>) -> Result<Vec<String>, DbErr> {
        let tx = self.raw.begin().await?;
        let user = person.map_or_else(String::new, |user| user.to_string());
        tx.execute_unprepared(&format!(
            "SET LOCAL ROLE quipu_app;
             SELECT set_config('app.tenant_id', '{}', true), set_config('app.user_id', '{user}', true)",
            self.scope.tenant_id()
        ))
        .await?;
        let rows = tx
            .query_all_raw(Statement::from_string(tx.get_database_backend(), sql))
            .await?;
        rows.iter().map(|row| row.try_get("", "name")).collect()
    }

    async fn chunks_of(&self, kb: KnowledgeBaseId) -> Vec<ChunkId> {
        let sql = format!("SELECT id::text AS name FROM chunks WHERE knowledge_base_id = '{kb}'");
        let found = Schema(self.raw.clone()).texts(&sql, None).await;
        found.iter().map(|id| id.parse().unwrap()).collect()
    }
}

#[tokio::test]
async fn a_query_that_forgets_its_filter_returns_nothing_of_others() {
    let Some(db) = TestDatabase::postgres().await else {
        return;
    };
    let ground = Ground::new(&db).await;
    let all = Schema(ground.raw.clone());
    for table in TABLES {
        let rows = format!("SELECT row_to_json({table})::text AS name FROM {table} ORDER BY 1");
        let every = all.texts(&rows, None).await;
        assert!(every.len() >= 3, "{table}");
        let counts = [
            ground.seen(&rows, None).await.unwrap().len(),
            ground.seen(&rows, Some(ground.ana)).await.unwrap().len(),
            ground.seen(&rows, Some(ground.ben)).await.unwrap().len(),
        ];
        let one = every.len() / 3;
        assert_eq!(counts, [one, 2 * one, 2 * one], "{table}");
    }
    // Nor is anything of somebody else's changed, or put there.
    let [_, anas, _] = &ground.kbs;
    for sql in [
        "UPDATE knowledge_bases SET name = 'x' RETURNING name".to_owned(),
        "DELETE FROM documents RETURNING title AS name".to_owned(),
    ] {
        let changed = ground.seen(&sql, Some(ground.ben)).await.unwrap();
        assert_eq!(changed.len(), 2, "{sql}");
    }
    let theirs = format!(
        "INSERT INTO index_changes (tenant_id, knowledge_base_id, document_id, version)
         VALUES ('{}', '{}', '{}', 9) RETURNING 'x' AS name",
        ground.scope.tenant_id(),
        anas.id,
        ground.ben
    );
    let refused = ground.seen(&theirs, Some(ground.ben)).await.unwrap_err();
    assert!(
        refused.to_string().contains("row-level security"),
        "{refused}"
    );
}

/// Whoever is given the id of a knowledge base and does not compare its owner finds nothing in it.
#[tokio::test]
async fn repositories_that_are_given_a_foreign_id_find_nothing() {
    let Some(db) = TestDatabase::postgres().await else {
        return;
    };
    let ground = Ground::new(&db).await;
    let [shared, anas, _] = &ground.kbs;
    let kbs = [shared.id, anas.id];
    let mut ids = ground.chunks_of(shared.id).await;
    ids.extend(ground.chunks_of(anas.id).await);
    for (who, found, listed) in [
        (Some(ground.ana), 2, 2),
        (Some(ground.ben), 1, 2),
        (None, 1, 1),
    ] {
        let tx = ground.house.read(ground.scope.as_seen_by(who)).await;
        assert_eq!(tx.chunks().findable(&kbs, &ids).await.unwrap().len(), found);
        let kbs_of = tx.knowledge_bases();
        let for_ana = kbs_of.readable(ground.agent, Some(ground.ana));
        let personal = for_ana.await.unwrap().iter().any(|kb| kb.id == anas.id);
        assert!(!personal || who == Some(ground.ana));
        // What a plan allows is used up by all of them together.
        assert_eq!(kbs_of.count().await.unwrap(), 3);
        let used = kbs_of.personal_use().await.unwrap();
        assert_eq!(
            (used.members, used.knowledge_bases, used.documents),
            (2, 2, 2)
        );
        let seen = kbs_of.list(who, None, None, everything());
        assert_eq!(seen.await.unwrap().data.len(), listed);
    }
    // The product's own work reaches all of them, and takes them away.
    let tx = ground.house.begin(ground.scope).await;
    assert_eq!(tx.chunks().findable(&kbs, &ids).await.unwrap().len(), 2);
    assert!(tx.knowledge_bases().delete(anas).await.unwrap());
    tx.commit().await.unwrap();
    assert!(ground.chunks_of(anas.id).await.is_empty());
}

#[tokio::test]
async fn what_somebody_asked_is_behind_the_wall_too() {
    let Some(db) = TestDatabase::postgres().await else {
        return;
    };
    let ground = Ground::new(&db).await;
    let tx = ground.house.begin(ground.scope).await;
    for owner in [None, Some(ground.ana)] {
        let new = NewRetrieval {
            owner,
            agent: Some(ground.agent),
            ..crate::fixture::retrieval("a", tx.now())
        };
        tx.retrievals().insert(&new).await.unwrap();
    }
    tx.commit().await.unwrap();
    let sql = "SELECT query AS name FROM retrievals";
    assert_eq!(ground.seen(sql, Some(ground.ben)).await.unwrap().len(), 1);
    assert_eq!(ground.seen(sql, Some(ground.ana)).await.unwrap().len(), 2);
    // Sums tell nobody what was asked.
    let tx = ground
        .house
        .read(ground.scope.as_seen_by(Some(ground.ben)))
        .await;
    let within = quipu_store::tenant::Within {
        agent: Some(ground.agent),
        from: Timestamp::UNIX_EPOCH,
        to: ground.house.later(crate::support::HOUR),
    };
    let sums = tx.retrievals().sums(within).await.unwrap();
    assert_eq!((sums.searches, sums.context_tokens), (2, 14));
}

/// Every table whose rows belong to a corpus names its owner.
#[tokio::test]
async fn no_table_of_corpora_is_without_the_wall() {
    let Some(db) = TestDatabase::postgres().await else {
        return;
    };
    let ground = Ground::new(&db).await;
    let log = Arc::new(FakeLog::default());
    let engine = PgvectorEngine::open(&ground.house.store, PgvectorSettings::default(), log);
    engine.await.unwrap();
    let schema = Schema(ground.raw.clone());
    let walled = schema
        .texts(
            "SELECT tablename::text AS name FROM pg_policies
             WHERE policyname = 'owner' AND permissive = 'RESTRICTIVE'",
            None,
        )
        .await;
    for table in schema.tables().await {
        let columns = schema.columns(&table).await;
        let of_corpora = ["knowledge_base_id", "document_id", "owner_user_id"];
        let needs = columns
            .iter()
            .any(|name| of_corpora.contains(&name.as_str()));
        let exempt = OTHERS.contains(&table.as_str()) || OF_THE_PLATFORM.contains(&table.as_str());
        assert!(!needs || exempt || walled.contains(&table), "{table}");
    }
}

/// The engine inside the database finds what is somebody's own for them alone, even where a scope
/// names what it must not.
#[tokio::test]
async fn the_engine_searches_what_is_somebodys_own_for_them_alone() {
    let Some(db) = TestDatabase::postgres().await else {
        return;
    };
    let ground = Ground::new(&db).await;
    let log = Arc::new(FakeLog::default());
    let engine = PgvectorEngine::open(
        &ground.house.store,
        PgvectorSettings::default(),
        log.clone(),
    )
    .await
    .unwrap();
    for (number, kb) in (0_u128..).zip(&ground.kbs) {
        let partition = Partition::of(ground.scope, kb.id);
        let text = entry(number, "limpieza dental", "Precios", Some(vec![1.0, 0.0]));
        log.write(partition, vec![document(number, vec![text])]);
        engine.catch_up(partition).await.unwrap();
    }
    let [shared, anas, _] = &ground.kbs;
    let found = async |person: Option<UserId>, kb: &OpenKb| {
        let readable = ReadableKb {
            id: kb.id,
            name: kb.name.clone(),
            scope: KbScope::Global,
            language: kb.language,
            priority: 1,
            search_weight: 1.0,
            index_version: 1,
            searched_with: kb.searched_with.clone(),
            tells: (&kb.chunking_config).into(),
        };
        let tenant = ground.scope.tenant_id();
        let scope = RetrievalScope::grant(tenant, ground.agent, person, vec![readable]);
        let found = engine
            .search(&scope, kb.id, &probe(1, "limpieza", None))
            .await;
        found.unwrap().hits.len()
    };
    for (person, own) in [(Some(ground.ana), 1), (Some(ground.ben), 0), (None, 0)] {
        assert_eq!(found(person, shared).await, 1);
        assert_eq!(found(person, anas).await, own, "{person:?}");
    }
    for table in [
        "search_partitions",
        "search_chunks",
        "search_terms",
        "search_vectors",
    ] {
        let rows = format!("SELECT tenant_id::text AS name FROM {table}");
        let of_ben = ground.seen(&rows, Some(ground.ben)).await.unwrap().len();
        let of_nobody = ground.seen(&rows, None).await.unwrap().len();
        let all = Schema(ground.raw.clone()).texts(&rows, None).await.len();
        assert!(
            of_nobody < of_ben && of_ben < all,
            "{table}: {of_nobody}, {of_ben}, {all}"
        );
    }
}
