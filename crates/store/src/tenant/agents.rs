use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::{agent, knowledge_base};
use crate::error::{db, violates};
use crate::tx::newest_first;
use quipu_core::agent::{Agent, AgentChange, AgentSettings, NewAgent, Vertical};
use quipu_core::language::Language;
use quipu_core::page::{Page, PageRequest};
use quipu_core::{AgentId, Error, KnowledgeBaseId, Result};
use sea_orm::sea_query::{Expr, LockType, SimpleExpr};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbBackend, DbErr, PaginatorTrait, QueryFilter,
    QuerySelect, Set,
};
use std::collections::HashMap;
use uuid::Uuid;

pub struct Agents<'a>(pub(crate) &'a TenantTx);

impl Agents<'_> {
    /// Makes the row; its knowledge base is made right after it, in the same transaction.
    ///
    /// # Errors
    /// `ALREADY_EXISTS` when the slug is taken.
    pub async fn insert(&self, new: &NewAgent) -> Result<AgentId> {
        let id = AgentId::generate(self.0.now());
        let now = self.0.db_now();
        agent::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            slug: Set(new.slug.clone()),
            name: Set(new.name.clone()),
            company_name: Set(new.company_name.clone()),
            vertical: Set(new.vertical.as_str().to_owned()),
            language: Set(new.language.as_str().to_owned()),
            enabled: Set(true),
            active: Set(false),
            allows_personal_corpus: Set(new.allows_personal_corpus),
            settings: Set(json(&new.settings)?),
            created_at: Set(now),
            updated_at: Set(now),
        }
        .insert(&self.0.tx)
        .await
        .map_err(slug_taken)?;
        Ok(id)
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, id: AgentId) -> Result<Option<Agent>> {
        self.one(id.to_string(), agent::Column::Id.eq(id.uuid()))
            .await
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find_by_slug(&self, slug: &str) -> Result<Option<Agent>> {
        self.one(format!("slug {slug}"), agent::Column::Slug.eq(slug))
            .await
    }

    /// The agent that is meant when none is named.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find_active(&self) -> Result<Option<Agent>> {
        self.one("active".to_owned(), agent::Column::Active.eq(true))
            .await
    }

    /// Keeps others from changing the agent until the transaction ends, and reads it as it is then.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn lock(&self, id: AgentId) -> Result<Option<Agent>> {
        let mut select = self
            .0
            .find::<agent::Entity>()
            .filter(agent::Column::Id.eq(id.uuid()));
        // On SQLite whoever writes is alone anyway.
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            select = select.lock(LockType::NoKeyUpdate);
        }
        let row = select.one(&self.0.tx).await.map_err(db)?;
        self.complete(row).await
    }

    /// The agent for which a condition holds, which has this name among those that are kept.
    async fn one(&self, name: String, condition: SimpleExpr) -> Result<Option<Agent>> {
        let read = async {
            let row = self
                .0
                .find::<agent::Entity>()
                .filter(condition)
                .one(&self.0.tx)
                .await
                .map_err(db)?;
            self.complete(row).await
        };
        Ok(Option::clone(&*self.0.kept(name, read).await?))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, page: PageRequest) -> Result<Page<Agent>> {
        let rows = newest_first(self.0.find::<agent::Entity>(), agent::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
        let own = self.own_knowledge(&ids).await?;
        let agents = rows
            .into_iter()
            .map(|row| {
                let kb = own.get(&row.id).copied().ok_or_else(without_knowledge)?;
                Ok(agent(row, kb))
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(agents, page, |a| a.id.uuid()))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn count(&self) -> Result<u64> {
        self.0
            .find::<agent::Entity>()
            .count(&self.0.tx)
            .await
            .map_err(db)
    }

    /// Returns whether the agent exists.
    ///
    /// # Errors
    /// `ALREADY_EXISTS` when the new slug is taken.
    pub async fn update(&self, id: AgentId, change: &AgentChange) -> Result<bool> {
        let mut update = self
            .0
            .update::<agent::Entity>()
            .filter(agent::Column::Id.eq(id.uuid()))
            .col_expr(agent::Column::UpdatedAt, Expr::value(self.0.db_now()));
        if let Some(slug) = &change.slug {
            update = update.col_expr(agent::Column::Slug, Expr::value(slug.clone()));
        }
        if let Some(name) = &change.name {
            update = update.col_expr(agent::Column::Name, Expr::value(name.clone()));
        }
        if let Some(company) = &change.company_name {
            update = update.col_expr(agent::Column::CompanyName, Expr::value(company.clone()));
        }
        if let Some(vertical) = change.vertical {
            update = update.col_expr(agent::Column::Vertical, Expr::value(vertical.as_str()));
        }
        if let Some(language) = change.language {
            update = update.col_expr(agent::Column::Language, Expr::value(language.as_str()));
        }
        if let Some(enabled) = change.enabled {
            update = update.col_expr(agent::Column::Enabled, Expr::value(enabled));
        }
        if let Some(allows) = change.allows_personal_corpus {
            update = update.col_expr(agent::Column::AllowsPersonalCorpus, Expr::value(allows));
        }
        if let Some(settings) = &change.settings {
            update = update.col_expr(agent::Column::Settings, Expr::value(json(settings)?));
        }
        let done = update.exec(&self.0.tx).await.map_err(slug_taken)?;
        Ok(done.rows_affected == 1)
    }

    /// Makes this agent the tenant's active one; whichever was, is no longer.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn activate(&self, id: AgentId) -> Result<bool> {
        self.0
            .update::<agent::Entity>()
            .filter(agent::Column::Active.eq(true))
            .filter(agent::Column::Id.ne(id.uuid()))
            .col_expr(agent::Column::Active, Expr::value(false))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        let done = self
            .0
            .update::<agent::Entity>()
            .filter(agent::Column::Id.eq(id.uuid()))
            .col_expr(agent::Column::Active, Expr::value(true))
            .col_expr(agent::Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Deletes the agent with its own knowledge base and everything in it.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, id: AgentId) -> Result<bool> {
        let done = self
            .0
            .delete::<agent::Entity>()
            .filter(agent::Column::Id.eq(id.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    async fn complete(&self, row: Option<agent::Model>) -> Result<Option<Agent>> {
        let Some(row) = row else { return Ok(None) };
        let own = self.own_knowledge(&[row.id]).await?;
        let kb = own.get(&row.id).copied().ok_or_else(without_knowledge)?;
        Ok(Some(agent(row, kb)))
    }

    async fn own_knowledge(&self, agents: &[Uuid]) -> Result<HashMap<Uuid, KnowledgeBaseId>> {
        let rows: Vec<(Uuid, Uuid)> = self
            .0
            .find::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::AgentId.is_in(agents.iter().copied()))
            .select_only()
            .column(knowledge_base::Column::AgentId)
            .column(knowledge_base::Column::Id)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let own = rows.into_iter().map(|(agent, kb)| (agent, kb.into()));
        Ok(own.collect())
    }
}

fn agent(row: agent::Model, knowledge_base_id: KnowledgeBaseId) -> Agent {
    Agent {
        id: row.id.into(),
        slug: row.slug,
        name: row.name,
        company_name: row.company_name,
        vertical: Vertical::parse(&row.vertical).unwrap_or(Vertical::General),
        language: Language::parse_or_default(&row.language),
        enabled: row.enabled,
        active: row.active,
        allows_personal_corpus: row.allows_personal_corpus,
        // What an older version wrote is read with the defaults of this one.
        settings: serde_json::from_value(row.settings).unwrap_or_default(),
        knowledge_base_id,
        created_at: from_db(row.created_at),
        updated_at: from_db(row.updated_at),
    }
}

fn json(settings: &AgentSettings) -> Result<serde_json::Value> {
    serde_json::to_value(settings).map_err(Error::internal)
}

fn slug_taken(error: DbErr) -> Error {
    if violates(&error, "agents_slug_key", "agents.tenant_id, agents.slug") {
        return Error::already_exists("agent", "slug");
    }
    db(error)
}

fn without_knowledge() -> Error {
    Error::internal("an agent has no knowledge base of its own")
}
