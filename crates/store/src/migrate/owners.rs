//! The wall around personal corpora inside a tenant: rows of a knowledge base that somebody owns are
//! there for that person, named in `app.user_id`, and for the product's own work, which says so in
//! `app.corpora`. A query that forgets to compare owners returns nothing of others.

use super::APP_ROLE;
use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend};

/// Tables that say themselves whose a row is.
const OWNED: [&str; 2] = ["knowledge_bases", "retrievals"];
/// Tables whose rows belong to a knowledge base.
const OF_KNOWLEDGE_BASES: [&str; 5] = [
    "assignments",
    "documents",
    "chunks",
    "chunk_vectors",
    "index_changes",
];
/// Tables whose rows belong to a document.
const OF_DOCUMENTS: [&str; 3] = ["document_sources", "document_texts", "document_tags"];

/// Asked once for a statement, and not for each row.
const EVERYBODYS: &str =
    "(SELECT COALESCE(current_setting('app.corpora', true), '') = 'everybodys')";
const PERSON: &str = "(SELECT NULLIF(current_setting('app.user_id', true), '')::uuid)";

pub(super) async fn name_owners(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    for table in OWNED {
        protect_owner(db, table).await?;
    }
    for table in OF_KNOWLEDGE_BASES {
        protect_as(db, table, "knowledge_bases", "knowledge_base_id").await?;
    }
    for table in OF_DOCUMENTS {
        protect_as(db, table, "documents", "document_id").await?;
    }
    Ok(())
}

/// Websites belong to their knowledge base, and pages to their website.
pub(super) async fn name_website_owners(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    protect_as(db, "websites", "knowledge_bases", "knowledge_base_id").await?;
    protect_as(db, "website_pages", "websites", "website_id").await
}

/// Puts a table whose rows name their owner behind the wall.
pub(crate) async fn protect_owner(db: &impl ConnectionTrait, table: &str) -> Result<(), DbErr> {
    let own = format!("owner_user_id IS NULL OR owner_user_id = {PERSON} OR {EVERYBODYS}");
    restrict(db, table, &own).await
}

/// Puts a table behind the wall of the one that its rows belong to: what of that is not seen, is not
/// seen of this.
async fn protect_as(
    db: &impl ConnectionTrait,
    table: &str,
    of: &str,
    column: &str,
) -> Result<(), DbErr> {
    let seen = format!(
        "{EVERYBODYS} OR EXISTS (SELECT 1 FROM {of} whole
           WHERE whole.tenant_id = {table}.tenant_id AND whole.id = {table}.{column})"
    );
    restrict(db, table, &seen).await
}

/// Adds a condition to those that let the tenant reach a row.
async fn restrict(db: &impl ConnectionTrait, table: &str, condition: &str) -> Result<(), DbErr> {
    if db.get_database_backend() == DbBackend::Postgres {
        db.execute_unprepared(&format!(
            "CREATE POLICY owner ON {table} AS RESTRICTIVE TO {APP_ROLE}
               USING ({condition}) WITH CHECK ({condition})"
        ))
        .await?;
    }
    Ok(())
}
