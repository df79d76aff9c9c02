//! A turn without effects.

use super::desk::TurnDesk;
use super::record::{self, Spent};
use super::stage::RehearsalStage;
use super::visit::{self, Visit};
use super::{limits, models, note_unusable, number, prompts, readings, setting};
use crate::{Actor, App, prices, profile, search};
use quipu_agents::{Answer, Silence, TurnInput};
use quipu_core::agent::{Agent, Medium};
use quipu_core::chat::{ChatMessage, ToolChoice};
use quipu_core::{BranchId, Error, Result, TurnId};
use serde_json::Value;

/// An answer that was given in a rehearsal, and what it took.
pub(crate) struct RehearsedTurn {
    pub(crate) answer: Answer,
    pub(crate) spent: Spent,
}

/// Answers the last message as the agent would, with whatever it reads, and changes nothing: no row is
/// written that stays, no search is noted, and the turn counts nowhere. The agent may be one that nobody
/// has published.
///
/// # Errors
/// When the database cannot be read. When a tool or the model fails, there is an answer all the same.
pub(crate) async fn rehearse(
    app: &App,
    actor: &Actor,
    agent: &Agent,
    stage: &RehearsalStage,
    messages: Vec<ChatMessage>,
    dialogue: Option<Value>,
) -> Result<RehearsedTurn> {
    if !actor.rehearses() {
        return Err(Error::internal("a rehearsal by somebody who acts"));
    }
    let visit = Visit::on_stage(stage.lead(), stage.conversation().clone());
    let turn_id = TurnId::generate(app.now());
    let settings = if stage.is_made_up() {
        // The agent itself is tried, and not by chance what it is compared with.
        agent.settings.clone()
    } else {
        agent.settings.variant(number(&visit, turn_id)).0
    };
    let tx = app.store.read(actor.scope()).await?;
    let scope = search::grant_turn(&tx, actor, agent, true).await?;
    let medium = Medium::from(stage.conversation().channel);
    let (prompt, _) = prompts::prompt(app, &tx, actor, agent, &settings, medium).await?;
    let zone = profile::time_zone(actor);
    let mut setting = setting(agent, &settings, medium, &visit, app.now().to_zoned(zone));
    setting.files = visit::files(&tx, &visit).await?;
    let branch = visit::branch(&tx, &visit).await?;
    let own_prices = prices::load(&tx).await?;
    let (model, unusable) = models::model(app, &tx, &settings, medium).await;
    drop(tx);
    let desk = TurnDesk {
        app,
        actor,
        agent,
        settings: &settings,
        visit: &visit,
        scope: &scope,
        branch: branch.as_ref().map(|branch| BranchId::from_uuid(branch.id)),
        model: model.is_some(),
        stage: Some(stage),
    };
    let input = TurnInput {
        readings: readings::read(app, &messages).await,
        dialogue,
        setting,
        locale: actor.tenant().locale.clone(),
        prompt,
        memory: settings.memory.into(),
        instructions: None,
        branch: branch.map(|branch| branch.data.name),
        client_tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
        limits: limits(app, &settings),
        key: format!("rehearsal:{turn_id}"),
        messages,
    };
    let quoter = app.responder.as_ref();
    let mut answer =
        quipu_agents::answer(input, model.as_deref(), &desk, quoter, &mut Silence).await?;
    note_unusable(&mut answer, &unusable);
    let spent = Spent {
        usage: answer.trace.usage,
        cost: record::price(&answer, &settings, medium, &own_prices),
    };
    Ok(RehearsedTurn { answer, spent })
}
