use sea_orm::{ConnectionTrait, Database, QueryResult, Statement};
use std::collections::BTreeMap;
use std::path::PathBuf;
use tempfile::TempDir;
use tokio::sync::OnceCell;

/// An empty database that lives as long as the value.
#[derive(Debug)]
pub struct TestDatabase {
    url: String,
    /// Holds the SQLite file.
    dir: Option<TempDir>,
    /// The PostgreSQL server and the name of the database on it.
    postgres: Option<(String, String)>,
}

impl TestDatabase {
    /// # Panics
    /// When no temporary folder can be made.
    #[must_use]
    pub fn sqlite() -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        Self {
            url: sqlite_url(&dir),
            dir: Some(dir),
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
            dir: None,
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

    /// Everything that is in the database: the rows of each table, written out as text.
    ///
    /// # Panics
    /// When the database cannot be read.
    pub async fn contents(&self) -> BTreeMap<String, Vec<String>> {
        let db = Database::connect(&self.url).await.expect("a connection");
        let backend = db.get_database_backend();
        let texts = async |sql: String| -> Vec<String> {
            let rows = db.query_all_raw(Statement::from_string(backend, sql)).await;
            let rows = rows.expect("to read the database");
            let text = |row: &QueryResult| row.try_get::<String>("", "t").expect("a text");
            rows.iter().map(text).collect()
        };
        let mut contents = BTreeMap::new();
        let tables = if self.is_postgres() {
            "SELECT relname::text AS t FROM pg_class
             WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')"
        } else {
            "SELECT name AS t FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        };
        for table in texts(tables.to_owned()).await {
            let row = if self.is_postgres() {
                "to_jsonb(r)::text".to_owned()
            } else {
                let sql = format!("SELECT name AS t FROM pragma_table_info('{table}')");
                let columns = texts(sql).await.into_iter();
                let quoted = columns.map(|column| format!("quote(r.\"{column}\")"));
                quoted.collect::<Vec<_>>().join(" || ', ' || ")
            };
            let sql = format!("SELECT {row} AS t FROM {table} r ORDER BY 1");
            contents.insert(table.clone(), texts(sql).await);
        }
        db.close().await.expect("to close the connection");
        contents
    }

    /// Fills this empty database with a copy of one that `migrate` was given to fill, once for all
    /// tests of this program. A copy takes a tenth of the time that the migrations take.
    ///
    /// # Panics
    /// When the database cannot be copied.
    pub async fn fill(&self, migrate: impl AsyncFnOnce(&str)) {
        match (&self.dir, &self.postgres) {
            (Some(dir), _) => {
                static TEMPLATE: OnceCell<Vec<u8>> = OnceCell::const_new();
                let template = TEMPLATE.get_or_init(|| sqlite_template(migrate)).await;
                std::fs::write(sqlite_file(dir), template).expect("to copy the database");
            }
            (None, Some((server, name))) => {
                static TEMPLATE: OnceCell<String> = OnceCell::const_new();
                let made = TEMPLATE.get_or_init(|| postgres_template(server, migrate));
                let template = made.await;
                for statement in [
                    format!("DROP DATABASE {name}"),
                    format!("CREATE DATABASE {name} TEMPLATE {template}"),
                ] {
                    run(server, &statement).await.expect("to copy the database");
                }
            }
            (None, None) => {}
        }
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

fn sqlite_file(dir: &TempDir) -> PathBuf {
    dir.path().join("quipu.db")
}

fn sqlite_url(dir: &TempDir) -> String {
    format!("sqlite://{}", sqlite_file(dir).display())
}

/// The bytes of a database, whose connections `migrate` has closed.
async fn sqlite_template(migrate: impl AsyncFnOnce(&str)) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a temporary folder");
    migrate(&sqlite_url(&dir)).await;
    std::fs::read(sqlite_file(&dir)).expect("a database in a file")
}

/// The name of a database to copy from. It is left to the server that the tests are lent, which
/// is thrown away with it.
async fn postgres_template(server: &str, migrate: impl AsyncFnOnce(&str)) -> String {
    let name = format!("quipu_template_{}", uuid::Uuid::now_v7().simple());
    run(server, &format!("CREATE DATABASE {name}"))
        .await
        .expect("a database to copy from");
    migrate(&server.replacen("/postgres?", &format!("/{name}?"), 1)).await;
    name
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
