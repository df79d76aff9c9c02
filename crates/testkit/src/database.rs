use sea_orm::{ConnectionTrait, Database};
use tempfile::TempDir;

/// An empty database that lives as long as the value.
#[derive(Debug)]
pub struct TestDatabase {
    url: String,
    /// Holds the SQLite file.
    _dir: Option<TempDir>,
    /// The PostgreSQL server and the name of the database on it.
    postgres: Option<(String, String)>,
}

impl TestDatabase {
    /// # Panics
    /// When no temporary folder can be made.
    #[must_use]
    pub fn sqlite() -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let url = format!("sqlite://{}", dir.path().join("quipu.db").display());
        Self {
            url,
            _dir: Some(dir),
            postgres: None,
        }
    }

    /// A new database on the server named by `QUIPU_TEST_POSTGRES_URL`, which `make test` starts.
    /// Without it, says so and returns `None`.
    ///
    /// # Panics
    /// When the server is named but cannot be used.
    pub async fn postgres() -> Option<Self> {
        let Ok(server) = std::env::var("QUIPU_TEST_POSTGRES_URL") else {
            eprintln!(
                "SKIPPED on PostgreSQL: QUIPU_TEST_POSTGRES_URL is not set (use `make test`)"
            );
            return None;
        };
        let name = format!("quipu_test_{}", uuid::Uuid::now_v7().simple());
        run(&server, &format!("CREATE DATABASE {name}"))
            .await
            .expect("a test database");
        let url = server.replacen("/postgres?", &format!("/{name}?"), 1);
        assert_ne!(
            url, server,
            "QUIPU_TEST_POSTGRES_URL must name the database `postgres`"
        );
        Some(Self {
            url,
            _dir: None,
            postgres: Some((server, name)),
        })
    }

    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    #[must_use]
    pub fn is_postgres(&self) -> bool {
        self.postgres.is_some()
    }

    /// Runs statements that no repository offers, past every wall. Returns how many rows they changed.
    ///
    /// # Panics
    /// When they fail.
    pub async fn execute(&self, sql: &str) -> u64 {
        let db = Database::connect(&self.url).await.expect("the database");
        let done = db
            .execute_unprepared(sql)
            .await
            .expect("statements that run");
        db.close().await.expect("to close the connection");
        done.rows_affected()
    }

    /// Makes the PostgreSQL database refuse and drop connections, or take them again, as a server
    /// that goes away and comes back does.
    ///
    /// # Panics
    /// On SQLite, or when the server cannot be told.
    pub async fn set_reachable(&self, reachable: bool) {
        let (server, name) = self.postgres.as_ref().expect("only PostgreSQL can go away");
        let allow = format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS {reachable}");
        run(server, &allow)
            .await
            .expect("to allow or refuse connections");
        if !reachable {
            let cut = format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
            );
            run(server, &cut).await.expect("to cut connections");
        }
    }
}

async fn run(server: &str, sql: &str) -> Result<(), sea_orm::DbErr> {
    let db = Database::connect(server).await?;
    db.execute_unprepared(sql).await?;
    db.close().await
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let Some((server, name)) = self.postgres.take() else {
            return;
        };
        // A runtime of its own, because the test's may be shutting down.
        let dropped = std::thread::spawn(move || {
            tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .map(|rt| rt.block_on(run(&server, &format!("DROP DATABASE {name} WITH (FORCE)"))))
        });
        drop(dropped.join());
    }
}
