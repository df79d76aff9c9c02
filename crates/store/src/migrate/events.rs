//! The triggers that note what changed for whoever looks at it at the moment.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend};

/// A table whose changes are told.
struct WatchedTable {
    table: &'static str,
    kind: &'static str,
    /// The columns that matter where others change with every turn; all when empty.
    columns: &'static str,
    subject: &'static str,
    /// Whose a row is, written with `{row}` for the row.
    owner: &'static str,
    /// When it is told, beside that its tenant is there.
    only: &'static str,
}

const fn watched(table: &'static str, kind: &'static str) -> WatchedTable {
    WatchedTable {
        table,
        kind,
        columns: "",
        subject: "id",
        owner: "NULL",
        only: "true",
    }
}

const WATCHED: [WatchedTable; 13] = [
    watched("agents", "agent"),
    WatchedTable {
        subject: "agent_id",
        ..watched("assignments", "agent")
    },
    WatchedTable {
        columns: "name, scope, agent_id, description, language, status, index_version, searched_with",
        owner: "{row}.owner_user_id",
        ..watched("knowledge_bases", "knowledge_base")
    },
    WatchedTable {
        owner: "(SELECT owner_user_id FROM knowledge_bases WHERE id = {row}.knowledge_base_id)",
        // What goes with its knowledge base is told with it, to whom it was there.
        only: "EXISTS (SELECT 1 FROM knowledge_bases WHERE id = {row}.knowledge_base_id)",
        ..watched("documents", "document")
    },
    WatchedTable {
        columns: "kind, name_key, position, active, data",
        ..watched("catalogue_items", "catalogue_item")
    },
    WatchedTable {
        subject: "tenant_id",
        ..watched("business_settings", "business")
    },
    watched("leads", "lead"),
    watched("conversations", "conversation"),
    watched("appointments", "appointment"),
    watched("orders", "order"),
    watched("invoice_requests", "invoice_request"),
    watched("learned_answers", "learned_answer"),
    WatchedTable {
        columns: "status",
        owner: "{row}.owner_user_id",
        ..watched("jobs", "job")
    },
];

const WATCHED_REHEARSALS: [WatchedTable; 2] = [
    watched("rehearsal_scripts", "rehearsal_script"),
    watched("rehearsal_runs", "rehearsal"),
];

/// What is told of an agent beside the agent itself. Whatever makes a version changes the agent too.
const DRAFTS: WatchedTable = WatchedTable {
    subject: "agent_id",
    ..watched("agent_drafts", "agent")
};

/// Whatever is read of a website is counted there, so that its row changes with its pages.
const WATCHED_WEBSITES: [WatchedTable; 1] = [WatchedTable {
    columns: "found_by, depth, include_paths, exclude_paths, max_pages, refresh, status, error_code, \
              found_count, read_count, removed_count, robots_count, failed_count, next_read_at",
    owner: "(SELECT owner_user_id FROM knowledge_bases WHERE id = {row}.knowledge_base_id)",
    only: "EXISTS (SELECT 1 FROM knowledge_bases WHERE id = {row}.knowledge_base_id)",
    ..watched("websites", "website")
}];

pub(super) async fn watch(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    watch_all(db, &WATCHED).await
}

pub(super) async fn watch_drafts(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    watch_all(db, &[DRAFTS]).await
}

pub(super) async fn watch_rehearsals(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    watch_all(db, &WATCHED_REHEARSALS).await
}

/// When it was used last changes with every message, and is told with the conversation.
const WATCHED_CHANNELS: [WatchedTable; 1] = [WatchedTable {
    columns: "name, status, agent_id, settings, key_hint, fault_code, fault_at",
    ..watched("channel_connections", "channel_connection")
}];

pub(super) async fn watch_channels(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    watch_all(db, &WATCHED_CHANNELS).await
}

pub(super) async fn watch_websites(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    watch_all(db, &WATCHED_WEBSITES).await
}

async fn watch_all(db: &impl ConnectionTrait, tables: &[WatchedTable]) -> Result<(), DbErr> {
    let postgres = db.get_database_backend() == DbBackend::Postgres;
    for watched in tables {
        for (name, event, row) in [
            ("insert", "INSERT".to_owned(), "NEW"),
            ("update", watched.update(), "NEW"),
            ("delete", "DELETE".to_owned(), "OLD"),
        ] {
            let sql = if postgres {
                watched.on_postgres(name, &event, row)
            } else {
                watched.on_sqlite(name, &event, row)
            };
            db.execute_unprepared(&sql).await?;
        }
    }
    Ok(())
}

impl WatchedTable {
    fn update(&self) -> String {
        match self.columns {
            "" => "UPDATE".to_owned(),
            columns => format!("UPDATE OF {columns}"),
        }
    }

    /// What goes with its tenant is told to nobody: there is nobody any more, and no row to refer to.
    fn insert(&self, row: &str) -> String {
        let Self { kind, subject, .. } = self;
        let owner = self.owner.replace("{row}", row);
        let only = self.only.replace("{row}", row);
        format!(
            "INSERT INTO live_events (tenant_id, kind, subject_id, owner_user_id)
               SELECT {row}.tenant_id, '{kind}', {row}.{subject}, {owner}
               WHERE EXISTS (SELECT 1 FROM tenants WHERE id = {row}.tenant_id) AND {only};"
        )
    }

    fn on_postgres(&self, name: &str, event: &str, row: &str) -> String {
        let (table, insert) = (self.table, self.insert(row));
        format!(
            "CREATE FUNCTION quipu_{table}_{name}_event() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN
               {insert}
               RETURN NULL;
             END $$;
             CREATE TRIGGER {name}_event AFTER {event} ON {table}
               FOR EACH ROW EXECUTE FUNCTION quipu_{table}_{name}_event();"
        )
    }

    fn on_sqlite(&self, name: &str, event: &str, row: &str) -> String {
        let (table, insert) = (self.table, self.insert(row));
        format!(
            "CREATE TRIGGER {table}_{name}_event AFTER {event} ON {table}
             BEGIN {insert} END;"
        )
    }
}
