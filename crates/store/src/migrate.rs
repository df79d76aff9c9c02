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

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(House),
            Box::new(Knowledge),
            Box::new(Search),
            Box::new(Business),
            Box::new(Mind),
            Box::new(PromptingTables),
            Box::new(Versions),
            Box::new(ChunkPages),
            Box::new(Trust),
            Box::new(OwnersAndMeasures),
            Box::new(LiveEvents),
            Box::new(Websites),
            Box::new(AgentVersions),
            Box::new(Rehearsals),
            Box::new(KnowledgeGaps),
            Box::new(UserLanguage),
            Box::new(StoredDialogue),
            Box::new(Customers),
        ]
    }
}

struct House;

impl MigrationName for House {
    fn name(&self) -> &'static str {
        "0001_house"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for House {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
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
}

struct Knowledge;

impl MigrationName for Knowledge {
    fn name(&self) -> &'static str {
        "0002_knowledge"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Knowledge {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
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
}

struct Search;

impl MigrationName for Search {
    fn name(&self) -> &'static str {
        "0003_search"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Search {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        run(db, include_str!("migrations/0003_search.sql")).await?;
        for table in ["index_changes", "retrievals"] {
            protect(db, table, Owned::ByTenantColumn).await?;
        }
        Ok(())
    }
}

struct Business;

impl MigrationName for Business {
    fn name(&self) -> &'static str {
        "0004_business"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Business {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
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
}

struct Mind;

impl MigrationName for Mind {
    fn name(&self) -> &'static str {
        "0005_mind"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Mind {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
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
}

struct PromptingTables;

impl MigrationName for PromptingTables {
    fn name(&self) -> &'static str {
        "0006_prompting"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for PromptingTables {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        run(db, include_str!("migrations/0006_prompting.sql")).await
    }
}

struct Versions;

impl MigrationName for Versions {
    fn name(&self) -> &'static str {
        "0007_versions"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Versions {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        run(db, include_str!("migrations/0007_versions.sql")).await?;
        protect(db, "tenant_versions", Owned::ByTenantColumn).await?;
        versions::watch(db).await
    }
}

struct ChunkPages;

impl MigrationName for ChunkPages {
    fn name(&self) -> &'static str {
        "0010_pages"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for ChunkPages {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        run(db, include_str!("migrations/0010_pages.sql")).await
    }
}

struct Trust;

impl MigrationName for Trust {
    fn name(&self) -> &'static str {
        "0011_trust"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Trust {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        run(db, include_str!("migrations/0011_trust.sql")).await
    }
}

struct OwnersAndMeasures;

impl MigrationName for OwnersAndMeasures {
    fn name(&self) -> &'static str {
        "0013_owners_and_measures"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for OwnersAndMeasures {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        run(db, include_str!("migrations/0013_owners_and_measures.sql")).await?;
        owners::name_owners(db).await
    }
}

struct LiveEvents;

impl MigrationName for LiveEvents {
    fn name(&self) -> &'static str {
        "0014_live_events"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for LiveEvents {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        run(db, include_str!("migrations/0014_live_events.sql")).await?;
        protect(db, "live_events", Owned::ByTenantColumn).await?;
        owners::protect_owner(db, "live_events").await?;
        events::watch(db).await
    }
}

struct Websites;

impl MigrationName for Websites {
    fn name(&self) -> &'static str {
        "0015_websites"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Websites {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        run(db, include_str!("migrations/0015_websites.sql")).await?;
        for table in ["websites", "website_pages"] {
            protect(db, table, Owned::ByTenantColumn).await?;
        }
        owners::name_website_owners(db).await?;
        events::watch_websites(db).await
    }
}

struct AgentVersions;

impl MigrationName for AgentVersions {
    fn name(&self) -> &'static str {
        "0016_agent_versions"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for AgentVersions {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
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
}

struct Rehearsals;

impl MigrationName for Rehearsals {
    fn name(&self) -> &'static str {
        "0017_rehearsals"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Rehearsals {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        run(db, include_str!("migrations/0017_rehearsals.sql")).await?;
        for table in ["rehearsal_scripts", "rehearsal_runs", "rehearsal_results"] {
            protect(db, table, Owned::ByTenantColumn).await?;
        }
        events::watch_rehearsals(db).await
    }
}

struct KnowledgeGaps;

impl MigrationName for KnowledgeGaps {
    fn name(&self) -> &'static str {
        "0018_gaps"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for KnowledgeGaps {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        run(db, include_str!("migrations/0018_gaps.sql")).await?;
        protect(db, "gap_decisions", Owned::ByTenantColumn).await
    }
}

struct Customers;

impl MigrationName for Customers {
    fn name(&self) -> &'static str {
        "0019_customers"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Customers {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        run(db, include_str!("migrations/0019_customers.sql")).await?;
        for table in ["temperature_changes", "lead_merges"] {
            protect(db, table, Owned::ByTenantColumn).await?;
        }
        Ok(())
    }
}

struct UserLanguage;

impl MigrationName for UserLanguage {
    fn name(&self) -> &'static str {
        "0021_user_language"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for UserLanguage {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        run(db, include_str!("migrations/0021_user_language.sql")).await
    }
}

struct StoredDialogue;

impl MigrationName for StoredDialogue {
    fn name(&self) -> &'static str {
        "0022_dialogue"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for StoredDialogue {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        run(db, include_str!("migrations/0022_dialogue.sql")).await
    }
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
