//! What a turn knows about where it happens, and what it can look up and do there.

use crate::tool::{Tool, ToolsOff};
use crate::{AgentKind, SearchText};
use async_trait::async_trait;
use jiff::Zoned;
use quipu_core::agent::{AssistantType, Grounding, Medium, ResponseStyle, Vertical};
use quipu_core::context::Corpus;
use quipu_core::language::Language;
use quipu_core::retrieval::Passage;
use quipu_core::{DocumentId, Result};
use serde_json::Value;
use std::collections::HashSet;
use uuid::Uuid;

/// Where a turn happens: whose agent it is, how it speaks, and to whom.
#[derive(Clone, Debug)]
pub struct Setting {
    pub agent_name: String,
    pub company_name: String,
    pub vertical: Vertical,
    pub style: ResponseStyle,
    pub assistant_type: AssistantType,
    /// What the agent goes without.
    pub tools_off: ToolsOff,
    pub grounding: Grounding,
    pub medium: Medium,
    /// The language to answer in when the conversation gives no hint.
    pub default_language: Language,
    /// Now, where the business is.
    pub now: Zoned,
    /// What the customer is called, once known.
    pub customer_name: Option<String>,
    /// Whether it is known who the customer is. Nothing can be booked for nobody.
    pub has_customer: bool,
    /// What the customer sent lately, the latest first.
    pub files: Vec<SentFile>,
}

impl Setting {
    #[must_use]
    pub const fn kind(&self) -> AgentKind {
        AgentKind {
            vertical: self.vertical,
            assistant_type: self.assistant_type,
            off: self.tools_off,
        }
    }
}

/// A file that a customer sent in the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentFile {
    /// As tools take it.
    pub id: Uuid,
    pub name: String,
    /// Such as `png` or `pdf`.
    pub kind: String,
}

/// What was found for a question.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The best first.
    pub passages: Vec<Passage>,
    /// The knowledge bases that were searched.
    pub corpora: Vec<Corpus>,
    /// Which documents of the passages tell what a person answered in the agent's place and somebody
    /// approved.
    pub learned: HashSet<DocumentId>,
    /// What the business wants heeded for this question, the most important first. It is for whoever
    /// answers, and never quoted.
    pub instructions: Vec<Guidance>,
    /// Something could not be searched, so that less was found than there may be.
    pub incomplete: bool,
}

/// An instruction of the business that matters for a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guidance {
    pub id: Uuid,
    pub text: String,
}

/// What a turn can look up and do. Whoever gives it to the turn knows for which tenant, agent, lead
/// and conversation; nothing that is asked here names one.
#[async_trait]
pub trait Desk: Send + Sync {
    /// Calls a tool. A tool that changes something does so once for each key, however often it is
    /// called with it.
    ///
    /// # Errors
    /// What the tool refuses, with a hint for whoever called it.
    async fn call(&self, tool: &'static Tool, arguments: &Value, key: &str) -> Result<Value>;

    /// Searches what the agent may read.
    ///
    /// # Errors
    /// When nothing could be searched.
    async fn search(&self, question: &SearchText) -> Result<Found>;

    /// How alike each of some names is to some words in meaning, from -1 to 1; nothing where there is no
    /// way to tell.
    ///
    /// # Errors
    /// When they could not be compared.
    async fn likeness(&self, _words: &str, _names: &[String]) -> Result<Vec<f32>> {
        Ok(Vec::new())
    }
}
