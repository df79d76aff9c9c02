//! The prompt of an agent, compiled once for each way it is set.

use super::everything::everything;
use super::polish;
use crate::{Actor, App, prompting};
use quipu_agents::Prompt;
use quipu_agents::prompt::{
    AnswerLength, CompiledPrompt, CriticalInstruction, LegacyPrompt, PromptInput, compile,
    compile_polished,
};
use quipu_agents::tool::ToolsOff;
use quipu_commerce::business::Instruction;
use quipu_core::agent::{Agent, AgentSettings, Medium};
use quipu_core::{AgentId, Result};
use quipu_store::TenantTx;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

/// How many prompts are kept in memory. All of them are made again when there are more.
const MOST_KEPT: usize = 4_096;

/// Prompts that were compiled, by the agent, the medium and everything they are made of.
#[derive(Debug, Default)]
pub struct Prompts(Mutex<HashMap<(AgentId, u64), Arc<CompiledPrompt>>>);

impl Prompts {
    fn get(&self, key: (AgentId, u64)) -> Option<Arc<CompiledPrompt>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(&key).cloned()
    }

    fn put(&self, key: (AgentId, u64), prompt: Arc<CompiledPrompt>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(key, prompt);
    }
}

/// What a model is told about the agent, whatever the message is; and the compiled prompt when it was
/// made just now.
pub(super) async fn prompt(
    app: &App,
    tx: &TenantTx,
    actor: &Actor,
    agent: &Agent,
    settings: &AgentSettings,
    medium: Medium,
) -> Result<(Prompt, Option<Arc<CompiledPrompt>>)> {
    let instructions = tx.prompt_places().critical().await?;
    let critical = critical(&instructions);
    let input = input(agent, settings, medium, &critical);
    let mut own_words = String::new();
    for instruction in &critical {
        own_words.push_str(instruction.text);
        own_words.push('\n');
    }
    own_words.push_str(settings.system_instructions.as_deref().unwrap_or_default());
    if prompting::load(tx).await?.legacy_prompt {
        match everything(tx, actor, agent, input).await {
            Ok(LegacyPrompt {
                compiled,
                own_words,
            }) => {
                let prompt = Prompt {
                    own_words,
                    ..told(&compiled)
                };
                return Ok((prompt, None));
            }
            // The short prompt needs none of what could not be read.
            Err(error) => {
                let tenant = actor.tenant_id();
                tracing::warn!(tenant.id = %tenant, %error, "the long prompt cannot be made");
            }
        }
    }
    // What is compiled for a rehearsal is not remembered: it would be noted nowhere that an agent has
    // this prompt when it is first used.
    let app = (!actor.rehearses()).then_some(app);
    let (plain, fresh) = compiled(app, agent, &input, None);
    let polished = if settings.polish {
        tx.prompts().get(polish::key(agent, medium)).await?
    } else {
        None
    };
    let polished = polished.filter(|stored| stored.hash == plain.hash);
    let used = match polished.and_then(|stored| stored.polished) {
        Some(polished) => compiled(app, agent, &input, Some(&polished)).0,
        None => plain.clone(),
    };
    let prompt = Prompt {
        own_words,
        ..told(&used)
    };
    Ok((prompt, fresh.then_some(plain)))
}

/// The compiled prompt, and whether it was made just now.
fn compiled(
    app: Option<&App>,
    agent: &Agent,
    input: &PromptInput<'_>,
    polished: Option<&str>,
) -> (Arc<CompiledPrompt>, bool) {
    let key = (agent.id, digest(input, polished));
    if let Some(known) = app.and_then(|app| app.prompts.get(key)) {
        return (known, false);
    }
    let made = match polished {
        Some(polished) => compile_polished(input, polished),
        None => compile(input),
    };
    let made = Arc::new(made);
    if let Some(app) = app {
        if polished.is_none() {
            metrics::counter!("quipu_prompt_regenerations_total").increment(1);
        }
        app.prompts.put(key, made.clone());
    }
    (made, true)
}

/// The instructions that stand in every prompt.
pub(super) fn critical(instructions: &[Instruction]) -> Vec<CriticalInstruction<'_>> {
    let instructions = instructions.iter();
    instructions
        .map(|instruction| CriticalInstruction {
            text: &instruction.content,
            priority: instruction.priority,
        })
        .collect()
}

/// All that the stable part of a prompt depends on.
pub(super) fn input<'a>(
    agent: &'a Agent,
    settings: &'a AgentSettings,
    medium: Medium,
    critical: &'a [CriticalInstruction<'a>],
) -> PromptInput<'a> {
    PromptInput {
        language: agent.language,
        agent_name: &agent.name,
        company_name: &agent.company_name,
        vertical: agent.vertical,
        style: settings.response_style,
        assistant_type: settings.assistant_type,
        tools_off: ToolsOff::named(&settings.disabled_tools),
        medium,
        grounding: settings.grounding,
        answer_length: Some(AnswerLength {
            sentences: settings.max_sentences,
            words: settings.max_words,
        }),
        lead_temperature: settings.tracks_temperature,
        system_instructions: settings.system_instructions.as_deref(),
        critical,
    }
}

/// Keeps which prompt an agent has now, so that people can see how often it is made anew. That it
/// cannot be kept costs nobody an answer. Where better words are wanted for it, they are ordered; a
/// variant that is tried out has none, and does not take those of the agent itself away.
pub(super) async fn keep(
    app: &App,
    actor: &Actor,
    agent: &Agent,
    settings: &AgentSettings,
    medium: Medium,
    compiled: &CompiledPrompt,
) {
    if settings.polish && *settings != agent.settings {
        return;
    }
    let key = polish::key(agent, medium);
    let tokens = u32::try_from(compiled.tokens).unwrap_or(u32::MAX);
    let kept = async {
        let tx = app.store.begin(actor.scope()).await?;
        tx.prompts().put(key, &compiled.hash, tokens).await?;
        polish::order(app, &tx, agent, medium).await?;
        tx.commit().await?;
        app.new_work.notify_one();
        Ok::<(), quipu_core::Error>(())
    };
    if let Err(error) = kept.await {
        tracing::warn!(tenant.id = %actor.tenant_id(), %error, "a prompt was not noted");
    }
}

fn told(compiled: &CompiledPrompt) -> Prompt {
    Prompt {
        text: compiled.stable.clone(),
        source: compiled.source,
        tokens: u32::try_from(compiled.tokens).unwrap_or(u32::MAX),
        own_words: String::new(),
        secret: compiled.secret.clone(),
    }
}

/// What tells one configuration from another. Nothing that changes from day to day is part of it.
fn digest(input: &PromptInput<'_>, polished: Option<&str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    let PromptInput {
        language,
        agent_name,
        company_name,
        vertical,
        style,
        assistant_type,
        tools_off,
        medium,
        grounding,
        answer_length,
        lead_temperature,
        system_instructions,
        critical,
    } = input;
    let length = answer_length.map(|length| (length.sentences, length.words));
    (language.as_str(), agent_name, company_name, vertical, style).hash(&mut hasher);
    (assistant_type, medium, grounding, length, lead_temperature).hash(&mut hasher);
    (tools_off, system_instructions, polished).hash(&mut hasher);
    for instruction in *critical {
        (instruction.text, instruction.priority).hash(&mut hasher);
    }
    hasher.finish()
}
