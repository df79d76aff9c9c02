//! The personality of an agent in its model's own words, asked for once in the background and never
//! while somebody waits for an answer.

use super::record::{self, Spent};
use super::{aside, prompts};
use crate::App;
use quipu_agents::prompt::{CompiledPrompt, compile, polish_request, take_polished};
use quipu_core::agent::{Agent, Medium, PolishProblem};
use quipu_core::chat::{ChatError, FinishReason, ModelProvider};
use quipu_core::job::{ClaimedJob, NewJob};
use quipu_core::tenancy::TenantScope;
use quipu_core::{AgentId, Error, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::PromptKey;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::iter::once;
use std::time::Duration;

pub(crate) const POLISH_PROMPT: &str = "polish_prompt";

/// A model that is away is asked so often, an attempt at a time.
const MOST_ATTEMPTS: i32 = 3;
const DEADLINE: Duration = Duration::from_mins(2);

#[derive(Debug, Serialize, Deserialize)]
struct Order {
    agent_id: AgentId,
    medium: String,
}

/// Orders better words for an agent that was saved, for every medium it has a model for.
pub(crate) async fn order_all(app: &App, tx: &TenantTx, agent: &Agent) -> Result<()> {
    order(app, tx, agent, Medium::Messaging).await?;
    if agent.settings.voice_model.is_some() {
        order(app, tx, agent, Medium::Voice).await?;
    }
    Ok(())
}

/// Orders better words where an agent wants them, has a model that can find them, and they were not
/// asked for already.
pub(super) async fn order(app: &App, tx: &TenantTx, agent: &Agent, medium: Medium) -> Result<()> {
    let settings = &agent.settings;
    if !settings.polish || settings.model_for(medium).provider == ModelProvider::Builtin {
        return Ok(());
    }
    let plain = plain(tx, agent, medium).await?;
    if is_decided(tx, key(agent, medium), &plain.hash).await? {
        return Ok(());
    }
    let order = Order {
        agent_id: agent.id,
        medium: medium.as_str().to_owned(),
    };
    // A configuration that changes while the one before is polished is one more to polish.
    let dedup_key = format!("{}:{}:{}", agent.id, medium.as_str(), plain.hash);
    let job = NewJob {
        kind: POLISH_PROMPT,
        payload: json!(order),
        dedup_key: Some(dedup_key),
        run_at: app.now(),
        max_attempts: app.job_attempts.min(MOST_ATTEMPTS),
        owner: None,
    };
    tx.jobs().enqueue(&job).await?;
    Ok(())
}

/// Asks the model of an agent for better words, and keeps them if they are right. Returns `false` when
/// the lease was lost.
pub(crate) async fn polish(app: &App, scope: TenantScope, job: &ClaimedJob) -> Result<bool> {
    let order: Order = serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    let tx = app.store.begin(scope).await?;
    if !tx.jobs().holds(job).await? {
        return Ok(false);
    }
    let agent = tx.agents().find(order.agent_id).await?;
    let (Some(agent), Some(medium)) = (agent, Medium::parse(&order.medium)) else {
        return finish(tx, job).await;
    };
    let key = key(&agent, medium);
    let plain = plain(&tx, &agent, medium).await?;
    if !agent.settings.polish || is_decided(&tx, key, &plain.hash).await? {
        return finish(tx, job).await;
    }
    let instructions = tx.prompt_places().critical().await?;
    tx.prompts().put(key, &plain.hash, tokens(&plain)).await?;
    tx.commit().await?;

    let critical = prompts::critical(&instructions);
    let input = prompts::input(&agent, &agent.settings, medium, &critical);
    let config = agent.settings.model_for(medium);
    let request = polish_request(&input);
    let asked = aside::ask(app, scope, once(config), &request, DEADLINE).await;
    let (taken, spent) = match asked {
        Ok((answer, spent)) if answer.reason == FinishReason::Length => {
            (Err(PolishProblem::TooLong), spent)
        }
        Ok((answer, spent)) => (take_polished(&input, &answer.text), spent),
        Err(ChatError::Transient { why, .. }) if job.attempts < job.max_attempts => {
            return Err(Error::internal(why));
        }
        Err(error) => {
            tracing::warn!(tenant.id = %scope.tenant_id(), %error, "a prompt was not polished");
            (Err(PolishProblem::Model), Spent::default())
        }
    };
    let tx = app.store.begin(scope).await?;
    record::spend(&tx, &spent).await?;
    match taken {
        Ok(text) => tx.prompts().put_polished(key, &plain.hash, &text).await?,
        Err(problem) => tx.prompts().put_refused(key, &plain.hash, problem).await?,
    };
    finish(tx, job).await
}

async fn finish(tx: TenantTx, job: &ClaimedJob) -> Result<bool> {
    if !tx.jobs().complete(job).await? {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}

/// The prompt of an agent as it is written, without better words.
async fn plain(tx: &TenantTx, agent: &Agent, medium: Medium) -> Result<CompiledPrompt> {
    let instructions = tx.prompt_places().critical().await?;
    let critical = prompts::critical(&instructions);
    Ok(compile(&prompts::input(
        agent,
        &agent.settings,
        medium,
        &critical,
    )))
}

/// Whether better words for this prompt were found, or refused, already.
async fn is_decided(tx: &TenantTx, key: PromptKey, hash: &str) -> Result<bool> {
    let stored = tx.prompts().get(key).await?;
    let stored = stored.filter(|stored| stored.hash == hash);
    Ok(stored.is_some_and(|stored| stored.polished.is_some() || stored.refused.is_some()))
}

pub(super) fn key(agent: &Agent, medium: Medium) -> PromptKey {
    PromptKey {
        agent: agent.id,
        medium,
        language: agent.language,
    }
}

fn tokens(compiled: &CompiledPrompt) -> u32 {
    u32::try_from(compiled.tokens).unwrap_or(u32::MAX)
}
