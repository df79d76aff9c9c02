//! The search engine that lives in the database itself: pgvector for meaning, PostgreSQL's full
//! text search for words.
//!
//! What can be found is kept in tables of its own beside the chunks, behind the same row-level
//! security, and is filled from the change log like any engine's. A knowledge base is searched
//! exactly; one that has grown large gets a graph (HNSW) for itself alone, which the others never
//! meet. One graph for everybody, filtered afterwards, is what loses answers.

mod dense;
mod graph;
mod schema;
mod words;
mod write;

use crate::Store;
use crate::error::sqlx as failed;
use crate::migrate::PLATFORM_ROLE;
use crate::tx::entering;
use async_trait::async_trait;
use graph::Graphs;
use quipu_core::analysis::bm25::Statistics;
use quipu_core::engine::{ChangeLog, Engine, Found, Hit, Partition, Probe};
use quipu_core::retrieval::RetrievalScope;
use quipu_core::tenancy::PersonalCorpora;
use quipu_core::{DocumentId, Error, KnowledgeBaseId, Result, TenantId, UserId};
use sea_orm::sqlx::{self, AssertSqlSafe, PgPool, Postgres, Row, Transaction};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::Mutex as AsyncMutex;
use uuid::Uuid;
use words::Words;
use write::Written;

/// How often a search begins again when the partition changes hands under it.
const ATTEMPTS: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PgvectorSettings {
    /// Knowledge bases with more vectors than this are searched through a graph.
    pub graph_above: u64,
    /// How many candidates a search of a graph looks at. More find more, and take longer.
    pub graph_breadth: u32,
    /// How long one question to the database may take. Whoever asked should have given up by then;
    /// this is so that the database does too.
    pub patience: Duration,
}

impl Default for PgvectorSettings {
    fn default() -> Self {
        Self {
            graph_above: 50_000,
            graph_breadth: 400,
            patience: Duration::from_secs(10),
        }
    }
}

pub struct PgvectorEngine {
    inner: Arc<Inner>,
}

struct Inner {
    pool: PgPool,
    log: Arc<dyn ChangeLog>,
    settings: PgvectorSettings,
    graphs: Arc<Graphs>,
    /// Who takes in changes of which partition: one here at a time, the others find it done.
    taking_in: Mutex<HashMap<Partition, Weak<AsyncMutex<()>>>>,
}

/// What the tables say of a partition.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The number by which its rows are marked. One that is removed and made again gets another.
    slot: i64,
    /// How far the change log was read.
    version: i64,
    statistics: Statistics,
}

impl PgvectorEngine {
    /// Makes the tables, unless they are there.
    ///
    /// # Errors
    /// When the database is not PostgreSQL, or has no pgvector from 0.8 on.
    pub async fn open(
        store: &Store,
        settings: PgvectorSettings,
        log: Arc<dyn ChangeLog>,
    ) -> Result<Self> {
        let pool = store
            .postgres_pool()
            .ok_or_else(|| Error::internal("pgvector is an extension of PostgreSQL"))?;
        schema::prepare(&pool).await?;
        let graphs = Graphs::new(pool.clone(), settings);
        graphs.sweep_behind();
        let inner = Inner {
            pool,
            log,
            settings,
            graphs,
            taking_in: Mutex::default(),
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// Makes the graph of a partition now, where it would be made behind the searches.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn make_graphs(&self, partition: Partition) -> Result<()> {
        match self.inner.known(partition).await? {
            Some(known) => self.inner.graphs.make(partition.tenant(), known.slot).await,
            None => Ok(()),
        }
    }

    /// Once begun, taking in is gone on with, whether or not anybody still waits for it: a portion
    /// that takes longer than a search may wait would otherwise be begun for ever.
    async fn reach(&self, partition: Partition, enough: Option<i64>) -> Result<bool> {
        let inner = Arc::clone(&self.inner);
        let reached = tokio::spawn(async move { inner.reach(partition, enough).await });
        reached.await.map_err(Error::internal)?
    }
}

impl Inner {
    fn turn(&self, partition: Partition) -> Arc<AsyncMutex<()>> {
        let mut turns = self
            .taking_in
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turn| turn.strong_count() > 0);
        if let Some(turn) = turns.get(&partition).and_then(Weak::upgrade) {
            return turn;
        }
        let turn = Arc::new(AsyncMutex::new(()));
        turns.insert(partition, Arc::downgrade(&turn));
        turn
    }

    /// A transaction inside one tenant that sees one instant.
    async fn read(
        &self,
        tenant: TenantId,
        corpora: PersonalCorpora,
    ) -> Result<Transaction<'static, Postgres>> {
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
        let mut tx = self.pool.begin_with(begin).await.map_err(failed)?;
        let longest = self.settings.patience.as_millis();
        let bound = format!("SET LOCAL statement_timeout = {longest}");
        sqlx::raw_sql(AssertSqlSafe(bound))
            .execute(&mut *tx)
            .await
            .map_err(failed)?;
        enter_as(&mut tx, tenant, corpora).await?;
        Ok(tx)
    }

    async fn known(&self, partition: Partition) -> Result<Option<Known>> {
        let all = PersonalCorpora::Everybodys;
        let mut tx = self.read(partition.tenant(), all).await?;
        known(&mut tx, partition).await
    }

    /// Reads the change log to its end, or to a version. `false` when the partition was removed
    /// meanwhile.
    async fn reach(&self, partition: Partition, enough: Option<i64>) -> Result<bool> {
        let turn = self.turn(partition);
        let _mine = turn.lock().await;
        // A partition without a row has seen nothing, which is what version 0 says too.
        let mut known = self.known(partition).await?;
        loop {
            let since = known.map_or(0, |known| known.version);
            if enough.is_some_and(|enough| since >= enough) {
                break;
            }
            let before = match known {
                Some(known) => known,
                None => write::create(&self.pool, partition).await?,
            };
            let changes = self.log.changes(partition, before.version).await?;
            let more = changes.more;
            match write::apply(&self.pool, partition, before, changes).await? {
                Written::Reached(_) if !more => break,
                Written::Reached(reached) => known = Some(reached),
                // Somebody else was faster: their work is gone on from.
                Written::Overtaken => known = self.known(partition).await?,
                // It was removed meanwhile. What is asked for next begins from what the log says then.
                Written::Removed => return Ok(false),
            }
        }
        if let Some(known) = self.known(partition).await?
            && known.statistics.chunks > self.settings.graph_above
        {
            self.graphs.make_behind(partition.tenant(), known.slot);
        }
        Ok(true)
    }

    /// Answers from what the tables have. `None` when that is not new enough.
    async fn answer(
        &self,
        partition: Partition,
        person: Option<UserId>,
        probe: &Probe,
        fresh: bool,
    ) -> Result<Option<Found>> {
        // What is somebody else's own is not there, whatever the question says.
        let seen = PersonalCorpora::of(person);
        let mut tx = self.read(partition.tenant(), seen).await?;
        let known = known(&mut tx, partition).await?;
        let version = known.map_or(0, |known| known.version);
        if version < probe.version && !fresh {
            return Ok(None);
        }
        let Some(known) = known else {
            return Ok(Some(Found {
                known: vec![false; probe.question.concepts.len()],
                ..Found::default()
            }));
        };
        let words = Words::measure(&mut tx, partition.tenant(), known, probe).await?;
        let dense = probe.dense.as_ref();
        let dense = dense.map(|(model, vector)| dense::Query::new(known.slot, model, vector));
        let mut near = Vec::new();
        if let Some(query) = &dense {
            let wanted = probe.documents.as_deref();
            let graph = self.graphs.is_made(&mut tx, query).await?;
            near = query
                .nearest(&mut tx, wanted, probe.limit, graph, self.settings)
                .await?;
        }
        let mut hits: Vec<Hit> = near
            .iter()
            .map(|near| words.hit(near.chunk, near.document, Some(near.cosine)))
            .collect();
        let seen: HashSet<Uuid> = near.iter().map(|near| near.chunk).collect();
        let best = words.best(probe);
        let missing: Vec<Uuid> = best
            .iter()
            .map(|found| found.chunk)
            .filter(|chunk| !seen.contains(chunk))
            .collect();
        let cosines = match &dense {
            Some(query) => query.cosines(&mut tx, &missing).await?,
            None => HashMap::new(),
        };
        hits.extend(
            best.iter()
                .filter(|found| !seen.contains(&found.chunk))
                .map(|found| {
                    let cosine = cosines.get(&found.chunk).copied();
                    words.hit(found.chunk, found.document, cosine)
                }),
        );
        Ok(Some(Found {
            hits,
            known: words.known,
            chunks: usize::try_from(known.statistics.chunks).unwrap_or(usize::MAX),
        }))
    }
}

#[async_trait]
impl Engine for PgvectorEngine {
    fn name(&self) -> &'static str {
        "pgvector"
    }

    async fn search(
        &self,
        scope: &RetrievalScope,
        kb: KnowledgeBaseId,
        probe: &Probe,
    ) -> Result<Found> {
        let Some(partition) = scope.partition(kb) else {
            return Ok(Found::default());
        };
        // Whatever there is once the log was read to its end is new enough.
        let mut fresh = false;
        for _ in 0..ATTEMPTS {
            if let Some(found) = self
                .inner
                .answer(partition, scope.user(), probe, fresh)
                .await?
            {
                return Ok(found);
            }
            fresh = self.reach(partition, Some(probe.version)).await?;
        }
        Err(Error::internal("a partition went as often as it was made"))
    }

    async fn catch_up(&self, partition: Partition) -> Result<()> {
        self.reach(partition, None).await.map(drop)
    }

    async fn remove(&self, partition: Partition) -> Result<u64> {
        let removed = write::remove(&self.inner.pool, partition).await?;
        if let Some(known) = removed {
            self.inner.graphs.drop_behind(known.slot);
        }
        Ok(removed.map_or(0, |known| known.statistics.chunks))
    }

    async fn count(&self, partition: Partition) -> Result<u64> {
        let known = self.inner.known(partition).await?;
        Ok(known.map_or(0, |known| known.statistics.chunks))
    }

    async fn count_of(&self, partition: Partition, documents: &[DocumentId]) -> Result<u64> {
        let all = PersonalCorpora::Everybodys;
        let mut tx = self.inner.read(partition.tenant(), all).await?;
        let Some(known) = known(&mut tx, partition).await? else {
            return Ok(0);
        };
        let count: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM search_chunks WHERE slot = $1 AND document_id = ANY($2)",
        )
        .bind(known.slot)
        .bind(uuids(documents))
        .fetch_one(&mut *tx)
        .await
        .map_err(failed)?;
        Ok(count.unsigned_abs())
    }

    async fn partitions(&self, tenant: Option<TenantId>) -> Result<Vec<Partition>> {
        let mut tx = self.inner.pool.begin().await.map_err(failed)?;
        take_role(&mut tx, PLATFORM_ROLE).await?;
        let rows = sqlx::query(
            "SELECT tenant_id, knowledge_base_id FROM search_partitions
             WHERE $1::uuid IS NULL OR tenant_id = $1",
        )
        .bind(tenant.map(TenantId::uuid))
        .fetch_all(&mut *tx)
        .await
        .map_err(failed)?;
        rows.iter()
            .map(|row| {
                let tenant = TenantId::from_uuid(row.try_get(0).map_err(failed)?);
                let kb = KnowledgeBaseId::from_uuid(row.try_get(1).map_err(failed)?);
                Ok(Partition::named(tenant, kb))
            })
            .collect()
    }
}

/// Takes another role for the rest of the transaction.
async fn take_role(tx: &mut Transaction<'_, Postgres>, role: &str) -> Result<()> {
    sqlx::raw_sql(AssertSqlSafe(format!("SET LOCAL ROLE {role}")))
        .execute(&mut **tx)
        .await
        .map_err(failed)?;
    Ok(())
}

/// Goes on with the engine's own work inside one tenant, to whom alone the rows of the transaction
/// belong.
async fn enter(tx: &mut Transaction<'_, Postgres>, tenant: TenantId) -> Result<()> {
    enter_as(tx, tenant, PersonalCorpora::Everybodys).await
}

/// Goes on inside one tenant, where somebody searches.
async fn enter_as(
    tx: &mut Transaction<'_, Postgres>,
    tenant: TenantId,
    corpora: PersonalCorpora,
) -> Result<()> {
    sqlx::raw_sql(AssertSqlSafe(entering(tenant, corpora)))
        .execute(&mut **tx)
        .await
        .map_err(failed)?;
    Ok(())
}

async fn known(tx: &mut Transaction<'_, Postgres>, partition: Partition) -> Result<Option<Known>> {
    let row = sqlx::query(
        "SELECT slot, version, chunks, length FROM search_partitions
         WHERE tenant_id = $1 AND knowledge_base_id = $2",
    )
    .bind(partition.tenant().uuid())
    .bind(partition.knowledge_base().uuid())
    .fetch_optional(&mut **tx)
    .await
    .map_err(failed)?;
    row.map(|row| {
        Ok(Known {
            slot: row.try_get(0).map_err(failed)?,
            version: row.try_get(1).map_err(failed)?,
            statistics: Statistics {
                chunks: row.try_get::<i64, _>(2).map_err(failed)?.unsigned_abs(),
                length: row.try_get::<i64, _>(3).map_err(failed)?.unsigned_abs(),
            },
        })
    })
    .transpose()
}

fn uuids(documents: &[DocumentId]) -> Vec<Uuid> {
    documents.iter().map(|document| document.uuid()).collect()
}
