mod counts;

use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::{agent, assignment, document, knowledge_base};
use crate::error::db;
use crate::tenant::documents::person;
use crate::tenant::one;
use crate::tx::newest_first;
use quipu_commerce::business::ItemKind;
use quipu_core::chunking::ChunkingConfig;
use quipu_core::embedding::EmbeddingConfig;
use quipu_core::knowledge::{KbScope, KbStatus, KnowledgeBase, KnowledgeBaseChange, ReadableKb};
use quipu_core::language::Language;
use quipu_core::page::{Page, PageRequest};
use quipu_core::{AgentId, Error, KnowledgeBaseId, Result, UserId};
use sea_orm::sea_query::{Expr, ExprTrait, IntoCondition, SimpleExpr};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, EntityTrait, JoinType, QueryFilter, QuerySelect,
    RelationDef, Set,
};
use std::ops::Deref;

pub struct KnowledgeBases<'a>(pub(crate) &'a TenantTx);

#[derive(Clone, Debug)]
pub struct NewKnowledgeBase {
    pub name: String,
    pub scope: KbScope,
    /// Whose it is, when the scope is `agent`.
    pub agent_id: Option<AgentId>,
    /// Whose it is, when the scope is `personal`.
    pub owner_user_id: Option<UserId>,
    pub description: Option<String>,
    pub language: Language,
    pub chunking_config: ChunkingConfig,
    pub embedding_config: EmbeddingConfig,
    pub created_by: Option<String>,
}

/// A knowledge base that whoever asks may see. Only [`KnowledgeBases`] makes one, after comparing
/// its owner with the person, and the repositories of documents and chunks take nothing else: a
/// personal one cannot be reached by forgetting to compare.
#[derive(Clone, Debug)]
pub struct OpenKb {
    kb: KnowledgeBase,
    /// Whether documents that are for whoever answers customers are there too.
    internal: bool,
}

impl Deref for OpenKb {
    type Target = KnowledgeBase;

    fn deref(&self) -> &KnowledgeBase {
        &self.kb
    }
}

impl OpenKb {
    const fn whole(kb: KnowledgeBase) -> Self {
        Self { kb, internal: true }
    }

    /// The same knowledge base for somebody who may not read what is internal to the business: its
    /// documents are not there for them.
    #[must_use]
    pub fn without_internal(mut self) -> Self {
        self.internal = false;
        self
    }

    /// Which documents of it are there.
    pub(super) fn shown(&self) -> Condition {
        use document::Column;
        if self.internal {
            return Condition::all();
        }
        let internal = ItemKind::INTERNAL.iter().map(|kind| kind.as_str());
        Condition::any()
            .add(Column::BusinessType.is_null())
            .add(Column::BusinessType.is_not_in(internal))
    }

    #[must_use]
    pub fn into_inner(self) -> KnowledgeBase {
        self.kb
    }
}

/// What a person may see: what is not personal, and their own.
fn visible(viewer: Option<UserId>) -> SimpleExpr {
    match viewer {
        Some(user) => shared().or(knowledge_base::Column::OwnerUserId.eq(user.uuid())),
        None => shared(),
    }
}

fn shared() -> SimpleExpr {
    knowledge_base::Column::Scope.ne(KbScope::Personal.as_str())
}

/// What says how much a knowledge base matters to an agent.
fn assignment_to(agent: AgentId) -> RelationDef {
    knowledge_base::Entity::belongs_to(assignment::Entity)
        .from(knowledge_base::Column::Id)
        .to(assignment::Column::KnowledgeBaseId)
        .on_condition(move |_, assigned| {
            Expr::col((assigned, assignment::Column::AgentId))
                .eq(agent.uuid())
                .into_condition()
        })
        .into()
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
            description: Set(new.description.clone()),
            chunking: Set(json(&new.chunking_config)?),
            embedding: Set(json(&new.embedding_config)?),
            tokens_used: Set(0),
            created_by: Set(new.created_by.clone()),
            index_version: Set(0),
            searched_with: Set(json(&new.embedding_config.first())?),
        }
        .insert(&self.0.tx)
        .await
        .map_err(db)?;
        Ok(id)
    }

    /// The knowledge base, if this person may see it. Without a person, as for an API key, a
    /// personal one is not there.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn open(
        &self,
        id: KnowledgeBaseId,
        viewer: Option<UserId>,
    ) -> Result<Option<OpenKb>> {
        let row = self
            .0
            .find::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Id.eq(id.uuid()))
            .filter(visible(viewer))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(into_kb).map(OpenKb::whole))
    }

    /// The tenant's own business content, if there is any yet.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn open_business(&self) -> Result<Option<OpenKb>> {
        let row = self
            .0
            .find::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Scope.eq(KbScope::Business.as_str()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(row.map(into_kb).map(OpenKb::whole))
    }

    /// Newest first, what this person may see.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        viewer: Option<UserId>,
        scope: Option<KbScope>,
        status: Option<KbStatus>,
        page: PageRequest,
    ) -> Result<Page<KnowledgeBase>> {
        let mut select = self
            .0
            .find::<knowledge_base::Entity>()
            .filter(visible(viewer));
        if let Some(scope) = scope {
            select = select.filter(knowledge_base::Column::Scope.eq(scope.as_str()));
        }
        if let Some(status) = status {
            select = select.filter(knowledge_base::Column::Status.eq(status.as_str()));
        }
        let rows = newest_first(select, knowledge_base::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let kbs = rows.into_iter().map(into_kb).collect();
        Ok(Page::from_rows(kbs, page, |kb: &KnowledgeBase| {
            kb.id.uuid()
        }))
    }

    /// The personal knowledge bases of somebody, for when they leave.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn personal_of(&self, owner: UserId) -> Result<Vec<OpenKb>> {
        let rows = self
            .0
            .find::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::OwnerUserId.eq(owner.uuid()))
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(rows.into_iter().map(into_kb).map(OpenKb::whole).collect())
    }

    /// # Errors
    /// When the database cannot be written.
    pub async fn update(&self, kb: &OpenKb, change: &KnowledgeBaseChange) -> Result<bool> {
        use knowledge_base::Column;
        let mut update = self
            .0
            .update::<knowledge_base::Entity>()
            .filter(Column::Id.eq(kb.id.uuid()))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()));
        if let Some(name) = &change.name {
            update = update.col_expr(Column::Name, Expr::value(name.clone()));
        }
        if let Some(description) = &change.description {
            update = update.col_expr(Column::Description, Expr::value(description.clone()));
        }
        if let Some(language) = change.language {
            update = update.col_expr(Column::Language, Expr::value(language.as_str()));
        }
        if let Some(status) = change.status {
            update = update.col_expr(Column::Status, Expr::value(status.as_str()));
        }
        if let Some(chunking) = &change.chunking_config {
            update = update.col_expr(Column::Chunking, Expr::value(json(chunking)?));
        }
        if let Some(embedding) = &change.embedding_config {
            update = update.col_expr(Column::Embedding, Expr::value(json(embedding)?));
        }
        let done = update.exec(&self.0.tx).await.map_err(db)?;
        if change
            .language
            .is_some_and(|language| language != kb.language)
        {
            self.0.index_changes().note_all(kb.id).await?;
        }
        Ok(done.rows_affected == 1)
    }

    /// Deletes it with everything in it.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn delete(&self, kb: &OpenKb) -> Result<bool> {
        let done = self
            .0
            .delete::<knowledge_base::Entity>()
            .filter(knowledge_base::Column::Id.eq(kb.id.uuid()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }

    /// The knowledge bases this agent may read in this person's chat: its own, and those assigned
    /// to it that are active and either shared or the person's own, the latter only while the
    /// agent allows personal corpora.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn readable(&self, agent: AgentId, user: Option<UserId>) -> Result<Vec<ReadableKb>> {
        let whose = user.map_or_else(|| "nobody".to_owned(), |user| user.to_string());
        let read = self.read_readable(agent, user);
        let readable = self.0.kept(format!("{agent} for {whose}"), read).await?;
        Ok(Vec::clone(&readable))
    }

    async fn read_readable(&self, agent: AgentId, user: Option<UserId>) -> Result<Vec<ReadableKb>> {
        let of_agent = || {
            self.0
                .find::<agent::Entity>()
                .filter(agent::Column::Id.eq(agent.uuid()))
                .select_only()
        };
        let is_there = one(of_agent().column(agent::Column::Id)).eq(agent.uuid());
        let with_personal = one(of_agent().column(agent::Column::AllowsPersonalCorpus)).eq(true);
        let assigned = Expr::col((assignment::Entity, assignment::Column::Id)).is_not_null();
        // All in one statement: each question is a way to the database and back.
        let rows = self
            .0
            .find::<knowledge_base::Entity>()
            .join(JoinType::LeftJoin, assignment_to(agent))
            .select_also(assignment::Entity)
            .filter(is_there)
            .filter(knowledge_base::Column::Status.eq("active"))
            .filter(
                Condition::any()
                    .add(knowledge_base::Column::AgentId.eq(agent.uuid()))
                    .add(knowledge_base::Column::Scope.eq(KbScope::Business.as_str()))
                    .add(assigned),
            )
            .filter(visible(user))
            .filter(shared().or(with_personal))
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let mut readable: Vec<ReadableKb> = rows
            .into_iter()
            .filter_map(|(row, assigned)| {
                let scope = match row.scope.as_str() {
                    "agent" if row.agent_id == Some(agent.uuid()) => KbScope::Agent,
                    "global" => KbScope::Global,
                    "business" => KbScope::Business,
                    // Compared once more: this is the knowledge of one person.
                    "personal"
                        if user.is_some_and(|user| row.owner_user_id == Some(user.uuid())) =>
                    {
                        KbScope::Personal
                    }
                    _ => return None,
                };
                let (priority, search_weight) =
                    assigned.map_or((1, 1.0), |row| (row.priority, row.search_weight));
                Some(ReadableKb {
                    id: row.id.into(),
                    name: row.name,
                    scope,
                    language: Language::parse_or_default(&row.language),
                    priority,
                    search_weight,
                    index_version: row.index_version,
                    searched_with: config(row.searched_with),
                    tells: (&chunking(row.chunking)).into(),
                })
            })
            .collect();
        readable.sort_by_key(|kb| (kb.priority, kb.id));
        Ok(readable)
    }

    /// Remembers that somebody asked. It is written some questions at a time and a moment later.
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

fn json(value: &impl serde::Serialize) -> Result<serde_json::Value> {
    serde_json::to_value(value).map_err(Error::internal)
}

/// A count or a sum, as databases have them.
fn positive(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

fn config(value: serde_json::Value) -> EmbeddingConfig {
    serde_json::from_value(value).unwrap_or_default()
}

/// What an older version wrote is read with today's defaults for what it lacks.
fn chunking(value: serde_json::Value) -> ChunkingConfig {
    serde_json::from_value(value).unwrap_or_default()
}

pub(crate) fn into_kb(row: knowledge_base::Model) -> KnowledgeBase {
    KnowledgeBase {
        id: row.id.into(),
        name: row.name,
        description: row.description,
        scope: KbScope::parse(&row.scope).unwrap_or(KbScope::Personal),
        agent_id: row.agent_id.map(AgentId::from_uuid),
        owner_user_id: row.owner_user_id.map(UserId::from_uuid),
        language: Language::parse_or_default(&row.language),
        status: KbStatus::parse_or_archived(&row.status),
        chunking_config: chunking(row.chunking),
        embedding_config: config(row.embedding),
        index_version: row.index_version,
        searched_with: config(row.searched_with),
        last_queried_at: row.last_queried_at.map(from_db),
        total_tokens_used: positive(row.tokens_used),
        created_by: row.created_by.as_deref().and_then(person),
        created_at: from_db(row.created_at),
        updated_at: from_db(row.updated_at),
    }
}
