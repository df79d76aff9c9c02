//! Asking the models of an agent for a word, to see whether they can be used.

use super::models;
use super::record::{self, Spent};
use crate::agents::UnsavedAgent;
use crate::{Actor, App, agents, prices};
use futures::StreamExt;
use futures::future::join_all;
use quipu_core::access::Permission;
use quipu_core::agent::Agent;
use quipu_core::chat::{
    ChatError, ChatEvent, ChatMessage, ChatRequest, ModelConfig, ModelProvider, OwnPrices,
    TrialOutcome, Usage,
};
use quipu_core::ports::ChatModel;
use quipu_core::{Error, Result};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// How long the first word is waited for, and the last.
const FIRST_WITHIN: Duration = Duration::from_secs(10);
const WHOLE_WITHIN: Duration = Duration::from_secs(15);
/// Enough for a model that thinks before it says a word.
const MOST_TOKENS: u32 = 256;

/// What came of asking one model.
#[derive(Debug)]
pub struct ModelTrial {
    /// Where the settings name it, such as `settings.model`.
    pub field: &'static str,
    pub model: String,
    pub outcome: TrialOutcome,
    /// Why it cannot be asked at all.
    pub problem: Option<Error>,
    /// How long the first word took.
    pub first_word: Option<Duration>,
    pub elapsed: Duration,
    pub usage: Usage,
    /// In millionths of a dollar, where the price of the model is known.
    pub cost: Option<i64>,
}

/// Asks every model of an agent for a word, as it is set or with changes that nobody has saved.
///
/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, `FORBIDDEN`, or `TOO_MANY_TRIALS` after too many of them.
pub async fn try_models(
    app: &App,
    actor: &Actor,
    agent: &str,
    unsaved: UnsavedAgent,
) -> Result<Vec<ModelTrial>> {
    actor.require(Permission::AgentsWrite)?;
    let tx = app.store.read(actor.scope()).await?;
    let live = agents::find(&tx, agent).await?;
    let imagined = agents::imagined_to_try(&tx, actor, &live, unsaved).await?;
    app.rate.may_try_models(actor.tenant_id())?;
    let prices = prices::load(&tx).await?;
    let mut asked = Vec::new();
    for (field, config) in configured(&imagined) {
        let model = match config.provider {
            ModelProvider::Builtin => Ok(None),
            _ => models::of(app, &tx, config).await.map(Some),
        };
        asked.push((field, config.clone(), model));
    }
    drop(tx);
    let trials = asked
        .into_iter()
        .map(|(field, config, model)| one(field, config, model, &prices));
    let trials = join_all(trials).await;
    keep(app, actor, &live, &trials).await?;
    Ok(trials)
}

/// The models that an agent has, in the order in which a form shows them.
fn configured(agent: &Agent) -> Vec<(&'static str, &ModelConfig)> {
    let settings = &agent.settings;
    let tried = settings.experiment.as_ref();
    let named = [
        ("settings.model", Some(&settings.model)),
        ("settings.voice_model", settings.voice_model.as_ref()),
        ("settings.fallback_model", settings.fallback_model.as_ref()),
        (
            "settings.experiment.model",
            tried.and_then(|tried| tried.model.as_ref()),
        ),
    ];
    let named = named.into_iter();
    named
        .filter_map(|(field, model)| Some((field, model?)))
        .collect()
}

async fn one(
    field: &'static str,
    config: ModelConfig,
    model: Result<Option<Arc<dyn ChatModel>>>,
    prices: &OwnPrices,
) -> ModelTrial {
    let began = Instant::now();
    let mut trial = ModelTrial {
        field,
        model: config.name(),
        outcome: TrialOutcome::Builtin,
        problem: None,
        first_word: None,
        elapsed: Duration::ZERO,
        usage: Usage::default(),
        cost: None,
    };
    match model {
        Ok(None) => {}
        Ok(Some(model)) => {
            let asking = ask(model.as_ref(), began, &mut trial);
            let outcome = timeout(WHOLE_WITHIN, asking).await;
            trial.outcome = match outcome {
                Ok(Ok(())) => TrialOutcome::Answered,
                Ok(Err(error)) => TrialOutcome::from(&error),
                Err(_) => TrialOutcome::TooSlow,
            };
            trial.elapsed = began.elapsed();
            trial.cost = Spent::by(&trial.model, trial.usage, prices).cost;
        }
        Err(error) => {
            trial.outcome = TrialOutcome::Misconfigured;
            trial.problem = Some(error);
        }
    }
    trial
}

async fn ask(
    model: &dyn ChatModel,
    began: Instant,
    trial: &mut ModelTrial,
) -> Result<(), ChatError> {
    let request = ChatRequest {
        system: "Answer with one word.".to_owned(),
        messages: vec![ChatMessage::user("Say: ok")],
        max_tokens: Some(MOST_TOKENS),
        begin_within: Some(FIRST_WITHIN),
        ..ChatRequest::default()
    };
    let mut stream = model.chat(&request).await?;
    while let Some(event) = stream.next().await {
        let event = event?;
        trial.first_word.get_or_insert_with(|| began.elapsed());
        if let ChatEvent::Finished { usage, .. } = event {
            trial.usage = usage;
            return Ok(());
        }
    }
    Err(ChatError::transient("the answer ended before its end"))
}

/// Counts what it took, and writes down who asked which models.
async fn keep(app: &App, actor: &Actor, agent: &Agent, trials: &[ModelTrial]) -> Result<()> {
    let mut spent = Spent::default();
    for trial in trials {
        spent.usage += trial.usage;
        spent.cost = Some(spent.cost.unwrap_or(0) + trial.cost.unwrap_or(0));
    }
    let told: Vec<_> = trials
        .iter()
        .map(|trial| json!({ "model": trial.model, "outcome": trial.outcome }))
        .collect();
    let tx = app.store.begin(actor.scope()).await?;
    record::spend(&tx, &spent).await?;
    let target = format!("agent:{}", agent.id);
    actor
        .audit(&tx, "agent.model.try", target, json!({ "models": told }))
        .await?;
    tx.commit().await
}
