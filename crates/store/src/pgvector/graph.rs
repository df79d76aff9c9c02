//! The graphs of large knowledge bases: an HNSW index for each, over its own vectors of one model.

use super::dense::{Query, condition, graph_type};
use super::{PgvectorSettings, enter};
use crate::error::sqlx as failed;
use quipu_core::{Result, TenantId};
use sea_orm::sqlx::{self, AssertSqlSafe, Connection, PgPool, Postgres, Row, Transaction};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

const PREFIX: &str = "search_graph_";
/// What a graph may take while it is made. Beyond it, making one becomes many times slower.
const MEMORY: &str = "512MB";

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

    /// Whether the vectors of a query have a graph that is finished.
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
            if let Some(kind) = graph_type(length) {
                self.make_one(slot, &model, dimensions, &kind).await?;
            }
        }
        Ok(())
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
        let read = |row: &sqlx::postgres::PgRow| Ok((row.try_get(0)?, row.try_get(1)?));
        rows.iter()
            .map(read)
            .collect::<Result<_, _>>()
            .map_err(failed)
    }

    async fn make_one(&self, slot: i64, model: &str, dimensions: i32, kind: &str) -> Result<()> {
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
                return Ok(());
            }
            let valid: Option<bool> = sqlx::query_scalar(
                "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)",
            )
            .bind(&name)
            .fetch_optional(&mut own)
            .await?;
            match valid {
                Some(true) => return Ok(()),
                // A process was stopped while it made it.
                Some(false) => drop_index(&mut own, &name).await?,
                None => {}
            }
            let operators = if kind.starts_with("half") {
                "halfvec_ip_ops"
            } else {
                "vector_ip_ops"
            };
            let condition = condition(slot, model, dimensions);
            // Searches and writers go on meanwhile.
            sqlx::raw_sql(AssertSqlSafe(format!(
                "CREATE INDEX CONCURRENTLY {name} ON search_vectors
                 USING hnsw ((embedding::{kind}) {operators}) WITH (m = 16, ef_construction = 128)
                 WHERE {condition}"
            )))
            .execute(&mut own)
            .await?;
            Ok::<(), sqlx::Error>(())
        }
        .await;
        drop(own.close().await);
        made.map_err(failed)
    }

    /// Drops the graphs of a partition that is gone.
    pub(super) async fn drop_of(&self, slot: i64) -> Result<()> {
        let mut own = self.pool.acquire().await.map_err(failed)?;
        let pattern = format!("{PREFIX}{slot}\\_%");
        let names: Vec<String> = sqlx::query_scalar(
            "SELECT relname::text FROM pg_class WHERE relkind = 'i' AND relname LIKE $1",
        )
        .bind(pattern)
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
             WHERE relkind = 'i' AND relname LIKE 'search\\_graph\\_%'
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

/// The name of a graph: a name of PostgreSQL has at most 63 bytes, of a model's any number.
fn name(slot: i64, model: &str, dimensions: i32) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in model.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{PREFIX}{slot}_{dimensions}_{hash:016x}")
}
