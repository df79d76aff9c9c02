//! The migrated schema as the database itself describes it. Tests go by this and not by a list
//! of their own, so that a new table cannot slip past them.

use crate::support::raw;
use quipu_core::TenantId;
use quipu_testkit::TestDatabase;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};
use std::collections::BTreeMap;

/// Where `SeaORM` notes which migrations ran.
pub(crate) const BOOKKEEPING: &str = "seaql_migrations";

pub(crate) struct Schema(pub(crate) DatabaseConnection);

/// The rows that are a tenant's, by table, each written out as text.
pub(crate) type Snapshot = BTreeMap<String, Vec<String>>;

impl Schema {
    pub(crate) async fn of(db: &TestDatabase) -> Self {
        Self(raw(db.url()).await)
    }

    fn is_postgres(&self) -> bool {
        self.0.get_database_backend() == DbBackend::Postgres
    }

    /// Every table but the bookkeeping of the migrations.
    pub(crate) async fn tables(&self) -> Vec<String> {
        let sql = if self.is_postgres() {
            "SELECT relname::text AS name FROM pg_class
             WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
             ORDER BY 1"
        } else {
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
             ORDER BY 1"
        };
        let mut tables = self.texts(sql, None).await;
        tables.retain(|table| table != BOOKKEEPING);
        tables
    }

    pub(crate) async fn columns(&self, table: &str) -> Vec<String> {
        let sql = if self.is_postgres() {
            format!(
                "SELECT attname::text AS name FROM pg_attribute
                 WHERE attrelid = '{table}'::regclass AND attnum > 0 AND NOT attisdropped
                 ORDER BY attnum"
            )
        } else {
            format!("SELECT name FROM pragma_table_info('{table}') ORDER BY cid")
        };
        self.texts(&sql, None).await
    }

    /// Every table with a `tenant_id`.
    pub(crate) async fn tenant_tables(&self) -> Vec<String> {
        let mut owned = Vec::new();
        for table in self.tables().await {
            if self
                .columns(&table)
                .await
                .iter()
                .any(|column| column == "tenant_id")
            {
                owned.push(table);
            }
        }
        assert!(owned.len() >= 13, "the schema is not being read: {owned:?}");
        owned
    }

    /// Everything that is the tenant's: its rows, its own row, its people.
    pub(crate) async fn snapshot(&self, tenant: TenantId) -> Snapshot {
        let mut snapshot = Snapshot::new();
        let own = ["tenants".to_owned(), "users".to_owned()];
        for table in self.tenant_tables().await.into_iter().chain(own) {
            let rows = self.rows_of(&table, tenant).await;
            snapshot.insert(table, rows);
        }
        snapshot
    }

    async fn rows_of(&self, table: &str, tenant: TenantId) -> Vec<String> {
        let row = if self.is_postgres() {
            "to_jsonb(t)::text".to_owned()
        } else {
            let columns = self.columns(table).await;
            let quoted: Vec<_> = columns
                .iter()
                .map(|c| format!("quote(t.\"{c}\")"))
                .collect();
            quoted.join(" || ', ' || ")
        };
        let own = whose(table);
        let sql = format!("SELECT {row} AS name FROM {table} t WHERE {own} ORDER BY 1");
        self.texts(&sql, Some(tenant)).await
    }

    /// The first column of every row, which must be called `name`.
    /// What a query calls `name`.
    pub(crate) async fn texts(&self, sql: &str, tenant: Option<TenantId>) -> Vec<String> {
        let values = tenant.map(|id| id.uuid().into());
        let statement = Statement::from_sql_and_values(self.0.get_database_backend(), sql, values);
        let rows = self.0.query_all_raw(statement).await.unwrap();
        rows.iter()
            .map(|row| row.try_get::<String>("", "name").unwrap())
            .collect()
    }
}

/// The condition under which a row of the table is the tenant's, with the tenant as `$1`.
pub(crate) fn whose(table: &str) -> &'static str {
    match table {
        "tenants" => "id = $1",
        "users" => "id IN (SELECT user_id FROM memberships WHERE tenant_id = $1)",
        _ => "tenant_id = $1",
    }
}
