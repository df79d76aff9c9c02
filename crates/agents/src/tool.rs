//! The tools of an agent: what a model can look up and do, declared once.
//!
//! A tool says what it is for, in both languages, what it takes, as a type whose JSON schema a model
//! is shown, whether it changes anything, and who may use it. What it does is in `quipu-app`, which
//! knows the tenant; nothing a model says names one.

pub mod arguments;
mod check;
mod registry;
mod switches;
#[cfg(test)]
mod tests;
mod told;

pub use check::{Arguments, read};
pub use registry::{ALL, find};
pub use switches::{ToolsOff, is_essential, needs};

use crate::AgentKind;
use crate::specialist::abilities;
use quipu_core::agent::{AssistantType, Specialist, Vertical};
use quipu_core::language::Language;
use serde::Serialize;
use serde_json::Value;

/// Whether a tool changes anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    Read,
    Write,
}

/// Something an agent can do.
#[derive(Debug)]
pub struct Tool {
    pub name: &'static str,
    pub access: Access,
    es: &'static str,
    en: &'static str,
    /// Which businesses have it; all when empty.
    verticals: &'static [Vertical],
    /// Which parts of an agent use it.
    pub specialists: &'static [Specialist],
    schema: fn() -> Value,
}

/// The tools of an agent for programs that call them: those of its business that belong to what it is
/// there for and are not switched off. An agent for everything has all of them, even what its own parts do
/// without, such as orders at a clinic.
pub fn of_agent(kind: AgentKind) -> impl Iterator<Item = &'static Tool> {
    belonging(kind).filter(move |tool| !kind.off.has(tool.name))
}

/// The same with those that are switched off.
pub fn belonging(kind: AgentKind) -> impl Iterator<Item = &'static Tool> {
    let AgentKind {
        vertical,
        assistant_type,
        ..
    } = kind;
    let whole = assistant_type == AssistantType::Full;
    let abilities = abilities(AgentKind::whole(vertical, assistant_type));
    let tools = ALL.iter().filter(move |tool| tool.is_for(vertical));
    tools.filter(move |tool| whole || abilities.include(tool.name))
}

impl Tool {
    #[must_use]
    pub const fn description(&self, language: Language) -> &'static str {
        match language {
            Language::Es => self.es,
            Language::En => self.en,
        }
    }

    /// Whether an agent of this kind of business has it.
    #[must_use]
    pub fn is_for(&self, vertical: Vertical) -> bool {
        self.verticals.is_empty() || self.verticals.contains(&vertical)
    }

    /// The kinds of businesses that have it.
    pub fn verticals(&self) -> impl Iterator<Item = Vertical> {
        let all = Vertical::ALL.iter().copied();
        all.filter(|vertical| self.is_for(*vertical))
    }

    /// The JSON schema of what it takes.
    #[must_use]
    pub fn parameters(&self) -> Value {
        (self.schema)()
    }
}
