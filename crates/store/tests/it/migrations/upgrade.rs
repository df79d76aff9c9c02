//! What people had before a migration, they have after it.

use crate::fixture::{UNLIMITED, new_agent};
use crate::material::{chunks, load, searchable, text_of};
use crate::schema::{BOOKKEEPING, Schema};
use crate::support::{HOUR, House, open};
use chrono::{DateTime, Utc};
use quipu_core::agent::AgentConfiguration;
use quipu_core::chunking::ChunkingConfig;
use quipu_core::embedding::EmbeddingConfig;
use quipu_core::extraction::DocumentInfo;
use quipu_core::knowledge::{DocumentFilter, DocumentSort, DocumentStatus, KbScope};
use quipu_core::page::PageRequest;
use quipu_core::tenancy::TenantScope;
use quipu_core::{ChunkId, DocumentId, JobId, KnowledgeBaseId, Timestamp};
use quipu_testkit::{ManualClock, TestDatabase, db_test};
use sea_orm::{ConnectionTrait, Statement, Value};
use std::sync::Arc;

const LATER: [&str; 12] = [
    "0002_knowledge",
    "0003_search",
    "0007_versions",
    "0010_pages",
    "0013_owners_and_measures",
    "0014_live_events",
    "0015_websites",
    "0016_agent_versions",
    "0017_rehearsals",
    "0023_channels",
    "0024_events",
    "0026_voice",
];
const PIECES: [&str; 2] = ["Abrimos a las 9.", "Cerramos a las 6."];

/// A database as the first version left it, and a plain connection to it.
struct Old {
    house: House,
    schema: Schema,
    scope: TenantScope,
    kb: KnowledgeBaseId,
}

impl Old {
    async fn new(db: &TestDatabase) -> Self {
        let clock = Arc::new(ManualClock::default());
        let store = open(db.url(), clock.clone()).await;
        // Asking makes the table in which the later migrations are marked as done, for now.
        assert!(store.pending_migrations().await.unwrap() > LATER.len());
        let schema = Schema::of(db).await;
        let mark = format!("INSERT INTO {BOOKKEEPING} (version, applied_at) VALUES ($1, 0)");
        for name in LATER {
            execute(&schema, &mark, [name.into()]).await;
        }
        store.migrate().await.unwrap();
        let unmark = format!("DELETE FROM {BOOKKEEPING} WHERE version = $1");
        for name in LATER {
            execute(&schema, &unmark, [name.into()]).await;
        }
        assert_eq!(store.pending_migrations().await.unwrap(), LATER.len());
        let columns = schema.columns("documents").await;
        assert!(
            columns.iter().any(|column| column == "content"),
            "{columns:?}"
        );

        let house = House { store, clock };
        let scope = house.add_tenant("a").await;
        let tx = house.begin(scope).await;
        let agent = tx.agents().insert(&new_agent("agent")).await.unwrap();
        tx.commit().await.unwrap();
        let kb = KnowledgeBaseId::generate(house.now());
        execute(
            &schema,
            "INSERT INTO knowledge_bases
               (id, tenant_id, name, scope, agent_id, language, status, created_at, updated_at)
             VALUES ($1, $2, 'kb', 'agent', $3, 'es', 'active', $4, $4)",
            [
                kb.uuid().into(),
                scope.tenant_id().uuid().into(),
                agent.uuid().into(),
                time(house.now()),
            ],
        )
        .await;
        Self {
            house,
            schema,
            scope,
            kb,
        }
    }

    async fn add_document(&self, content: &str, status: &str, chunks: i32) -> DocumentId {
        let id = DocumentId::generate(self.house.now());
        execute(
            &self.schema,
            "INSERT INTO documents
               (id, tenant_id, knowledge_base_id, title, source, status, content, preview,
                content_hash, size_bytes, chunks_count, error_message, created_by, created_at,
                updated_at)
             VALUES ($1, $2, $3, $4, 'manual', $5, $6, $6, $6, $7, $8, NULL, 'ana', $9, $9)",
            [
                id.uuid().into(),
                self.scope.tenant_id().uuid().into(),
                self.kb.uuid().into(),
                format!("Sobre {status}").into(),
                status.into(),
                content.into(),
                i64::try_from(content.len()).unwrap().into(),
                chunks.into(),
                time(self.house.now()),
            ],
        )
        .await;
        id
    }

    async fn add_chunk(&self, document: DocumentId, index: i32, place: (i32, i32)) -> ChunkId {
        let id = ChunkId::generate(self.house.now());
        execute(
            &self.schema,
            "INSERT INTO chunks
               (id, tenant_id, knowledge_base_id, document_id, chunk_index, content, start_char,
                end_char, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            [
                id.uuid().into(),
                self.scope.tenant_id().uuid().into(),
                self.kb.uuid().into(),
                document.uuid().into(),
                index.into(),
                PIECES[usize::try_from(index).unwrap()].into(),
                place.0.into(),
                place.1.into(),
                time(self.house.now()),
            ],
        )
        .await;
        id
    }

    async fn add_job(&self) -> JobId {
        let id = JobId::generate(self.house.now());
        execute(
            &self.schema,
            "INSERT INTO jobs
               (id, tenant_id, kind, payload, status, attempts, max_attempts, run_at,
                cancel_requested, created_at, updated_at)
             VALUES ($1, $2, 'kind', $3, 'queued', 0, 3, $4, FALSE, $4, $4)",
            [
                id.uuid().into(),
                self.scope.tenant_id().uuid().into(),
                serde_json::json!({}).into(),
                time(self.house.now()),
            ],
        )
        .await;
        id
    }
}

fn time(at: Timestamp) -> Value {
    let at: DateTime<Utc> = DateTime::from_timestamp_micros(at.as_microsecond()).unwrap();
    at.into()
}

async fn execute<const N: usize>(schema: &Schema, sql: &str, values: [Value; N]) {
    let backend = schema.0.get_database_backend();
    let done = schema
        .0
        .execute_raw(Statement::from_sql_and_values(backend, sql, values))
        .await;
    assert_eq!(done.unwrap().rows_affected(), 1, "{sql}");
}

db_test! {
    async fn what_was_typed_before_is_found_after(db) {
        let old = Old::new(&db).await;
        let text = text_of(&PIECES);
        let done = old.add_document(&text, "completed", 2).await;
        let places = [(0, 16), (18, 35)];
        let ids = [
            old.add_chunk(done, 0, places[0]).await,
            old.add_chunk(done, 1, places[1]).await,
        ];
        let waiting = old.add_document("Espera.", "pending", 0).await;
        let failed = old.add_document("No pudo ser.", "failed", 0).await;
        let job = old.add_job().await;

        old.house.store.migrate().await.unwrap();
        assert_eq!(old.house.store.pending_migrations().await.unwrap(), 0);

        let tx = old.house.begin(old.scope).await;
        let kb = tx.knowledge_bases().open(old.kb, None).await.unwrap().unwrap();
        assert_eq!((kb.name.as_str(), kb.scope), ("kb", KbScope::Agent));
        assert_eq!(kb.chunking_config, ChunkingConfig::default());
        assert_eq!(kb.embedding_config, EmbeddingConfig::default());
        // Each agent can be gone back to as it was.
        let agent = tx.agents().find_by_slug("agent").await.unwrap().unwrap();
        let first = tx.agent_versions().find(agent.id, 1).await.unwrap().unwrap();
        assert_eq!(first.configuration, AgentConfiguration::from(&agent));
        assert_eq!((first.version.live, first.version.made_by), (true, None));

        let (all, oldest) = (DocumentFilter::default(), DocumentSort::Oldest);
        let listed = tx.documents().list(&kb, &all, oldest, PageRequest::default()).await.unwrap();
        assert_eq!(listed.data.len(), 3);
        let find = async |id| tx.documents().find(&kb, id).await.unwrap().unwrap();
        let document = find(done).await;
        assert_eq!(document.status, DocumentStatus::Completed);
        assert_eq!(document.title.as_deref(), Some("Sobre completed"));
        assert_eq!((document.chunks_count, document.progress_percent), (2, 100));
        assert_eq!((document.enabled, document.created_at), (true, old.house.now()));
        assert_eq!((document.content_hash, document.preview), (text.clone(), text.clone()));
        assert_eq!(find(waiting).await.status, DocumentStatus::Pending);
        assert_eq!(find(failed).await.status, DocumentStatus::Failed);

        assert_eq!(tx.chunks().text(&kb, done).await.unwrap(), Some(text.clone()));
        let found = searchable(&tx, &[kb.id]).await;
        assert_eq!(found.len(), 2);
        for (n, chunk) in found.iter().enumerate() {
            assert_eq!((chunk.id, chunk.document_id), (ids[n], done));
            assert_eq!(chunk.content, PIECES[n]);
            assert_eq!((chunk.start_char, chunk.end_char), places[n]);
            assert_eq!(chunk.index, i32::try_from(n).unwrap());
        }
        for (id, content) in [(done, text.as_str()), (waiting, "Espera."), (failed, "No pudo ser.")] {
            let original = tx.documents().original(&kb, id).await.unwrap().unwrap();
            assert_eq!(original.text.as_deref(), Some(content));
        }
        tx.commit().await.unwrap();

        // The queue goes on, and so does the processing of what waits and of what was done.
        let tx = old.house.platform().await;
        let until = old.house.later(HOUR);
        let claimed = tx.queue().claim("worker", until, UNLIMITED).await.unwrap();
        assert_eq!(claimed.map(|claimed| claimed.id), Some(job));
        tx.commit().await.unwrap();
        let tx = old.house.begin(old.scope).await;
        for (id, generation) in [(waiting, 1), (done, 2)] {
            let item = load(&tx, id).await;
            assert_eq!(item.next_generation(), generation);
            let (text, info) = (text_of(&["Nuevo."]), DocumentInfo::default());
            tx.ingest().build(&item, &text, &info, &text, &chunks(&["Nuevo."])).await.unwrap();
            assert!(tx.ingest().publish(&item, generation).await.unwrap());
        }
        let found = searchable(&tx, &[kb.id]).await;
        assert_eq!(found.iter().filter(|chunk| chunk.content == "Nuevo.").count(), 2);
        assert_eq!(found.len(), 2);
    }
}
