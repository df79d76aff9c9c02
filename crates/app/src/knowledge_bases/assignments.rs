//! Which agents read a knowledge base, and how much it counts for each.

use super::{may_manage, may_read, open, target};
use crate::{Actor, App, agents};
use quipu_core::knowledge::{Assignment, KbScope};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, ErrorCode, KnowledgeBaseId, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Assign {
    /// The agent's id or slug.
    #[schema(min_length = 1, max_length = 50, example = "maya")]
    pub agent: String,
    #[serde(default = "default_priority")]
    #[schema(minimum = 1, maximum = 1000, default = 1)]
    pub priority: i32,
    #[serde(default = "default_weight")]
    #[schema(minimum = 0.0, maximum = 10.0, default = 1.0)]
    pub search_weight: f32,
}

fn default_priority() -> i32 {
    1
}

fn default_weight() -> f32 {
    1.0
}

/// Lets an agent read a knowledge base, or changes how much it counts there.
///
/// # Errors
/// `NOT_FOUND`, `FORBIDDEN`, `VALIDATION_FAILED`, `KNOWLEDGE_BASE_MANAGED` for one that is an
/// agent's own or the tenant's, `PERSONAL_CORPUS_NOT_ALLOWED`.
pub async fn assign(
    app: &App,
    actor: &Actor,
    id: KnowledgeBaseId,
    input: Assign,
) -> Result<Assignment> {
    let mut checks = Checks::new();
    checks.range("priority", i64::from(input.priority), 1, 1000);
    if !(0.0..=10.0).contains(&input.search_weight) {
        checks.problem("search_weight", Problem::Range { min: 0, max: 10 });
    }
    checks.finish()?;
    let tx = app.store.begin(actor.scope()).await?;
    let kb = open(&tx, actor, id).await?;
    may_manage(actor, &kb)?;
    if !matches!(kb.scope, KbScope::Global | KbScope::Personal) {
        return Err(Error::new(ErrorCode::KnowledgeBaseManaged));
    }
    let agent = agents::find(&tx, &input.agent).await?;
    if kb.scope == KbScope::Personal && !agent.allows_personal_corpus {
        return Err(Error::new(ErrorCode::PersonalCorpusNotAllowed));
    }
    let (priority, weight) = (input.priority, input.search_weight);
    if !tx
        .assignments()
        .update(agent.id, id, priority, weight)
        .await?
    {
        tx.assignments()
            .insert(agent.id, id, priority, weight)
            .await?;
    }
    actor
        .audit(
            &tx,
            "knowledge_base.assign",
            target(id),
            json!({ "agent": agent.id, "priority": priority, "search_weight": weight }),
        )
        .await?;
    let assigned = tx.assignments().of_kb(&kb).await?;
    tx.commit().await?;
    assigned
        .into_iter()
        .find(|assignment| assignment.agent_id == agent.id)
        .ok_or_else(|| Error::internal("an assignment vanished while it was written"))
}

/// Which agents read it.
///
/// # Errors
/// `NOT_FOUND` when it is not there or is somebody else's.
pub async fn assignments(app: &App, actor: &Actor, id: KnowledgeBaseId) -> Result<Vec<Assignment>> {
    let tx = app.store.read(actor.scope()).await?;
    let kb = open(&tx, actor, id).await?;
    may_read(actor, &kb)?;
    tx.assignments().of_kb(&kb).await
}

/// # Errors
/// `NOT_FOUND` or `FORBIDDEN`.
pub async fn unassign(app: &App, actor: &Actor, id: KnowledgeBaseId, agent: &str) -> Result<()> {
    let tx = app.store.begin(actor.scope()).await?;
    let kb = open(&tx, actor, id).await?;
    may_manage(actor, &kb)?;
    let agent = agents::find(&tx, agent).await?;
    if !tx.assignments().delete(agent.id, id).await? {
        return Err(Error::not_found("assignment"));
    }
    actor
        .audit(
            &tx,
            "knowledge_base.unassign",
            target(id),
            json!({ "agent": agent.id }),
        )
        .await?;
    tx.commit().await
}
