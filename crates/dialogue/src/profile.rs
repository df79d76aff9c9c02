//! Whose agent speaks, how, to whom, and what it may do.

use jiff::Zoned;
use quipu_core::agent::{AssistantType, Medium, ResponseStyle, Vertical};
use quipu_core::language::Language;

/// What a turn knows of the agent before it looks anything up.
#[derive(Clone, Debug)]
pub struct AgentProfile {
    pub agent_name: String,
    pub company_name: String,
    pub vertical: Vertical,
    pub assistant_type: AssistantType,
    pub style: ResponseStyle,
    pub medium: Medium,
    /// The language of this turn.
    pub language: Language,
    /// The language in which the business wrote what it offers.
    pub written_in: Language,
    /// Now, where the business is.
    pub now: Zoned,
    pub customer_name: Option<String>,
    /// Whether it is known who the customer is. Nothing can be kept for nobody.
    pub has_customer: bool,
    /// The file that the customer sent last, as tools take it.
    pub file: Option<uuid::Uuid>,
    /// The names of the tools that the agent has.
    pub tools: Vec<&'static str>,
    /// Nothing may be changed in answer to this message.
    pub only_reads: bool,
}

impl AgentProfile {
    #[must_use]
    pub fn has(&self, tool: &str) -> bool {
        self.tools.contains(&tool)
    }

    /// Whether the agent books visits, as far as its kind goes.
    #[must_use]
    pub fn books(&self) -> bool {
        use AssistantType as Kind;
        let kind = matches!(
            self.assistant_type,
            Kind::Full | Kind::AppointmentsOnly | Kind::PersonalBrand
        );
        kind && self.has("create_appointment") && self.has("get_available_slots")
    }

    /// Whether the agent takes orders, as far as its kind goes.
    #[must_use]
    pub fn sells(&self) -> bool {
        use AssistantType as Kind;
        let kind = matches!(
            self.assistant_type,
            Kind::Full | Kind::OrdersOnly | Kind::PersonalBrand
        );
        kind && self.has("create_order")
    }

    #[must_use]
    pub fn is_clinic(&self) -> bool {
        matches!(self.vertical, Vertical::Dental | Vertical::Medical)
    }
}
