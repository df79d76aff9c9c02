use crate::TenantTx;
use crate::entity::assignment;
use crate::error::{db, violates};
use quipu_core::{AgentId, AssignmentId, Error, KnowledgeBaseId, Result};
use sea_orm::{ActiveModelTrait, ColumnTrait, QueryFilter, Set};

pub struct Assignments<'a>(pub(crate) &'a TenantTx);

impl Assignments<'_> {
    /// Lets an agent read a knowledge base. Both must be this tenant's: the database refuses
    /// anything else.
    ///
    /// # Errors
    /// `ALREADY_EXISTS` when it is assigned already.
    pub async fn insert(
        &self,
        agent: AgentId,
        kb: KnowledgeBaseId,
        priority: i32,
        search_weight: f32,
    ) -> Result<AssignmentId> {
        let id = AssignmentId::generate(self.0.now());
        assignment::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            agent_id: Set(agent.uuid()),
            knowledge_base_id: Set(kb.uuid()),
            priority: Set(priority),
            search_weight: Set(search_weight),
            created_at: Set(self.0.db_now()),
        }
        .insert(&self.0.tx)
        .await
        .map_err(|error| {
            let columns =
                "assignments.tenant_id, assignments.agent_id, assignments.knowledge_base_id";
            if violates(&error, "assignments_once_key", columns) {
                return Error::already_exists("assignment", "knowledge_base_id");
            }
            db(error)
        })?;
        Ok(id)
    }

    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, agent: AgentId, kb: KnowledgeBaseId) -> Result<bool> {
        let done = self
            .0
            .delete::<assignment::Entity>()
            .filter(assignment::Column::AgentId.eq(agent.uuid()))
            .filter(assignment::Column::KnowledgeBaseId.eq(kb.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }
}
