use crate::TenantTx;
use crate::convert::{from_db, to_db};
use crate::entity::audit;
use crate::error::db;
use crate::tx::newest_first;
use quipu_core::audit::AuditEntry;
use quipu_core::page::{Page, PageRequest};
use quipu_core::{AuditId, Result, Timestamp};
use sea_orm::sea_query::Cond;
use sea_orm::{ActiveModelTrait, ColumnTrait, QueryFilter, Set};

pub struct Audit<'a>(pub(crate) &'a TenantTx);

#[derive(Clone, Debug)]
pub struct NewAuditEntry {
    pub actor: String,
    pub action: &'static str,
    pub target: String,
    pub details: serde_json::Value,
    pub request_id: Option<String>,
}

/// Which entries are wanted.
#[derive(Clone, Debug, Default)]
pub struct AuditFilter {
    /// Who did it, as the log calls them.
    pub actor: Option<String>,
    /// What it was done to, as the log calls it.
    pub target: Option<String>,
    /// What kind of thing it was about: the part of an action before its first dot.
    pub about: Option<String>,
    pub from: Option<Timestamp>,
    pub to: Option<Timestamp>,
}

impl Audit<'_> {
    /// # Errors
    /// When the database cannot be written.
    pub async fn insert(&self, new: NewAuditEntry) -> Result<()> {
        audit::ActiveModel {
            id: Set(AuditId::generate(self.0.now()).uuid()),
            tenant_id: Set(self.0.uuid()),
            actor: Set(new.actor),
            action: Set(new.action.to_owned()),
            target: Set(new.target),
            details: Set(new.details),
            request_id: Set(new.request_id),
            created_at: Set(self.0.db_now()),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        Ok(())
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, filter: &AuditFilter, page: PageRequest) -> Result<Page<AuditEntry>> {
        use audit::Column;
        let about = filter.about.as_ref();
        let wanted = Cond::all()
            .add_option(filter.actor.as_ref().map(|actor| Column::Actor.eq(actor)))
            .add_option(
                filter
                    .target
                    .as_ref()
                    .map(|target| Column::Target.eq(target)),
            )
            .add_option(about.map(|about| Column::Action.starts_with(format!("{about}."))))
            .add_option(filter.from.map(|from| Column::CreatedAt.gte(to_db(from))))
            .add_option(filter.to.map(|to| Column::CreatedAt.lt(to_db(to))));
        let select = self.0.find::<audit::Entity>().filter(wanted);
        let rows = newest_first(select, Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let entries = rows
            .into_iter()
            .map(|row| AuditEntry {
                id: row.id.into(),
                actor: row.actor,
                action: row.action,
                target: row.target,
                details: row.details,
                request_id: row.request_id,
                created_at: from_db(row.created_at),
            })
            .collect();
        Ok(Page::from_rows(entries, page, |e: &AuditEntry| e.id.uuid()))
    }
}
