//! The triggers that give a tenant another version when something changes that is
//! [kept in memory](crate::kept).

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend};

/// The tables that are read from memory, and the columns that matter where others change with every
/// turn: how often an instruction was told, or when a knowledge base was last asked.
const WATCHED: [(&str, &str); 7] = [
    ("agents", ""),
    (
        "knowledge_bases",
        "name, scope, agent_id, owner_user_id, language, status, index_version, searched_with",
    ),
    ("assignments", ""),
    ("catalogue_items", "kind, name_key, position, active, data"),
    ("business_settings", ""),
    ("secrets", ""),
    ("prompt_places", ""),
];

pub(super) async fn watch(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    let postgres = db.get_database_backend() == DbBackend::Postgres;
    if postgres {
        db.execute_unprepared(FUNCTIONS).await?;
        db.execute_unprepared(
            "CREATE TRIGGER first_version AFTER INSERT ON tenants
             FOR EACH ROW EXECUTE FUNCTION quipu_first_version()",
        )
        .await?;
    } else {
        db.execute_unprepared(
            "CREATE TRIGGER first_version AFTER INSERT ON tenants
             BEGIN INSERT INTO tenant_versions (tenant_id) VALUES (NEW.id); END",
        )
        .await?;
    }
    for (table, columns) in WATCHED {
        let of = match columns {
            "" => String::new(),
            columns => format!(" OF {columns}"),
        };
        let sql = if postgres {
            on_postgres(table, &of)
        } else {
            on_sqlite(table, &of)
        };
        db.execute_unprepared(&sql).await?;
    }
    Ok(())
}

/// The version is the number of the transaction, which nobody else has, and is written once in each.
const FUNCTIONS: &str = "
    CREATE FUNCTION quipu_first_version() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO tenant_versions (tenant_id) VALUES (NEW.id);
      RETURN NULL;
    END $$;
    CREATE FUNCTION quipu_next_version() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      next bigint := pg_current_xact_id()::text::bigint;
    BEGIN
      UPDATE tenant_versions SET version = next
        WHERE tenant_id = COALESCE(NEW.tenant_id, OLD.tenant_id) AND version <> next;
      RETURN NULL;
    END $$;";

/// At the very end of a transaction, so that whoever holds the row of the version waits for nothing
/// any more: taken earlier, two that change other things could wait for each other.
fn on_postgres(table: &str, of: &str) -> String {
    format!(
        "CREATE CONSTRAINT TRIGGER next_version
           AFTER INSERT OR UPDATE{of} OR DELETE ON {table}
           DEFERRABLE INITIALLY DEFERRED
           FOR EACH ROW EXECUTE FUNCTION quipu_next_version()"
    )
}

fn on_sqlite(table: &str, of: &str) -> String {
    let trigger = |name: &str, event: &str, row: &str| {
        format!(
            "CREATE TRIGGER {table}_{name}_version AFTER {event} ON {table}
             BEGIN
               UPDATE tenant_versions SET version = version + 1 WHERE tenant_id = {row}.tenant_id;
             END;"
        )
    };
    [
        trigger("insert", "INSERT", "NEW"),
        trigger("update", &format!("UPDATE{of}"), "NEW"),
        trigger("delete", "DELETE", "OLD"),
    ]
    .concat()
}
