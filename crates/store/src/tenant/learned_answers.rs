use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::learned_answer;
use crate::error::db;
use crate::tx::newest_first;
use quipu_core::conversation::Conversation;
use quipu_core::learning::{LearnedAnswer, LearnedStatus, Lesson};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{AgentId, ConversationId, Error, LearnedAnswerId, Result};
use sea_orm::sea_query::{Expr, LockType};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbBackend, PaginatorTrait, QueryFilter,
    QuerySelect, Set,
};
use uuid::Uuid;

/// What people answered in an agent's place, for somebody to approve.
pub struct LearnedAnswers<'a>(pub(crate) &'a TenantTx);

/// What somebody made of a proposal.
#[derive(Clone, Debug)]
pub struct Decision<'a> {
    pub status: LearnedStatus,
    /// As it was approved, which may be in other words than it was proposed.
    pub lesson: Lesson,
    pub faq_id: Option<Uuid>,
    pub by: &'a str,
}

impl LearnedAnswers<'_> {
    /// # Errors
    /// When the database cannot be written, or there is no such conversation.
    pub async fn insert(
        &self,
        conversation: &Conversation,
        lesson: &Lesson,
    ) -> Result<LearnedAnswerId> {
        let id = LearnedAnswerId::generate(self.0.now());
        let now = self.0.db_now();
        learned_answer::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            agent_id: Set(conversation.agent_id.map(AgentId::uuid)),
            conversation_id: Set(Some(conversation.id.uuid())),
            status: Set(LearnedStatus::Proposed.as_str().to_owned()),
            question: Set(lesson.question.clone()),
            answer: Set(lesson.answer.clone()),
            faq_id: Set(None),
            decided_by: Set(None),
            created_at: Set(now),
            updated_at: Set(now),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        Ok(id)
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        status: Option<LearnedStatus>,
        page: PageRequest,
    ) -> Result<Page<LearnedAnswer>> {
        use learned_answer::Column;
        let mut select = self.0.find::<learned_answer::Entity>();
        if let Some(status) = status {
            select = select.filter(Column::Status.eq(status.as_str()));
        }
        let rows = newest_first(select, Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let found = rows.into_iter().map(answer).collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(found, page, |found| found.id.uuid()))
    }

    /// The proposal, which nobody else decides until the transaction ends.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn lock(&self, id: LearnedAnswerId) -> Result<Option<LearnedAnswer>> {
        let mut select = self
            .0
            .find::<learned_answer::Entity>()
            .filter(learned_answer::Column::Id.eq(id.uuid()));
        // On SQLite whoever writes is alone anyway.
        if self.0.tx.get_database_backend() == DbBackend::Postgres {
            select = select.lock(LockType::NoKeyUpdate);
        }
        let row = select.one(&self.0.tx).await.map_err(db)?;
        row.map(answer).transpose()
    }

    /// What was proposed from a conversation before, whatever became of it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn of_conversation(&self, conversation: ConversationId) -> Result<Vec<Lesson>> {
        use learned_answer::Column;
        let rows: Vec<(String, String)> = self
            .0
            .find::<learned_answer::Entity>()
            .filter(Column::ConversationId.eq(conversation.uuid()))
            .select_only()
            .columns([Column::Question, Column::Answer])
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let lesson = |(question, answer)| Lesson { question, answer };
        Ok(rows.into_iter().map(lesson).collect())
    }

    /// How many wait for somebody to decide.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn count_waiting(&self) -> Result<u64> {
        self.0
            .find::<learned_answer::Entity>()
            .filter(learned_answer::Column::Status.eq(LearnedStatus::Proposed.as_str()))
            .count(&self.0.tx)
            .await
            .map_err(db)
    }

    /// Returns whether the proposal exists.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn decide(&self, id: LearnedAnswerId, decision: &Decision<'_>) -> Result<bool> {
        use learned_answer::Column;
        let done = self
            .0
            .update::<learned_answer::Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .col_expr(Column::Status, Expr::value(decision.status.as_str()))
            .col_expr(Column::Question, Expr::value(&*decision.lesson.question))
            .col_expr(Column::Answer, Expr::value(&*decision.lesson.answer))
            .col_expr(Column::FaqId, Expr::value(decision.faq_id))
            .col_expr(Column::DecidedBy, Expr::value(decision.by))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }
}

fn answer(row: learned_answer::Model) -> Result<LearnedAnswer> {
    Ok(LearnedAnswer {
        id: row.id.into(),
        agent_id: row.agent_id.map(AgentId::from_uuid),
        conversation_id: row.conversation_id.map(ConversationId::from_uuid),
        status: LearnedStatus::parse(&row.status)
            .ok_or_else(|| Error::internal("a learned answer has a status that is none"))?,
        question: row.question,
        answer: row.answer,
        faq_id: row.faq_id,
        decided_by: row.decided_by,
        created_at: from_db(row.created_at),
        updated_at: from_db(row.updated_at),
    })
}
