use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::assignment;
use crate::error::{db, violates};
use crate::tenant::OpenKb;
use quipu_core::knowledge::Assignment;
use quipu_core::{AgentId, AssignmentId, Error, KnowledgeBaseId, Result};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveModelTrait, ColumnTrait, QueryFilter, QueryOrder, Set};

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

    /// Changes how much a knowledge base counts for an agent.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn update(
        &self,
        agent: AgentId,
        kb: KnowledgeBaseId,
        priority: i32,
        search_weight: f32,
    ) -> Result<bool> {
        let done = self
            .0
            .update::<assignment::Entity>()
            .filter(assignment::Column::AgentId.eq(agent.uuid()))
            .filter(assignment::Column::KnowledgeBaseId.eq(kb.uuid()))
            .col_expr(assignment::Column::Priority, Expr::value(priority))
            .col_expr(assignment::Column::SearchWeight, Expr::value(search_weight))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// Which agents read a knowledge base.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn of_kb(&self, kb: &OpenKb) -> Result<Vec<Assignment>> {
        let rows = self
            .0
            .find::<assignment::Entity>()
            .filter(assignment::Column::KnowledgeBaseId.eq(kb.id.uuid()))
            .order_by_asc(assignment::Column::Priority)
            .order_by_asc(assignment::Column::Id)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows.iter().map(into_assignment).collect())
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

fn into_assignment(row: &assignment::Model) -> Assignment {
    Assignment {
        agent_id: row.agent_id.into(),
        knowledge_base_id: row.knowledge_base_id.into(),
        priority: row.priority,
        search_weight: row.search_weight,
        created_at: from_db(row.created_at),
    }
}
