//! Opening the database, whichever it is.

use crate::error::db;
use crate::kept::Kept;
use crate::migrate::Migrator;
use crate::tx::{PlatformTx, TenantTx};
use quipu_core::tenancy::TenantScope;
use quipu_core::{Clock, Result};
use sea_orm::sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};
use sea_orm::sqlx::{Connection, PgPool};
use sea_orm::{
    AccessMode, ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DatabaseTransaction,
    DbBackend, IsolationLevel, SqliteTransactionMode, TransactionOptions, TransactionTrait,
};
use sea_orm_migration::MigratorTrait;
use std::sync::Arc;
use std::time::Duration;

/// Where the database is and how many connections it may hold.
#[derive(Clone, Debug)]
pub struct DatabaseSettings {
    /// `sqlite:///path/to/quipu.db` or `postgres://user:password@host/database`.
    pub url: String,
    pub max_connections: u32,
    /// How long a request waits for a connection, or a writer for its turn.
    pub acquire_timeout: Duration,
}

#[derive(Clone)]
pub struct Store {
    /// SQLite has one writer at a time: its writers queue here in order instead of polling.
    writer: DatabaseConnection,
    reader: DatabaseConnection,
    clock: Arc<dyn Clock>,
    kept: Arc<Kept>,
}

impl Store {
    /// Connects. Nothing is migrated yet.
    ///
    /// # Errors
    /// `DATABASE_UNAVAILABLE` when the database cannot be reached.
    pub async fn open(settings: &DatabaseSettings, clock: Arc<dyn Clock>) -> Result<Self> {
        let (writer, reader) = if settings.url.starts_with("sqlite:") {
            let writer = Database::connect(sqlite(settings, 1, false))
                .await
                .map_err(db)?;
            let reader = Database::connect(sqlite(settings, settings.max_connections.max(2), true))
                .await
                .map_err(db)?;
            (writer, reader)
        } else {
            let mut options = options(settings, settings.max_connections);
            options
                .set_application_name("quipu")
                .statement_timeout(Duration::from_mins(1));
            let pool = Database::connect(options).await.map_err(db)?;
            (pool.clone(), pool)
        };
        Ok(Self {
            writer,
            reader,
            clock,
            kept: Arc::default(),
        })
    }

    /// Brings the schema up to date. Safe to run from several processes at once.
    ///
    /// # Errors
    /// When a migration fails; the schema is then as before it.
    pub async fn migrate(&self) -> Result<()> {
        // One migrator at a time. On SQLite the transaction itself is the lock; on PostgreSQL the
        // lock is the transaction's, and goes with it.
        let tx = self.begin_write().await?;
        if self.is_postgres() {
            tx.execute_unprepared("SELECT pg_advisory_xact_lock(7305804402)")
                .await
                .map_err(db)?;
        }
        Migrator::up(&tx, None).await.map_err(db)?;
        tx.commit().await.map_err(db)
    }

    /// How many migrations are still to be run. Asking makes the table that remembers them.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub async fn pending_migrations(&self) -> Result<usize> {
        Ok(Migrator::get_pending_migrations(&self.writer)
            .await
            .map_err(db)?
            .len())
    }

    #[must_use]
    pub fn is_postgres(&self) -> bool {
        self.writer.get_database_backend() == DbBackend::Postgres
    }

    /// The connections themselves, for the engine that speaks more of PostgreSQL than the
    /// repositories do.
    pub(crate) fn postgres_pool(&self) -> Option<PgPool> {
        let pool = || self.writer.get_postgres_connection_pool().clone();
        self.is_postgres().then(pool)
    }

    /// Opens a transaction in which a tenant's data can be read and written.
    ///
    /// # Errors
    /// When the database cannot be reached or is busy.
    pub async fn begin(&self, scope: TenantScope) -> Result<TenantTx> {
        let tx = self.begin_write().await?;
        TenantTx::enter(tx, scope, self.clock.now()).await
    }

    /// Opens a transaction in which a tenant's data can only be read. Readers never wait for
    /// writers.
    ///
    /// # Errors
    /// When the database cannot be reached or is busy.
    pub async fn read(&self, scope: TenantScope) -> Result<TenantTx> {
        let tx = self.begin_read().await?;
        let tx = TenantTx::enter(tx, scope, self.clock.now()).await?;
        Ok(tx.remembering(self.kept.clone()))
    }

    /// Opens the platform's own transaction.
    ///
    /// # Errors
    /// When the database cannot be reached or is busy.
    pub async fn platform(&self) -> Result<PlatformTx> {
        let tx = self.begin_write().await?;
        PlatformTx::enter(tx, self.clock.now()).await
    }

    /// Opens the platform's own transaction for reading only.
    ///
    /// # Errors
    /// When the database cannot be reached or is busy.
    pub async fn platform_read(&self) -> Result<PlatformTx> {
        let tx = self.begin_read().await?;
        PlatformTx::enter(tx, self.clock.now()).await
    }

    /// Closes every connection, letting SQLite fold its write-ahead log.
    ///
    /// # Errors
    /// When a connection cannot be closed in order.
    pub async fn close(self) -> Result<()> {
        self.reader.close_by_ref().await.map_err(db)?;
        self.writer.close_by_ref().await.map_err(db)
    }

    async fn begin_write(&self) -> Result<DatabaseTransaction> {
        let options = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        self.writer.begin_with_options(options).await.map_err(db)
    }

    /// What a transaction reads is of one instant, as SQLite has it anyway: a new version that
    /// appears between two of its questions would otherwise look like none at all.
    async fn begin_read(&self) -> Result<DatabaseTransaction> {
        let options = if self.is_postgres() {
            TransactionOptions {
                isolation_level: Some(IsolationLevel::RepeatableRead),
                access_mode: Some(AccessMode::ReadOnly),
                ..TransactionOptions::default()
            }
        } else {
            TransactionOptions {
                sqlite_transaction_mode: Some(SqliteTransactionMode::Deferred),
                ..TransactionOptions::default()
            }
        };
        self.reader.begin_with_options(options).await.map_err(db)
    }
}

fn options(settings: &DatabaseSettings, max_connections: u32) -> ConnectOptions {
    let mut options = ConnectOptions::new(settings.url.clone());
    options
        .max_connections(max_connections)
        .min_connections(0)
        .acquire_timeout(settings.acquire_timeout)
        .connect_timeout(settings.acquire_timeout)
        .idle_timeout(Some(Duration::from_mins(5)))
        .sqlx_logging(false);
    options
}

fn sqlite(settings: &DatabaseSettings, max_connections: u32, read_only: bool) -> ConnectOptions {
    let busy = settings.acquire_timeout;
    let mut options = options(settings, max_connections);
    // A file is always there, and a connection that is in order was found so when it was given back.
    options.test_before_acquire(false);
    // After an error such as a full disk SQLite may have ended a transaction by itself, or may
    // still be in one whose commit failed. The driver then miscounts, takes the next transaction
    // for a nested one, and never commits it: such a connection is closed instead of used again.
    options.map_sqlx_sqlite_pool_opts(|pool| {
        pool.after_release(|connection, _| {
            Box::pin(async move {
                // Waits for the rollback that dropping a transaction has only asked for.
                connection.ping().await?;
                Ok(!connection.is_in_transaction())
            })
        })
    });
    options.map_sqlx_sqlite_opts(move |sqlite| {
        sqlite
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A commit that was acknowledged survives a power cut too, not only a kill.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(busy)
            .pragma("cache_size", "-4000")
            .pragma("query_only", if read_only { "ON" } else { "OFF" })
    });
    options
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store")
            .field("postgres", &self.is_postgres())
            .finish_non_exhaustive()
    }
}
