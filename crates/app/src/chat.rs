//! A question to an agent, and its grounded answer.

use crate::{Actor, App, agents, search};
use quipu_agents::{Answer, TurnInput};
use quipu_core::access::Permission;
use quipu_core::agent::Agent;
use quipu_core::business::{CatalogueItem, Competitor, ItemKind, ResponseTemplate};
use quipu_core::ports::{Speaker, Turn};
use quipu_core::retrieval::{Passage, RetrievalScope};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, ErrorCode, Result};
use quipu_knowledge::Query;
use serde::Deserialize;
use utoipa::ToSchema;

const MAX_MESSAGES: usize = 100;
const MAX_MESSAGE_CHARS: usize = 20_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChatRole {
    User,
    Assistant,
}

#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatMessage {
    pub role: ChatRole,
    #[schema(min_length = 1, max_length = 20_000, example = "¿a cómo la limpieza?")]
    pub content: String,
}

/// Answers the last message from what the agent knows, and only from that.
///
/// # Errors
/// `NOT_FOUND` for the agent or a foreign `project_id`, `AGENT_DISABLED`, `VALIDATION_FAILED`,
/// `FEATURE_NOT_IN_PLAN`. When retrieval or the responder fails, there is an answer all the same:
/// it says so, and is marked as degraded.
pub async fn answer(
    app: &App,
    actor: &Actor,
    agent: &str,
    project_id: Option<&str>,
    messages: &[ChatMessage],
) -> Result<(Agent, Answer)> {
    actor.require(Permission::Chat)?;
    check(messages)?;
    let tenant = actor.tenant();
    if project_id.is_some_and(|id| id != tenant.slug && id != tenant.id.to_string()) {
        return Err(Error::not_found("project"));
    }
    actor.plan().require_agents()?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?;
    if !agent.enabled {
        return Err(Error::new(ErrorCode::AgentDisabled));
    }
    let scope = search::grant(&tx, actor, &agent).await?;
    drop(tx);

    let turns: Vec<Turn> = messages.iter().map(turn).collect();
    let asked = quipu_agents::search_text(&turns, &agent.name, &agent.company_name, agent.language);
    let query = Query {
        context: asked.context,
        rerank: app.reranking.always,
        ..Query::new(asked.text, asked.language)
    };
    let found = search::retrieve(app, actor, &scope, &query).await;
    let (passages, retrieval_failed) = match found {
        Ok(retrieval) => {
            let failed = retrieval.missing.any();
            (quotable(app, actor, retrieval.passages).await?, failed)
        }
        Err(error) => {
            tracing::error!(agent.id = %agent.id, %error, "retrieval failed for agent {}", agent.id);
            (Vec::new(), true)
        }
    };
    let mut answer = quipu_agents::answer(
        app.responder.as_ref(),
        TurnInput {
            agent_name: agent.name.clone(),
            company_name: agent.company_name.clone(),
            default_language: agent.language,
            messages: turns,
            passages,
        },
    )
    .await?;
    answer.degraded |= retrieval_failed;
    let grounded = if answer.grounded { "yes" } else { "no" };
    metrics::counter!("quipu_answers_total", "grounded" => grounded).increment(1);
    count(app, actor, &scope).await;
    Ok((agent, answer))
}

/// What customers may be told in the words it is written in. How to speak of competitors, and
/// templates with their places still empty, are for whoever answers and not for them.
async fn quotable(app: &App, actor: &Actor, mut passages: Vec<Passage>) -> Result<Vec<Passage>> {
    if passages.is_empty() {
        return Ok(passages);
    }
    let ids: Vec<_> = passages.iter().map(|passage| passage.document_id).collect();
    let kinds = [Competitor::KIND, ResponseTemplate::KIND].map(ItemKind::as_str);
    let tx = app.store.read(actor.scope()).await?;
    let kept_back = tx.documents().of_business(&ids, &kinds).await?;
    passages.retain(|passage| !kept_back.contains(&passage.document_id));
    Ok(passages)
}

/// Counting must not cost the customer the answer.
async fn count(app: &App, actor: &Actor, scope: &RetrievalScope) {
    let counted = async {
        let tx = app.store.begin(actor.scope()).await?;
        tx.usage().add("messages", 1).await?;
        let ids: Vec<_> = scope.knowledge_bases().iter().map(|kb| kb.id).collect();
        tx.knowledge_bases().touch_queried(&ids).await?;
        tx.commit().await
    };
    if let Err(error) = counted.await {
        tracing::warn!(tenant.id = %actor.tenant_id(), %error, "an answer was not counted");
    }
}

fn check(messages: &[ChatMessage]) -> Result<()> {
    let mut checks = Checks::new();
    if messages.is_empty() {
        checks.problem("messages", Problem::Empty);
    } else if messages.len() > MAX_MESSAGES {
        checks.problem("messages", Problem::Range { min: 1, max: 100 });
    }
    for (i, message) in messages.iter().enumerate().take(MAX_MESSAGES) {
        checks.text(
            &format!("messages[{i}].content"),
            &message.content,
            MAX_MESSAGE_CHARS,
        );
    }
    if messages
        .last()
        .is_some_and(|last| last.role != ChatRole::User)
    {
        let allowed = "user".to_owned();
        checks.problem("messages[-1].role", Problem::Unknown { allowed });
    }
    checks.finish()
}

fn turn(message: &ChatMessage) -> Turn {
    Turn {
        speaker: match message.role {
            ChatRole::User => Speaker::Customer,
            ChatRole::Assistant => Speaker::Agent,
        },
        text: message.content.clone(),
    }
}
