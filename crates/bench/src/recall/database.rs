//! A database to measure in, which nobody else must be using.

use crate::plan::EmptyDatabase;
use crate::times::refused;
use quipu_core::page::PageRequest;
use quipu_core::{Clock, Error, Result, Timestamp};
use quipu_store::{DatabaseSettings, Store};
use sea_orm::sqlx::{self, Connection, PgConnection};
use std::sync::Arc;
use std::time::Duration;

/// Nothing that is measured has a date.
struct NoTime;

impl Clock for NoTime {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }
}

/// Opens and migrates a database that is empty, or has been measured in before.
pub(super) async fn open(database: &EmptyDatabase) -> Result<Store> {
    let mut own = connect(database).await?;
    let (is_quipu, tables): (bool, i64) = sqlx::query_as(
        "SELECT to_regclass('tenants') IS NOT NULL AND to_regclass('knowledge_bases') IS NOT NULL,
                count(*)
         FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace",
    )
    .fetch_one(&mut own)
    .await
    .map_err(Error::internal)?;
    drop(own.close().await);
    if !is_quipu && tables > 0 {
        return Err(refused(
            "the database has tables that are not of this product; give an empty one",
        ));
    }
    let settings = DatabaseSettings {
        url: database.url.clone(),
        max_connections: 10,
        acquire_timeout: Duration::from_secs(30),
    };
    let store = Store::open(&settings, Arc::new(NoTime)).await?;
    if is_quipu {
        let tx = store.platform_read().await?;
        let tenants = tx.tenants().list(PageRequest::default()).await?;
        if let Some(tenant) = tenants
            .data
            .iter()
            .find(|tenant| !database.tenants.contains(&tenant.slug))
        {
            return Err(refused(format!(
                "the database is in use: it has the tenant `{}`; give an empty one",
                tenant.slug
            )));
        }
    }
    store.migrate().await?;
    Ok(store)
}

/// The server in words.
pub(super) async fn described(database: &EmptyDatabase) -> Result<String> {
    let mut own = connect(database).await?;
    let (server, extension, buffers): (String, String, String) = sqlx::query_as(
        "SELECT current_setting('server_version'),
                COALESCE((SELECT max(default_version) FROM pg_available_extensions
                          WHERE name = 'vector'), 'none'),
                current_setting('shared_buffers')",
    )
    .fetch_one(&mut own)
    .await
    .map_err(Error::internal)?;
    drop(own.close().await);
    Ok(format!(
        "PostgreSQL {server}, pgvector {extension}, shared_buffers {buffers}"
    ))
}

/// A connection of its own, with whatever is set on it.
pub(super) async fn connect(database: &EmptyDatabase) -> Result<PgConnection> {
    PgConnection::connect(&database.url)
        .await
        .map_err(Error::internal)
}
