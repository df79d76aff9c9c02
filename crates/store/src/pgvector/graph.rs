//! The graphs of large knowledge bases: an HNSW index for each, over its own vectors of one model.
//!
//! Indexes are made and dropped without holding anybody up, one at a time on the whole server: two of
//! them on one table wait for each other until PostgreSQL ends one. A graph is on trial until it has
//! shown that it finds what an exact search finds.

use super::dense::{Query, condition, graph_type};
use super::{PgvectorSettings, enter, take_role};
use crate::error::sqlx as failed;
use crate::migrate::PLATFORM_ROLE;
use quipu_core::engine::beside;
use quipu_core::{Result, TenantId};
use sea_orm::sqlx::{
    self, AssertSqlSafe, Connection, PgConnection, PgPool, Postgres, Row, Transaction,
};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

const PREFIX: &str = "search_graph_";
/// What a graph is called until it has shown what it is worth.
const ON_TRIAL: &str = "search_trial_";
/// What a graph may take while it is made. Beyond it, making one becomes many times slower.
const MEMORY: &str = "512MB";
/// What a graph must find of the nearest so many, in percent, or it is not used; and from how many
/// vectors it is asked for them.
const ENOUGH_PERCENT: usize = 99;
const NEAREST: usize = 10;
const SAMPLE: i64 = 40;
/// Two vectors at the same distance may change places by the way sums are rounded.
const CLOSE: f32 = 1e-6;
/// How often whoever waits for its turn asks again. Waiting inside the database would itself be what
/// the one before it waits for.
const TURN: Duration = Duration::from_millis(200);

pub(super) struct Graphs {
    pool: PgPool,
    settings: PgvectorSettings,
    /// The slots whose graphs are being made here.
    making: Mutex<HashSet<i64>>,
}

/// The vectors of a model in a partition.
struct Kind {
    model: String,
    dimensions: i32,
    vectors: i64,
}

impl Graphs {
    pub(super) fn new(pool: PgPool, settings: PgvectorSettings) -> Arc<Self> {
        Arc::new(Self {
            pool,
            settings,
            making: Mutex::default(),
        })
    }

    /// Whether the vectors of a query have a graph that is worth searching.
    pub(super) async fn is_made(
        &self,
        tx: &mut Transaction<'_, Postgres>,
        query: &Query<'_>,
    ) -> Result<bool> {
        let made: Option<bool> = sqlx::query_scalar(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)",
        )
        .bind(name(query.slot, query.model, query.dimensions))
        .fetch_optional(&mut **tx)
        .await
        .map_err(failed)?;
        Ok(made.unwrap_or(false))
    }

    /// Makes what is missing, without anybody waiting for it.
    pub(super) fn make_behind(self: &Arc<Self>, tenant: TenantId, slot: i64) {
        if !self.begin(slot) {
            return;
        }
        let graphs = Arc::clone(self);
        tokio::spawn(async move {
            if let Err(error) = graphs.make_missing(tenant, slot).await {
                tracing::warn!(slot, %error, "a graph was not made; searches stay exact");
            }
            graphs.end(slot);
        });
    }

    pub(super) async fn make(self: &Arc<Self>, tenant: TenantId, slot: i64) -> Result<()> {
        // What is being made already is waited for.
        while !self.begin(slot) {
            tokio::time::sleep(TURN).await;
        }
        let made = self.make_missing(tenant, slot).await;
        self.end(slot);
        made
    }

    fn begin(&self, slot: i64) -> bool {
        let mut making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        making.insert(slot)
    }

    fn end(&self, slot: i64) {
        let mut making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        making.remove(&slot);
    }

    async fn make_missing(&self, tenant: TenantId, slot: i64) -> Result<()> {
        if self.missing(tenant, slot).await?.is_empty() {
            return Ok(());
        }
        let mut own = self.turn().await?;
        // Somebody else may have made them while this one waited.
        let missing = self.missing(tenant, slot).await;
        let made = match missing {
            Ok(missing) => self.make_all(&mut own, tenant, slot, &missing).await,
            Err(error) => Err(error),
        };
        drop(own.close().await);
        made
    }

    async fn make_all(
        &self,
        own: &mut PgConnection,
        tenant: TenantId,
        slot: i64,
        missing: &[Kind],
    ) -> Result<()> {
        for kind in missing {
            let name = name(slot, &kind.model, kind.dimensions);
            let trial = on_trial(&name);
            // A process may have been stopped while it made one.
            for leftover in [&name, &trial] {
                drop_index(own, leftover).await.map_err(failed)?;
            }
            create(own, &trial, slot, kind).await.map_err(failed)?;
            let worth = self.finds_enough(tenant, slot, kind).await;
            if let Ok(true) = worth {
                let sql = format!("ALTER INDEX {trial} RENAME TO {name}");
                sqlx::raw_sql(AssertSqlSafe(sql))
                    .execute(&mut *own)
                    .await
                    .map_err(failed)?;
                continue;
            }
            drop_index(own, &trial).await.map_err(failed)?;
            worth?;
            let model = &kind.model;
            tracing::info!(slot, model, "a graph finds too little; searches stay exact");
            self.refuse(tenant, slot, &name, kind.vectors).await?;
        }
        Ok(())
    }

    /// A connection of its own that alone makes and drops indexes. What is set on it would stay for
    /// whoever got it next, so it is closed afterwards, and gives up its turn with that.
    async fn turn(&self) -> Result<PgConnection> {
        let mut own = self.pool.acquire().await.map_err(failed)?.detach();
        sqlx::raw_sql(AssertSqlSafe(format!(
            "SET statement_timeout = 0; SET maintenance_work_mem = '{MEMORY}'"
        )))
        .execute(&mut own)
        .await
        .map_err(failed)?;
        loop {
            let mine: bool = sqlx::query_scalar("SELECT pg_try_advisory_lock(7305804404)")
                .fetch_one(&mut own)
                .await
                .map_err(failed)?;
            if mine {
                return Ok(own);
            }
            tokio::time::sleep(TURN).await;
        }
    }

    /// The models of which a partition has many vectors and no graph. What was refused is tried
    /// again when there is twice as much.
    async fn missing(&self, tenant: TenantId, slot: i64) -> Result<Vec<Kind>> {
        let mut tx = self.pool.begin().await.map_err(failed)?;
        enter(&mut tx, tenant).await?;
        let rows = sqlx::query(
            "SELECT model, dimensions, count(*) FROM search_vectors WHERE slot = $1
             GROUP BY model, dimensions HAVING count(*) > $2",
        )
        .bind(slot)
        .bind(i64::try_from(self.settings.graph_above).unwrap_or(i64::MAX))
        .fetch_all(&mut *tx)
        .await
        .map_err(failed)?;
        let mut missing = Vec::new();
        for row in rows {
            let kind = Kind {
                model: row.try_get(0).map_err(failed)?,
                dimensions: row.try_get(1).map_err(failed)?,
                vectors: row.try_get(2).map_err(failed)?,
            };
            let name = name(slot, &kind.model, kind.dimensions);
            let is_there: bool = sqlx::query_scalar(
                "SELECT EXISTS (SELECT 1 FROM pg_index
                                WHERE indexrelid = to_regclass($2) AND indisvalid)
                     OR EXISTS (SELECT 1 FROM search_partitions, unnest(refused) AS entry
                                WHERE slot = $1 AND split_part(entry, '=', 1) = $2
                                  AND split_part(entry, '=', 2)::bigint * 2 > $3)",
            )
            .bind(slot)
            .bind(&name)
            .bind(kind.vectors)
            .fetch_one(&mut *tx)
            .await
            .map_err(failed)?;
            if !is_there && kind.graph_type().is_some() {
                missing.push(kind);
            }
        }
        Ok(missing)
    }

    /// Whether a graph leads to what is nearest to vectors beside some of its own. Those that point
    /// anywhere lead no search to its goal.
    async fn finds_enough(&self, tenant: TenantId, slot: i64, kind: &Kind) -> Result<bool> {
        let (model, dimensions) = (kind.model.as_str(), kind.dimensions);
        let mut tx = self.patient(tenant).await?;
        let sample: Vec<Vec<f32>> = sqlx::query_scalar(
            "SELECT embedding::real[] FROM search_vectors
             WHERE slot = $1 AND model = $2 AND dimensions = $3
             ORDER BY md5(chunk_id::text) LIMIT $4",
        )
        .bind(slot)
        .bind(model)
        .bind(dimensions)
        .bind(SAMPLE)
        .fetch_all(&mut *tx)
        .await
        .map_err(failed)?;
        drop(tx);
        let (mut found, mut all) = (0_usize, 0_usize);
        for (vector, number) in sample.iter().zip(0..) {
            let query = Query::new(slot, model, &beside(vector, number));
            // A transaction for each, so that none keeps the database from tidying up.
            let mut tx = self.patient(tenant).await?;
            let exact = query
                .nearest(&mut tx, None, NEAREST, false, self.settings)
                .await?;
            let reached = query
                .nearest(&mut tx, None, NEAREST, true, self.settings)
                .await?;
            let least = exact.last().map_or(0.0, |last| last.cosine) - CLOSE;
            found += reached.iter().filter(|near| near.cosine >= least).count();
            all += exact.len();
        }
        Ok(found * 100 >= all * ENOUGH_PERCENT)
    }

    async fn patient(&self, tenant: TenantId) -> Result<Transaction<'static, Postgres>> {
        let mut tx = self.pool.begin().await.map_err(failed)?;
        enter(&mut tx, tenant).await?;
        sqlx::raw_sql("SET LOCAL statement_timeout = 0")
            .execute(&mut *tx)
            .await
            .map_err(failed)?;
        Ok(tx)
    }

    /// Remembers with how many vectors a graph was not worth it.
    async fn refuse(&self, tenant: TenantId, slot: i64, name: &str, vectors: i64) -> Result<()> {
        let mut tx = self.pool.begin().await.map_err(failed)?;
        enter(&mut tx, tenant).await?;
        sqlx::query(
            "UPDATE search_partitions SET refused = array_append(
               ARRAY(SELECT entry FROM unnest(refused) AS entry
                     WHERE split_part(entry, '=', 1) <> $2), $2 || '=' || $3)
             WHERE slot = $1",
        )
        .bind(slot)
        .bind(name)
        .bind(vectors.to_string())
        .execute(&mut *tx)
        .await
        .map_err(failed)?;
        tx.commit().await.map_err(failed)
    }

    /// Drops the graphs of a partition that is gone, without anybody waiting for it.
    pub(super) fn drop_behind(self: &Arc<Self>, slot: i64) {
        let graphs = Arc::clone(self);
        tokio::spawn(async move {
            let patterns = [PREFIX, ON_TRIAL].map(|prefix| format!("^{prefix}{slot}_"));
            if let Err(error) = graphs.drop_like(&patterns.join("|")).await {
                tracing::warn!(slot, %error, "a graph of nothing is left until the next start");
            }
        });
    }

    /// Drops the graphs of partitions that were removed while nobody could.
    pub(super) fn sweep_behind(self: &Arc<Self>) {
        let graphs = Arc::clone(self);
        tokio::spawn(async move {
            let swept = match graphs.of_nothing().await {
                Ok(None) => Ok(()),
                Ok(Some(pattern)) => graphs.drop_like(&pattern).await,
                Err(error) => Err(error),
            };
            if let Err(error) = swept {
                tracing::warn!(%error, "graphs of nothing are left until the next start");
            }
        });
    }

    /// A pattern of the graphs whose partitions are gone.
    async fn of_nothing(&self) -> Result<Option<String>> {
        let mut tx = self.pool.begin().await.map_err(failed)?;
        take_role(&mut tx, PLATFORM_ROLE).await?;
        let slots: Vec<i64> = sqlx::query_scalar(
            "SELECT DISTINCT split_part(relname, '_', 3)::bigint FROM pg_class
             WHERE relkind = 'i' AND relname ~ '^search_(graph|trial)_[0-9]+_'
               AND relnamespace = current_schema()::regnamespace
               AND NOT EXISTS (SELECT 1 FROM search_partitions
                               WHERE slot = split_part(relname, '_', 3)::bigint)",
        )
        .fetch_all(&mut *tx)
        .await
        .map_err(failed)?;
        let slots: Vec<String> = slots.iter().map(i64::to_string).collect();
        let pattern = format!("^search_(graph|trial)_({})_", slots.join("|"));
        Ok((!slots.is_empty()).then_some(pattern))
    }

    async fn drop_like(&self, pattern: &str) -> Result<()> {
        let names: Vec<String> = sqlx::query_scalar(
            "SELECT relname::text FROM pg_class WHERE relkind = 'i' AND relname ~ $1
               AND relnamespace = current_schema()::regnamespace",
        )
        .bind(pattern)
        .fetch_all(&self.pool)
        .await
        .map_err(failed)?;
        if names.is_empty() {
            return Ok(());
        }
        let mut own = self.turn().await?;
        let mut dropped = Ok(());
        for name in names {
            dropped = dropped.and(drop_index(&mut own, &name).await);
        }
        drop(own.close().await);
        dropped.map_err(failed)
    }
}

impl Kind {
    fn graph_type(&self) -> Option<String> {
        graph_type(usize::try_from(self.dimensions).unwrap_or(usize::MAX))
    }
}

/// Searches and writers go on meanwhile.
async fn create(
    own: &mut PgConnection,
    trial: &str,
    slot: i64,
    kind: &Kind,
) -> Result<(), sqlx::Error> {
    let Some(type_name) = kind.graph_type() else {
        return Ok(());
    };
    let operators = if type_name.starts_with("half") {
        "halfvec_ip_ops"
    } else {
        "vector_ip_ops"
    };
    let condition = condition(slot, &kind.model, kind.dimensions);
    let sql = format!(
        "CREATE INDEX CONCURRENTLY {trial} ON search_vectors
         USING hnsw ((embedding::{type_name}) {operators}) WITH (m = 16, ef_construction = 128)
         WHERE {condition}"
    );
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(own).await?;
    Ok(())
}

async fn drop_index(own: &mut PgConnection, name: &str) -> Result<(), sqlx::Error> {
    let sql = format!("DROP INDEX CONCURRENTLY IF EXISTS {name}");
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(own).await?;
    Ok(())
}

fn on_trial(name: &str) -> String {
    name.replacen(PREFIX, ON_TRIAL, 1)
}

/// The name of a graph: a name of PostgreSQL has at most 63 bytes, of a model's any number.
fn name(slot: i64, model: &str, dimensions: i32) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in model.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{PREFIX}{slot}_{dimensions}_{hash:016x}")
}
