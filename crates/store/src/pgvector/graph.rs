//! The graphs of large knowledge bases: an HNSW index for each, over its own vectors of one model.

use super::dense::{Query, condition, graph_type};
use super::{PgvectorSettings, enter};
use crate::error::sqlx as failed;
use quipu_core::engine::beside;
use quipu_core::{Result, TenantId};
use sea_orm::sqlx::{self, AssertSqlSafe, Connection, PgPool, Postgres, Row, Transaction};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

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

pub(super) struct Graphs {
    pool: PgPool,
    settings: PgvectorSettings,
    /// The slots whose graphs are being made here.
    making: Mutex<HashSet<i64>>,
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
        // Somebody else's work is waited for.
        while !self.begin(slot) {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
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
        for (model, dimensions) in self.large(tenant, slot).await? {
            let length = usize::try_from(dimensions).unwrap_or(usize::MAX);
            let Some(kind) = graph_type(length) else {
                continue;
            };
            if !self.make_one(slot, &model, dimensions, &kind).await? {
                continue;
            }
            let name = name(slot, &model, dimensions);
            if self.finds_enough(tenant, slot, &model, dimensions).await? {
                let trial = on_trial(&name);
                let sql = format!("ALTER INDEX {trial} RENAME TO {name}");
                sqlx::raw_sql(AssertSqlSafe(sql))
                    .execute(&self.pool)
                    .await
                    .map_err(failed)?;
            } else {
                tracing::info!(slot, model, "a graph finds too little; searches stay exact");
                self.refuse(tenant, slot, &name).await?;
            }
        }
        Ok(())
    }

    /// Whether a graph leads to what is nearest to vectors beside some of its own. Those that point
    /// anywhere lead no search to its goal.
    async fn finds_enough(
        &self,
        tenant: TenantId,
        slot: i64,
        model: &str,
        dimensions: i32,
    ) -> Result<bool> {
        let mut tx = self.pool.begin().await.map_err(failed)?;
        enter(&mut tx, tenant).await?;
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
        let (mut found, mut all) = (0_usize, 0_usize);
        for (vector, number) in sample.iter().zip(0..) {
            let query = Query::new(slot, model, &beside(vector, number));
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

    /// Drops a graph and remembers not to make it again.
    async fn refuse(&self, tenant: TenantId, slot: i64, name: &str) -> Result<()> {
        let mut tx = self.pool.begin().await.map_err(failed)?;
        enter(&mut tx, tenant).await?;
        sqlx::query(
            "UPDATE search_partitions SET refused = array_append(refused, $2) WHERE slot = $1",
        )
        .bind(slot)
        .bind(name)
        .execute(&mut *tx)
        .await
        .map_err(failed)?;
        tx.commit().await.map_err(failed)?;
        let mut own = self.pool.acquire().await.map_err(failed)?;
        drop_index(&mut own, &on_trial(name)).await.map_err(failed)
    }

    /// The models of which a partition has many vectors.
    async fn large(&self, tenant: TenantId, slot: i64) -> Result<Vec<(String, i32)>> {
        let mut tx = self.pool.begin().await.map_err(failed)?;
        enter(&mut tx, tenant).await?;
        let rows = sqlx::query(
            "SELECT model, dimensions FROM search_vectors WHERE slot = $1
             GROUP BY model, dimensions HAVING count(*) > $2",
        )
        .bind(slot)
        .bind(i64::try_from(self.settings.graph_above).unwrap_or(i64::MAX))
        .fetch_all(&mut *tx)
        .await
        .map_err(failed)?;
        let refused: Vec<String> =
            sqlx::query_scalar("SELECT unnest(refused) FROM search_partitions WHERE slot = $1")
                .bind(slot)
                .fetch_all(&mut *tx)
                .await
                .map_err(failed)?;
        let mut large = Vec::new();
        for row in rows {
            let model: String = row.try_get(0).map_err(failed)?;
            let dimensions: i32 = row.try_get(1).map_err(failed)?;
            if !refused.contains(&name(slot, &model, dimensions)) {
                large.push((model, dimensions));
            }
        }
        Ok(large)
    }

    /// Makes a graph, unless it is there or somebody else makes it. Returns whether it did.
    async fn make_one(&self, slot: i64, model: &str, dimensions: i32, kind: &str) -> Result<bool> {
        let name = name(slot, model, dimensions);
        // A connection of its own: what is set on it would stay for whoever gets it next.
        let mut own = self.pool.acquire().await.map_err(failed)?.detach();
        let made = async {
            sqlx::raw_sql(AssertSqlSafe(format!(
                "SET statement_timeout = 0; SET maintenance_work_mem = '{MEMORY}'"
            )))
            .execute(&mut own)
            .await?;
            // One process makes it; the others find it made.
            let mine: bool =
                sqlx::query_scalar("SELECT pg_try_advisory_lock(hashtextextended($1, 0))")
                    .bind(&name)
                    .fetch_one(&mut own)
                    .await?;
            if !mine {
                return Ok(false);
            }
            let made: bool = sqlx::query_scalar("SELECT to_regclass($1) IS NOT NULL")
                .bind(&name)
                .fetch_one(&mut own)
                .await?;
            if made {
                return Ok(false);
            }
            // A process may have been stopped while it made one.
            let trial = on_trial(&name);
            drop_index(&mut own, &trial).await?;
            let operators = if kind.starts_with("half") {
                "halfvec_ip_ops"
            } else {
                "vector_ip_ops"
            };
            let condition = condition(slot, model, dimensions);
            // Searches and writers go on meanwhile.
            sqlx::raw_sql(AssertSqlSafe(format!(
                "CREATE INDEX CONCURRENTLY {trial} ON search_vectors
                 USING hnsw ((embedding::{kind}) {operators}) WITH (m = 16, ef_construction = 128)
                 WHERE {condition}"
            )))
            .execute(&mut own)
            .await?;
            Ok::<bool, sqlx::Error>(true)
        }
        .await;
        drop(own.close().await);
        made.map_err(failed)
    }

    /// Drops the graphs of a partition that is gone.
    pub(super) async fn drop_of(&self, slot: i64) -> Result<()> {
        let mut own = self.pool.acquire().await.map_err(failed)?;
        let patterns = [PREFIX, ON_TRIAL].map(|prefix| format!("{prefix}{slot}\\_%"));
        let names: Vec<String> = sqlx::query_scalar(
            "SELECT relname::text FROM pg_class WHERE relkind = 'i' AND relname LIKE ANY($1)",
        )
        .bind(patterns.to_vec())
        .fetch_all(&mut *own)
        .await
        .map_err(failed)?;
        for name in names {
            drop_index(&mut own, &name).await.map_err(failed)?;
        }
        Ok(())
    }

    /// Drops the graphs of partitions that were removed while nobody could.
    pub(super) async fn sweep(&self) -> Result<()> {
        let mut tx = self.pool.begin().await.map_err(failed)?;
        let role = crate::migrate::PLATFORM_ROLE;
        sqlx::raw_sql(AssertSqlSafe(format!("SET LOCAL ROLE {role}")))
            .execute(&mut *tx)
            .await
            .map_err(failed)?;
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
        drop(tx);
        for slot in slots {
            self.drop_of(slot).await?;
        }
        Ok(())
    }
}

async fn drop_index(own: &mut sqlx::PgConnection, name: &str) -> Result<(), sqlx::Error> {
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
