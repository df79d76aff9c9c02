//! The tables of the engine. They hold nothing that is not in the change log, so that tables of
//! another version are dropped and filled again.

use crate::error::{db, sqlx as failed};
use crate::migrate;
use quipu_core::{Error, Result};
use sea_orm::sqlx::{self, PgPool};
use sea_orm::{ConnectionTrait, DbBackend, SqlxPostgresConnector, Statement, TransactionTrait};

/// Counted up whenever what the tables hold changes its meaning: their terms, for example.
const VERSION: &str = "4";
/// The first pgvector that goes on through a graph until enough is found.
const PGVECTOR: (u32, u32) = (0, 8);

const TABLES: &str = "
-- How far each knowledge base is taken in. The slot marks its rows in the other tables.
CREATE TABLE search_partitions (
  tenant_id         uuid NOT NULL,
  knowledge_base_id uuid NOT NULL,
  -- Whose own it is, here and in the other tables. It never becomes somebody else's.
  owner_user_id     uuid,
  slot              bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  version           bigint NOT NULL DEFAULT 0,
  chunks            bigint NOT NULL DEFAULT 0,
  length            bigint NOT NULL DEFAULT 0,
  -- Graphs that were made and found too little.
  refused           text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant_id, knowledge_base_id)
);

-- The terms of chunks. Each begins with the slot, so that looking one up touches no other
-- knowledge base. Rows stay whole as long as a page has room: reading them in pieces costs more.
CREATE TABLE search_chunks (
  tenant_id   uuid NOT NULL,
  owner_user_id uuid,
  slot        bigint NOT NULL REFERENCES search_partitions (slot) ON DELETE CASCADE,
  document_id uuid NOT NULL,
  chunk_id    uuid NOT NULL,
  length      int NOT NULL,
  words       tsvector NOT NULL,
  PRIMARY KEY (slot, chunk_id)
) WITH (toast_tuple_target = 8160);
ALTER TABLE search_chunks ALTER COLUMN words SET STORAGE EXTERNAL;
CREATE INDEX search_chunks_document_idx ON search_chunks (slot, document_id);
CREATE INDEX search_chunks_words_idx ON search_chunks USING gin (words) WITH (fastupdate = off);

-- In how many chunks each term occurs: the words that a misspelled one is compared with.
CREATE TABLE search_terms (
  tenant_id uuid NOT NULL,
  owner_user_id uuid,
  slot      bigint NOT NULL REFERENCES search_partitions (slot) ON DELETE CASCADE,
  term      text NOT NULL,
  chunks    bigint NOT NULL,
  PRIMARY KEY (slot, term)
);

-- Vectors of any model and length side by side.
CREATE TABLE search_vectors (
  tenant_id   uuid NOT NULL,
  owner_user_id uuid,
  slot        bigint NOT NULL REFERENCES search_partitions (slot) ON DELETE CASCADE,
  document_id uuid NOT NULL,
  chunk_id    uuid NOT NULL,
  model       text NOT NULL,
  dimensions  int NOT NULL,
  embedding   vector NOT NULL,
  PRIMARY KEY (slot, model, dimensions, chunk_id)
) WITH (toast_tuple_target = 8160);
CREATE INDEX search_vectors_document_idx ON search_vectors (slot, document_id);
";

pub(super) async fn prepare(pool: &PgPool) -> Result<()> {
    extend(pool).await?;
    let connection = SqlxPostgresConnector::from_sqlx_postgres_pool(pool.clone());
    let tx = connection.begin().await.map_err(db)?;
    let run = async |sql: &str| tx.execute_unprepared(sql).await.map_err(db);
    run("SELECT pg_advisory_xact_lock(7305804403)").await?;
    let found = tx
        .query_one_raw(Statement::from_string(
            DbBackend::Postgres,
            "SELECT COALESCE(obj_description(to_regclass('search_partitions'), 'pg_class'), '') AS version
             WHERE to_regclass('search_partitions') IS NOT NULL",
        ))
        .await
        .map_err(db)?;
    let found: Option<String> = found
        .map(|row| row.try_get("", "version"))
        .transpose()
        .map_err(db)?;
    if found.as_deref() == Some(VERSION) {
        return tx.commit().await.map_err(db);
    }
    if found.is_some() {
        tracing::info!("the search tables are of another version and are made anew");
    }
    run("DROP TABLE IF EXISTS search_vectors, search_terms, search_chunks, search_partitions")
        .await?;
    run(TABLES).await?;
    for table in [
        "search_partitions",
        "search_chunks",
        "search_terms",
        "search_vectors",
    ] {
        migrate::protect_tenants(&tx, table).await.map_err(db)?;
        migrate::protect_owner(&tx, table).await.map_err(db)?;
    }
    run(&format!(
        "COMMENT ON TABLE search_partitions IS '{VERSION}'"
    ))
    .await?;
    tx.commit().await.map_err(db)
}

/// Makes sure of the extension.
async fn extend(pool: &PgPool) -> Result<()> {
    let installed = async || -> Result<Option<String>> {
        sqlx::query_scalar("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
            .fetch_optional(pool)
            .await
            .map_err(failed)
    };
    let mut version = installed().await?;
    if version.is_none() {
        // Another process may have made it meanwhile, which is no error of ours.
        let made = sqlx::raw_sql("CREATE EXTENSION IF NOT EXISTS vector")
            .execute(pool)
            .await;
        version = installed().await?;
        if version.is_none() {
            let why = made
                .err()
                .map_or_else(String::new, |error| error.to_string());
            return Err(Error::internal(format!(
                "the database has no pgvector, and it could not be installed \
                 (CREATE EXTENSION vector): {why}"
            )));
        }
    }
    let version = version.unwrap_or_default();
    let mut numbers = version.split('.').map(|part| part.parse().unwrap_or(0));
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if found < PGVECTOR {
        return Err(Error::internal(format!(
            "pgvector {version} is too old: {}.{} is needed (ALTER EXTENSION vector UPDATE)",
            PGVECTOR.0, PGVECTOR.1
        )));
    }
    Ok(())
}
