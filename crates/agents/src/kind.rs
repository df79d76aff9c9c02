//! What decides which tools and parts an agent has.

use crate::tool::ToolsOff;
use quipu_core::agent::{Agent, AgentSettings, AssistantType, Vertical};

/// What business an agent works for, what it is there for, and what it goes without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AgentKind {
    pub vertical: Vertical,
    pub assistant_type: AssistantType,
    pub off: ToolsOff,
}

impl AgentKind {
    /// With everything that belongs to it.
    #[must_use]
    pub fn whole(vertical: Vertical, assistant_type: AssistantType) -> Self {
        Self {
            vertical,
            assistant_type,
            off: ToolsOff::default(),
        }
    }

    /// As somebody has set it.
    #[must_use]
    pub fn set(vertical: Vertical, settings: &AgentSettings) -> Self {
        Self {
            vertical,
            assistant_type: settings.assistant_type,
            off: ToolsOff::named(&settings.disabled_tools),
        }
    }
}

impl From<&Agent> for AgentKind {
    fn from(agent: &Agent) -> Self {
        Self::set(agent.vertical, &agent.settings)
    }
}
