//! What a business tells its agents in its own words.

use super::item::{CatalogueItem, ItemKind, LONGEST_NAME, Reference, Searchable, line, yes};
use crate::money::Currency;
use quipu_core::BranchId;
use quipu_core::lead::words;
use quipu_core::validate::Checks;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

const LONGEST_CONTENT: usize = 4_000;
const MOST_PRIORITY: u8 = 10;

words! {
    /// What an instruction is about.
    InstructionType {
        Behavior = "behavior",
        Rule = "rule",
        Restriction = "restriction",
        Tone = "tone",
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Instruction {
    #[serde(rename = "type")]
    pub kind: InstructionType,
    #[schema(min_length = 1, max_length = 120, example = "Descuentos")]
    pub title: String,
    #[schema(
        min_length = 1,
        max_length = 4000,
        example = "No ofrezcas descuentos que no estén publicados."
    )]
    pub content: String,
    /// The most important have the highest.
    #[serde(default = "middle")]
    #[schema(minimum = 1, maximum = 10, default = 5)]
    pub priority: u8,
    /// The only branch it holds for.
    #[serde(default)]
    pub branch_id: Option<BranchId>,
    /// Whether agents are told it in every turn, not only when it is found to matter. There is room
    /// for five, with 300 tokens together. What is not active has no place there.
    #[serde(default)]
    pub include_in_prompt: bool,
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub active: bool,
}

const fn middle() -> u8 {
    5
}

impl Instruction {
    /// From this priority on an instruction is worth a place in every prompt.
    pub const PROPOSED_FROM: u8 = 8;
}

impl CatalogueItem for Instruction {
    const KIND: ItemKind = ItemKind::Instruction;

    fn name(&self) -> &str {
        &self.title
    }

    fn active(&self) -> bool {
        self.active
    }

    /// The most important first.
    fn position(&self) -> i32 {
        i32::from(MOST_PRIORITY) - i32::from(self.priority)
    }

    fn check(&mut self, _currency: Currency, checks: &mut Checks) {
        line(checks, "title", &mut self.title, LONGEST_NAME);
        checks.text("content", &self.content, LONGEST_CONTENT);
        checks.range("priority", self.priority.into(), 1, MOST_PRIORITY.into());
        self.include_in_prompt &= self.active;
    }

    fn references(&self) -> Vec<Reference> {
        let branch = self.branch_id.map(|branch| Reference {
            field: "branch_id",
            kind: ItemKind::Branch,
            ids: vec![branch.uuid()],
        });
        branch.into_iter().collect()
    }

    /// What was said of one branch is not said of all of them when that one is gone: it rests until
    /// somebody looks at it.
    fn forget(&mut self, id: Uuid) -> bool {
        if self.branch_id.is_none_or(|branch| branch.uuid() != id) {
            return false;
        }
        self.branch_id = None;
        self.active = false;
        self.include_in_prompt = false;
        true
    }

    fn searchable(&self) -> Option<Searchable> {
        Some(Searchable {
            title: self.title.clone(),
            text: self.content.clone(),
            category: Some("instruction".to_owned()),
            tags: vec![self.kind.as_str().to_owned()],
        })
    }

    fn prompt_text(&self) -> Option<String> {
        let stands = self.active && self.include_in_prompt;
        stands.then(|| self.content.trim().to_owned())
    }
}
