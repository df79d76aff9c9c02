//! The engine inside PostgreSQL.

use super::database::connect;
use crate::plan::{EmptyDatabase, Subject};
use async_trait::async_trait;
use quipu_core::engine::{ChangeLog, Engine, Partition};
use quipu_core::{Error, Result};
use quipu_store::{PgvectorEngine, PgvectorSettings, Store};
use sea_orm::sqlx::{self, Connection};
use std::sync::Arc;

pub(super) struct Pgvector {
    engine: PgvectorEngine,
    database: EmptyDatabase,
}

impl Pgvector {
    pub(super) async fn open(
        store: &Store,
        database: &EmptyDatabase,
        log: Arc<dyn ChangeLog>,
    ) -> Result<Self> {
        let settings = PgvectorSettings::default();
        Ok(Self {
            engine: PgvectorEngine::open(store, settings, log).await?,
            database: database.clone(),
        })
    }
}

#[async_trait]
impl Subject for Pgvector {
    fn engine(&self) -> &dyn Engine {
        &self.engine
    }

    async fn settle(&self, partition: Partition) -> Result<()> {
        self.engine.make_graphs(partition).await?;
        // The server does this by itself within a minute, which nobody waits for here.
        let mut own = connect(&self.database).await?;
        sqlx::raw_sql("ANALYZE search_partitions, search_chunks, search_terms, search_vectors")
            .execute(&mut own)
            .await
            .map_err(Error::internal)?;
        drop(own.close().await);
        Ok(())
    }
}
