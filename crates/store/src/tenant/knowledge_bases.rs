use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::{agent, assignment, chunk, document, knowledge_base};
use crate::error::db;
use quipu_core::knowledge::{DocumentStatus, KbScope, KnowledgeStats, ReadableKb};
use quipu_core::language::Language;
use quipu_core::{AgentId, KnowledgeBaseId, Result, UserId};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, PaginatorTrait, QueryFilter, QuerySelect, Set,
};
use std::collections::HashMap;

pub struct KnowledgeBases<'a>(pub(crate) &'a TenantTx);

#[derive(Clone, Debug)]
pub struct NewKnowledgeBase {
    pub name: String,
    pub scope: KbScope,
    /// Whose it is, when the scope is `agent`.
    pub agent_id: Option<AgentId>,
    /// Whose it is, when the scope is `personal`.
    pub owner_user_id: Option<UserId>,
    pub language: Language,
}

impl KnowledgeBases<'_> {
    /// # Errors
    /// When the database cannot be written, or the agent is another tenant's.
    pub async fn insert(&self, new: &NewKnowledgeBase) -> Result<KnowledgeBaseId> {
        let id = KnowledgeBaseId::generate(self.0.now());
        let now = self.0.db_now();
        knowledge_base::ActiveModel {
            id: Set(id.uuid()),
            tenant_id: Set(self.0.uuid()),
            name: Set(new.name.clone()),
            scope: Set(new.scope.as_str().to_owned()),
            agent_id: Set(new.agent_id.map(AgentId::uuid)),
            owner_user_id: Set(new.owner_user_id.map(UserId::uuid)),
            language: Set(new.language.as_str().to_owned()),
            status: Set("active".to_owned()),
            last_queried_at: Set(None),
            created_at: Set(now),
            updated_at: Set(now),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        Ok(id)
    }

    /// The knowledge bases this agent may read in this person's chat: its own, and those assigned
    /// to it that are active and either shared or the person's own, the latter only while the
    /// agent allows personal corpora.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn readable(&self, agent: AgentId, user: Option<UserId>) -> Result<Vec<ReadableKb>> {
        let Some(owner) = self
            .0
            .find::<agent::Entity>()
            .filter(agent::Column::Id.eq(agent.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?
        else {
            return Ok(Vec::new());
        };
        let assigned: HashMap<_, _> = self
            .0
            .find::<assignment::Entity>()
            .filter(assignment::Column::AgentId.eq(agent.uuid()))
            .all(&self.0.tx)
            .await
            .map_err(db)?
            .into_iter()
            .map(|row| (row.knowledge_base_id, (row.priority, row.search_weight)))
            .collect();
        let rows = self
            .0
            .find::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Status.eq("active"))
            .filter(
                Condition::any()
                    .add(knowledge_base::Column::AgentId.eq(agent.uuid()))
                    .add(knowledge_base::Column::Id.is_in(assigned.keys().copied())),
            )
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let mut readable: Vec<ReadableKb> = rows
            .into_iter()
            .filter_map(|row| {
                let scope = match row.scope.as_str() {
                    "agent" if row.agent_id == Some(agent.uuid()) => KbScope::Agent,
                    "global" => KbScope::Global,
                    "business" => KbScope::Business,
                    "personal"
                        if owner.allows_personal_corpus
                            && user.is_some()
                            && row.owner_user_id == user.map(UserId::uuid) =>
                    {
                        KbScope::Personal
                    }
                    _ => return None,
                };
                let (priority, search_weight) = assigned.get(&row.id).copied().unwrap_or((1, 1.0));
                Some(ReadableKb {
                    id: row.id.into(),
                    name: row.name,
                    scope,
                    language: Language::parse_or_default(&row.language),
                    priority,
                    search_weight,
                })
            })
            .collect();
        readable.sort_by_key(|kb| (kb.priority, kb.id));
        Ok(readable)
    }

    /// How many knowledge bases people made. Those that come with an agent or with the tenant are
    /// not counted against a plan.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn count(&self) -> Result<u64> {
        let made = [KbScope::Global.as_str(), KbScope::Personal.as_str()];
        self.0
            .find::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Scope.is_in(made))
            .count(&self.0.tx)
            .await
            .map_err(db)
    }

    /// What is in it, counted from the rows themselves.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn stats(&self, id: KnowledgeBaseId) -> Result<Option<KnowledgeStats>> {
        let Some(kb) = self
            .0
            .find::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?
        else {
            return Ok(None);
        };
        let documents = self
            .0
            .find::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.eq(id.uuid()));
        let by_status = |status: DocumentStatus| {
            documents
                .clone()
                .filter(document::Column::Status.eq(status.as_str()))
        };
        let pending = by_status(DocumentStatus::Pending)
            .count(&self.0.tx)
            .await
            .map_err(db)?
            + by_status(DocumentStatus::Processing)
                .count(&self.0.tx)
                .await
                .map_err(db)?;
        Ok(Some(KnowledgeStats {
            documents: documents.clone().count(&self.0.tx).await.map_err(db)?,
            chunks: self
                .0
                .find::<chunk::Entity>()
                .filter(chunk::Column::KnowledgeBaseId.eq(id.uuid()))
                .count(&self.0.tx)
                .await
                .map_err(db)?,
            size_bytes: self.bytes(Some(id)).await?,
            documents_pending: pending,
            documents_failed: by_status(DocumentStatus::Failed)
                .count(&self.0.tx)
                .await
                .map_err(db)?,
            last_queried_at: kb.last_queried_at.map(from_db),
        }))
    }

    /// The size of the documents of one knowledge base, or of all of them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn bytes(&self, id: Option<KnowledgeBaseId>) -> Result<u64> {
        let mut select = self.0.find::<document::Entity>().select_only().column_as(
            Expr::cust("CAST(COALESCE(SUM(size_bytes), 0) AS bigint)"),
            "total",
        );
        if let Some(id) = id {
            select = select.filter(document::Column::KnowledgeBaseId.eq(id.uuid()));
        }
        let total: Option<i64> = select.into_tuple().one(&self.0.tx).await.map_err(db)?;
        Ok(u64::try_from(total.unwrap_or(0)).unwrap_or(0))
    }

    /// Remembers that somebody asked. Late by up to a minute, so that questions do not write.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn touch_queried(&self, ids: &[KnowledgeBaseId]) -> Result<()> {
        self.0
            .update::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Id.is_in(ids.iter().map(|id| id.uuid())))
            .col_expr(
                knowledge_base::Column::LastQueriedAt,
                Expr::value(self.0.db_now()),
            )
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(())
    }
}
