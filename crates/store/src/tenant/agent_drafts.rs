use super::agent_versions::{from_column, to_column};
use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::agent_draft;
use crate::error::db;
use quipu_core::agent::{AgentConfiguration, AgentDraft};
use quipu_core::{AgentId, DraftRevisionId, Error, Result};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, Set};

/// How agents may become. Each has one draft at most.
pub struct AgentDrafts<'a>(pub(crate) &'a TenantTx);

/// What is needed to keep a draft.
#[derive(Clone, Copy, Debug)]
pub struct NewDraft<'a> {
    pub configuration: &'a AgentConfiguration,
    /// The version that was live when it was begun.
    pub based_on: u32,
    pub changed_by: &'a str,
}

impl AgentDrafts<'_> {
    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, agent: AgentId) -> Result<Option<AgentDraft>> {
        let row = self
            .0
            .find::<agent_draft::Entity>()
            .filter(agent_draft::Column::AgentId.eq(agent.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(draft).transpose()
    }

    /// Keeps a draft in the place of the one before. It gets a revision that no other has.
    ///
    /// # Errors
    /// When the database cannot be written, or there is no such agent.
    pub async fn put(&self, agent: AgentId, new: &NewDraft<'_>) -> Result<()> {
        use agent_draft::Column;
        let row = agent_draft::ActiveModel {
            tenant_id: Set(self.0.uuid()),
            agent_id: Set(agent.uuid()),
            configuration: Set(serde_json::to_value(new.configuration).map_err(Error::internal)?),
            based_on: Set(to_column(new.based_on)?),
            revision: Set(DraftRevisionId::generate(self.0.now()).uuid()),
            changed_by: Set(new.changed_by.to_owned()),
            changed_at: Set(self.0.db_now()),
        };
        let over = OnConflict::columns([Column::TenantId, Column::AgentId])
            .update_columns([
                Column::Configuration,
                Column::BasedOn,
                Column::Revision,
                Column::ChangedBy,
                Column::ChangedAt,
            ])
            .to_owned();
        agent_draft::Entity::insert(row)
            .on_conflict(over)
            .exec_without_returning(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }

    /// Returns whether there was one.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, agent: AgentId) -> Result<bool> {
        let done = self
            .0
            .delete::<agent_draft::Entity>()
            .filter(agent_draft::Column::AgentId.eq(agent.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }
}

fn draft(row: agent_draft::Model) -> Result<AgentDraft> {
    Ok(AgentDraft {
        configuration: serde_json::from_value(row.configuration).map_err(Error::internal)?,
        based_on: from_column(row.based_on)?,
        revision: row.revision.into(),
        changed_by: row.changed_by,
        changed_at: from_db(row.changed_at),
    })
}
