//! The wall that `PostgreSQL` puts behind the filters of the repositories. Here the filters are
//! left out: plain SQL, in the role that does the tenants' work.

use crate::fixture::TwoTenants;
use crate::schema::{BOOKKEEPING, Schema, whose};
use crate::support::{House, raw};
use quipu_core::TenantId;
use quipu_testkit::TestDatabase;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, Statement, TransactionTrait,
};

/// Tables without a `tenant_id` of which a tenant sees its own part.
const SHARED: [&str; 2] = ["tenants", "users"];
/// What everybody may read.
const PUBLIC: [&str; 1] = ["plans"];

/// A transaction as the store opens it for a tenant, or with no tenant named.
async fn as_app(raw: &DatabaseConnection, tenant: Option<&str>) -> DatabaseTransaction {
    let tx = raw.begin().await.unwrap();
    tx.execute_unprepared("SET LOCAL ROLE quipu_app")
        .await
        .unwrap();
    if let Some(tenant) = tenant {
        // As the product's own work, which reaches what is people's own.
        let set = format!(
            "SELECT set_config('app.tenant_id', '{tenant}', true),
                    set_config('app.corpora', 'everybodys', true)"
        );
        tx.execute_unprepared(&set).await.unwrap();
    }
    tx
}

async fn count(
    db: &impl ConnectionTrait,
    from: &str,
    tenant: Option<TenantId>,
) -> Result<i64, DbErr> {
    let sql = format!("SELECT count(*) AS n FROM {from}");
    let values = tenant.map(|id| id.uuid().into());
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    db.query_one_raw(statement)
        .await?
        .expect("a count")
        .try_get("", "n")
}

async fn count_of(db: &impl ConnectionTrait, table: &str, tenant: TenantId) -> i64 {
    count(db, &format!("{table} WHERE {}", whose(table)), Some(tenant))
        .await
        .unwrap()
}

/// Whether the database said no, and not that something else went wrong.
fn is_refusal(error: &DbErr) -> bool {
    let error = error.to_string();
    error.contains("row-level security") || error.contains("permission denied")
}

/// # Panics
/// When the statement was carried out, or failed for another reason.
fn assert_refused<T>(result: Result<T, DbErr>, what: &str) {
    match result {
        Ok(_) => panic!("{what}: it was carried out"),
        Err(error) => assert!(is_refusal(&error), "{what}: {error}"),
    }
}

struct Ground {
    raw: DatabaseConnection,
    schema: Schema,
    two: TwoTenants,
    /// Every table with a tenant's rows in it.
    tables: Vec<String>,
}

impl Ground {
    async fn new(db: &TestDatabase) -> Self {
        let two = TwoTenants::new(db).await;
        let schema = Schema::of(db).await;
        let mut tables = schema.tenant_tables().await;
        tables.extend(SHARED.map(str::to_owned));
        Self {
            raw: raw(db.url()).await,
            schema,
            two,
            tables,
        }
    }
}

#[tokio::test]
async fn a_tenant_selects_its_own_rows_and_no_others() {
    let Some(db) = TestDatabase::postgres().await else {
        return;
    };
    let Ground {
        raw, two, tables, ..
    } = Ground::new(&db).await;
    let (a, b) = (two.a.id(), two.b.id());
    for table in &tables {
        let own = count_of(&raw, table, a).await;
        let tx = as_app(&raw, Some(&a.to_string())).await;
        assert_eq!(count(&tx, table, None).await.unwrap(), own, "A in {table}");
        assert_eq!(count_of(&tx, table, b).await, 0, "A sees B in {table}");
        assert!(own > 0);
        tx.rollback().await.unwrap();
    }
}

#[tokio::test]
async fn a_tenant_changes_and_deletes_no_row_of_another() {
    let Some(db) = TestDatabase::postgres().await else {
        return;
    };
    let Ground {
        raw,
        schema,
        two,
        tables,
    } = Ground::new(&db).await;
    let (a, b) = (two.a.id(), two.b.id());
    let theirs = schema.snapshot(b).await;
    for table in &tables {
        let own = count_of(&raw, table, a).await;
        let column = &schema.columns(table).await[0];
        for sql in [
            format!("UPDATE {table} SET {column} = {column}"),
            format!("DELETE FROM {table}"),
        ] {
            let tx = as_app(&raw, Some(&a.to_string())).await;
            match tx.execute_unprepared(&sql).await {
                Ok(done) => {
                    assert_eq!(i64::try_from(done.rows_affected()).unwrap(), own, "{sql}");
                    // Deleting reaches further along the references, so all tables are counted.
                    tx.execute_unprepared("RESET ROLE").await.unwrap();
                    for (other, rows) in &theirs {
                        let left = count_of(&tx, other, b).await;
                        assert_eq!(usize::try_from(left).unwrap(), rows.len(), "{sql}: {other}");
                    }
                }
                Err(error) => {
                    let may_be_refused = SHARED.contains(&table.as_str()) && is_refusal(&error);
                    assert!(may_be_refused, "{sql}: {error}");
                }
            }
            tx.rollback().await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_tenant_neither_adds_nor_moves_a_row_to_another() {
    let Some(db) = TestDatabase::postgres().await else {
        return;
    };
    let Ground {
        raw, schema, two, ..
    } = Ground::new(&db).await;
    let (a, b) = (two.a.id(), two.b.id());
    for table in schema.tenant_tables().await {
        // One of A's own rows, with nothing changed but whose it is.
        let columns = schema.columns(&table).await;
        let values: Vec<_> = columns
            .iter()
            .map(|c| {
                if c == "tenant_id" {
                    format!("'{b}'::uuid")
                } else {
                    c.clone()
                }
            })
            .collect();
        let (columns, values) = (columns.join(", "), values.join(", "));
        for sql in [
            format!("INSERT INTO {table} ({columns}) SELECT {values} FROM {table} LIMIT 1"),
            format!("UPDATE {table} SET tenant_id = '{b}'"),
        ] {
            let tx = as_app(&raw, Some(&a.to_string())).await;
            assert_refused(tx.execute_unprepared(&sql).await, &sql);
            tx.rollback().await.unwrap();
        }
    }
}

#[tokio::test]
async fn without_a_tenant_nothing_is_seen() {
    let Some(db) = TestDatabase::postgres().await else {
        return;
    };
    let Ground { raw, tables, .. } = Ground::new(&db).await;
    let nobody = "00000000-0000-0000-0000-000000000000";
    for table in &tables {
        for tenant in [None, Some(""), Some(nobody)] {
            let tx = as_app(&raw, tenant).await;
            assert_eq!(
                count(&tx, table, None).await.unwrap(),
                0,
                "{table} with {tenant:?}"
            );
            tx.rollback().await.unwrap();
        }
    }
}

#[tokio::test]
async fn every_table_has_its_wall() {
    let Some(db) = TestDatabase::postgres().await else {
        return;
    };
    let Ground {
        raw,
        schema,
        two,
        tables,
    } = Ground::new(&db).await;
    let a = two.a.id().to_string();
    for table in schema.tables().await {
        // Forced: otherwise the owner of the table would walk through.
        let walled = format!(
            "pg_class WHERE oid = '{table}'::regclass AND relrowsecurity AND relforcerowsecurity"
        );
        assert_eq!(
            count(&raw, &walled, None).await.unwrap(),
            1,
            "{table} has no row security"
        );
        let tx = as_app(&raw, Some(&a)).await;
        let seen = count(&tx, &table, None).await;
        if tables.contains(&table) || PUBLIC.contains(&table.as_str()) {
            assert!(seen.unwrap() > 0, "{table}");
        } else {
            assert_refused(seen, &table);
        }
        tx.rollback().await.unwrap();
    }
    let tx = as_app(&raw, Some(&a)).await;
    assert_refused(count(&tx, BOOKKEEPING, None).await, BOOKKEEPING);
}

/// The database belongs to an ordinary role that may create roles, as hosting companies give out.
/// The role gets what `CREATE ROLE` would have given it, had `quipu_app` and `quipu_platform` not
/// been on the test server already: the right to grant them, but not to use them.
#[tokio::test]
async fn an_owner_who_is_no_superuser_can_run_the_house_but_not_look_past_the_wall() {
    let Some(db) = TestDatabase::postgres().await else {
        return;
    };
    let owner = format!("quipu_owner_{}", uuid::Uuid::now_v7().simple());
    let Some(url) = as_user(db.url(), &owner) else {
        eprintln!("SKIPPED: the URL of the test server names no user that could be another");
        return;
    };
    // Any migrated database leaves the roles behind; this one takes part in that too.
    House::new(&db).await.store.close().await.unwrap();
    let admin = raw(db.url()).await;
    for sql in [
        "DROP SCHEMA public CASCADE".to_owned(),
        format!("CREATE ROLE {owner} LOGIN NOSUPERUSER CREATEROLE"),
        format!("CREATE SCHEMA public AUTHORIZATION {owner}"),
        format!(
            "GRANT quipu_app, quipu_platform TO {owner} WITH ADMIN TRUE, INHERIT FALSE, SET FALSE"
        ),
    ] {
        admin.execute_unprepared(&sql).await.unwrap();
    }

    let schema = Schema(admin);
    let two = TwoTenants::in_house(House::at(&url).await, &schema).await;
    let tx = two.house.read(two.a.scope).await;
    assert_eq!(
        tx.agents().count().await.unwrap(),
        two.a.agents.len() as u64
    );
    drop(tx);

    // A migration moves rows, which the wall hides from the owner like from anybody.
    let filled = count(&schema.0, "index_changes", None).await.unwrap();
    for sql in [
        "DROP TABLE index_changes, retrievals".to_owned(),
        "ALTER TABLE knowledge_bases DROP COLUMN index_version CASCADE, DROP COLUMN searched_with"
            .to_owned(),
        format!("DELETE FROM {BOOKKEEPING} WHERE version = '0003_search'"),
    ] {
        schema.0.execute_unprepared(&sql).await.unwrap();
    }
    two.house.store.migrate().await.unwrap();
    let moved = count(&schema.0, "index_changes", None).await.unwrap();
    assert!(
        moved > 0 && moved <= filled,
        "{moved} of {filled} rows were moved"
    );

    let plain = raw(&url).await;
    for table in schema.tables().await {
        let seen = count(&plain, &table, None).await.unwrap();
        assert_eq!(seen, 0, "the owner sees rows of {table} without a role");
    }
    plain.close().await.unwrap();
    two.house.store.close().await.unwrap();

    // The role can go only after everything it owns.
    for sql in [
        format!("DROP OWNED BY {owner} CASCADE"),
        format!("DROP ROLE {owner}"),
    ] {
        schema.0.execute_unprepared(&sql).await.unwrap();
    }
}

/// The same database, reached as another user.
fn as_user(url: &str, user: &str) -> Option<String> {
    let (before, rest) = url.split_once("user=")?;
    let after = rest.find('&').map_or("", |end| &rest[end..]);
    Some(format!("{before}user={user}{after}"))
}
