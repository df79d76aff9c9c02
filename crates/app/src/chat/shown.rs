//! The prompts of an agent as people see them: what stands in them, what that takes, and what had no
//! room.

use super::everything::everything;
use super::prompts;
use crate::{Actor, App, agents, prompting};
use quipu_agents::prompt::{CompiledPrompt, compile, compile_polished};
use quipu_core::access::Permission;
use quipu_core::agent::{Agent, Medium, PolishProblem, PromptState};
use quipu_core::language::Language;
use quipu_core::turn::PromptSource;
use quipu_core::{Result, Timestamp};
use quipu_store::TenantTx;
use serde::Serialize;
use utoipa::ToSchema;

/// The stable part of an agent's prompt for one medium, as it is told now.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AgentPrompt {
    pub medium: Medium,
    pub language: Language,
    /// The five sections and the business's own words, or everything in one text.
    pub source: PromptSource,
    /// What all of it takes.
    pub tokens: usize,
    pub sections: Vec<PromptSection>,
    pub left_out: PromptLeftOut,
    /// How often it was put together anew.
    pub regenerations: u64,
    /// How the agent speaks in the words of its model, where they are used.
    pub polished: Option<String>,
    /// Why the words of the model are not used.
    pub refused: Option<PolishProblem>,
    /// When it was last put together for a message. Absent when nobody has asked in this medium.
    pub updated_at: Option<Timestamp>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PromptSection {
    #[schema(example = "own_instructions")]
    pub name: String,
    pub tokens: usize,
}

/// What had no room.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct PromptLeftOut {
    /// How many critical instructions.
    pub critical_instructions: usize,
    /// Some of the agent's own instructions. Only of agents that were saved before there was a limit.
    pub system_instructions: bool,
    /// How many pieces of what the business has, where all of it is told.
    pub pieces: usize,
}

/// The prompts that an agent has, and what became of the better words that were asked for.
///
/// # Errors
/// `NOT_FOUND` when there is no such agent in the tenant.
pub async fn agent_prompts(app: &App, actor: &Actor, agent: &str) -> Result<Vec<AgentPrompt>> {
    actor.require(Permission::BusinessRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?;
    let stored = tx.prompts().list(agent.id).await?;
    let mut wanted: Vec<(Medium, Language)> = Vec::new();
    for medium in Medium::ALL {
        wanted.push((*medium, agent.language));
        // An agent may have spoken another language before.
        let others = stored.iter().filter(|state| state.medium == *medium);
        let others = others.filter(|state| state.language != agent.language);
        wanted.extend(others.map(|state| (state.medium, state.language)));
    }
    let mut shown = Vec::new();
    for (medium, language) in wanted {
        let is = |state: &&PromptState| (state.medium, state.language) == (medium, language);
        let state = stored.iter().find(is).cloned();
        let state = state.map(|state| only_wanted(&agent, state));
        let polished = state.as_ref().and_then(|state| state.polished.clone());
        let compiled = compiled(&tx, actor, &agent, medium, language, polished.as_deref()).await?;
        shown.push(AgentPrompt {
            medium,
            language,
            source: compiled.source,
            tokens: compiled.tokens,
            sections: sections(&compiled),
            left_out: left_out(&compiled),
            regenerations: state.as_ref().map_or(0, |state| state.regenerations),
            polished,
            refused: state.as_ref().and_then(|state| state.refused),
            updated_at: state.map(|state| state.updated_at),
        });
    }
    Ok(shown)
}

/// Better words are shown only of an agent that wants them.
fn only_wanted(agent: &Agent, mut state: PromptState) -> PromptState {
    if !agent.settings.polish {
        (state.polished, state.refused) = (None, None);
    }
    state
}

async fn compiled(
    tx: &TenantTx,
    actor: &Actor,
    agent: &Agent,
    medium: Medium,
    language: Language,
    polished: Option<&str>,
) -> Result<CompiledPrompt> {
    let instructions = tx.prompt_places().critical().await?;
    let critical = prompts::critical(&instructions);
    let mut input = prompts::input(agent, &agent.settings, medium, &critical);
    input.language = language;
    if prompting::load(tx).await?.legacy_prompt {
        return Ok(everything(tx, actor, agent, input).await?.compiled);
    }
    Ok(match polished {
        Some(polished) => compile_polished(&input, polished),
        None => compile(&input),
    })
}

/// What had no room in a prompt.
pub(super) const fn left_out(compiled: &CompiledPrompt) -> PromptLeftOut {
    PromptLeftOut {
        critical_instructions: compiled.left_out.critical,
        system_instructions: compiled.left_out.system_instructions,
        pieces: compiled.left_out.pieces,
    }
}

fn sections(compiled: &CompiledPrompt) -> Vec<PromptSection> {
    let sections = compiled.sections.iter();
    sections
        .map(|section| PromptSection {
            name: section.name.to_owned(),
            tokens: section.tokens,
        })
        .collect()
}
