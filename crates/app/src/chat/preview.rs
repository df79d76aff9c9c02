//! What a model would be told, before anybody saves what would make it so.

use super::everything::everything;
use super::shown::{PromptLeftOut, left_out};
use super::{polish, prompts};
use crate::agents::UnsavedAgent;
use crate::{Actor, App, agents, prompting};
use quipu_agents::prompt::{CompiledPrompt, compile, compile_polished};
use quipu_core::Result;
use quipu_core::access::Permission;
use quipu_core::agent::{Agent, LineDifference, Medium, line_difference};
use quipu_core::language::Language;
use quipu_core::turn::PromptSource;
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Which prompt is to be shown.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewPrompt {
    pub medium: Medium,
    /// What nobody has saved yet.
    #[serde(default)]
    pub changes: UnsavedAgent,
}

/// The stable part of a prompt, as a model would be told it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PromptPreview {
    pub medium: Medium,
    pub language: Language,
    /// The five sections and the business's own words, or everything in one text.
    pub source: PromptSource,
    /// What all of it takes.
    pub tokens: usize,
    /// The same of what is live.
    pub live_tokens: usize,
    pub sections: Vec<PreviewedSection>,
    pub left_out: PromptLeftOut,
    /// Whether it speaks in the better words that the agent's model was asked for. They are asked for when the
    /// agent is saved.
    pub polished: bool,
}

/// A section, or one that is live and would go.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PreviewedSection {
    #[schema(example = "personality")]
    pub name: String,
    /// Empty where the section would go.
    pub text: String,
    pub tokens: usize,
    /// What differs from what is live, line by line; empty where nothing does.
    pub changes: Vec<LineDifference>,
}

/// The prompt of an agent with changes that are kept nowhere.
///
/// # Errors
/// `NOT_FOUND` for the agent or its draft, `VALIDATION_FAILED`, or `FORBIDDEN` without the permission.
pub async fn preview_prompt(
    app: &App,
    actor: &Actor,
    agent: &str,
    wanted: PreviewPrompt,
) -> Result<PromptPreview> {
    actor.require(Permission::BusinessRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let live = agents::find(&tx, agent).await?;
    let imagined = agents::imagined(&tx, actor, &live, wanted.changes).await?;
    let medium = wanted.medium;
    let (told, polished) = compiled(&tx, actor, &imagined, medium).await?;
    let (now, _) = compiled(&tx, actor, &live, medium).await?;
    Ok(PromptPreview {
        medium,
        language: imagined.language,
        source: told.source,
        tokens: told.tokens,
        live_tokens: now.tokens,
        sections: sections(&told, &now),
        left_out: left_out(&told),
        polished,
    })
}

/// The prompt, and whether it is in the words of a model.
async fn compiled(
    tx: &TenantTx,
    actor: &Actor,
    agent: &Agent,
    medium: Medium,
) -> Result<(CompiledPrompt, bool)> {
    let instructions = tx.prompt_places().critical().await?;
    let critical = prompts::critical(&instructions);
    let input = prompts::input(agent, &agent.settings, medium, &critical);
    if prompting::load(tx).await?.legacy_prompt {
        return Ok((everything(tx, actor, agent, input).await?.compiled, false));
    }
    let plain = compile(&input);
    if !agent.settings.polish {
        return Ok((plain, false));
    }
    let stored = tx.prompts().get(polish::key(agent, medium)).await?;
    let stored = stored.filter(|stored| stored.hash == plain.hash);
    Ok(match stored.and_then(|stored| stored.polished) {
        Some(polished) => (compile_polished(&input, &polished), true),
        None => (plain, false),
    })
}

fn sections(told: &CompiledPrompt, live: &CompiledPrompt) -> Vec<PreviewedSection> {
    let text_in = |prompt: &CompiledPrompt, name: &str| {
        let found = prompt.sections.iter().find(|section| section.name == name);
        found.map_or_else(String::new, |section| section.text.clone())
    };
    let shown = told.sections.iter().map(|section| PreviewedSection {
        name: section.name.to_owned(),
        text: section.text.clone(),
        tokens: section.tokens,
        changes: differing(&text_in(live, section.name), &section.text),
    });
    let goes = |name: &str| told.sections.iter().all(|section| section.name != name);
    let gone = live.sections.iter().filter(|section| goes(section.name));
    let gone = gone.map(|section| PreviewedSection {
        name: section.name.to_owned(),
        text: String::new(),
        tokens: 0,
        changes: differing(&section.text, ""),
    });
    shown.chain(gone).collect()
}

fn differing(before: &str, after: &str) -> Vec<LineDifference> {
    if before == after {
        return Vec::new();
    }
    let whole = |text: &str| match text {
        "" => String::new(),
        text => format!("{text}\n"),
    };
    // Without its end, the last line would differ from the same line inside a text.
    line_difference(&whole(before), &whole(after))
}
