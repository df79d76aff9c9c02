//! The migration set, one for both databases.
//!
//! A migration is a file of portable SQL. On PostgreSQL each table then gets its row-level
//! security from [`protect`]: a migration that adds a tenant-owned table names it there.

mod events;
mod first_versions;
mod owners;
mod versions;

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend};

/// Does a tenant's work. Sees the rows of the tenant named in `app.tenant_id`, and no others.
pub(crate) const APP_ROLE: &str = "quipu_app";
/// Does the platform's own work: sign-in, claiming jobs, managing tenants.
pub(crate) const PLATFORM_ROLE: &str = "quipu_platform";

pub(crate) struct Migrator;

/// Migrations in their order: each with the name by which databases remember it, and what it does.
macro_rules! migrations {
    ($($migration:ident = $name:literal, $up:ident;)+) => {
        impl MigratorTrait for Migrator {
            fn migrations() -> Vec<Box<dyn MigrationTrait>> {
                vec![$(Box::new($migration)),+]
            }
        }

        $(
            struct $migration;

            impl MigrationName for $migration {
                fn name(&self) -> &'static str {
                    $name
                }
            }

            #[async_trait::async_trait]
            impl MigrationTrait for $migration {
                async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
                    $up(manager.get_connection()).await
                }
            }
        )+
    };
}

migrations! {
    House = "0001_house", house;
    Knowledge = "0002_knowledge", knowledge;
    Search = "0003_search", search;
    Business = "0004_business", business;
    Mind = "0005_mind", mind;
    PromptingTables = "0006_prompting", prompting;
    Versions = "0007_versions", versions;
    ChunkPages = "0010_pages", pages;
    Trust = "0011_trust", trust;
    OwnersAndMeasures = "0013_owners_and_measures", owners_and_measures;
    LiveEvents = "0014_live_events", live_events;
    Websites = "0015_websites", websites;
    AgentVersions = "0016_agent_versions", agent_versions;
    Rehearsals = "0017_rehearsals", rehearsals;
    KnowledgeGaps = "0018_gaps", gaps;
    UserLanguage = "0021_user_language", user_language;
    StoredDialogue = "0022_dialogue", dialogue;
    Customers = "0019_customers", customers;
    Channels = "0023_channels", channels;
    ToldEvents = "0024_events", told_events;
    VoiceCalls = "0026_voice", voice;
}

async fn house(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0001_house.sql")).await?;
    create_roles(db).await?;
    for table in [
        "memberships",
        "api_keys",
        "secrets",
        "credit_entries",
        "usage_counters",
        "agents",
        "knowledge_bases",
        "assignments",
        "documents",
        "chunks",
        "jobs",
        "audit_log",
        "idempotency_keys",
    ] {
        protect(db, table, Owned::ByTenantColumn).await?;
    }
    protect(
        db,
        "tenants",
        Owned::Custom("SELECT, UPDATE", &format!("id = {TENANT}")),
    )
    .await?;
    protect(
        db,
        "users",
        Owned::Custom(
            "SELECT",
            &format!(
                "EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = users.id AND m.tenant_id = {TENANT})"
            ),
        ),
    )
    .await?;
    protect(db, "plans", Owned::Custom("SELECT", "true")).await?;
    for table in ["sessions", "password_resets", "sign_in_failures"] {
        protect(db, table, Owned::ByPlatform).await?;
    }
    Ok(())
}

async fn knowledge(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0002_knowledge.sql")).await?;
    for table in [
        "document_sources",
        "document_texts",
        "document_tags",
        "chunks",
        "chunk_vectors",
    ] {
        protect(db, table, Owned::ByTenantColumn).await?;
    }
    protect(db, "deletion_receipts", Owned::ByPlatform).await
}

async fn search(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0003_search.sql")).await?;
    for table in ["index_changes", "retrievals"] {
        protect(db, table, Owned::ByTenantColumn).await?;
    }
    Ok(())
}

async fn business(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0004_business.sql")).await?;
    for table in [
        "catalogue_items",
        "business_settings",
        "leads",
        "lead_identities",
        "conversations",
        "messages",
        "attachments",
        "appointments",
        "booked_ticks",
        "orders",
        "loyalty_transactions",
        "redemptions",
        "invoice_requests",
        "history",
        "tool_calls",
    ] {
        protect(db, table, Owned::ByTenantColumn).await?;
    }
    Ok(())
}

async fn mind(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0005_mind.sql")).await?;
    for table in [
        "prompt_places",
        "prompts",
        "turns",
        "turn_feedback",
        "learned_answers",
    ] {
        protect(db, table, Owned::ByTenantColumn).await?;
    }
    Ok(())
}

async fn prompting(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0006_prompting.sql")).await
}

async fn versions(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0007_versions.sql")).await?;
    protect(db, "tenant_versions", Owned::ByTenantColumn).await?;
    versions::watch(db).await
}

async fn pages(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0010_pages.sql")).await
}

async fn trust(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0011_trust.sql")).await
}

async fn owners_and_measures(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0013_owners_and_measures.sql")).await?;
    owners::name_owners(db).await
}

async fn live_events(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0014_live_events.sql")).await?;
    protect(db, "live_events", Owned::ByTenantColumn).await?;
    owners::protect_owner(db, "live_events").await?;
    events::watch(db).await
}

async fn websites(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0015_websites.sql")).await?;
    for table in ["websites", "website_pages"] {
        protect(db, table, Owned::ByTenantColumn).await?;
    }
    owners::name_website_owners(db).await?;
    events::watch_websites(db).await
}

async fn agent_versions(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0016_agent_versions.sql")).await?;
    run(
        db,
        &first_versions::first_versions(db.get_database_backend()),
    )
    .await?;
    for table in ["agent_versions", "agent_drafts"] {
        protect(db, table, Owned::ByTenantColumn).await?;
    }
    events::watch_drafts(db).await
}

async fn rehearsals(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0017_rehearsals.sql")).await?;
    for table in ["rehearsal_scripts", "rehearsal_runs", "rehearsal_results"] {
        protect(db, table, Owned::ByTenantColumn).await?;
    }
    events::watch_rehearsals(db).await
}

async fn gaps(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0018_gaps.sql")).await?;
    protect(db, "gap_decisions", Owned::ByTenantColumn).await
}

async fn user_language(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0021_user_language.sql")).await
}

async fn dialogue(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0022_dialogue.sql")).await
}

async fn customers(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0019_customers.sql")).await?;
    for table in ["temperature_changes", "lead_merges"] {
        protect(db, table, Owned::ByTenantColumn).await?;
    }
    Ok(())
}

async fn channels(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0023_channels.sql")).await?;
    for table in [
        "channel_connections",
        "channel_contacts",
        "channel_talks",
        "channel_marks",
        "channel_inbound",
        "channel_outbound",
    ] {
        protect(db, table, Owned::ByTenantColumn).await?;
    }
    events::watch_channels(db).await
}

async fn told_events(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0024_events.sql")).await?;
    for table in ["event_endpoints", "event_deliveries"] {
        protect(db, table, Owned::ByTenantColumn).await?;
    }
    Ok(())
}

async fn voice(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    run(db, include_str!("migrations/0026_voice.sql")).await?;
    protect(db, "voice_calls", Owned::ByTenantColumn).await
}

const TENANT: &str = "NULLIF(current_setting('app.tenant_id', true), '')::uuid";

enum Owned<'a> {
    /// The table has a `tenant_id`; the tenant reads and writes its own rows.
    ByTenantColumn,
    /// The tenant has only these rights, and only on rows where the condition holds.
    Custom(&'a str, &'a str),
    /// No tenant reaches it.
    ByPlatform,
}

/// Puts a table of tenants' rows behind the wall.
pub(crate) async fn protect_tenants(db: &impl ConnectionTrait, table: &str) -> Result<(), DbErr> {
    protect(db, table, Owned::ByTenantColumn).await
}

pub(crate) use owners::protect_owner;

/// Enables and forces row-level security, for the owner of the table too, and grants both roles
/// their part. SQLite has no such wall; there the repositories' own filters stand alone.
async fn protect(db: &impl ConnectionTrait, table: &str, owned: Owned<'_>) -> Result<(), DbErr> {
    if db.get_database_backend() != DbBackend::Postgres {
        return Ok(());
    }
    let tenant_part = match owned {
        Owned::ByTenantColumn => format!(
            "GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {APP_ROLE};
             CREATE POLICY tenant ON {table} TO {APP_ROLE}
               USING (tenant_id = {TENANT}) WITH CHECK (tenant_id = {TENANT});"
        ),
        Owned::Custom(rights, condition) => format!(
            "GRANT {rights} ON {table} TO {APP_ROLE};
             CREATE POLICY tenant ON {table} TO {APP_ROLE}
               USING ({condition}) WITH CHECK ({condition});"
        ),
        Owned::ByPlatform => String::new(),
    };
    db.execute_unprepared(&format!(
        "ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
         ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
         GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {PLATFORM_ROLE};
         CREATE POLICY platform ON {table} TO {PLATFORM_ROLE} USING (true) WITH CHECK (true);
         {tenant_part}"
    ))
    .await?;
    Ok(())
}

/// Makes the two roles unless they exist: they belong to the cluster, and another database or a
/// careful administrator may have made them already.
///
/// Since `PostgreSQL` 16 who makes a role may hand it out but not use it, hence the grant to
/// oneself. It is not inherited: otherwise the owner would pass the walls without taking a role.
async fn create_roles(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    if db.get_database_backend() != DbBackend::Postgres {
        return Ok(());
    }
    for role in [APP_ROLE, PLATFORM_ROLE] {
        db.execute_unprepared(&format!(
            "DO $$ DECLARE
               modern boolean := current_setting('server_version_num')::int >= 160000;
             BEGIN
               IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{role}') THEN
                 BEGIN
                   CREATE ROLE {role} NOLOGIN NOBYPASSRLS;
                 EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
                 END;
               END IF;
               IF NOT pg_has_role(
                 current_user, '{role}', CASE WHEN modern THEN 'SET' ELSE 'MEMBER' END
               ) THEN
                 EXECUTE format('GRANT {role} TO %I', current_user)
                   || CASE WHEN modern THEN ' WITH INHERIT FALSE, SET TRUE' ELSE '' END;
               END IF;
               EXECUTE format('GRANT USAGE ON SCHEMA %I TO {role}', current_schema());
             END $$"
        ))
        .await?;
    }
    Ok(())
}

/// Row-level security that is forced hides every row from the owner of the tables too, and a
/// migration that moves rows would move none. It is one transaction: nobody sees the tables without.
async fn force_walls(db: &impl ConnectionTrait, force: bool) -> Result<(), DbErr> {
    let how = if force { "FORCE" } else { "NO FORCE" };
    db.execute_unprepared(&format!(
        "DO $$ DECLARE walled regclass; BEGIN
           FOR walled IN SELECT oid::regclass FROM pg_class
             WHERE relrowsecurity AND relnamespace = current_schema()::regnamespace
           LOOP
             EXECUTE format('ALTER TABLE %s {how} ROW LEVEL SECURITY', walled);
           END LOOP;
         END $$"
    ))
    .await?;
    Ok(())
}

/// Runs a file of statements with the types of this database filled in.
async fn run(db: &impl ConnectionTrait, sql: &str) -> Result<(), DbErr> {
    let types = match db.get_database_backend() {
        DbBackend::Postgres => [
            ("{uuid}", "uuid"),
            ("{time}", "timestamptz"),
            ("{json}", "jsonb"),
            ("{bytes}", "bytea"),
            (
                "{serial}",
                "bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
            ),
        ],
        _ => [
            ("{uuid}", "blob"),
            ("{time}", "text"),
            ("{json}", "text"),
            ("{bytes}", "blob"),
            ("{serial}", "integer PRIMARY KEY AUTOINCREMENT"),
        ],
    };
    let mut sql = sql.to_owned();
    for (placeholder, name) in types {
        sql = sql.replace(placeholder, name);
    }
    if db.get_database_backend() != DbBackend::Postgres {
        db.execute_unprepared(&sql).await?;
        return Ok(());
    }
    force_walls(db, false).await?;
    db.execute_unprepared(&sql).await?;
    force_walls(db, true).await
}
