use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::rehearsal_script;
use crate::error::db;
use crate::tx::newest_first;
use quipu_core::page::{Page, PageRequest};
use quipu_core::rehearsal::{NewRehearsalScript, RehearsalScript, ScriptStep};
use quipu_core::{AgentId, ConversationId, Error, RehearsalScriptId, Result};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    Set,
};
use uuid::Uuid;

/// Conversations that a business wrote to try its agents with.
pub struct RehearsalScripts<'a>(pub(crate) &'a TenantTx);

impl RehearsalScripts<'_> {
    /// # Errors
    /// When the database cannot be written, or there is no such agent.
    pub async fn insert(&self, new: &NewRehearsalScript) -> Result<RehearsalScriptId> {
        let id = RehearsalScriptId::generate(self.0.now());
        let now = self.0.db_now();
        rehearsal_script::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            agent_id: Set(new.agent_id.uuid()),
            name: Set(new.name.clone()),
            steps: Set(json(&new.steps)?),
            conversation_id: Set(new.conversation_id.map(ConversationId::uuid)),
            created_by: Set(new.created_by.clone()),
            created_at: Set(now),
            updated_at: Set(now),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        Ok(id)
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(
        &self,
        agent: AgentId,
        id: RehearsalScriptId,
    ) -> Result<Option<RehearsalScript>> {
        let row = self
            .of(agent)
            .filter(rehearsal_script::Column::Id.eq(id.uuid()));
        let row = row.one(&self.0.tx).await.map_err(db)?;
        row.map(script).transpose()
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(&self, agent: AgentId, page: PageRequest) -> Result<Page<RehearsalScript>> {
        let rows = newest_first(self.of(agent), rehearsal_script::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let found = rows.into_iter().map(script).collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(found, page, |found| found.id.uuid()))
    }

    /// The ids of an agent's scripts, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn ids(&self, agent: AgentId) -> Result<Vec<RehearsalScriptId>> {
        let rows: Vec<Uuid> = self
            .of(agent)
            .order_by_asc(rehearsal_script::Column::Id)
            .select_only()
            .column(rehearsal_script::Column::Id)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows.into_iter().map(Into::into).collect())
    }

    /// The scripts of an agent that expect something of an answer.
    pub(super) async fn expecting(&self, agent: AgentId) -> Result<Vec<RehearsalScript>> {
        let rows = self.of(agent).all(&self.0.tx).await.map_err(db)?;
        let mut found = rows.into_iter().map(script).collect::<Result<Vec<_>>>()?;
        found.retain(RehearsalScript::expects_something);
        Ok(found)
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn count(&self, agent: AgentId) -> Result<u64> {
        self.of(agent).count(&self.0.tx).await.map_err(db)
    }

    /// Returns whether the agent has the script.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn update(
        &self,
        agent: AgentId,
        id: RehearsalScriptId,
        name: &str,
        steps: &[ScriptStep],
    ) -> Result<bool> {
        use rehearsal_script::Column;
        let done = self
            .0
            .update::<rehearsal_script::Entity>()
            .filter(Column::AgentId.eq(agent.uuid()))
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::Name, Expr::value(name))
            .col_expr(Column::Steps, Expr::value(json(steps)?))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Returns whether the agent had the script.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, agent: AgentId, id: RehearsalScriptId) -> Result<bool> {
        use rehearsal_script::Column;
        let done = self
            .0
            .delete::<rehearsal_script::Entity>()
            .filter(Column::AgentId.eq(agent.uuid()))
            .filter(Column::Id.eq(id.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    fn of(&self, agent: AgentId) -> Select<rehearsal_script::Entity> {
        self.0
            .find::<rehearsal_script::Entity>()
            .filter(rehearsal_script::Column::AgentId.eq(agent.uuid()))
    }
}

fn json(steps: &[ScriptStep]) -> Result<serde_json::Value> {
    serde_json::to_value(steps).map_err(Error::internal)
}

fn script(row: rehearsal_script::Model) -> Result<RehearsalScript> {
    Ok(RehearsalScript {
        id: row.id.into(),
        agent_id: row.agent_id.into(),
        name: row.name,
        steps: serde_json::from_value(row.steps).map_err(Error::internal)?,
        conversation_id: row.conversation_id.map(Into::into),
        created_by: row.created_by,
        created_at: from_db(row.created_at),
        updated_at: from_db(row.updated_at),
    })
}
