//! What of an agent shapes its answers, as drafts and versions hold it.

use super::{Agent, AgentChange, AgentSettings, Vertical};
use crate::language::Language;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Everything that decides how an agent answers. Where it is found (its slug) and whether it answers
/// at all are no part of it: going back to an older version neither moves an agent nor switches it
/// off. Keys are not in it either, only which provider asks for one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AgentConfiguration {
    pub name: String,
    /// The business the agent speaks for, as customers know it.
    pub company_name: String,
    pub vertical: Vertical,
    /// The language it answers in when a message gives no hint.
    pub language: Language,
    /// Whether people may give it knowledge of their own, which it reads in their chats alone.
    pub allows_personal_corpus: bool,
    /// How it speaks, what it is for, and who writes its answers.
    pub settings: AgentSettings,
}

impl AgentConfiguration {
    /// The same with a change to it.
    #[must_use]
    pub fn changed(self, change: AgentChange) -> Self {
        Self {
            name: change.name.unwrap_or(self.name),
            company_name: change.company_name.unwrap_or(self.company_name),
            vertical: change.vertical.unwrap_or(self.vertical),
            language: change.language.unwrap_or(self.language),
            allows_personal_corpus: change
                .allows_personal_corpus
                .unwrap_or(self.allows_personal_corpus),
            settings: change.settings.unwrap_or(self.settings),
        }
    }

    /// An agent as it would be with this configuration.
    #[must_use]
    pub fn applied_to(self, agent: &Agent) -> Agent {
        Agent {
            id: agent.id,
            slug: agent.slug.clone(),
            name: self.name,
            company_name: self.company_name,
            vertical: self.vertical,
            language: self.language,
            enabled: agent.enabled,
            active: agent.active,
            allows_personal_corpus: self.allows_personal_corpus,
            settings: self.settings,
            knowledge_base_id: agent.knowledge_base_id,
            created_at: agent.created_at,
            updated_at: agent.updated_at,
        }
    }
}

impl From<&Agent> for AgentConfiguration {
    fn from(agent: &Agent) -> Self {
        Self {
            name: agent.name.clone(),
            company_name: agent.company_name.clone(),
            vertical: agent.vertical,
            language: agent.language,
            allows_personal_corpus: agent.allows_personal_corpus,
            settings: agent.settings.clone(),
        }
    }
}

impl From<AgentConfiguration> for AgentChange {
    fn from(configuration: AgentConfiguration) -> Self {
        Self {
            slug: None,
            name: Some(configuration.name),
            company_name: Some(configuration.company_name),
            vertical: Some(configuration.vertical),
            language: Some(configuration.language),
            enabled: None,
            allows_personal_corpus: Some(configuration.allows_personal_corpus),
            settings: Some(configuration.settings),
        }
    }
}
