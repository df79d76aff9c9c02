//! What of a catalogue stands in every prompt.
//!
//! An instruction that is to stand there has a place as long as it says so and is active. Whoever
//! saves one keeps its place in the same transaction.

use super::make_searchable;
use crate::{Actor, App};
use quipu_commerce::business::{
    CatalogueItem, Instruction, InstructionType, MOST_IN_PROMPT, MOST_PROMPT_TOKENS, PromptRoom,
};
use quipu_core::access::Permission;
use quipu_core::{Result, Timestamp};
use quipu_knowledge::tokens;
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// How many of the instructions that were told are named.
const MOST_SHOWN: usize = 20;

/// How many instructions there are, and how much of the prompt they take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InstructionStatistics {
    pub total: u64,
    pub active: u64,
    pub by_type: CountByType,
    /// How many stand in every prompt, and how many may.
    pub in_prompt: u64,
    #[schema(example = 5)]
    pub most_in_prompt: u64,
    /// What they take together, and what they may.
    pub prompt_tokens: u64,
    #[schema(example = 300)]
    pub most_prompt_tokens: u64,
    pub prompt_tokens_left: u64,
    /// Whether another one can be switched on, if it is short enough.
    pub can_include_more: bool,
    /// How often agents were told instructions because they mattered for a message, all together.
    /// Those in every prompt are told without being counted.
    pub told: u64,
    /// The twenty that were told most often, the most often told first.
    #[schema(max_items = 20)]
    pub most_told: Vec<InstructionTold>,
}

/// How often agents were told an instruction because it mattered for a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InstructionTold {
    pub id: Uuid,
    pub title: String,
    pub count: u64,
    pub last: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CountByType {
    pub behavior: u64,
    pub rule: u64,
    pub restriction: u64,
    pub tone: u64,
}

/// An instruction so important that it may be worth a place in every prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProposedForPrompt {
    pub id: Uuid,
    pub title: String,
    pub priority: u8,
    /// What it would take.
    pub tokens: u32,
}

/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn statistics(app: &App, actor: &Actor) -> Result<InstructionStatistics> {
    actor.require(Permission::BusinessRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let all = tx.catalogue().all::<Instruction>().await?;
    let room = tx.prompt_places().room().await?;
    let told = tx.catalogue().told(Instruction::KIND).await?;
    let titles: HashMap<Uuid, &str> = all
        .iter()
        .map(|item| (item.id, item.data.title.as_str()))
        .collect();
    let most_told = told.iter().take(MOST_SHOWN).map(|told| InstructionTold {
        id: told.id,
        title: titles.get(&told.id).copied().unwrap_or_default().to_owned(),
        count: told.count,
        last: told.last,
    });
    let of = |kind| count(all.iter().filter(|item| item.data.kind == kind).count());
    Ok(InstructionStatistics {
        total: count(all.len()),
        active: count(all.iter().filter(|item| item.data.active).count()),
        by_type: CountByType {
            behavior: of(InstructionType::Behavior),
            rule: of(InstructionType::Rule),
            restriction: of(InstructionType::Restriction),
            tone: of(InstructionType::Tone),
        },
        in_prompt: count(room.count()),
        most_in_prompt: count(MOST_IN_PROMPT),
        prompt_tokens: room.tokens().into(),
        most_prompt_tokens: MOST_PROMPT_TOKENS.into(),
        prompt_tokens_left: room.tokens_left().into(),
        can_include_more: room.has_room(),
        told: told.iter().map(|told| told.count).sum(),
        most_told: most_told.collect(),
    })
}

/// Gives something a place in the prompt, or takes it away, as it says.
///
/// # Errors
/// `PROMPT_FULL` or `PROMPT_TOKENS_EXCEEDED` when there is no room.
pub(super) async fn keep<T: CatalogueItem>(tx: &TenantTx, id: Uuid, item: &T) -> Result<()> {
    if T::KIND != Instruction::KIND {
        return Ok(());
    }
    match item.prompt_text() {
        Some(text) => tx.prompt_places().take(id, size(&text)).await,
        None => tx.prompt_places().release(id).await.map(drop),
    }
}

/// The same on paper, to find out whether there is room before anything is written.
///
/// # Errors
/// `PROMPT_FULL` or `PROMPT_TOKENS_EXCEEDED` when there is none.
pub(super) fn plan<T: CatalogueItem>(room: &mut PromptRoom, id: Uuid, item: &T) -> Result<()> {
    let Some(text) = item.prompt_text() else {
        room.release(id);
        return Ok(());
    };
    room.take(id, size(&text)).map(drop)
}

/// Has the instructions of a branch that is about to go rest until somebody looks at them.
pub(super) async fn rest(app: &App, tx: &TenantTx, branch: Uuid) -> Result<()> {
    for mut item in tx.catalogue().all::<Instruction>().await? {
        if item.data.forget(branch) {
            tx.catalogue().update(item.id, &item.data).await?;
            keep(tx, item.id, &item.data).await?;
            make_searchable(app, tx, item.id, &item.data).await?;
        }
    }
    Ok(())
}

/// The important instructions that have no place in the prompt, the most important first. Giving
/// them one is for people to decide.
pub(super) async fn proposed(tx: &TenantTx) -> Result<Vec<ProposedForPrompt>> {
    let all = tx.catalogue().all::<Instruction>().await?;
    let important = all.into_iter().filter(|item| {
        let (data, from) = (&item.data, Instruction::PROPOSED_FROM);
        data.active && !data.include_in_prompt && data.priority >= from
    });
    let proposed = important.map(|item| ProposedForPrompt {
        id: item.id,
        tokens: size(item.data.content.trim()),
        title: item.data.title,
        priority: item.data.priority,
    });
    Ok(proposed.collect())
}

fn size(text: &str) -> u32 {
    u32::try_from(tokens::count(text)).unwrap_or(u32::MAX)
}

fn count(number: usize) -> u64 {
    number as u64
}
